// The move list, and the position of the game that is shown.

import { make } from "./make.js";
import { find } from "./page.js";
import { seen } from "./view.js";

// Whether the keys belong to the element that has the focus.
function isTaken({ target }) {
  if (document.querySelector("dialog[open]")) return true;
  if (target.matches("#typed-move")) return target.value !== "";
  return target.matches("input, select, textarea, summary");
}

/** The move list. Calls `show` when another position is chosen. */
export class Moves {
  constructor(show) {
    // Number of moves before the position shown. `null` follows the game.
    Object.assign(this, { chosen: null, count: 0, openings: [], changed: show });
    find("moves").addEventListener("click", ({ target }) => {
      const button = target.closest("button");
      if (button) this.choose(Number(button.dataset.ply));
    });
    for (const button of document.querySelectorAll("[data-walk]")) {
      button.addEventListener("click", () => this.walk(button.dataset.walk));
    }
    // a list of another height scrolls to the move shown again
    new ResizeObserver(() => this.mark()).observe(find("moves"));
    document.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || isTaken(event) || !find("moves").checkVisibility()) return;
      if (this.walk(event.key)) event.preventDefault();
    });
  }

  get at() {
    return this.chosen ?? this.count;
  }

  get isLive() {
    return this.at === this.count;
  }

  walk(key) {
    const at = { Home: 0, ArrowLeft: this.at - 1, ArrowRight: this.at + 1, End: this.count }[key];
    if (at === undefined) return false;
    this.choose(at);
    return true;
  }

  choose(ply) {
    const at = Math.min(Math.max(ply, 0), this.count);
    this.chosen = at === this.count ? null : at;
    this.mark();
    this.changed();
  }

  // Shows the moves of a game. A position that no longer exists is left.
  show({ moves, start }, near) {
    if (this.chosen !== null && this.chosen >= moves.length) this.chosen = null;
    this.count = moves.length;
    const [, turn, , , , first] = start.split(" ");
    const offset = turn === "b" ? 1 : 0;
    const rows = [];
    for (const [i, { san, score, intensity }] of moves.entries()) {
      const at = i + offset;
      if (at % 2 === 0 || i === 0) {
        const row = document.createElement("li");
        row.dataset.number = `${Number(first) + Math.floor(at / 2)}.`;
        if (at % 2) make(row, "span", {}, "…");
        rows.push(row);
      }
      const button = make(rows.at(-1), "button", { type: "button", "data-ply": i + 1 }, san);
      if (score) make(button, "small", {}, seen(score, near));
      if (score && typeof intensity === "number" && Math.abs(intensity) >= 0.05) button.className = intensity < 0 ? "fear" : "relief";
    }
    find("moves").replaceChildren(...rows);
    this.openings = moves.map(({ opening }) => opening);
    this.mark();
  }

  // Marks the move that leads to the position shown, and scrolls to it within the list.
  mark() {
    const list = find("moves");
    const opening = this.openings.slice(0, this.at).findLast(Boolean);
    find("opening").textContent = opening ? `${opening.eco} ${opening.name}` : "";
    for (const button of list.querySelectorAll("button")) {
      if (Number(button.dataset.ply) === this.at) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    const current = list.querySelector("[aria-current]");
    if (!current) list.scrollTop = 0;
    else list.scrollTop = current.offsetTop - list.clientHeight / 2;
    for (const button of document.querySelectorAll("[data-walk]")) {
      button.disabled = ["Home", "ArrowLeft"].includes(button.dataset.walk) ? this.at === 0 : this.isLive;
    }
  }
}
