// Shows the emotion, map, factors and best line of one record of a FeelingsFile.

import { factorTable } from "./factors.js";
import { drawMap, signed } from "./map.js";
import { find } from "./page.js";
import { nameView, seen } from "./view.js";
import { feelingWords, negated } from "./wording.js";

function element(name, text, parent) {
  const made = document.createElement(name);
  made.textContent = text;
  parent?.append(made);
  return made;
}

const temper = (value) => (Math.abs(value) < 0.05 ? "" : value < 0 ? "fear" : "relief");

export class Feelings {
  constructor(about) {
    this.about = about;
    this.goals = new Map(about.goals.map(({ name, description }) => [name, description]));
    this.links = null;
    this.factors = factorTable(find("factors"), about.groups);
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
      sign.textContent = `${imagined ? "It would feel" : "It feels"} ${feelingWords(record)}`;
      element("span", ` ${signed(intensity)}`, sign).className = "number";
    }
    const goal = find("goal");
    goal.textContent = record.goal ? this.goals.get(record.goal) ?? record.goal : "No goal: all weights are normal.";
    this.map?.show(record.concepts ?? {});
    find("settling").textContent = record.settling ? `The map: ${record.settling}.` : "";
    this.showOther(record.opponent, imagined);
    find("factor-scale").textContent = this.factors.show(record.factors);
    find("other-effects").textContent = this.otherEffects(record.effects);
  }

  // Shows what the engine would feel on the other side of the board.
  showOther(opponent, imagined) {
    const isKnown = typeof opponent?.intensity === "number" && !imagined;
    const goal = this.goals.get(opponent?.goal) ?? "";
    find("other-feeling").textContent = isKnown
      ? `In the opponent’s place it would feel ${feelingWords(opponent)} ${signed(opponent.intensity)}. ${goal}` : "";
  }

  // Returns the effects of an emotion besides the factors as a sentence, or an empty string.
  otherEffects(effects) {
    if (!effects) return "";
    const parts = [];
    if (effects.draw) parts.push(`a draw is scored as ${effects.draw} centipawns`);
    if (effects.time) parts.push(`thinking time changes by ${effects.time} %`);
    if (effects.attention) parts.push(`moves that serve its goal are reduced less, by ${effects.attention}/1024 of a ply`);
    return parts.length ? `Besides the factors: ${parts.join(", ")}.` : "";
  }

  // Shows the score and the best line, or dashes before the first search (`depth` 0). `near` is at the bottom of the board.
  think(record, near) {
    const known = record?.depth > 0;
    nameView(near);
    find("score").textContent = known ? seen(record.side === "black" ? negated(record.score) : record.score, near) : "–";
    find("depth").textContent = known ? record.depth : "–";
    find("nodes").textContent = known ? record.nodes.toLocaleString("en") : "–";
    find("line").textContent = known ? (record.line ?? record.pv).join(" ") : "";
  }
}
