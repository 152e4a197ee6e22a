// The form that starts a game.

import { make } from "./make.js";

const find = (id) => document.getElementById(id);
const LARGEST_SEED = 999_999_999;

// Fills a group of radio buttons. A choice is `{value, title, summary}`.
function fill(group, name, choices, chosen) {
  for (const old of group.querySelectorAll(".choice")) old.remove();
  for (const { value, title, summary } of choices) {
    const label = make(group, "label", { class: "choice" });
    const radio = make(label, "input", { type: "radio", name, value });
    radio.checked = value === chosen;
    make(label, "strong", {}, title);
    if (summary) make(label, "span", { class: "quiet" }, summary);
  }
}

const capital = (word) => word[0].toUpperCase() + word.slice(1);
const titled = ({ name, summary }) => ({ value: name, title: capital(name), summary });

/** Shows the form for these games and calls `onOrder` with each valid order. */
export function chooser(games, onOrder) {
  const form = find("new");
  const chosen = (name) => new FormData(form).get(name);
  const about = () => games.find(({ game }) => game === chosen("game"));

  function refill() {
    const { levels, level, temperaments, sides, person, rules } = about();
    fill(find("levels"), "level", levels.map(titled), level);
    fill(find("temperaments"), "temperament", temperaments.map(titled), temperaments[0].name);
    fill(find("sides"), "side", sides.map((side) => ({ value: side.toLowerCase(), title: side })), sides[person].toLowerCase());
    fill(find("rules"), "rules", rules.map(({ name, summary }) => ({ value: name, title: capital(summary) })), rules[0].name);
  }

  fill(find("games"), "game", games.map(({ game, summary }) => ({ value: game, title: capital(game), summary })), games[0].game);
  refill();
  find("games").addEventListener("change", refill);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const seed = Number(find("seed").value);
    const isValid = find("seed").value !== "" && Number.isInteger(seed) && seed >= 0 && seed <= LARGEST_SEED;
    find("start-error").textContent = isValid ? "" : `Start number: choose a whole number from 0 to ${LARGEST_SEED}.`;
    if (!isValid) return;
    const keys = ["game", "level", "temperament", "side", "rules"];
    onOrder({ ...Object.fromEntries(keys.map((key) => [key, chosen(key)])), seed });
  });
}

/** Proposes another start. */
export function proposeSeed() {
  find("seed").value = 1 + Math.floor(Math.random() * 9999);
}
