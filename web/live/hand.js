// The user's moves: dragged, premoved, typed, and promotions chosen on the board.

import { make } from "./make.js";
import { drawPiece, find } from "./page.js";

const PROMOTIONS = { q: "queen", n: "knight", r: "rook", b: "bishop" };

/** Reads the user's moves. Calls `send` with a move, and `restore` when one is given up. */
export class Hand {
  constructor(board, send, restore) {
    Object.assign(this, { board, send, restore });
    find("typed").addEventListener("submit", (event) => {
      event.preventDefault();
      const move = find("typed-move").value.trim();
      if (move) this.send(move).then((isDone) => { if (isDone) find("typed-move").value = ""; });
    });
    document.addEventListener("keydown", (event) => this.typeAnywhere(event));
  }

  // Sends letters that are typed outside a field to the field for moves.
  typeAnywhere({ key, altKey, ctrlKey, metaKey, target }) {
    if (altKey || ctrlKey || metaKey || key.length !== 1 || !/[a-hkqrno0-9]/i.test(key)) return;
    const field = find("typed-move");
    if (target.matches("input, select, textarea") || document.querySelector("dialog[open]") || !field.checkVisibility()) return;
    field.focus();
  }

  // Returns the board's settings for `state`. Moves are possible in the last position only.
  settings({ human, turn, dests, end }, isLive) {
    const isOpen = isLive && !end;
    return {
      viewOnly: !isOpen, turnColor: turn,
      movable: {
        free: false, color: isOpen ? human : undefined, dests: new Map(Object.entries(dests)), showDests: true,
        events: { after: (from, to, { premove }) => this.drop(from, to, premove) },
      },
      premovable: { enabled: isOpen, showDests: true, castle: true },
    };
  }

  // Plays the move that was prepared during the engine's turn, if it is legal.
  playPrepared({ human, turn, end }) {
    if (turn === human && !end) this.board.playPremove();
    if (end) this.board.cancelPremove();
  }

  async drop(from, to, isPremove) {
    const piece = this.board.state.pieces.get(to);
    const isPromotion = piece?.role === "pawn" && (to[1] === "8" || to[1] === "1");
    if (!isPromotion) return this.send(from + to);
    const role = isPremove ? "q" : await this.choosePromotion(to, piece.color);
    return role ? this.send(from + to + role) : this.restore();
  }

  // Shows the four pieces on the board. Returns the letter of the chosen one, or an empty string.
  choosePromotion(square, color) {
    const menu = find("promotion");
    const column = square.charCodeAt(0) - 97;
    const isTurned = this.board.state.orientation === "black";
    menu.style.setProperty("--column", isTurned ? 7 - column : column);
    menu.classList.toggle("low", (square[1] === "1") !== isTurned);
    menu.replaceChildren();
    menu.hidden = false;
    return new Promise((resolve) => {
      const done = (letter) => {
        menu.hidden = true;
        removeEventListener("pointerdown", outside, true);
        removeEventListener("keydown", escape, true);
        resolve(letter);
      };
      const outside = ({ target }) => { if (!menu.contains(target)) done(""); };
      const escape = (event) => { if (event.key === "Escape") done(""); };
      for (const [letter, role] of Object.entries(PROMOTIONS)) {
        const button = make(menu, "button", { type: "button" });
        drawPiece(button, role, color);
        make(button, "span", { class: "unseen" }, role[0].toUpperCase() + role.slice(1));
        button.addEventListener("click", () => done(letter));
      }
      addEventListener("pointerdown", outside, true);
      addEventListener("keydown", escape, true);
      menu.firstElementChild.focus();
    });
  }
}
