// The words for feelings and scores, shared by the live page and the report.

import { signed } from "map";

/** Returns an emotion in words. Records of earlier versions have only its intensity. */
export function feelingWords({ emotion, intensity }) {
  const word = emotion ?? (intensity < 0 ? "fear" : "relief");
  return word === "neutral" ? "neither fear nor relief" : word;
}

/** Returns the score of the other side. */
export function negated({ cp, mate }) {
  return mate === undefined ? { cp: -cp } : { mate: -mate };
}

/** Returns a score as text: `+0.35`, or `#−3` for being mated in three moves. */
export function scoreText(score) {
  if (!score) return "–";
  if (score.mate === undefined) return signed(score.cp / 100);
  return `#${score.mate < 0 ? "−" : ""}${Math.abs(score.mate)}`;
}

/** Returns the text of a score, such as `+0.35` or `#−3`, for the other side. */
export function otherSide(text) {
  const isZero = /^[+−]?0\.00$/.test(text);
  if (isZero || !/^[#+−]/.test(text)) return text;
  if (text.startsWith("#")) return text.startsWith("#−") ? `#${text.slice(2)}` : `#−${text.slice(1)}`;
  return (text.startsWith("+") ? "−" : "+") + text.slice(1);
}
