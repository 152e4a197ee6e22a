// What the feeling changed in the engine's last move: a sentence, and a comparison with and without it.

import { make } from "./make.js";
import { signed, words } from "./map.js";
import { find } from "./page.js";
import { pause } from "./server.js";
import { checkbox, seen, viewer } from "./view.js";
import { feelingWords } from "./wording.js";

// What each group of terms weighs. `{}` is the owner.
const PARTS = {
  material: "{} material", placement: "the placement of {} pieces", mobility: "{} mobility", pawns: "{} pawn structure",
  passed: "{} passed pawns", pieces: "the posts of {} pieces", king: "the safety of {} king", threats: "{} threats",
  space: "{} space", ending: "{} chances in the ending",
};
// How many changes the sentence and the bars show.
const NAMED = 3;
const BARS = 5;
// How often the same question is asked.
const MOST_ASKS = 3;

// Returns the changed factors as texts, the largest change first.
function changes({ factors }) {
  const all = [["own", "its own"], ["other", "your"]].flatMap(([side, owner]) => (
    Object.entries(factors?.[side] ?? {}).map(([group, factor]) => ({ group, owner, factor }))));
  return all.filter(({ factor }) => Math.abs(factor - 1) >= 0.005)
    .sort((a, b) => Math.abs(Math.log(b.factor)) - Math.abs(Math.log(a.factor)))
    .map(({ group, owner, factor }) => {
      const share = Math.round(100 * Math.abs(factor - 1));
      return `${PARTS[group].replace("{}", owner)} ${share} % ${factor > 1 ? "more" : "less"}`;
    });
}

const joined = (list) => list.join(", ").replace(/, ([^,]*)$/, " and $1");

// Returns how the feeling changes the evaluation, as a sentence.
function weighing(record) {
  if (record.intensity === null) return "Its emotion is off.";
  const found = changes(record);
  const felt = `Feeling ${feelingWords(record)}`;
  if (found.length === 0) return `${felt}, it weighs everything as usual.`;
  return `${felt}, it weighs ${joined(found.slice(0, NAMED))}.`;
}

/** The panel "What the feeling changed". `play` is the Play mode. */
export class Effect {
  constructor(play) {
    Object.assign(this, { play, key: "", asks: 0, isAsking: false });
    this.compare = checkbox("compare", () => play.showPosition(), "on");
  }

  show(state, at, record, near) {
    const index = state.moves.slice(0, at).findLastIndex((move) => move.score);
    const move = state.moves[index];
    // during a search, the record belongs to the next move
    const isDone = Boolean(move) && record?.depth > 0 && !(state.thinking && this.play.moves.isLive);
    find("effect").hidden = !record;
    if (!record) return;
    const isCompared = isDone && this.compare.checked;
    const isAsked = isCompared && this.isAffected(record, state);
    if (isAsked) this.ask(state, move, index + 1);
    const sentences = [weighing(record), isAsked ? this.choice(move) : ""];
    find("effect-text").textContent = sentences.filter(Boolean).join(" ");
    this.bars(record, near);
    this.table(isCompared ? move.comparison : null, near);
  }

  // Returns whether the feeling can change the choice. In human style, it also directs attention.
  isAffected(record, { level }) {
    const { draw, time, attention } = record.effects ?? {};
    return changes(record).length > 0 || Boolean(draw || time || attention) || (level !== null && Boolean(record.intensity));
  }

  // Asks the server for the choice without feeling. Asks again if a hint has replaced the question.
  async ask(state, move, ply) {
    if (move.comparison || state.thinking || state.asked || this.isAsking) return;
    const key = `${ply} ${move.uci} ${state.start}`;
    if (this.key !== key) Object.assign(this, { key, asks: 0 });
    if (this.asks === MOST_ASKS) return;
    this.asks += 1;
    this.isAsking = true;
    await this.play.send("compare", { ply }).catch(() => { /* the next move is a new question */ });
    // by then, the state of the game shows the question
    await pause(500);
    this.isAsking = false;
  }

  // Returns what the engine would have played without the feeling, as a sentence.
  choice({ san, comparison }) {
    if (!comparison) return "Searching without the feeling …";
    const [felt, calm] = [comparison.with.san, comparison.without.san];
    if (calm === san) return `Without the feeling it would also have played ${san}.`;
    if (felt === san) return `Without the feeling it would have played ${calm}.`;
    if (felt === calm) return `The choice was close: a second search preferred ${felt}, with and without the feeling.`;
    return `The choice was close: a second search preferred ${felt} with the feeling and ${calm} without.`;
  }

  // Returns the arrow of the move that it would have played without the feeling.
  shapes({ moves, thinking }, at) {
    const { comparison, san } = moves[at - 1] ?? {};
    if (!comparison || thinking || !this.compare.checked) return [];
    const { without, with: felt } = comparison;
    return without.san !== san && felt.san === san ? [{ orig: without.from, dest: without.to, brush: "calm" }] : [];
  }

  // Draws the terms that the feeling changes most, without and with it.
  bars({ terms }, near) {
    const parent = find("effect-bars");
    parent.replaceChildren();
    const sign = viewer(near) === "black" ? -1 : 1;
    const changed = Object.entries(terms ?? {})
      .map(([group, pair]) => [group, pair.map((value) => sign * value)])
      .filter(([, [without, felt]]) => Math.abs(felt - without) >= 0.005)
      .sort(([, a], [, b]) => Math.abs(b[1] - b[0]) - Math.abs(a[1] - a[0])).slice(0, BARS);
    const isShown = this.compare.checked && changed.length > 0;
    find("effect-scale").hidden = !isShown;
    if (!isShown) return;
    const widest = Math.max(0.05, ...changed.flatMap(([, pair]) => pair.map(Math.abs)));
    for (const [group, pair] of changed) {
      make(parent, "span", {}, words(group));
      const bars = make(parent, "span", { class: "pair", "aria-hidden": "true" });
      for (const [i, value] of pair.entries()) {
        const bar = make(bars, "span", { class: i ? "with" : "without" });
        bar.style.setProperty("--from", Math.min(0, value) / widest);
        bar.style.setProperty("--size", Math.abs(value) / widest);
      }
      make(parent, "span", { class: "number" }, `${signed(pair[0])} → ${signed(pair[1])}`);
    }
    const side = viewer(near) === "black" ? "Black" : "White";
    find("effect-scale").textContent = `Light: without, dark: with the feeling, in pawns for ${side}. Full bar: ${widest.toFixed(2)}`;
  }

  // Shows the two choices with their scores.
  table(comparison, near) {
    const table = find("choices");
    table.replaceChildren();
    table.hidden = !comparison;
    if (!comparison) return;
    const row = (kind, ...cells) => {
      const line = make(table, "tr", {});
      cells.forEach((text, i) => kind || i === 0 ? make(line, "th", { scope: kind ? "col" : "row" }, text) : make(line, "td", {}, text));
    };
    row("head", "", "move", "score", "depth");
    for (const [name, one] of [["with", comparison.with], ["without", comparison.without]]) {
      row("", name, one.san, seen(one.score, near), String(one.depth));
    }
  }
}
