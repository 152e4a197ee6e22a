// Blind games: the user guesses which profile the engine plays.

import { make } from "./make.js";
import { recall, remember } from "./memory.js";
import { find } from "./page.js";

/** The panel that asks who is playing. `guess` sends the id of a profile to the server. */
export class Blind {
  constructor(about, guess) {
    Object.assign(this, { about, guess, isAnswered: false, drawn: "", tally: { right: 0, all: 0 } });
    this.readTally();
  }

  /** Reads how many guesses of this browser were right. If it stores nothing, the count of this page stays. */
  readTally() {
    Object.assign(this.tally, JSON.parse(recall("guesses") ?? "{}"));
  }

  profile(id) {
    return this.about.profiles.find((one) => one.id === id) ?? { id, name: id, summary: "" };
  }

  /** Shows the question, or the answer after the guess. */
  show({ blind, profile }) {
    find("blind").hidden = !blind;
    document.body.classList.toggle("guessing", Boolean(blind) && !blind.guess);
    if (!blind) return;
    if (blind.guess) this.showAnswer(blind.guess, profile);
    else this.showQuestion(blind.candidates);
  }

  showQuestion(candidates) {
    // after each move, the same buttons stay, so that one of them can keep the focus
    if (this.drawn === candidates.join()) return;
    this.drawn = candidates.join();
    find("blind-title").textContent = "Who are you playing?";
    find("blind-text").textContent = "Guess from its moves, whenever you like. Until then, its feelings are hidden.";
    find("suspects").replaceChildren();
    for (const { id, name, summary } of candidates.map((one) => this.profile(one))) {
      const button = make(find("suspects"), "button", { type: "button", class: "choice", value: id });
      make(button, "strong", {}, name);
      make(button, "span", { class: "quiet" }, summary);
      button.addEventListener("click", async () => {
        this.isAnswered = true;
        if (await this.guess(id) === null) this.isAnswered = false;
      });
    }
  }

  showAnswer(guess, actual) {
    const isRight = guess === actual;
    const { name, summary } = this.profile(actual);
    if (this.isAnswered) {
      // another tab may have counted since
      this.readTally();
      this.tally.right += isRight ? 1 : 0;
      this.tally.all += 1;
      remember("guesses", JSON.stringify(this.tally));
    }
    Object.assign(this, { isAnswered: false, drawn: "" });
    find("blind-title").textContent = isRight ? `Right: it is ${name}` : `It is ${name}, not ${this.profile(guess).name}`;
    const { right, all } = this.tally;
    find("blind-text").textContent = `${summary} You have guessed ${right} of ${all} right.`;
    find("suspects").replaceChildren();
  }
}
