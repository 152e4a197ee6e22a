// The start screen: asks for opponent, temperament, colour and time.

import { make } from "./make.js";
import { BLIND, LEVELS, SIDES, TIMES, lastOrder, levelName, rememberOrder, timeName, toLink } from "./order.js";
import { find } from "./page.js";
import { kindOf, randomChess960 } from "./paste.js";

// Adds a radio button that looks like a card or a chip.
function choice(parent, name, value, title, note) {
  const label = make(parent, "label", { class: "choice" });
  make(label, "input", { type: "radio", name, value });
  make(label, "strong", {}, title);
  if (note) make(label, "span", { class: "quiet" }, note);
}

/** The start screen. Calls `play` or `lookAt` with the order. */
export class Start {
  constructor(about, play, lookAt) {
    this.about = about;
    this.form = find("new");
    for (const { level, name, note } of LEVELS) choice(find("levels"), "level", level, name, note ?? `rated ${level}`);
    for (const [side, name] of SIDES) choice(find("sides"), "side", side, name);
    for (const time of TIMES) choice(find("times"), "time", time, time === "none" ? "No clock" : time === "custom" ? "Other" : time);
    for (const { id, name, summary } of about.profiles) {
      choice(find("characters"), "profile", id, id === "own" ? `${name} (your file)` : name, summary);
    }
    choice(find("characters"), "profile", BLIND, "Guess who", "One of four characters, drawn at random. Find out which from its moves.");
    this.form.addEventListener("input", () => { this.refuse(""); this.show(); });
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const order = this.order();
      if (!order) return;
      rememberOrder(order);
      play(order);
    });
    find("link").addEventListener("click", () => this.copy());
    find("look-at").addEventListener("click", () => { const order = this.order(); if (order) lookAt(order); });
    find("chess960").addEventListener("click", () => { find("position").value = randomChess960(); this.show(); });
    this.fill(lastOrder());
  }

  // Selects the choices of an order.
  fill(order) {
    const { time } = order;
    const isListed = TIMES.includes(time);
    for (const [name, value] of Object.entries({ ...order, time: isListed ? time : "custom" })) {
      const radio = [...this.form.elements].find((one) => one.type === "radio" && one.name === name && one.value === String(value));
      if (radio) radio.checked = true;
    }
    if (!isListed) [find("minutes").value, find("increment").value] = time.split("+");
    for (const name of ["level", "profile", "side", "time"]) {
      if (!this.value(name)) this.form.querySelector(`[name=${name}]`).checked = true;
    }
    find("position").value = order.position ?? "";
    find("from").open = Boolean(order.position);
    this.show();
  }

  value(name) {
    return this.form.querySelector(`[name=${name}]:checked`)?.value;
  }

  show() {
    find("custom").hidden = this.value("time") !== "custom";
    const isGame = kindOf(find("position").value.trim()) === "pgn";
    find("look-at").disabled = !isGame;
    // a link has no room for a game
    find("link").disabled = isGame;
    const { level, profile, side, time } = this.read();
    const character = profile === BLIND ? "guess who" : this.about.profiles.find((one) => one.id === profile)?.name ?? profile;
    const colour = SIDES.find(([known]) => known === side)[1];
    const opponent = level ? `${levelName(level)}, ${level}` : levelName(level);
    find("chosen").textContent = `${opponent} · ${character} · you play ${colour} · ${timeName(time)}`;
  }

  read() {
    const custom = `${Number(find("minutes").value)}+${Number(find("increment").value)}`;
    const time = this.value("time") === "custom" ? custom : this.value("time");
    return {
      level: Number(this.value("level")), profile: this.value("profile"), side: this.value("side"), time,
      position: find("position").value.trim(),
    };
  }

  // Returns the order, or null if the time is out of range.
  order() {
    const isCustom = this.value("time") === "custom";
    for (const [id, name] of [["minutes", "Minutes"], ["increment", "Seconds per move"]]) {
      const field = find(id);
      if (!isCustom || (field.value && field.checkValidity())) continue;
      this.refuse(`${name}: choose from ${field.min} to ${field.max}${field.step === "1" ? "" : `, in steps of ${field.step}`}.`);
      field.focus();
      return null;
    }
    return this.read();
  }

  // Shows why the order was refused. Selects the text that has to be edited.
  refuse(text, key) {
    find("start-error").textContent = text;
    if (!text || !["position", "pgn", "move", "moves"].includes(key)) return;
    find("from").open = true;
    find("position").focus();
    find("position").select();
  }

  async copy() {
    const order = this.order();
    if (!order) return;
    const link = toLink(order);
    const button = find("link");
    try {
      await navigator.clipboard.writeText(link);
      button.textContent = "Copied";
    } catch {
      // the clipboard needs a secure address
      prompt("The link of this game:", link);
    }
    setTimeout(() => { button.textContent = "Copy link"; }, 2000);
  }
}
