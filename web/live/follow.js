// The Follow mode: shows the searches of engines that write to the followed FeelingsFile.

import { NAMES, find, say, describeBoard } from "./page.js";
import { drawRibbons } from "./ribbon.js";
import { listen } from "./server.js";

/** The Follow mode of the page. */
export class Follow {
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
      // bound the memory of a page that stays open for days
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
    const labels = JSON.stringify(names);
    if (this.labels !== labels) {
      this.labels = labels;
      select.replaceChildren(...names.map(([id, name]) => new Option(name, id)));
    }
    const id = this.engines.has(this.chosen) ? this.chosen : this.latest;
    const records = this.engines.get(id) ?? [];
    find("follow-note").textContent = records.length ? "" : "No search yet. In your GUI, set the engine option FeelingsFile to the file followed here.";
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
    describeBoard(this.board);
    this.board.setAutoShapes(best ? [{ orig: best.slice(0, 2), dest: best.slice(2, 4), brush: "best" }] : []);
    for (const [seat, name] of [["near", NAMES[isBlack ? "black" : "white"]], ["far", NAMES[isBlack ? "white" : "black"]]]) {
      find(`${seat}-name`).textContent = name === NAMES[record.side] ? `${name}, the engine` : name;
      find(`${seat}-clock`).hidden = true;
    }
    const choice = `${record.line?.[0] ?? best} ${record.missed ? "was a failed ponder search" : "is played"}`;
    say(`Game ${record.game}, search ${record.search}: ${best ? choice : "no legal move"}.`);
    this.feelings.drawMap(record.profile);
    this.feelings.show(record, false);
    this.feelings.think(record, isBlack ? "black" : "white");
    const game = records.filter((one) => one.game === record.game && (!one.missed || one === record));
    const points = game.filter((one) => typeof one.intensity === "number").map((one) => ({
      intensity: one.intensity, label: one.line?.[0] ?? one.move, here: one === record,
    }));
    drawRibbons(find("ribbon"), [{ name: "It", text: "Its emotion", points }]);
  }
}
