// Draws both players' emotions over a game: a bar per move, up for relief and down for fear.

import { make, makeSvg } from "./make.js";
import { signed } from "./map.js";

// Minimum width of a picture, in moves.
const ROOM = 24;
// Intensities that the full height of a bar can show.
const HEIGHTS = [0.1, 0.25, 0.5, 1];

function drawPlayer(parent, { points }, width, height) {
  const picture = makeSvg(parent, "svg", {
    class: "ribbon", role: "img", viewBox: `0 -1.05 ${width} 2.1`, preserveAspectRatio: "none",
  });
  makeSvg(picture, "rect", { class: "zero", x: 0, y: -0.01, width, height: 0.02 });
  for (const [x, { intensity, label, here }] of points.entries()) {
    if (here) makeSvg(picture, "rect", { class: "here", x, y: -1.05, width: 1, height: 2.1 });
    const tall = Math.max(0.03, Math.min(1, Math.abs(intensity) / height));
    const bar = makeSvg(picture, "rect", {
      class: intensity < 0 ? "fear" : "relief", x: x + 0.1, y: intensity < 0 ? 0 : -tall, width: 0.8, height: tall,
    });
    makeSvg(bar, "title", {}, `${label}: ${signed(intensity)}`);
  }
  return picture;
}

/**
 * Draws a picture for each player. `players` are `{name, text, points}`. A point is `{intensity, label, here}`. All
 * pictures have the same scale, which is written below them.
 */
export function drawRibbons(parent, players) {
  parent.replaceChildren();
  const all = players.flatMap(({ points }) => points.map(({ intensity }) => Math.abs(intensity)));
  const height = HEIGHTS.find((one) => Math.max(0, ...all) <= one) ?? 1;
  const width = Math.max(ROOM, ...players.map(({ points }) => points.length));
  for (const player of players) {
    const { name, text, points } = player;
    make(parent, "span", { class: "small quiet", "aria-hidden": "true" }, name);
    const last = points.at(-1);
    drawPlayer(parent, player, width, height).setAttribute("aria-label", last
      ? `${text} over ${points.length} moves, from fear −1 to relief +1. Last: ${signed(last.intensity)}`
      : `${text}: none yet`);
  }
  make(parent, "p", { class: "small quiet scale" }, `Up: relief. Down: fear. Full height: ${height}`);
}

/**
 * Returns the players of a game with their emotions. The user's are what the engine would have felt in the same place.
 * `at` is the number of moves before the position shown, or null at the end. `now` is the record of a running search.
 */
export function playersOf({ moves, human, start }, at, now) {
  const isBlackFirst = start.split(" ")[1] === "b";
  const first = isBlackFirst === (human === "black") ? 0 : 1;
  const points = moves.map(({ san, intensity }, i) => ({ intensity, label: san, here: i + 1 === at, isUser: i % 2 === first }));
  if (now) points.push({ intensity: now.intensity, label: "now", here: true, isUser: false });
  const felt = points.filter(({ intensity }) => typeof intensity === "number");
  return [
    { name: "It", text: "Its emotion", points: felt.filter(({ isUser }) => !isUser) },
    { name: "You", text: "What it would feel in your place", points: felt.filter(({ isUser }) => isUser) },
  ];
}
