// Draws the course of a game: the chance to win, both players' emotions and their goals, move by
// move. A click selects the move at that place.

import { words } from "map";
import { make, makeSvg } from "make";

// Height of each picture in its own units. The page scales it.
const HIGH = 100;

function drawChance(picture, review, other) {
  // leave a margin, so that dots at 0 and 100 % are not cut off
  const at = (chance) => HIGH / 2 - 0.92 * (chance - 50);
  const points = ({ plies }) => plies.map(({ chance }, i) => `L${i + 0.5} ${at(chance[1])}`).join(" ");
  const start = ({ plies }) => `M0 ${at(plies[0]?.chance[0] ?? 50)}`;
  const end = review.plies.length;
  makeSvg(picture, "path", { class: "area", d: `M0 ${HIGH} L${start(review).slice(1)} ${points(review)} H${end} V${HIGH} z` });
  makeSvg(picture, "line", { class: "even", x1: 0, x2: end, y1: HIGH / 2, y2: HIGH / 2 });
  if (other) makeSvg(picture, "path", { class: "other", d: start(other) + points(other) });
  makeSvg(picture, "path", { class: "curve", d: start(review) + points(review) });
  review.plies.forEach(({ judgement, chance }, i) => {
    // a line of length 0 is a dot that scaling does not distort
    if (judgement) makeSvg(picture, "path", { class: `mark ${judgement}`, d: `M${i + 0.5} ${at(chance[1])} h0` });
  });
}

// Calls `each(index, x, width)` for each move of `side`. An emotion lasts until the player's next move.
function spans(game, side, each) {
  game.moves.forEach((move, i) => {
    if (move.side === side) each(i, i, Math.min(2, game.moves.length - i));
  });
}

function drawRibbon(picture, game, review, side) {
  spans(game, side, (i, x, width) => {
    const { intensity } = review.plies[i];
    const hue = intensity < 0 ? "fear" : "relief";
    const much = Math.abs(intensity);
    makeSvg(picture, "rect", { x, width, y: 0, height: HIGH, fill: `var(--${hue}-soft)`, opacity: much });
    const height = (HIGH / 2) * much;
    const y = intensity < 0 ? HIGH / 2 : HIGH / 2 - height;
    makeSvg(picture, "rect", { x, width, y, height, fill: `var(--${hue})` });
  });
}

function drawLane(picture, game, review, goal) {
  const halves = { white: 8, black: 54 };
  for (const [side, y] of Object.entries(halves)) {
    const runs = [];
    spans(game, side, (i, x, width) => {
      if (review.plies[i].goal !== goal.name) return;
      const last = runs.at(-1);
      if (last && last.end === x) last.end = x + width;
      else runs.push({ x, end: x + width });
    });
    for (const { x, end } of runs) makeSvg(picture, "rect", { class: side, x, width: end - x, y, height: 38 });
  }
}

// Returns the range of a side's emotion in words.
function range(game, review, side) {
  const felt = review.plies.filter((_, i) => game.moves[i].side === side).map(({ intensity }) => intensity);
  if (felt.length === 0) return "";
  return ` from ${Math.min(...felt).toFixed(2)} to ${Math.max(...felt).toFixed(2)}`;
}

/**
 * Draws the course of `game` by `review` into `element`, and `other` in outline if it is given.
 * Calls `chosen(ply)` when the user clicks a move. Returns an object with `choose(ply, goal)`.
 */
export function drawCourse(element, game, review, other, chosen) {
  element.replaceChildren();
  const length = Math.max(1, game.moves.length);
  const row = (label, kind, text, fill) => {
    const title = make(element, "div", { class: `label ${kind}` }, label);
    const picture = makeSvg(element, "svg", {
      class: kind, viewBox: `0 0 ${length} ${HIGH}`, preserveAspectRatio: "none", role: "img", "aria-label": text,
    });
    fill(picture);
    const choose = (event) => {
      const { left, width } = picture.getBoundingClientRect();
      chosen(Math.ceil(((event.clientX - left) / width) * game.moves.length));
    };
    picture.addEventListener("pointerdown", choose);
    picture.addEventListener("pointermove", (event) => event.buttons & 1 && choose(event));
    return title;
  };
  const names = { white: "White", black: "Black" };
  row("White’s chance", "chance", "White’s chance to win", (picture) => drawChance(picture, review, other));
  for (const [side, name] of Object.entries(names)) {
    for (const shown of [review, other].filter(Boolean)) {
      const whose = other ? `${name}, ${shown.profile}` : `${name} feels`;
      row(whose, shown === review ? "ribbon" : "ribbon faint", `${name}’s emotion${range(game, shown, side)}: fear below the middle, relief above it`, (picture) =>
        drawRibbon(picture, game, shown, side));
    }
  }
  const lanes = game.goals.map((goal, i) => {
    const count = (side) => review.plies.filter((ply, k) => ply.goal === goal.name && game.moves[k].side === side).length;
    const [white, black] = [count("white"), count("black")];
    const title = row(words(goal.name), i === 0 ? "lane lanes" : "lane", `Goal ${words(goal.name)}: White ${white}, Black ${black} moves`, (picture) =>
      drawLane(picture, game, review, goal));
    title.title = goal.description;
    title.classList.toggle("used", white + black > 0);
    return title;
  });
  const over = make(element, "div", { class: "over", "aria-hidden": "true" });
  const cursor = make(over, "span", {});
  return {
    choose(ply, goal) {
      cursor.style.left = `${(100 * Math.max(0, ply - 0.5)) / length}%`;
      lanes.forEach((title, i) => title.classList.toggle("now", game.goals[i].name === goal));
    },
  };
}
