// Plays a game with the server, or follows what engines write into a file.

import { Chessground } from "./board.js";
import { Feelings, drawRibbon, scoreText } from "./feelings.js";
import { signed, words } from "./map.js";
import { themeButton } from "./theme.js";

const find = (id) => document.getElementById(id);
const BEST = { key: "best", color: "#1f8a5f", opacity: 1, lineWidth: 9 };
const NAMES = { white: "White", black: "Black" };

// What the server says no to, in its own words.
class Refused extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

let token = sessionStorage.getItem("token") ?? "";
const given = /^#token=(.+)$/.exec(location.hash);
if (given) {
  token = decodeURIComponent(given[1]);
  sessionStorage.setItem("token", token);
  history.replaceState(null, "", location.pathname);
}

async function ask(path, body, options = {}) {
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) headers["Content-Type"] = "application/json";
  const response = await fetch(`/api/${path}`, {
    method: body ? "POST" : "GET", body: body && JSON.stringify(body), headers, ...options,
  });
  if (response.status === 401) {
    await unlock();
    return ask(path, body, options);
  }
  if (response.ok) return response;
  const told = await response.json().catch(() => ({}));
  throw new Refused(response.status, told.error ?? `the server answers ${response.status}`);
}

// Asks for the token, one question at a time.
let unlocking = null;
function unlock() {
  unlocking ??= new Promise((resolve) => {
    const dialog = find("locked");
    dialog.showModal();
    dialog.addEventListener("close", () => {
      token = find("token").value.trim();
      sessionStorage.setItem("token", token);
      unlocking = null;
      resolve();
    }, { once: true });
  });
  return unlocking;
}

function say(text) {
  if (find("status").textContent !== text) find("status").textContent = text;
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// Hears the events at `path()` until `signal` ends it; comes back after every break. A page that
// nobody sees listens to nothing: a browser has few connections to one server.
async function listen(path, hear, lost, signal) {
  while (!signal.aborted) {
    if (document.hidden) {
      await new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
      continue;
    }
    const here = new AbortController();
    const leave = () => { if (signal.aborted || document.hidden) here.abort(); };
    document.addEventListener("visibilitychange", leave);
    signal.addEventListener("abort", leave);
    try {
      const response = await ask(await path(), null, { signal: here.signal });
      await readEvents(response.body, hear);
    } catch (error) {
      if (!here.signal.aborted) await lost(error);
    } finally {
      document.removeEventListener("visibilitychange", leave);
      signal.removeEventListener("abort", leave);
    }
    if (!here.signal.aborted) await pause(700);
  }
}

async function readEvents(body, hear) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) {
      const name = /^event: (.*)$/m.exec(event)?.[1];
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (name && data) hear(name, JSON.parse(data));
    }
  }
}

function save(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// The men on the board in words.
function tellBoard(board) {
  const men = (color) => [...board.state.pieces].filter(([, man]) => man.color === color).map(([square, man]) => `${man.role} ${square}`);
  find("board").setAttribute("aria-label", `Board. White: ${men("white").join(", ")}. Black: ${men("black").join(", ")}.`);
}

function clockText(ms) {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 20) return seconds.toFixed(1);
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** A game with the server. */
class Play {
  constructor(board, feelings, about) {
    Object.assign(this, { board, feelings, about, flipped: false, state: null, wishes: null });
    this.controls();
    setInterval(() => this.tick(), 100);
  }

  get id() {
    return sessionStorage.getItem("game");
  }

  // The path of this tab's game, which is opened if there is none.
  async path(what) {
    if (!this.id) {
      const { id } = await (await ask("games", {})).json();
      sessionStorage.setItem("game", id);
      if (this.state) await this.takeUp();
    }
    return `games/${this.id}/${what}`;
  }

  // A server that was started anew knows nothing: it is told of the game so far.
  async takeUp() {
    const { start, moves, human, pace, profile, temperament } = this.state;
    const order = { side: human, profile, temperament, position: start, ...pace, moves: moves.map((m) => m.uci).join(" ") };
    await ask(`games/${this.id}/new`, order);
  }

  start() {
    this.stop = new AbortController();
    const hear = (name, data) => (name === "state" ? this.show(data) : this.think(data));
    const lost = async (error) => {
      if (error.status === 404) sessionStorage.removeItem("game");
      else say(error instanceof Refused ? error.message : "The server does not answer; trying again …");
    };
    listen(() => this.path("events"), hear, lost, this.stop.signal);
    if (this.state) this.show(this.state);
  }

  end() {
    this.stop.abort();
  }

  // Sends a wish; what comes of it is heard as an event.
  async act(action, body = {}) {
    try {
      return await (await ask(await this.path(action), body)).json();
    } catch (error) {
      say(error instanceof Refused ? error.message : "The server does not answer.");
      if (this.state) this.showBoard();
      return null;
    }
  }

  controls() {
    const on = (id, act) => find(id).addEventListener("click", act);
    on("undo", () => this.act("undo"));
    on("resign", () => this.act("resign"));
    on("hurry", () => this.act("hurry"));
    on("flip", () => { this.flipped = !this.flipped; this.showBoard(); this.showClocks(); });
    on("pgn", () => this.download("pgn", "deepfeeling.pgn"));
    on("toml", () => this.download("profile", `${this.state?.profile ?? "profile"}.toml`));
    find("typed").addEventListener("submit", (event) => {
      event.preventDefault();
      const move = find("typed-move").value.trim();
      if (move) this.act("move", { move }).then((done) => { if (done !== null || this.moved) find("typed-move").value = ""; });
    });
    find("new").addEventListener("submit", (event) => {
      event.preventDefault();
      const [kind, first, second] = find("pace").value.split(" ");
      const pace = kind === "nodes" ? { nodes: Number(first) } : { seconds: Number(first), increment: Number(second) };
      const position = find("position").value.trim();
      this.flipped = false;
      this.act("new", { side: find("side").value, ...pace, ...(position && { position }) });
    });
    const profile = find("profile");
    for (const { id, name } of this.about.profiles) profile.add(new Option(id === "own" ? `${name} (your file)` : name, id));
    profile.addEventListener("change", () => this.act("temper", { profile: profile.value }));
    const strength = find("strength");
    strength.addEventListener("input", () => { find("strength-now").textContent = `${strength.value} %`; });
    strength.addEventListener("change", () => this.act("temper", { temperament: Number(strength.value) }));
    for (const id of ["temper", "whatif"]) find(id).addEventListener("submit", (event) => event.preventDefault());
    this.sliders();
  }

  sliders() {
    this.knobs = new Map();
    for (const { name } of this.about.concepts.filter((one) => one.perceived)) {
      const label = document.createElement("label");
      label.append(`${words(name)} `);
      const now = label.appendChild(document.createElement("output"));
      const knob = label.appendChild(document.createElement("input"));
      Object.assign(knob, { type: "range", min: -1, max: 1, step: 0.05, name, id: `see-${name}` });
      label.htmlFor = knob.id; // else it would name the output
      knob.addEventListener("input", () => {
        now.textContent = signed(Number(knob.value));
        this.wishes = { ...this.wishes, [name]: Number(knob.value) };
        this.imagine();
      });
      find("sliders").append(label);
      this.knobs.set(name, { knob, now });
    }
    find("whatif").addEventListener("reset", (event) => {
      event.preventDefault();
      this.wishes = null;
      this.showFeelings();
    });
  }

  // Shows what would be felt; of wishes that come fast, the last is asked for.
  async imagine() {
    find("as-is").disabled = false;
    if (this.asking) return;
    this.asking = true;
    while (this.wishes && this.asked !== this.wishes) {
      this.asked = this.wishes;
      const answer = await this.act("whatif", this.wishes);
      if (!answer || !this.wishes) break;
      const { would_be: would } = answer;
      const concepts = Object.fromEntries(Object.entries(would.settled).map(([name, { value }]) => [name, value]));
      this.feelings.show({ ...would, concepts, settling: would.verdict }, true);
    }
    this.asking = false;
    this.asked = null;
  }

  async download(what, name) {
    try {
      save(name, await (await ask(await this.path(what))).blob());
    } catch (error) {
      say(error.message);
    }
  }

  show(state) {
    this.moved = this.state?.moves.length !== state.moves.length;
    this.state = state;
    this.heard = performance.now();
    this.claimed = false;
    this.thought = null;
    find("profile").value = state.profile;
    find("summary").textContent = this.about.profiles.find((one) => one.id === state.profile)?.summary ?? "";
    if (document.activeElement !== find("strength")) {
      find("strength").value = state.temperament;
      find("strength-now").textContent = `${state.temperament} %`;
    }
    this.feelings.drawMap(state.profile);
    this.showBoard();
    this.showMoves();
    this.showClocks();
    this.showFeelings();
    find("hurry").disabled = !state.thinking;
    find("resign").disabled = state.end !== null;
    find("undo").disabled = state.moves.length === 0;
    say(this.status());
  }

  status() {
    const { end, thinking, moves, check } = this.state;
    if (end) return `${end.result === "*" ? "" : `${end.result}. `}${end.reason}.`;
    const last = moves.at(-1)?.san;
    if (thinking) return "It thinks …";
    return `${last ? `It played ${last}. ` : ""}Your move${check ? ": check" : ""}.`;
  }

  showBoard() {
    const { fen, human, turn, last, dests, check, end } = this.state;
    const near = this.flipped === (human === "white") ? "black" : "white";
    const name = (side) => (side === human ? "You" : "Deep Feeling");
    find("near-name").textContent = `${name(near)}, ${NAMES[near]}`;
    const far = near === "white" ? "black" : "white";
    find("far-name").textContent = `${name(far)}, ${NAMES[far]}`;
    this.board.set({
      fen, orientation: near, turnColor: turn, lastMove: last ?? undefined, check: check ? turn : false,
      viewOnly: end !== null,
      movable: {
        free: false, color: end ? undefined : human, dests: new Map(Object.entries(dests)), showDests: true,
        events: { after: (from, to) => this.drop(from, to) },
      },
      premovable: { enabled: false },
    });
    tellBoard(this.board);
  }

  async drop(from, to) {
    const piece = this.board.state.pieces.get(to);
    const last = piece?.color === "white" ? "8" : "1";
    let move = from + to;
    if (piece?.role === "pawn" && to[1] === last) {
      const dialog = find("promotion");
      dialog.returnValue = "";
      dialog.showModal();
      await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
      if (!dialog.returnValue) return this.showBoard();
      move += dialog.returnValue;
    }
    return this.act("move", { move });
  }

  showMoves() {
    const { moves, start } = this.state;
    const list = find("moves");
    const fields = start.split(" ");
    const offset = fields[1] === "b" ? 1 : 0;
    const rows = [];
    for (const [i, { san, score, intensity }] of moves.entries()) {
      const at = i + offset;
      if (at % 2 === 0 || i === 0) {
        const row = document.createElement("li");
        row.dataset.number = `${Number(fields[5]) + Math.floor(at / 2)}.`;
        if (at % 2) row.append(Object.assign(document.createElement("span"), { textContent: "…" }));
        rows.push(row);
      }
      const cell = document.createElement("span");
      cell.textContent = san;
      if (score) cell.append(Object.assign(document.createElement("small"), { textContent: scoreText(score) }));
      if (typeof intensity === "number" && Math.abs(intensity) >= 0.05) cell.className = intensity < 0 ? "fear" : "relief";
      rows.at(-1).append(cell);
    }
    list.replaceChildren(...rows);
    list.scrollTop = list.scrollHeight;
  }

  // What is left to a side now, as far as can be told here.
  left(side) {
    const { clocks } = this.state;
    return clocks[side] - (clocks.running === side ? performance.now() - this.heard : 0);
  }

  showClocks() {
    const { clocks } = this.state;
    const near = this.board.state.orientation;
    for (const [id, side] of [["near-clock", near], ["far-clock", near === "white" ? "black" : "white"]]) {
      const clock = find(id);
      clock.hidden = !clocks;
      if (!clocks) continue;
      const text = clockText(this.left(side));
      if (clock.textContent !== text) clock.textContent = text;
      clock.classList.toggle("running", clocks.running === side);
    }
  }

  tick() {
    if (this.stop?.signal.aborted || !this.state?.clocks?.running) return;
    this.showClocks();
    const { human, clocks } = this.state;
    if (clocks.running === human && this.left(human) < -50 && !this.claimed) {
      this.claimed = true;
      this.act("clock");
    }
  }

  think(record) {
    if (!this.state?.thinking || record.fen !== this.state.fen) return;
    this.thought = record;
    this.showFeelings();
  }

  showFeelings() {
    const { moves, feeling, thinking } = this.state;
    const record = this.thought ?? feeling;
    const points = moves.map(({ san, intensity }) => ({ intensity, label: san }));
    if (thinking && this.thought) points.push({ intensity: record.intensity, label: "now", here: true });
    drawRibbon(find("ribbon"), points.filter(({ intensity }) => typeof intensity === "number"));
    if (record.depth > 0 || !thinking) this.feelings.think(record);
    if (this.wishes) return this.imagine();
    this.feelings.show(record, false);
    find("as-is").disabled = true;
    for (const [name, { knob, now }] of this.knobs) {
      knob.value = record.perceived?.[name] ?? 0;
      now.textContent = signed(record.perceived?.[name] ?? 0);
    }
  }
}

/** What engines write into a file. */
class Follow {
  constructor(board, feelings) {
    Object.assign(this, { board, feelings, engines: new Map(), chosen: null, at: null, flipped: false });
    find("engine").addEventListener("change", () => { this.chosen = find("engine").value; this.at = null; this.show(); });
    find("at").addEventListener("input", () => { this.at = Number(find("at").value); this.show(); });
    find("latest").addEventListener("click", () => { this.at = null; this.show(); });
    find("follow-flip").addEventListener("click", () => { this.flipped = !this.flipped; this.show(); });
  }

  start() {
    this.stop = new AbortController();
    this.engines.clear();
    const lost = async () => { this.engines.clear(); say("The server does not answer; trying again …"); };
    const path = async () => { this.engines.clear(); return "follow"; };
    listen(path, (_, record) => this.add(record), lost, this.stop.signal);
    this.show();
  }

  end() {
    this.stop.abort();
  }

  add(record) {
    if (!this.engines.has(record.engine)) {
      // a page left open for days keeps the last engines only
      if (this.engines.size === 16) this.engines.delete(this.engines.keys().next().value);
      this.engines.set(record.engine, []);
    }
    const records = this.engines.get(record.engine);
    records.push(record);
    if (records.length > 400) {
      records.shift();
      if (this.at) this.at -= 1;
    }
    this.latest = record.engine;
    this.due ??= requestAnimationFrame(() => { this.due = null; if (!this.stop.signal.aborted) this.show(); });
  }

  show() {
    const select = find("engine");
    const names = [...this.engines].map(([id, records]) => [id, `${records.at(-1).profile} (${id.slice(0, 4)})`]);
    const told = JSON.stringify(names);
    if (this.told !== told) {
      this.told = told;
      select.replaceChildren(...names.map(([id, name]) => new Option(name, id)));
    }
    const id = this.engines.has(this.chosen) ? this.chosen : this.latest;
    const records = this.engines.get(id) ?? [];
    find("follow-note").textContent = records.length ? "" : "Nothing yet. In your GUI, set the engine's option FeelingsFile to the file that is followed here.";
    if (!records.length) return say("Waiting for an engine …");
    select.value = id;
    const last = records.length - 1;
    const at = Math.min(this.at ?? last, last);
    Object.assign(find("at"), { max: last, value: at });
    find("latest").setAttribute("aria-pressed", String(this.at === null));
    this.showRecord(records[at], records);
  }

  showRecord(record, records) {
    const isBlack = (record.side === "black") !== this.flipped;
    const best = record.move;
    this.board.set({
      fen: record.fen, orientation: isBlack ? "black" : "white", turnColor: record.side, lastMove: undefined,
      check: false, viewOnly: true, movable: { color: undefined, dests: new Map() },
    });
    tellBoard(this.board);
    this.board.setAutoShapes(best ? [{ orig: best.slice(0, 2), dest: best.slice(2, 4), brush: "best" }] : []);
    for (const [seat, name] of [["near", NAMES[isBlack ? "black" : "white"]], ["far", NAMES[isBlack ? "white" : "black"]]]) {
      find(`${seat}-name`).textContent = name === NAMES[record.side] ? `${name}, the engine` : name;
      find(`${seat}-clock`).hidden = true;
    }
    say(`Game ${record.game}, search ${record.search}: ${best ? `${record.line?.[0] ?? best} is played` : "no move is left"}.`);
    this.feelings.drawMap(record.profile);
    this.feelings.show(record, false);
    this.feelings.think(record);
    const game = records.filter((one) => one.game === record.game);
    drawRibbon(find("ribbon"), game.map((one) => ({
      intensity: one.intensity, label: one.line?.[0] ?? one.move, here: one === record,
    })));
  }
}

async function main() {
  themeButton(find("theme"));
  let about;
  while (!about) {
    try {
      about = await (await ask("about")).json();
    } catch (error) {
      say(error instanceof Refused ? error.message : "The server does not answer; trying again …");
      await pause(1000);
    }
  }
  find("version").textContent = `Deep Feeling ${about.version}.`;
  const board = Chessground(find("board"), {
    animation: { duration: 180 }, coordinates: true, drawable: { enabled: true, brushes: { best: BEST } },
  });
  const feelings = new Feelings(about);
  feelings.drawMap(about.profiles[0].id);
  const modes = { play: new Play(board, feelings, about), follow: new Follow(board, feelings) };
  let now = null;
  const turnTo = (name) => {
    now?.end();
    for (const mode of ["play", "follow"]) {
      for (const part of document.querySelectorAll(`.of-${mode}`)) part.hidden = mode !== name;
      find(`to-${mode}`).setAttribute("aria-pressed", String(mode === name));
    }
    sessionStorage.setItem("mode", name);
    board.setAutoShapes([]);
    document.body.classList.remove("imagined");
    now = modes[name];
    now.start();
  };
  find("modes").hidden = !about.follows;
  find("to-play").addEventListener("click", () => turnTo("play"));
  find("to-follow").addEventListener("click", () => turnTo("follow"));
  turnTo(about.follows && sessionStorage.getItem("mode") !== "play" ? "follow" : "play");
  // the widget measures itself once; the page may change its width later
  new ResizeObserver(() => board.redrawAll()).observe(find("board"));
}

main();
