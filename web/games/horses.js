// The board of Horses. Each square has the shade of the side that gets there first.

import { make } from "./make.js";

const FILES = [..."abcdefgh"];
const RANKS = [8, 7, 6, 5, 4, 3, 2, 1];
const COLOURS = ["white", "black"];

const plural = (count, word) => `${count} ${word}${Math.abs(count) === 1 ? "" : "s"}`;
const signed = (points) => (points > 0 ? `+${points}` : `−${-points}`);

function knight(button, side) {
  const man = make(button, "span", { class: "man cg-wrap", "aria-hidden": "true" });
  make(man, "piece", { class: `knight ${COLOURS[side]}` });
}

// Says who gets to a square first, in words.
function reach({ first, moves }, { sides, person }) {
  if (first === null) return "nobody gets here";
  const who = first === person ? "you get here first" : `${sides[first]} gets here first`;
  return `${who}, in ${plural(moves[first], "move")}`;
}

export const horses = {
  legend: "Light squares are White's: White gets there first. Dark ones are Black's. Dotted ones nobody reaches. Rings mark your moves.",

  layout() {
    return { names: RANKS.flatMap((rank) => FILES.map((file) => file + rank)), columns: 8 };
  },

  /** Returns how to draw each cell. */
  cells(state, isYours) {
    const left = new Map(state.board.squares.map((square) => [square.name, square]));
    const legal = new Set(isYours ? state.legal.map(({ to }) => to) : []);
    return (name) => {
      const classes = state.last && [state.last.from, state.last.to].includes(name) ? ["last"] : [];
      const side = state.board.knights.indexOf(name);
      if (side >= 0) {
        const whose = side === state.person ? "your horse" : `${state.sides[side]}'s horse`;
        return { label: whose, classes: [...classes, "stood"], content: (button) => knight(button, side), isPickable: false };
      }
      const square = left.get(name);
      if (!square) return { label: "gone", classes: [...classes, "gone"], isPickable: false };
      const { prize } = square;
      classes.push(square.first === null ? "nobodys" : COLOURS[square.first]);
      const parts = [reach(square, state)];
      if (prize) parts.unshift(plural(prize, "point").replace("-", "minus "));
      if (legal.has(name)) {
        classes.push("legal");
        parts.unshift("you can move here");
      }
      const content = prize && ((button) => make(button, "span", { class: prize > 0 ? "prize" : "prize loss" }, signed(prize)));
      return { label: parts.join(", "), classes, content: content || undefined, isPickable: legal.has(name) };
    };
  },

  /** Returns the move that picking a cell makes. */
  pick(state, name) {
    return { move: state.legal.find(({ to }) => to === name)?.name };
  },

  balance({ board, sides, person, result }) {
    if (board.fined === null || result) return "";
    return board.fined === person ? "You are stuck and were fined 4 points." : `${sides[board.fined]} is stuck and was fined 4 points.`;
  },

  score: ({ scores }, side) => plural(scores[side], "point").replace("-", "−"),
  lean: () => 0,
};
