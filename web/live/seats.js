// The two seats beside the board: names and captured pieces.

import { levelName } from "./order.js";
import { make } from "./make.js";
import { NAMES, drawPiece, find, opposite } from "./page.js";

const ROLES = { q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
const VALUES = { q: 9, r: 5, b: 3, n: 3, p: 1 };

function count(board, letter) {
  return board.split(letter).length - 1;
}

// Writes the name of the engine as an opponent. A small screen hides the words before the rating.
function nameOpponent(element, { level, profile }, about) {
  const character = about.profiles.find((one) => one.id === profile)?.name ?? profile ?? "who?";
  if (!level) return element.replaceChildren(`${levelName(level)} · ${character}`);
  element.replaceChildren();
  make(element, "span", { class: "words" }, `${levelName(level)} · `);
  element.append(`${level} · ${character}`);
}

// Returns the letters of the men of `side` that `board` lacks, compared with `start`.
function missing(start, board, side) {
  const cased = (letter) => (side === "white" ? letter.toUpperCase() : letter);
  return Object.keys(ROLES).flatMap((letter) => {
    const lost = count(start, cased(letter)) - count(board, cased(letter));
    return Array(Math.max(0, lost)).fill(letter);
  });
}

// Returns by how many points White has more material.
function balance(board) {
  return Object.entries(VALUES)
    .reduce((sum, [letter, value]) => sum + value * (count(board, letter.toUpperCase()) - count(board, letter)), 0);
}

/** Shows who sits where, and what each side has captured on `board`. */
export function showSeats(state, board, near, about) {
  const [start] = state.start.split(" ");
  for (const [seat, side] of [["near", near], ["far", opposite(near)]]) {
    const name = find(`${seat}-name`);
    if (state.players) name.replaceChildren(state.players[side === "white" ? 0 : 1] || NAMES[side]);
    else if (side === state.human) name.replaceChildren("You");
    else nameOpponent(name, state, about);
    name.title = NAMES[side];
    const taken = find(`${seat}-taken`);
    taken.replaceChildren();
    const lost = missing(start, board, opposite(side));
    for (const letter of lost) drawPiece(taken, ROLES[letter], opposite(side));
    const ahead = side === "white" ? balance(board) : -balance(board);
    if (ahead > 0) make(taken, "span", { class: "quiet" }, `+${ahead}`);
    const list = lost.map((letter) => ROLES[letter]).join(", ");
    if (lost.length) make(taken, "span", { class: "unseen" }, `captured ${list}`);
  }
}
