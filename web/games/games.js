// Leads from the choice of a game to the game. The link has all that defines the start.

import { chooser, proposeSeed } from "./chooser.js";
import { player } from "./play.js";
import { ask } from "./server.js";
import { themeButton } from "./theme.js";

const KEYS = ["game", "level", "temperament", "side", "rules"];
const find = (id) => document.getElementById(id);

themeButton(find("theme"));
const games = await ask("games");
const table = player();

function choose() {
  table.leave();
  document.body.classList.add("choosing");
  proposeSeed();
}

// Returns the order in the link, or null.
function linked() {
  const parameters = new URLSearchParams(location.search);
  if (!parameters.has("game")) return null;
  const given = KEYS.filter((key) => parameters.has(key)).map((key) => [key, parameters.get(key)]);
  return { ...Object.fromEntries(given), seed: Number(parameters.get("seed") ?? 1) };
}

// Shows the game of the link, or the form.
async function route() {
  const order = linked();
  const about = games.find(({ game }) => game === order?.game);
  choose();
  if (!order) return;
  try {
    if (!about) throw new Error(`There is no game ${order.game}.`);
    await table.begin(order, about);
  } catch (error) {
    find("start-error").textContent = `The link does not work. ${error.message}`;
  }
}

chooser(games, (order) => {
  history.pushState(null, "", `?${new URLSearchParams(order)}`);
  sessionStorage.clear();
  route();
});
find("choose").addEventListener("click", () => {
  history.pushState(null, "", location.pathname);
  route();
});
addEventListener("popstate", route);
await route();
document.body.classList.remove("loading");
