// Starts the live page and switches between its Play and Follow modes.

import { Chessground } from "./board.js";
import { Feelings } from "./feelings.js";
import { Follow } from "./follow.js";
import { BRUSHES } from "./mind.js";
import { find, say } from "./page.js";
import { Play } from "./play.js";
import { Refused, ask, pause } from "./server.js";
import { themeButton } from "./theme.js";

const BEST = { key: "best", color: "#1f8a5f", opacity: 1, lineWidth: 9 };
// The move that it would have played without its feeling.
const CALM = { key: "calm", color: "#6b6670", opacity: 0.9, lineWidth: 8 };

// Registers the service worker, with which browsers can install the page. They allow it on this machine and with TLS.
function install() {
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  navigator.serviceWorker.register("sw.js").catch(() => { /* the page works without it */ });
}

async function main() {
  install();
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
    animation: { duration: 180 }, coordinates: true, drawable: { enabled: true, brushes: { best: BEST, calm: CALM, ...BRUSHES } },
  });
  const feelings = new Feelings(about);
  feelings.drawMap(about.profiles[0].id);
  const modes = { play: new Play(board, feelings, about), follow: new Follow(board, feelings) };
  let now = null;
  const switchTo = (name) => {
    now?.end();
    for (const mode of ["play", "follow"]) {
      for (const part of document.querySelectorAll(`.of-${mode}`)) part.hidden = mode !== name;
      find(`to-${mode}`).setAttribute("aria-pressed", String(mode === name));
    }
    sessionStorage.setItem("mode", name);
    board.setAutoShapes([]);
    document.body.classList.remove("imagined", "choosing", "loading");
    now = modes[name];
    now.start();
  };
  find("modes").hidden = !about.follows;
  find("to-play").addEventListener("click", () => switchTo("play"));
  find("to-follow").addEventListener("click", () => switchTo("follow"));
  switchTo(about.follows && sessionStorage.getItem("mode") !== "play" ? "follow" : "play");
  // the board widget measures itself only once, so redraw it when its width changes
  new ResizeObserver(() => { if (find("board").clientWidth) board.redrawAll(); }).observe(find("board"));
}

main();
