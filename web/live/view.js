// What the user has chosen to see and hear: sounds, the bar, and whose view scores have.

import { recall, remember } from "./memory.js";
import { NAMES, find } from "./page.js";
import { negated, scoreText } from "./wording.js";

// Frequency in hertz and length in seconds of each sound.
const SOUNDS = { move: [330, 0.05], capture: [220, 0.08], alarm: [880, 0.25], end: [262, 0.4] };
let context = null;

/** Plays a sound if the user has switched sounds on. */
export function play(kind) {
  if (recall("sound") !== "on") return;
  context ??= new AudioContext();
  const [frequency, length] = SOUNDS[kind];
  const tone = new OscillatorNode(context, { frequency, type: "triangle" });
  const volume = new GainNode(context, { gain: 0.15 });
  volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + length);
  tone.connect(volume).connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + length);
}

/** Makes a checkbox remember its state. Calls `changed` on changes. */
export function checkbox(id, changed, otherwise = "off") {
  const box = find(id);
  box.checked = (recall(id) ?? otherwise) === "on";
  box.addEventListener("change", () => { remember(id, box.checked ? "on" : "off"); changed(); });
  return box;
}

/** Returns the side from whose view scores are shown: White, or the side at the bottom of the board. */
export function viewer(near) {
  return find("bottom").checked ? near : "white";
}

/** Returns the text of a score from White's view, for the chosen view. */
export function seen(score, near) {
  return scoreText(score && viewer(near) === "black" ? negated(score) : score);
}

/** Names the side whose view scores have. */
export function nameView(near) {
  find("score-name").textContent = `Score for ${NAMES[viewer(near)]}`;
}

/** Shows a score from White's point of view as a bar, with White's share at the near side's left. */
export function showGauge(score, near) {
  const gauge = find("gauge");
  gauge.hidden = !find("bar").checked;
  const pawns = !score ? 0 : score.mate !== undefined ? Math.sign(score.mate) * 20 : score.cp / 100;
  const white = 100 / (1 + Math.exp(-0.4 * pawns));
  gauge.classList.toggle("turned", near === "black");
  gauge.firstElementChild.style.width = `${white}%`;
  gauge.setAttribute("aria-label", `Its view of the game: ${Math.round(white)} % for White`);
}
