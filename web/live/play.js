// The Play mode: a game between the user and the engine on the server.

import { Blind } from "./blind.js";
import { Clocks } from "./clocks.js";
import { Effect } from "./effect.js";
import { End } from "./end.js";
import { GoalSquares } from "./goalsquares.js";
import { Hand } from "./hand.js";
import { Hint } from "./hint.js";
import { Mind } from "./mind.js";
import { Moves } from "./moves.js";
import { BLIND, fromQuery, profileRequest, toRequest } from "./order.js";
import { describeBoard, find, isSure, opposite, say } from "./page.js";
import { drawRibbons, playersOf } from "./ribbon.js";
import { showSeats } from "./seats.js";
import { Refused, ask, listen, save } from "./server.js";
import { Start } from "./start.js";
import { announce, soundOf, statusText } from "./status.js";
import { checkbox, play as sound, showGauge } from "./view.js";
import { WhatIf } from "./whatif.js";

const SILENT = "The server does not answer.";
const explain = (error, otherwise = SILENT) => (error instanceof Refused ? error.message : otherwise);

/** The Play mode of the page. */
export class Play {
  constructor(board, feelings, about) {
    Object.assign(this, { board, feelings, about, state: null, flipped: false, refusedIn: null, felt: new Map() });
    this.chooser = new Start(about, (order) => this.order(order), (order) => this.lookAt(order));
    this.moves = new Moves(() => { this.refusedIn = null; this.showPosition(); });
    this.hand = new Hand(board, (move) => this.move(move), () => this.showPosition());
    this.clocks = new Clocks(() => this.act("clock"));
    this.mind = new Mind(() => this.showPosition());
    this.effect = new Effect(this);
    this.squares = new GoalSquares(board);
    this.hint = new Hint(this);
    this.finish = new End(this);
    this.whatif = new WhatIf(this, feelings, about);
    this.blind = new Blind(about, (profile) => this.act("guess", { profile }));
    checkbox("bar", () => this.showPosition());
    checkbox("bottom", () => { if (this.state) this.show(this.state); });
    checkbox("sound", () => sound("move"));
    this.controls();
  }

  get id() {
    return sessionStorage.getItem("game");
  }

  get isRunning() {
    return Boolean(this.state && !this.state.end && this.state.moves.length > 1);
  }

  // Returns the API path of this tab's game. Opens a game if the tab has none.
  async path(action) {
    if (!this.id) {
      const { id } = await (await ask("games", {})).json();
      sessionStorage.setItem("game", id);
      await this.restore();
    }
    return `games/${this.id}/${action}`;
  }

  // Keeps the game so far, also for a reload, in case the server is restarted and loses it.
  keep({ start, moves, human, pace, level, profile, temperament }) {
    // the profile of a blind game is unknown before the guess
    const feeling = profile ? { profile, temperament } : profileRequest(BLIND);
    const order = { side: human, level: level ?? 0, ...feeling, position: start, ...pace };
    sessionStorage.setItem("kept", JSON.stringify({ ...order, moves: moves.map((m) => m.uci).join(" ") }));
  }

  // Sends the kept game to the server.
  async restore() {
    const kept = sessionStorage.getItem("kept");
    if (kept) await ask(`games/${this.id}/new`, JSON.parse(kept));
  }

  start() {
    this.isOn = true;
    const linked = fromQuery(location.search);
    if (linked) {
      history.replaceState(null, "", location.pathname);
      this.chooser.fill(linked);
      this.begin(toRequest(linked));
    } else if (this.id) this.listen();
    else this.choose();
  }

  end() {
    this.isOn = false;
    this.stop?.abort();
    this.clocks.hide();
    this.squares.show(null);
    this.showTable();
  }

  listen() {
    this.stop?.abort();
    this.stop = new AbortController();
    this.showTable();
    const { signal } = this.stop;
    const handle = (name, data) => {
      if (signal.aborted) return;
      if (name === "state") this.show(data);
      else this.think(data);
    };
    const lost = async (error) => {
      if (error.status !== 404) return say(explain(error, "The server does not answer; trying again …"));
      sessionStorage.removeItem("game");
      if (!sessionStorage.getItem("kept")) this.choose();
    };
    listen(() => this.path("events"), handle, lost, signal);
    if (this.state) this.show(this.state);
  }

  // Leaves the start screen. The board must measure itself again, because it had no size.
  showTable() {
    document.body.classList.remove("choosing");
    this.board.state.dom.bounds.clear();
  }

  // Shows the start screen.
  choose() {
    if (!this.state) this.stop?.abort();
    this.board.setAutoShapes([]);
    document.body.classList.add("choosing");
    find("back").hidden = !this.state;
    this.chooser.refuse("");
    scrollTo(0, 0);
  }

  async order(order) {
    if (this.isRunning && !await isSure("Give up this game and start another?", "Start another")) return;
    await this.begin(toRequest(order));
  }

  // Opens a pasted game and looks back at it.
  async lookAt(order) {
    if (this.isRunning && !await isSure("Give up this game to look at another?", "Look at it")) return;
    if (await this.begin(toRequest(order), "import")) this.finish.lookBack();
  }

  // Starts a game, and returns whether it has started. An error appears on the start screen.
  async begin(request, action = "new") {
    try {
      await this.send(action, request);
    } catch (error) {
      this.choose();
      this.chooser.refuse(explain(error), error.key);
      return false;
    }
    Object.assign(this, { flipped: false, state: null });
    this.moves.chosen = null;
    this.mind.close();
    this.finish.reset();
    this.board.cancelPremove();
    say("");
    this.listen();
    scrollTo(0, 0);
    return true;
  }

  // Sends an action and returns the answer. Its effect on the game arrives as an event.
  async send(action, body) {
    return (await ask(await this.path(action), body)).json();
  }

  // Like `send`, and shows a refusal until the next action or the next change of the game.
  async act(action, body = {}) {
    this.refusedIn = null;
    try {
      const answer = await this.send(action, body);
      return answer ?? true;
    } catch (error) {
      say(explain(error));
      this.refusedIn = this.state && this.status();
      if (this.state) this.showPosition();
      return null;
    }
  }

  // Plays a move. A refused one stays in its field, selected for editing.
  async move(move) {
    this.moves.chosen = null;
    const isDone = await this.act("move", { move }) !== null;
    if (!isDone && find("typed-move").value) find("typed-move").select();
    return isDone;
  }

  controls() {
    const on = (id, act) => find(id).addEventListener("click", act);
    on("undo", () => { this.board.cancelPremove(); this.act("undo"); });
    on("draw", () => this.act("draw"));
    on("resign", async () => { if (!this.isRunning || await isSure("Resign this game?", "Resign")) this.act("resign"); });
    on("hurry", () => this.act("hurry"));
    on("flip", () => { this.refusedIn = null; this.flipped = !this.flipped; this.showPosition(); });
    on("choose", () => this.choose());
    on("back", () => { this.showTable(); this.showPosition(); });
    on("pgn", () => this.download("pgn", "deepfeeling.pgn"));
    on("toml", () => this.download("profile", `${this.state?.profile ?? "profile"}.toml`));
  }

  async download(what, name) {
    try {
      save(name, await (await ask(await this.path(what))).blob());
    } catch (error) {
      say(explain(error));
    }
  }

  show(state) {
    const before = this.state;
    this.state = state;
    this.thought = null;
    this.keep(state);
    const isNew = before?.moves.length !== state.moves.length;
    if (isNew) this.felt.clear();
    if (isNew && !this.mind.always.checked) this.mind.close();
    this.feelings.drawMap(state.profile);
    this.whatif.showTemperament(state);
    this.blind.show(state);
    this.moves.show(state, this.near);
    this.finish.show(state);
    this.hint.show(state);
    this.showPosition();
    this.hand.playPrepared(state);
    Object.assign(find("hurry"), { disabled: !state.thinking, hidden: state.level !== null });
    for (const id of ["resign", "draw"]) find(id).disabled = state.end !== null;
    find("undo").disabled = state.moves.length === 0;
    if (before && isNew) soundOf(state);
    if (isNew && !state.thinking && !state.end) announce(state, this.feelings.goals.get(state.feeling?.goal));
    if (this.status() !== this.refusedIn) say(this.status());
  }

  status() {
    return statusText(this.state, this.moves.at, this.hint.sentence(this.state, this.near));
  }

  // The side at the bottom of the board.
  get near() {
    return this.flipped ? opposite(this.state.human) : this.state.human;
  }

  // Shows the chosen position of the game, and what the engine felt in it.
  showPosition() {
    // a board that is not visible cannot be drawn
    if (!this.isOn || !this.state || document.body.classList.contains("choosing")) return;
    const { state, near } = this;
    const { at, isLive } = this.moves;
    const move = state.moves[at - 1];
    const pieces = move?.board ?? state.start.split(" ")[0];
    const first = state.start.split(" ")[1] === "b" ? "black" : "white";
    const turn = at % 2 ? opposite(first) : first;
    const isCheck = isLive ? state.check : /[+#]/.test(move?.san ?? "");
    this.board.set({
      fen: pieces, orientation: near, lastMove: move ? [move.uci.slice(0, 2), move.uci.slice(2, 4)] : undefined,
      ...this.hand.settings(state, isLive), turnColor: turn, check: isCheck ? turn : false,
    });
    describeBoard(this.board);
    showSeats(state, pieces, near, this.about);
    this.clocks.show(state, near);
    const score = state.moves.slice(0, at).findLast((one) => one.score)?.score;
    showGauge(score, near);
    const thoughts = this.mind.show(state, at, this.record?.line?.slice(1) ?? [], near);
    this.board.setAutoShapes([...thoughts, ...this.effect.shapes(state, at), ...(isLive ? this.hint.shapes(state) : [])]);
    this.showFeelings();
    if (!this.refusedIn) say(this.status());
  }

  think(record) {
    if (!this.state?.thinking || record.fen !== this.state.fen) return;
    this.thought = record;
    if (this.moves.isLive) this.showFeelings();
  }

  // The record of the position shown, if the server has sent it.
  get record() {
    return this.moves.isLive ? this.thought ?? this.state.feeling : this.felt.get(this.moves.at);
  }

  // Asks for what the engine felt in an earlier position.
  async recallFeeling(at) {
    this.felt.set(at, null);
    try {
      this.felt.set(at, await (await ask(`games/${this.id}/felt/${at}`)).json());
      if (this.moves.at === at) this.showPosition();
    } catch {
      this.felt.delete(at);
    }
  }

  showFeelings() {
    const { thinking, profile } = this.state;
    const { at, isLive } = this.moves;
    // in a blind game, the server does not tell
    if (!isLive && profile && !this.felt.has(at)) this.recallFeeling(at);
    const now = isLive && thinking ? this.thought : null;
    drawRibbons(find("ribbon"), playersOf(this.state, isLive ? null : at, now));
    const { record } = this;
    this.effect.show(this.state, at, record, this.near);
    this.squares.show(record);
    if (!record) return;
    if (record.depth > 0 || !thinking || !isLive) this.feelings.think(record, this.near);
    this.whatif.show(record);
  }
}
