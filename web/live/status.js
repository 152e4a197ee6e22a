// What the page says and sounds about the state of a game.

import { find } from "./page.js";
import { play as sound } from "./view.js";
import { feelingWords } from "./wording.js";

/** Returns the state of the game in a sentence. `at` is the number of moves before the position shown. */
export function statusText({ end, thinking, moves, check, declined }, at, hint) {
  if (end) return `${end.result === "*" ? "" : `${end.result}. `}${end.reason}.`;
  if (at < moves.length) return `After move ${at} of ${moves.length}. Press End to return to the game.`;
  if (declined) return "It declines the draw. Your move.";
  if (thinking) return "It is thinking …";
  const last = moves.at(-1)?.san;
  return `${last ? `It played ${last}. ` : ""}${hint || `Your move${check ? ": check" : ""}.`}`;
}

/** Plays the sound of the last move, or of the end of the game. */
export function soundOf({ end, moves }) {
  if (end) sound("end");
  else if (moves.length) sound(moves.at(-1).san.includes("x") ? "capture" : "move");
}

function timeWords(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  return [minutes && `${minutes} minutes`, `${seconds % 60} seconds`].filter(Boolean).join(" ");
}

/**
 * Announces to screen readers what the engine felt before its move, and the user's clock. `goal` is the description of
 * its goal.
 */
export function announce({ feeling, clocks, human }, goal) {
  const said = [];
  if (typeof feeling?.intensity === "number") said.push(`It feels ${feelingWords(feeling)}.`);
  if (goal) said.push(`Its goal: ${goal}`);
  if (clocks) said.push(`You have ${timeWords(clocks[human])} left.`);
  find("heard").textContent = said.join(" ");
}
