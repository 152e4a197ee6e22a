// Runs the game report: shows the selected move's board, emotion, map, terms and best line.

import { Chessground } from "chessground";
import { drawMap, signed, words } from "map";
import { themeButton } from "theme";
import { drawCourse } from "course";
import { drawLessons } from "lessons";
import { make, percent } from "make";
import { recall, remember } from "memory";
import { feeling, showParting } from "parting";
import { otherSide } from "wording";

const game = JSON.parse(document.getElementById("game").textContent);
const [first, second] = game.reviews;
const find = (id) => document.getElementById(id);
const name = { white: "White", black: "Black" };

// The selected move, counted from 1 (0: before the first move), and the temperament shown.
const state = { ply: 0, review: first };

const board = Chessground(find("board"), {
  fen: game.start, viewOnly: true, coordinates: true, animation: { duration: 180 },
  drawable: {
    enabled: false, visible: true,
    brushes: { best: { key: "best", color: "#1f8a5f", opacity: 1, lineWidth: 9 } },
  },
});
let map;
let course;

// Returns the review of the selected move, or of the first move at the start.
const reviewed = (review = state.review) => review.plies[Math.max(state.ply, 1) - 1];
const numbered = (move) => `${move.label} ${move.san}`;

// Whether scores are for Black: the side at the bottom of the board, if the user prefers it to White.
const isForBlack = () => recall("bottom") === "on" && board.state.orientation === "black";
const viewed = (text) => (isForBlack() ? otherSide(text) : text);
const sign = () => (isForBlack() ? -1 : 1);

// Returns all pieces and their squares as text, for screen readers.
function pieceList(fen) {
  const names = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
  const sides = { White: [], Black: [] };
  fen.split(" ")[0].split("/").forEach((rank, i) => {
    let file = 0;
    for (const letter of rank) {
      if (letter >= "1" && letter <= "8") {
        file += Number(letter);
        continue;
      }
      const square = "abcdefgh"[file] + (8 - i);
      const side = letter === letter.toUpperCase() ? "White" : "Black";
      sides[side].push(`${names[letter.toLowerCase()]} ${square}`);
      file += 1;
    }
  });
  return Object.entries(sides).map(([side, list]) => `${side}: ${list.join(", ")}.`).join(" ");
}

function showBoard() {
  const move = game.moves[state.ply - 1];
  const fen = move?.fen ?? game.start;
  const ply = reviewed();
  const { best } = ply ?? {};
  const missed = move && best && best.san !== move.san;
  const arrow = missed || (!move && best) ? [{ orig: best.from, dest: best.to, brush: "best" }] : [];
  board.set({ fen, lastMove: move ? [move.from, move.to] : undefined });
  board.setAutoShapes(arrow);
  find("board").setAttribute("role", "img");
  find("board").setAttribute("aria-label", pieceList(fen));
  const note = missed ? `Arrow: ${best.san} was the best move.`
    : move && best ? "The best move was played." : "";
  find("bad").textContent = note;
}

function showMoment() {
  const move = game.moves[state.ply - 1];
  const ply = reviewed();
  find("move").textContent = move ? numbered(move) : "Before the first move";
  if (!ply) return;
  const { word, much, goal } = feeling(ply);
  const side = game.moves[Math.max(state.ply, 1) - 1].side;
  const text = find("sentence");
  text.replaceChildren();
  // screen readers announce this paragraph without the heading
  make(text, "span", { class: "unseen" }, `${find("move").textContent}. `);
  text.append(`${name[side]} ${move ? "felt" : "feels"} `);
  make(text, "strong", { class: ply.intensity < 0 ? "fear" : "relief" }, word + much);
  text.append(` under the goal `);
  make(text, "strong", {}, goal);
  const meaning = game.goals.find((one) => one.name === ply.goal)?.description;
  const sense = meaning ? ` (${meaning.replace(/\.$/, "").toLowerCase()})` : "";
  const judged = move && ply.judgement ? ` ${move.san} is ${/^[ai]/.test(ply.judgement) ? "an" : "a"} ${ply.judgement}.` : "";
  const chance = move ? ply.chance[1] : ply.chance[0];
  text.append(`${sense}.${judged} White’s chance to win: ${percent(chance)}.`);
  find("gauge").firstElementChild.style.left = `${50 + 50 * ply.intensity}%`;
  map.show(ply.concepts);
  find("settled").textContent = `The map: ${ply.settling}.`;
}

// Returns the factors of `group` other than 1 as texts, such as "White × 1.12".
function factorsOf(ply, group) {
  const own = game.moves[Math.max(state.ply, 1) - 1].side;
  const whose = { own: name[own], other: name[own === "white" ? "black" : "white"] };
  return Object.entries(whose)
    .map(([side, player]) => [player, ply.factors[side][group].toFixed(2)])
    .filter(([, factor]) => factor !== "1.00")
    .map(([player, factor]) => `${player} × ${factor}`);
}

function showTerms() {
  const list = find("terms");
  list.replaceChildren();
  const ply = reviewed();
  if (!ply) return;
  for (const text of ["", "", "without", "with"]) make(list, "span", { class: "head quiet number" }, text);
  [find("left-favour").textContent, find("right-favour").textContent] = isForBlack()
    ? ["← White’s favour", "Black’s favour →"] : ["← Black’s favour", "White’s favour →"];
  list.className = ply.intensity < 0 ? "feared" : "relieved";
  const widest = Math.max(0.5, ...ply.terms.flat().map(Math.abs));
  const bar = (bars, kind, value, changed) => {
    const width = (50 * Math.abs(value)) / widest;
    const element = make(bars, "span", { class: kind });
    element.classList.toggle("changed", changed);
    element.style.left = `${value < 0 ? 50 - width : 50}%`;
    element.style.width = `${width}%`;
  };
  state.review.terms.forEach((term, i) => {
    const [without, under] = ply.terms[i].map((value) => sign() * value);
    const label = make(list, "span", {}, words(term));
    make(label, "small", { class: "quiet" }, factorsOf(ply, term).join(", "));
    const bars = make(list, "span", { class: "bars", "aria-hidden": "true" });
    const changed = Math.abs(without - under) >= 0.005;
    bar(bars, "without", without, false);
    bar(bars, "with", under, changed);
    make(list, "span", { class: "number quiet" }, signed(without));
    make(list, changed ? "strong" : "span", { class: "number" }, signed(under));
  });
  make(list, "span", { class: "total" }, "sum of the terms");
  make(list, "span", {});
  for (const value of ply.total) make(list, "span", { class: "number total" }, signed(sign() * value));
  find("factors").textContent = state.review.terms.some((term) => factorsOf(ply, term).length)
    ? "" : "All factors are 1: no term is changed.";
}

function showBetter() {
  const ply = reviewed();
  const line = find("line");
  line.replaceChildren();
  if (!ply) return;
  const at = Math.max(state.ply, 1) - 1;
  const played = game.moves[at];
  const [best, after] = ply.score;
  const side = isForBlack() ? "Black" : "White";
  const text = [`Score before the move, for ${side}: ${viewed(best)} at depth ${ply.depth}`];
  if (state.ply > 0) text.push(`after ${played.san}: ${viewed(after)} (accuracy ${percent(ply.accuracy)})`);
  find("better").textContent = `${text.join("; ")}.`;
  const number = parseInt(played.label, 10);
  ply.line.forEach((san, i) => {
    const black = (played.side === "black") !== (i % 2 === 1);
    const full = number + Math.floor((i + (played.side === "black" ? 1 : 0)) / 2);
    const label = !black ? `${full}. ` : i === 0 ? `${full}… ` : "";
    make(line, "li", {}, label + san);
  });
}

function choose(ply) {
  state.ply = Math.min(Math.max(ply, 0), game.moves.length);
  for (const button of document.querySelectorAll("#moves button")) {
    const chosen = Number(button.dataset.ply) === state.ply;
    button.toggleAttribute("aria-current", chosen);
    if (chosen) button.setAttribute("aria-current", "true");
    button.tabIndex = chosen || (state.ply === 0 && button.dataset.ply === "1") ? 0 : -1;
    if (chosen) {
      // scroll the list only, not the page
      const list = button.closest("nav");
      const { offsetTop, offsetHeight } = button.closest("li");
      const hidden = offsetTop < list.scrollTop || offsetTop + offsetHeight > list.scrollTop + list.clientHeight;
      if (hidden) list.scrollTop = offsetTop - list.clientHeight / 2;
    }
  }
  if (state.ply === 0) find("moves").closest("nav").scrollTop = 0;
  showBoard();
  showMoment();
  showTerms();
  showBetter();
  course.choose(state.ply, reviewed()?.goal ?? null);
}

function listMoves() {
  const list = find("moves");
  list.replaceChildren();
  const glyphs = { inaccuracy: "?!", mistake: "?", blunder: "??" };
  let row;
  game.moves.forEach((move, i) => {
    const ply = state.review.plies[i];
    if (move.side === "white" || !row) {
      row = make(list, "li", {});
      make(row, "span", {}, `${parseInt(move.label, 10)}.`);
      if (move.side === "black") make(row, "span", {}, "…");
    }
    const { word, much } = feeling(ply);
    const button = make(row, "button", {
      type: "button", "data-ply": i + 1,
      "aria-label": [numbered(move), ply.judgement, word + much].filter(Boolean).join(", "),
    });
    make(button, "span", {}, move.san);
    if (ply.judgement) make(button, "span", { class: "mark" }, glyphs[ply.judgement]);
    const hue = ply.intensity < 0 ? "--fear" : "--relief";
    const share = Math.round(100 * Math.abs(ply.intensity));
    button.style.setProperty("--mood", `color-mix(in srgb, var(${hue}) ${share}%, transparent)`);
    button.addEventListener("click", () => choose(i + 1));
  });
}

function showAccuracy() {
  const table = find("accuracy");
  table.replaceChildren();
  const head = make(make(table, "thead", {}), "tr", {});
  for (const text of ["", "White", "Black"]) make(head, "th", { scope: "col" }, text);
  const body = make(table, "tbody", {});
  let last;
  for (const { kind, name: part, white, black } of state.review.accuracy) {
    const row = make(body, "tr", { class: kind !== last ? `${kind} first` : kind });
    last = kind;
    make(row, "th", { scope: "row" }, words(part));
    for (const side of [white, black]) {
      const cell = make(row, "td", {});
      if (side === null) {
        cell.append("–");
        continue;
      }
      cell.append(percent(side.mean));
      if (kind !== "all") make(cell, "span", { class: "quiet small" }, ` of ${side.moves}`);
    }
  }
}

function show(review) {
  state.review = review;
  [...find("temperaments").children].forEach((button, i) => {
    button.setAttribute("aria-pressed", String(game.reviews[i] === review));
  });
  find("map").replaceChildren();
  map = drawMap(find("map"), { nodes: review.concepts, links: review.links });
  const other = review === first ? second : first;
  course = drawCourse(find("course"), game, review, other, choose);
  listMoves();
  showAccuracy();
  choose(state.ply);
}

function head() {
  const { white, black } = game.players;
  find("players").textContent = `${white} – ${black}`;
  find("occasion").textContent = game.occasion.join(", ");
  find("occasion").hidden = game.occasion.length === 0;
  find("about").textContent = [game.result, ...game.about].join(" · ");
  if (!second) return;
  const group = find("temperaments");
  group.hidden = false;
  for (const review of game.reviews) {
    const button = make(group, "button", { type: "button" }, review.profile);
    button.addEventListener("click", () => show(review));
  }
}

const steps = {
  first: () => 0, back: () => state.ply - 1, on: () => state.ply + 1, last: () => game.moves.length,
};
const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last" };

for (const button of document.querySelectorAll("[data-go]")) {
  button.addEventListener("click", () => choose(steps[button.dataset.go]()));
}
find("flip").addEventListener("click", () => { board.toggleOrientation(); choose(state.ply); });
find("bottom").checked = recall("bottom") === "on";
find("bottom").addEventListener("change", () => {
  remember("bottom", find("bottom").checked ? "on" : "off");
  choose(state.ply);
});
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || !(event.key in keys)) return;
  event.preventDefault();
  choose(steps[keys[event.key]]());
  if (document.activeElement?.closest("#moves")) find("moves").querySelector("[aria-current]")?.focus();
});

themeButton(find("theme"));
head();
if (game.lessons.some(({ lessons }) => lessons.length > 0)) {
  find("lessons").closest("section").hidden = false;
  drawLessons(find("lessons"), game, choose);
}
showParting(game, choose);
show(first);
