// Shows the emotion, map, factors and best line of one record of a FeelingsFile.

import { drawMap, signed, words } from "./map.js";
import { find } from "./page.js";

const SVG = "http://www.w3.org/2000/svg";
// Minimum width of the ribbon, in moves.
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

// Returns the emotion as a sentence. Records of earlier versions have no words for it.
function feeling({ emotion, intensity }) {
  const word = emotion ?? (intensity < 0 ? "fear" : "relief");
  return `It feels ${word === "neutral" ? "neither fear nor relief" : word}`;
}

const temper = (value) => (Math.abs(value) < 0.05 ? "" : value < 0 ? "fear" : "relief");

export class Feelings {
  constructor(about) {
    this.about = about;
    this.goals = new Map(about.goals.map(({ name, description }) => [name, description]));
    this.links = null;
    this.rows = new Map();
    for (const group of about.groups) {
      const row = element("tr", "", find("factors"));
      element("th", words(group), row).scope = "row";
      this.rows.set(group, [element("td", "", row), element("td", "", row)]);
    }
  }

  // Draws the map of a profile, or only its concepts if the profile is unknown.
  drawMap(name) {
    const profile = this.about.profiles.find((one) => one.id === name || one.name === name);
    const links = profile?.links ?? [];
    if (this.links === links) return;
    this.links = links;
    find("map").replaceChildren();
    this.map = drawMap(find("map"), { nodes: this.about.concepts, links });
  }

  // Shows a record's emotion, goal, map and factors. `imagined` marks the answer to a what-if question.
  show(record, imagined) {
    document.body.classList.toggle("imagined", imagined);
    const sign = find("emotion");
    const intensity = record.intensity;
    sign.className = "emotion";
    if (intensity === null) {
      sign.textContent = "It feels nothing: emotion is off";
    } else {
      if (temper(intensity)) sign.classList.add(temper(intensity));
      const sentence = feeling(record);
      sign.textContent = imagined ? sentence.replace("It feels", "It would feel") : sentence;
      element("span", ` ${signed(intensity)}`, sign).className = "number";
    }
    const goal = find("goal");
    goal.textContent = record.goal ? this.goals.get(record.goal) ?? record.goal : "No goal: all weights are normal.";
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

  // Returns the effects of an emotion besides the factors as a sentence, or an empty string.
  leaning(leaning) {
    if (!leaning) return "";
    const parts = [];
    if (leaning.draw) parts.push(`a draw is scored as ${leaning.draw} centipawns`);
    if (leaning.time) parts.push(`thinking time changes by ${leaning.time} %`);
    if (leaning.attention) parts.push(`moves that serve its goal are reduced less, by ${leaning.attention}/1024 of a ply`);
    return parts.length ? `Besides the factors: ${parts.join(", ")}.` : "";
  }

  // Shows the score and the best line, or dashes before the first search (`depth` 0).
  think(record) {
    const known = record?.depth > 0;
    find("score").textContent = known ? scoreText(record.score) : "–";
    find("depth").textContent = known ? record.depth : "–";
    find("nodes").textContent = known ? record.nodes.toLocaleString("en") : "–";
    find("line").textContent = known ? (record.line ?? record.pv).join(" ") : "";
  }
}

// Draws the emotion over a game: one bar per move, up for relief and down for fear. `points` are
// `{intensity, label, here}`. A point without intensity leaves a gap.
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
    ? `Emotion over ${felt.length} moves, from fear −1 to relief +1; last: ${signed(last.intensity)}`
    : "No feelings yet");
  parent.replaceChildren(picture);
}
