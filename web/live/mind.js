// What the engine considered before its last move, as arrows on the board and as a list.

import { make } from "./make.js";
import { find } from "./page.js";
import { checkbox, seen } from "./view.js";

// The largest number of arrows, besides the one of the move that was played.
const ARROWS = 5;
// The strongest arrow belongs to this probability in percent, and to any above.
const STRONG = 60;

/** Brushes for arrows from unlikely to likely moves. */
export const BRUSHES = Object.fromEntries([0, 1, 2, 3].map((i) => [
  `mind${i}`, { key: `mind${i}`, color: "#6a5ff0", opacity: 0.5 + 0.15 * i, lineWidth: 6 + 2 * i },
]));

const seconds = (ms) => (ms < 950 ? "less than a second" : ms < 1500 ? "1 second" : `${Math.round(ms / 1000)} seconds`);

// Returns the index of the last move before `at` that the engine made, or -1.
function lastOfEngine({ moves }, at) {
  return moves.slice(0, at).findLastIndex((move) => move.score);
}

/** The panel "What was it thinking?". */
export class Mind {
  constructor(redraw) {
    this.isOpen = false;
    this.button = find("think");
    this.always = checkbox("always", redraw);
    this.button.addEventListener("click", () => {
      this.isOpen = !this.isShown;
      if (!this.isOpen && this.always.checked) this.always.click();
      redraw();
    });
  }

  get isShown() {
    return this.isOpen || this.always.checked;
  }

  // Hides the thoughts until the user asks again.
  close() {
    this.isOpen = false;
  }

  // Shows the thoughts before its last move, and returns arrows for the board.
  show(state, at, line, near) {
    const index = lastOfEngine(state, at);
    const move = state.moves[index];
    const isShown = this.isShown && Boolean(move);
    this.button.disabled = !move;
    this.button.setAttribute("aria-expanded", String(isShown));
    this.button.textContent = isShown ? "Hide its thoughts" : "What was it thinking?";
    const panel = find("mind");
    panel.hidden = !isShown;
    panel.replaceChildren();
    if (!isShown) return [];
    const before = state.moves[index - 1];
    make(panel, "p", {}, `${before ? `After ${before.san} it` : "It"} thought for ${seconds(move.spent)} and played ${move.san}.`);
    if (move.mind) this.list(panel, move);
    else make(panel, "p", { class: "quiet" }, `It expected ${line.slice(0, 6).join(" ") || move.san}. The score: ${seen(move.score, near)}.`);
    this.blindness(panel, state, index);
    return index === at - 1 ? this.arrows(move) : [];
  }

  list(panel, { mind, san }) {
    const [all, seen] = [mind.legal, mind.count];
    make(panel, "p", { class: "quiet" }, seen === 1 ? `Of ${all} legal moves, one came to mind.` : `Of ${all} legal moves, ${seen} came to mind:`);
    const list = make(panel, "ol", { class: "candidates" });
    for (const one of mind.moves) {
      const row = make(list, "li", one.san === san ? { class: "played" } : {});
      make(row, "span", {}, one.san);
      make(row, "span", { class: "bar" }).style.setProperty("--much", one.percent / 100);
      make(row, "span", { class: "number" }, `${Math.round(one.percent)} %`);
    }
    if (seen > mind.moves.length) make(panel, "p", { class: "quiet small" }, `and ${seen - mind.moves.length} less likely ones`);
  }

  // Shows what the engine overlooked. It would help the user, so it appears after the user's answer.
  blindness(panel, { moves, end }, index) {
    const { mind, san } = moves[index];
    if (!mind?.overlooked) return;
    const reply = moves[index + 1];
    if (!reply && !end) return;
    const missed = mind.overlooked.san;
    const seen = reply?.san === missed ? " You did." : reply ? ` You played ${reply.san}.` : "";
    return make(panel, "p", { class: "missed" }, `Before ${san} it did not see ${missed}.${seen}`);
  }

  arrows({ mind, uci, san }) {
    if (!mind) return [{ orig: uci.slice(0, 2), dest: uci.slice(2, 4), brush: "mind3" }];
    return mind.moves.filter((one, i) => i < ARROWS || one.san === san).map(({ from, to, percent }) => ({
      orig: from, dest: to, brush: `mind${Math.min(3, Math.floor((4 * percent) / STRONG))}`,
      label: { text: String(Math.round(percent)) },
    }));
  }
}
