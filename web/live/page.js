// Page functions shared by the parts of the page.

export const find = (id) => document.getElementById(id);
export const NAMES = { white: "White", black: "Black" };
export const opposite = (side) => (side === "white" ? "black" : "white");

export function say(text) {
  if (find("status").textContent !== text) find("status").textContent = text;
}

// Sets the board's label for screen readers: every piece and its square.
export function describeBoard(board) {
  const list = (color) => [...board.state.pieces]
    .filter(([, piece]) => piece.color === color).map(([square, piece]) => `${piece.role} ${square}`).join(", ");
  find("board").setAttribute("aria-label", `Board. White: ${list("white")}. Black: ${list("black")}.`);
}

// Asks the user to confirm. Returns whether the user agrees.
export async function isSure(text, yes) {
  const dialog = find("sure");
  find("sure-text").textContent = text;
  find("yes").textContent = yes;
  dialog.returnValue = "";
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  return dialog.returnValue === "yes";
}

// Appends the picture of a piece to `parent`, in the style of the board.
export function drawPiece(parent, role, color) {
  const frame = parent.appendChild(document.createElement("span"));
  frame.className = "cg-wrap man";
  frame.appendChild(document.createElement("piece")).className = `${role} ${color}`;
}
