// The Play mode: a game between the user and the engine on the server.

import { drawRibbon, scoreText } from "./feelings.js";
import { signed, words } from "./map.js";
import { NAMES, find, say, describeBoard } from "./page.js";
import { Refused, ask, listen } from "./server.js";

function save(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function clockText(ms) {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 20) return seconds.toFixed(1);
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** The Play mode of the page. */
export class Play {
  constructor(board, feelings, about) {
    Object.assign(this, { board, feelings, about, flipped: false, state: null, imagined: null, refusedIn: null });
    this.controls();
    setInterval(() => this.tick(), 100);
  }

  get id() {
    return sessionStorage.getItem("game");
  }

  // Returns the API path of this tab's game. Opens a game if the tab has none.
  async path(action) {
    if (!this.id) {
      const { id } = await (await ask("games", {})).json();
      sessionStorage.setItem("game", id);
      if (this.state) await this.restore();
    }
    return `games/${this.id}/${action}`;
  }

  // Sends the game so far to a restarted server, which has lost it.
  async restore() {
    const { start, moves, human, pace, profile, temperament } = this.state;
    const order = { side: human, profile, temperament, position: start, ...pace, moves: moves.map((m) => m.uci).join(" ") };
    await ask(`games/${this.id}/new`, order);
  }

  start() {
    this.stop = new AbortController();
    const handle = (name, data) => (name === "state" ? this.show(data) : this.think(data));
    const lost = async (error) => {
      if (error.status === 404) sessionStorage.removeItem("game");
      else say(error instanceof Refused ? error.message : "The server does not answer; trying again …");
    };
    listen(() => this.path("events"), handle, lost, this.stop.signal);
    if (this.state) this.show(this.state);
  }

  end() {
    this.stop.abort();
  }

  // Sends an action. Its effect on the game arrives as an event. A refusal stays on the page until
  // the next action or the next change of the game.
  async act(action, body = {}) {
    this.refusedIn = null;
    try {
      return await (await ask(await this.path(action), body)).json();
    } catch (error) {
      say(error instanceof Refused ? error.message : "The server does not answer.");
      this.refusedIn = this.state && this.status();
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
      const order = { side: find("side").value, ...pace, ...(position && { position }) };
      this.act("new", order).then(() => this.showTable());
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
      label.htmlFor = knob.id; // the label would otherwise belong to the output
      knob.addEventListener("input", () => {
        now.textContent = signed(Number(knob.value));
        this.imagined = { ...this.imagined, [name]: Number(knob.value) };
        this.imagine();
      });
      find("sliders").append(label);
      this.knobs.set(name, { knob, now });
    }
    find("whatif").addEventListener("reset", (event) => {
      event.preventDefault();
      this.imagined = null;
      this.showFeelings();
    });
  }

  // Shows the emotion under the imagined perceptions. Skips all but the last of quick changes.
  async imagine() {
    find("as-is").disabled = false;
    if (this.asking) return;
    this.asking = true;
    while (this.imagined && this.asked !== this.imagined) {
      this.asked = this.imagined;
      const answer = await this.act("whatif", this.imagined);
      if (!answer || !this.imagined) break;
      this.feelings.show(answer.would_be, true);
    }
    this.asking = false;
    this.asked = null;
  }

  async download(what, name) {
    try {
      save(name, await (await ask(await this.path(what))).blob());
    } catch (error) {
      say(error instanceof Refused ? error.message : "The server does not answer.");
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
    if (this.status() !== this.refusedIn) say(this.status());
  }

  status() {
    const { end, thinking, moves, check } = this.state;
    if (end) return `${end.result === "*" ? "" : `${end.result}. `}${end.reason}.`;
    const last = moves.at(-1)?.san;
    if (thinking) return "Thinking …";
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
    describeBoard(this.board);
  }

  // Scrolls to the board: on a small screen it may be far above the button.
  showTable() {
    const { top, bottom } = find("board").getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) document.querySelector(".table").scrollIntoView();
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

  // Returns the time left on the clock of `side` in milliseconds, estimated since the last event.
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
    if (this.imagined) return this.imagine();
    this.feelings.show(record, false);
    find("as-is").disabled = true;
    for (const [name, { knob, now }] of this.knobs) {
      knob.value = record.perceived?.[name] ?? 0;
      now.textContent = signed(record.perceived?.[name] ?? 0);
    }
  }
}
