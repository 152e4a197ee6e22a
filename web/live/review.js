// Loads the review of this tab's game into the page of the report.

import { make } from "./make.js";
import { Refused, ask, save } from "./server.js";

const find = (id) => document.getElementById(id);

async function main() {
  const choices = document.querySelector(".choices");
  const path = `games/${sessionStorage.getItem("game")}`;
  make(choices, "a", { class: "button", href: "./" }, "Back to the game");
  const keep = make(choices, "button", { type: "button" }, "Save as a file");
  keep.addEventListener("click", async () => save("game.html", await (await ask(`${path}/report`)).blob()));
  choices.append(find("theme"));
  try {
    const data = await (await ask(`${path}/review`)).text();
    make(document.body, "script", { type: "application/json", id: "game" }, data);
    await import("./report.js");
  } catch (error) {
    keep.hidden = true;
    find("players").textContent = error instanceof Refused ? error.message : "The review cannot be loaded.";
  }
}

main();
