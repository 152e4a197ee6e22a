// The temperament of the engine, and the sliders that show what it would feel.

import { signed, words } from "./map.js";
import { find } from "./page.js";

/** The panels for temperament and what-if questions. `play` is the Play mode. */
export class WhatIf {
  constructor(play, feelings, about) {
    Object.assign(this, { play, feelings, about, imagined: null, knobs: new Map() });
    const profile = find("profile");
    for (const { id, name } of about.profiles) profile.add(new Option(id === "own" ? `${name} (your file)` : name, id));
    profile.addEventListener("change", () => play.act("temper", { profile: profile.value }));
    const strength = find("strength");
    strength.addEventListener("input", () => { find("strength-now").textContent = `${strength.value} %`; });
    strength.addEventListener("change", () => play.act("temper", { temperament: Number(strength.value) }));
    for (const id of ["temper", "whatif"]) find(id).addEventListener("submit", (event) => event.preventDefault());
    find("whatif").addEventListener("reset", (event) => {
      event.preventDefault();
      this.imagined = null;
      play.showFeelings();
    });
    for (const { name } of about.concepts.filter((one) => one.perceived)) this.addSlider(name);
  }

  addSlider(name) {
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

  // Shows the emotion under the imagined perceptions. Skips all but the last of quick changes.
  async imagine() {
    find("as-is").disabled = false;
    if (this.asking) return;
    this.asking = true;
    while (this.imagined && this.asked !== this.imagined) {
      this.asked = this.imagined;
      const answer = await this.play.act("whatif", this.imagined);
      if (!answer || !this.imagined) break;
      this.feelings.show(answer.would_be, true);
    }
    this.asking = false;
    this.asked = null;
  }

  showTemperament({ profile, temperament }) {
    find("profile").value = profile;
    find("summary").textContent = this.about.profiles.find((one) => one.id === profile)?.summary ?? "";
    if (document.activeElement === find("strength")) return;
    find("strength").value = temperament;
    find("strength-now").textContent = `${temperament} %`;
  }

  // Shows the perceptions of a record, or the imagined ones.
  show(record) {
    if (this.imagined) return this.imagine();
    this.feelings.show(record, false);
    find("as-is").disabled = true;
    for (const [name, { knob, now }] of this.knobs) {
      knob.value = record.perceived?.[name] ?? 0;
      now.textContent = signed(record.perceived?.[name] ?? 0);
    }
  }
}
