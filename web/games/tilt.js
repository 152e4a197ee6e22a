// The board of Tilt. It tips to its heavier half. On narrow windows, its columns run from bottom to top.

import { make } from "./make.js";

const COLUMNS = [..."abcdefghijklmnop"];
const ROWS = [1, 2, 3, 4, 5];
const MEN = ["silver", "gold"];

const narrow = matchMedia("(max-width: 620px)");
const times = (count) => (count === 1 ? "one more time" : `${count} more times`);

export const tilt = {
  legend: "The board tips to its heavier half. Rings mark men that can move, and then where they can go. The two columns at each end are the homes.",

  layout({ person }) {
    if (!narrow.matches) return { names: ROWS.flatMap((row) => COLUMNS.map((column) => column + row)), columns: 16 };
    // you move up
    const columns = person === 0 ? COLUMNS.toReversed() : COLUMNS;
    return { names: columns.flatMap((column) => ROWS.map((row) => column + row)), columns: 5 };
  },

  /** Returns how to draw each cell. `selected` is the man whose moves are shown. */
  cells(state, isYours, selected) {
    const legal = isYours ? state.legal : [];
    const movable = new Set(legal.map(({ from }) => from));
    const targets = new Set(legal.filter(({ from }) => from === selected).map(({ to }) => to));
    const men = new Map(state.board.men.flatMap((cells, side) => cells.map((cell) => [cell, side])));
    return (name) => {
      const column = COLUMNS.indexOf(name[0]);
      const classes = column < 8 ? ["left"] : ["right"];
      if (column < 2 || column > 13) classes.push("home");
      if (column === 7) classes.push("middle");
      if (state.last && [state.last.from, state.last.to].includes(name)) classes.push("last");
      const side = men.get(name);
      if (side !== undefined) {
        const whose = side === state.person ? "your man" : `${state.sides[side]}'s man`;
        if (movable.has(name)) classes.push(name === selected ? "selected" : "movable");
        const label = `${whose}${name === selected ? ", selected" : movable.has(name) ? ", can move" : ""}`;
        const turned = (side === 0) === (state.person === 0) ? "ahead" : "back";
        const content = (button) => make(button, "span", { class: `disc ${MEN[side]} ${turned}`, "aria-hidden": "true" });
        return { label, classes, content, isPickable: movable.has(name) };
      }
      if (targets.has(name)) classes.push("legal");
      const label = targets.has(name) ? "empty, you can move here" : "empty";
      return { label, classes, isPickable: targets.has(name) };
    };
  },

  /** Returns the move or the selection that picking a cell makes. */
  pick(state, name, selected) {
    const own = state.legal.filter(({ from }) => from === name);
    if (own.length > 0) return { selected: name === selected ? null : name };
    return { move: state.legal.find(({ from, to }) => from === selected && to === name)?.name };
  },

  balance({ board, sides, turn, person, result }) {
    const weights = `${sides[0]}'s half weighs ${board.weights[0]}, ${sides[1]}'s ${board.weights[1]}.`;
    if (result) return weights;
    const who = turn === person ? "You move" : `${sides[turn]} moves`;
    return `${weights} ${who} ${times(board.run)} until the turn passes.`;
  },

  score({ board }, side) {
    return `${board.home[side]} of ${board.goal} home, ${board.extras[side]} extra`;
  },

  /** Returns by how much the board leans to the left, in weight. */
  lean: ({ board }) => board.weights[0] - board.weights[1],
};
