// Page functions shared by the Play and Follow modes.

export const find = (id) => document.getElementById(id);
export const NAMES = { white: "White", black: "Black" };

export function say(text) {
  if (find("status").textContent !== text) find("status").textContent = text;
}

// Sets the board's label for screen readers: every piece and its square.
export function describeBoard(board) {
  const list = (color) => [...board.state.pieces]
    .filter(([, piece]) => piece.color === color).map(([square, piece]) => `${piece.role} ${square}`).join(", ");
  find("board").setAttribute("aria-label", `Board. White: ${list("white")}. Black: ${list("black")}.`);
}
