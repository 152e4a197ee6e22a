// Lights up the squares that the engine's goal concerns.

import { recall, remember } from "./memory.js";
import { find } from "./page.js";

/** The button that lights up the squares, and their list. */
export class GoalSquares {
  constructor(board) {
    Object.assign(this, { board, squares: [] });
    this.button = find("squares");
    this.isOn = recall("squares") !== "off";
    this.button.addEventListener("click", () => {
      this.isOn = !this.isOn;
      remember("squares", this.isOn ? "on" : "off");
      this.draw();
    });
  }

  // Shows the squares of a record. Records of a followed file have none.
  show(record) {
    this.squares = record?.squares ?? [];
    this.draw();
  }

  draw() {
    const isShown = this.isOn && this.squares.length > 0;
    this.button.hidden = this.squares.length === 0;
    this.button.setAttribute("aria-pressed", String(this.isOn));
    find("square-list").textContent = isShown ? `Squares it concerns: ${this.squares.join(" ")}` : "";
    const lit = isShown ? this.squares.map((square) => [square, "lit"]) : [];
    this.board.set({ highlight: { custom: new Map(lit) } });
  }
}
