// Shows what both sides feel, what the feeling changes, and a look back at the game.

import { make } from "./make.js";
import { drawRibbons } from "./ribbon.js";

const find = (id) => document.getElementById(id);

/** Shows the feelings in a state. */
export function showFeelings({ feelings, person, temperament, result }) {
  const feels = temperament !== "calm";
  find("feels").checked = feels;
  find("feels-text").textContent = feels ? "It feels" : "It does not feel";
  const its = feelings?.[1 - person];
  const needle = find("needle");
  needle.hidden = !its;
  if (!its) {
    find("sentence").textContent = result ? "The game is over." : "";
    find("yours").textContent = "";
    return;
  }
  find("sentence").textContent = feels ? `It is ${its.sentence}.` : `It does not feel. With feelings it would be ${its.sentence}.`;
  find("yours").textContent = `In your place it would be ${feelings[person].sentence}.`;
  needle.className = its.emotion.split(" ").at(-1); // fear, relief or neutral
  needle.style.setProperty("--intensity", its.intensity);
}

/** Says what the machine plays with its feeling and without. */
export function showChoice(choice, { sides, person }) {
  const it = sides[1 - person];
  find("choice").textContent = !choice ? `${it} has not moved yet.`
    : choice.felt === choice.calm ? `Its last move is ${choice.felt}, with feeling and without.`
    : `Its last move: with feeling ${choice.felt}, without feeling ${choice.calm}.`;
  find("choice").classList.toggle("differs", Boolean(choice) && choice.felt !== choice.calm);
}

/** Shows the ribbon of both feelings and the moves that turned the game. */
export function showReview({ course, turning, depth }, { sides, person }) {
  const points = (side) => course.map(({ move, side: mover, feelings }, i) => (
    { intensity: feelings[side].intensity, label: `${i + 1}. ${sides[mover]} ${move}` }
  ));
  drawRibbons(find("ribbon"), [1 - person, person].map((side) => ({
    name: side === person ? `You, ${sides[side]}` : `It, ${sides[side]}`,
    text: side === person ? "What it would have felt in your place" : "What it felt",
    points: points(side),
  })));
  const list = find("turning");
  list.replaceChildren();
  for (const { number, side, move, neutral } of turning) {
    const who = side === person ? "you" : sides[side];
    const text = `Move ${number}: ${who} played ${move}. The neutral agent, which looks ${depth} moves ahead, would have played ${neutral}.`;
    make(list, "li", {}, text);
  }
  if (turning.length === 0) make(list, "li", {}, "None: the neutral agent found no better moves that mattered.");
  find("review").hidden = false;
}
