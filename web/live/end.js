// The end of a game: result, rematch, new opponent, and the way to look back.

import { BLIND, profileRequest } from "./order.js";
import { find, opposite } from "./page.js";
import { Refused, pause } from "./server.js";

function title({ result }, human) {
  if (result === "1/2-1/2") return "A draw";
  if (result === "*") return "The game has stopped";
  return (result === "1-0") === (human === "white") ? "You won" : "You lost";
}

/** The panel at the end of a game. `play` is the Play mode. */
export class End {
  constructor(play) {
    this.play = play;
    this.reviewing = null;
    find("rematch").addEventListener("click", () => play.begin(this.rematch(play.state)));
    find("other").addEventListener("click", () => play.choose());
    find("look-back").addEventListener("click", () => this.lookBack());
  }

  show({ end, human, moves, players }) {
    find("end").hidden = !end;
    if (!end) return this.reset();
    find("end-title").textContent = players ? players.map((name, i) => name || ["White", "Black"][i]).join(" – ") : title(end, human);
    find("end-reason").textContent = `${end.result === "*" ? "" : `${end.result} · `}${end.reason}`;
    find("rematch").hidden = players !== null;
    find("look-back").disabled = moves.length === 0 || Boolean(this.reviewing);
  }

  reset() {
    this.reviewing?.abort();
    this.reviewing = null;
    find("reviewing").textContent = "";
  }

  // Returns the request for the same game with colours exchanged.
  rematch({ level, profile, blind, human, pace, start }) {
    return { level: level ?? 0, ...profileRequest(blind ? BLIND : profile), side: opposite(human), ...pace, position: start };
  }

  // Waits until the server has reviewed the game, and opens the review.
  async lookBack() {
    const stop = new AbortController();
    this.reviewing = stop;
    find("look-back").disabled = true;
    try {
      while (!stop.signal.aborted) {
        const { done, all, ready } = await this.play.send("review", {});
        if (stop.signal.aborted) return;
        find("reviewing").textContent = `Looking at the game again … ${Math.round((100 * done) / Math.max(1, all))} %`;
        if (ready) return location.assign("review.html");
        await pause(250);
      }
    } catch (error) {
      find("reviewing").textContent = error instanceof Refused ? error.message : "The server does not answer.";
    }
    this.reviewing = null;
    find("look-back").disabled = false;
  }
}
