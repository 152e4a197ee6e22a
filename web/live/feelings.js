// What is felt and thought, from a record such as `deepfeeling` writes into a FeelingsFile.

import { drawMap, signed, words } from "./map.js";
import { find } from "./page.js";

const SVG = "http://www.w3.org/2000/svg";
// The least number of moves that the ribbon has room for.
const ROOM = 40;

function element(name, text, parent) {
  const made = document.createElement(name);
  made.textContent = text;
  parent?.append(made);
  return made;
}

export function scoreText(score) {
  if (!score) return "–";
  if (score.mate !== undefined) return `${score.mate < 0 ? "−" : ""}#${Math.abs(score.mate)}`;
  return signed(score.cp / 100);
}

// From fear to relief in words, as table 1 of the article has it, with shades.
function feeling(intensity) {
  const much = Math.abs(intensity);
  if (much < 0.05) return "It feels nothing in particular";
  const shade = much < 0.25 ? "a little " : much < 0.6 ? "" : "great ";
  return `It feels ${shade}${intensity < 0 ? "fear" : "relief"}`;
}

const temper = (value) => (Math.abs(value) < 0.05 ? "" : value < 0 ? "fear" : "relief");

export class Feelings {
  constructor(about) {
    this.about = about;
    this.links = null;
    this.rows = new Map();
    for (const group of about.groups) {
      const row = element("tr", "", find("factors"));
      element("th", words(group), row).scope = "row";
      this.rows.set(group, [element("td", "", row), element("td", "", row)]);
    }
  }

  // The map of a profile; of one that is not known, only its concepts.
  drawMap(name) {
    const profile = this.about.profiles.find((one) => one.id === name || one.name === name);
    const links = profile?.links ?? [];
    if (this.links === links) return;
    this.links = links;
    find("map").replaceChildren();
    this.map = drawMap(find("map"), { nodes: this.about.concepts, links });
  }

  // All that is felt; `imagined` if it is not so.
  show(record, imagined) {
    document.body.classList.toggle("imagined", imagined);
    const told = find("emotion");
    const intensity = record.intensity;
    told.className = "emotion";
    if (intensity === null) {
      told.textContent = "It feels nothing: emotion is off";
    } else {
      if (temper(intensity)) told.classList.add(temper(intensity));
      const sentence = feeling(intensity);
      told.textContent = imagined ? sentence.replace("It feels", "It would feel") : sentence;
      element("span", ` ${signed(intensity)}`, told).className = "number";
    }
    const goal = find("goal");
    goal.textContent = record.goal ? this.about.goals[record.goal] ?? record.goal : "No goal: nothing is weighed otherwise.";
    this.map?.show(record.concepts ?? {});
    find("settling").textContent = record.settling ? `The map: ${record.settling}.` : "";
    for (const [group, cells] of this.rows) {
      for (const [i, side] of ["own", "other"].entries()) {
        const factor = record.factors?.[side]?.[group] ?? 1;
        const cell = cells[i];
        cell.textContent = factor.toFixed(2);
        const isSame = cell.textContent === "1.00";
        cell.className = isSame ? "same" : factor > 1 ? "more" : "less";
        cell.style.setProperty("--much", Math.min(1, Math.abs(Math.log2(Math.max(factor, 0.25)))));
      }
    }
    find("leaning").textContent = this.leaning(record.leaning);
  }

  leaning(leaning) {
    if (!leaning) return "";
    const told = [];
    if (leaning.draw) told.push(`a draw is worth ${leaning.draw} centipawns`);
    if (leaning.time) told.push(`a move takes ${leaning.time} % more time`);
    if (leaning.attention) told.push(`it looks closer at its goal: ${leaning.attention}/1024 of a ply`);
    return told.length ? `Beside the factors, ${told.join(", ")}.` : "";
  }

  // Score and best line; `depth` 0: nothing was searched yet.
  think(record) {
    const known = record?.depth > 0;
    find("score").textContent = known ? scoreText(record.score) : "–";
    find("depth").textContent = known ? record.depth : "–";
    find("nodes").textContent = known ? record.nodes.toLocaleString("en") : "–";
    find("line").textContent = known ? (record.line ?? record.pv).join(" ") : "";
  }
}

// The feeling over a game: a bar for each move, up for relief and down for fear. `points` are
// `{intensity, label, here}`; those without intensity leave a gap.
export function drawRibbon(parent, points) {
  const picture = document.createElementNS(SVG, "svg");
  const width = Math.max(ROOM, points.length);
  picture.setAttribute("viewBox", `0 -1.05 ${width} 2.1`);
  picture.setAttribute("preserveAspectRatio", "none");
  picture.setAttribute("class", "ribbon");
  picture.setAttribute("role", "img");
  const make = (name, attributes) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    picture.append(made);
    return made;
  };
  make("rect", { class: "zero", x: 0, y: -0.01, width, height: 0.02 });
  const felt = points.filter((point) => typeof point.intensity === "number");
  for (const [i, { intensity, label, here }] of points.entries()) {
    if (here) make("rect", { class: "here", x: i, y: -1.05, width: 1, height: 2.1 });
    if (typeof intensity !== "number") continue;
    const height = Math.max(0.03, Math.abs(intensity));
    const y = intensity < 0 ? 0 : -height;
    const bar = make("rect", { class: intensity < 0 ? "fear" : "relief", x: i + 0.1, y, width: 0.8, height });
    bar.append(Object.assign(document.createElementNS(SVG, "title"), { textContent: `${label}: ${signed(intensity)}` }));
  }
  const last = felt.at(-1);
  picture.setAttribute("aria-label", last
    ? `Feelings over ${felt.length} moves, the last ${signed(last.intensity)} from fear −1 to relief +1`
    : "No feelings yet");
  parent.replaceChildren(picture);
}
