// Draws a fuzzy cognitive map: perceived concepts on the left, the emotion on the right.
// A link's width shows its weight. A concept's glow shows its activation: cold below 0, warm above.

import { makeSvg } from "make";

const WIDTH = 400;
const HEIGHT = 312;
const RADIUS = 23;
// Curvature of a link, as a share of its length.
const BEND = 0.12;

// Default places of the article's concepts, in units of the picture.
const PLACES = {
  material: [72, 54],
  mobility: [40, 120],
  king_safety: [40, 192],
  king_exposure: [72, 262],
  desirability: [216, 34],
  arousal: [216, 234],
  relief: [350, 142],
};

export const words = (name) => name.replaceAll("_", " ");

export function signed(value) {
  const text = Math.abs(value).toFixed(2);
  if (text === "0.00") return text;
  return (value < 0 ? "−" : "+") + text;
}

// Returns the SVG paths of a link's curve and arrowhead, from rim to rim.
function arrow(from, to, width) {
  if (from === to) {
    const [x, y] = [from.x - RADIUS, from.y];
    return {
      curve: `M${x + 3} ${y - 9} c-24 -12 -24 30 -2 19`,
      head: `M${x + 3} ${y + 9} l-8 -1 l4 7 z`,
    };
  }
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const [cx, cy] = [from.x + dx / 2 + BEND * dy, from.y + dy / 2 - BEND * dx];
  const towards = (a, x, y, distance) => {
    const length = Math.hypot(x - a.x, y - a.y);
    return [a.x + ((x - a.x) / length) * distance, a.y + ((y - a.y) / length) * distance];
  };
  const size = 5 + 1.4 * width;
  const [sx, sy] = towards(from, cx, cy, from.radius + 2);
  const [tx, ty] = towards(to, cx, cy, to.radius + 3);
  const [ex, ey] = towards(to, cx, cy, to.radius + 3 + size);
  const [px, py] = [((ty - ey) / size) * (size / 2), ((ex - tx) / size) * (size / 2)];
  return {
    curve: `M${sx} ${sy} Q${cx} ${cy} ${ex} ${ey}`,
    head: `M${tx} ${ty} L${ex + px} ${ey + py} L${ex - px} ${ey - py} z`,
  };
}

// Returns the CSS class for the sign of `value`, or an empty string near 0.
function temper(value) {
  if (Math.abs(value) < 0.005) return "";
  return value > 0 ? "warm" : "cold";
}

/**
 * Draws a map into `element` and returns an object with `show(values)`.
 *
 * `nodes` are `{name}`. Concepts that are not in the article also need `x` from 0 to 400 and `y` from 0 to 312. `links` are `{from, to, weight}` by name, with `acts: false` for a link into a
 * held concept, which has no effect. `values` are activations from -1 to 1 by name.
 */
export function drawMap(element, { nodes, links }) {
  const picture = makeSvg(element, "svg", {
    class: "map", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img",
  });
  const placed = new Map();
  for (const { name, x, y } of nodes) {
    const [left, top] = PLACES[name] ?? [WIDTH / 2, HEIGHT / 2];
    const radius = name === "relief" ? RADIUS + 8 : RADIUS;
    placed.set(name, { name, x: x ?? left, y: y ?? top, radius });
  }
  const glows = makeSvg(picture, "g", {});
  const lines = links.map(({ from, to, weight, acts }) => {
    const group = makeSvg(picture, "g", {});
    const width = acts === false ? 0.8 : 0.8 + 3.2 * Math.abs(weight);
    const { curve, head } = arrow(placed.get(from), placed.get(to), width);
    const line = makeSvg(group, "path", { class: "link", d: curve, "stroke-width": width });
    line.classList.toggle("lowers", weight < 0);
    makeSvg(group, "path", { class: "head", d: head });
    const verb = weight < 0 ? "lowers" : "raises";
    const idle = acts === false ? " (no effect: the concept is held)" : "";
    makeSvg(group, "title", {}, `${words(from)} ${verb} ${words(to)} by ${Math.abs(weight)}${idle}`);
    return { from, weight, acts, group };
  });
  const discs = [...placed.values()].map(({ name, x, y, radius }) => {
    const halo = makeSvg(glows, "g", { class: "concept" });
    const glow = makeSvg(halo, "circle", { class: "glow", cx: x, cy: y, r: radius, opacity: 0 });
    const group = makeSvg(picture, "g", { class: "concept", "data-concept": name });
    makeSvg(group, "circle", { class: "disc", cx: x, cy: y, r: radius });
    const value = makeSvg(group, "text", { class: "value", x, y: y + 4 }, "");
    makeSvg(group, "text", { class: "name", x, y: y + radius + 14 }, words(name));
    return { name, radius, halo, glow, group, value };
  });
  return {
    show(values) {
      for (const { from, weight, acts, group } of lines) {
        const flow = acts === false ? 0 : (values[from] ?? 0) * weight;
        group.setAttribute("class", temper(flow));
        group.setAttribute("opacity", acts === false ? 0.16 : 0.22 + 0.68 * Math.min(1, Math.abs(flow)));
      }
      for (const { name, radius, halo, glow, group, value } of discs) {
        const now = values[name] ?? 0;
        const much = Math.min(1, Math.abs(now));
        for (const part of [halo, group]) part.setAttribute("class", `concept ${temper(now)}`);
        group.style.setProperty("--much", `${Math.round(100 * much)}%`);
        glow.setAttribute("r", radius + 12 * much);
        glow.setAttribute("opacity", 0.55 * much);
        value.textContent = signed(now);
      }
      const activations = discs.map(({ name }) => `${words(name)} ${signed(values[name] ?? 0)}`);
      picture.setAttribute("aria-label", `Map of concepts: ${activations.join(", ")}`);
    },
  };
}
