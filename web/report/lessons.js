// Lists what each player can learn from the errors of the game.

import { make } from "make";

const times = (count) => (count === 1 ? "once" : `${count} times`);

function drawLesson(list, lesson, moves, choose) {
  const item = make(list, "li", {});
  make(item, "strong", {}, lesson.title);
  item.append(`: ${times(lesson.errors)}, ${Math.round(lesson.lost_per_game)} points of winning chance. ${lesson.advice}`);
  const examples = make(item, "p", { class: "small" });
  for (const { number, played, better } of lesson.examples) {
    const index = moves.findIndex((move) => move.label === number && move.san === played);
    const button = make(examples, "button", { type: "button" }, `${number} ${played}`);
    button.addEventListener("click", () => choose(index + 1));
    examples.append(` better ${better} `);
  }
}

/** Fills `parent` with the lessons of both players. `choose` selects a move by its number from 1. */
export function drawLessons(parent, { lessons, moves, players }, choose) {
  for (const { side, lessons: own } of lessons) {
    const column = make(parent, "div", {});
    make(column, "h3", {}, players[side]);
    if (own.length === 0) make(column, "p", {}, "No error of this size.");
    const list = make(column, "ol", {});
    for (const lesson of own) drawLesson(list, lesson, moves, choose);
  }
}
