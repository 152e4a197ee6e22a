// What playing and following both do to the page.

export const find = (id) => document.getElementById(id);
export const NAMES = { white: "White", black: "Black" };

export function say(text) {
  if (find("status").textContent !== text) find("status").textContent = text;
}

// The men on the board in words.
export function tellBoard(board) {
  const men = (color) => [...board.state.pieces].filter(([, man]) => man.color === color).map(([square, man]) => `${man.role} ${square}`);
  find("board").setAttribute("aria-label", `Board. White: ${men("white").join(", ")}. Black: ${men("black").join(", ")}.`);
}
