// Where two temperaments differ in a game, and the words for what they feel.

import { signed, words } from "map";
import { make } from "make";
import { feelingWords } from "wording";

const find = (id) => document.getElementById(id);

/** Returns a move's emotion in words, its intensity and its goal as texts. */
export function feeling(ply) {
  const much = ply.emotion === "neutral" ? "" : ` ${signed(ply.intensity)}`;
  const goal = ply.goal === null ? "no goal" : words(ply.goal);
  return { word: feelingWords(ply), much, goal };
}

/** Lists the moves at which two temperaments differ in emotion, goal, best move or score. `choose` selects a move. */
export function showParting(game, choose) {
  const [first, second] = game.reviews;
  if (!second) return;
  find("parting-title").closest("section").hidden = false;
  find("dashed").hidden = false;
  const table = find("parting");
  const head = make(make(table, "thead", {}), "tr", {});
  for (const text of ["Move", first.profile, second.profile]) make(head, "th", { scope: "col" }, text);
  const body = make(table, "tbody", {});
  const counts = { feel: 0, want: 0, choose: 0, score: 0 };
  game.moves.forEach((move, i) => {
    const pair = [first.plies[i], second.plies[i]];
    const [a, b] = pair;
    const parts = {
      feel: Math.abs(a.intensity - b.intensity) >= 0.25,
      want: a.goal !== b.goal,
      choose: a.best?.san !== b.best?.san,
      score: Math.abs(a.centipawns - b.centipawns) >= 50,
    };
    for (const [what, apart] of Object.entries(parts)) counts[what] += apart;
    if (!parts.feel && !parts.want && !parts.choose && !parts.score) return;
    const row = make(body, "tr", {});
    const button = make(make(row, "td", {}), "button", { type: "button" }, `${move.label} ${move.san}`);
    button.addEventListener("click", () => choose(i + 1));
    for (const ply of pair) {
      const { word, much, goal } = feeling(ply);
      const cell = make(row, "td", {});
      const cells = [
        [parts.feel, word + much], [parts.want, goal],
        [parts.choose, ply.best?.san ?? ""], [parts.score, ply.score[0]],
      ];
      cells.forEach(([apart, text], k) => {
        if (k > 0) cell.append(" · ");
        make(cell, apart ? "strong" : "span", { class: apart ? "" : "quiet" }, text);
      });
    }
  });
  find("parting-sum").textContent =
    `${first.profile} and ${second.profile} over ${game.moves.length} moves: the emotion differs by at least 0.25 at ${counts.feel}, `
    + `the goal at ${counts.want}, the best move at ${counts.choose}, and the score by at least half a pawn at ${counts.score}.`;
}
