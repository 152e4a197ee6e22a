// Suggests a move to the user.

import { find } from "./page.js";
import { seen } from "./view.js";

/** The button for a hint. `play` is the Play mode. */
export class Hint {
  constructor(play) {
    this.button = find("hint");
    this.button.addEventListener("click", () => play.act("hint"));
  }

  show({ thinking, end, hint, asked }) {
    this.button.disabled = thinking || end !== null || asked === "hint" || hint !== null;
  }

  // Returns the arrow of the suggested move.
  shapes({ hint }) {
    return hint ? [{ orig: hint.from, dest: hint.to, brush: "best" }] : [];
  }

  // Returns the suggested move as a sentence, or an empty string.
  sentence({ hint, asked }, near) {
    if (asked === "hint") return "Looking for a good move …";
    return hint ? `A good move: ${hint.san} (${seen(hint.score, near)}).` : "";
  }
}
