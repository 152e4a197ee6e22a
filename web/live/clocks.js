// The clocks of both sides, and the warning when time is short.

import { find, opposite } from "./page.js";
import { play } from "./view.js";

// The times at which the clock warns, in milliseconds and in words.
const WARNINGS = [[10_000, "10 seconds"], [20_000, "20 seconds"], [60_000, "one minute"]];
// From this time on, the clock is marked.
const SHORT = 20_000;

function clockText(ms) {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 20) return seconds.toFixed(1);
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** The clocks. Calls `claim` when the user's time is over. */
export class Clocks {
  constructor(claim) {
    Object.assign(this, { claim, state: null, isClaimed: false, warned: Infinity });
    setInterval(() => this.tick(), 100);
  }

  show(state, near) {
    if (this.state !== state) {
      this.heard = performance.now();
      this.isClaimed = false;
      // more time, by the increment or by taking a move back, allows a warning again
      if (state.clocks && state.clocks[state.human] > this.warned) this.warned = Infinity;
    }
    Object.assign(this, { state, near });
    this.draw();
  }

  hide() {
    this.state = null;
  }

  // Returns the time left of `side` in milliseconds, estimated since the last event.
  left(side) {
    const { clocks } = this.state;
    return clocks[side] - (clocks.running === side ? performance.now() - this.heard : 0);
  }

  draw() {
    const { clocks, human } = this.state;
    for (const [id, side] of [["near-clock", this.near], ["far-clock", opposite(this.near)]]) {
      const clock = find(id);
      clock.hidden = !clocks;
      if (!clocks) continue;
      const left = this.left(side);
      const text = clockText(left);
      if (clock.textContent !== text) clock.textContent = text;
      clock.classList.toggle("running", clocks.running === side);
      clock.classList.toggle("short", left < SHORT);
      if (side === human && clocks.running === side) this.warn(left);
    }
  }

  warn(left) {
    const [limit, words] = WARNINGS.find(([most]) => left < most) ?? [];
    if (!limit || limit >= this.warned) return;
    this.warned = limit;
    find("alarm").textContent = `You have less than ${words} left.`;
    play("alarm");
  }

  tick() {
    if (!this.state?.clocks?.running) return;
    this.draw();
    const { human, clocks } = this.state;
    if (clocks.running === human && this.left(human) < -50 && !this.isClaimed) {
      this.isClaimed = true;
      this.claim();
    }
  }
}
