// A game in progress: the page keeps the moves, and the server answers with the state after them.

import { cellBoard } from "./cells.js";
import { courseOf } from "./course.js";
import { showChoice, showFeelings, showReview } from "./feelings.js";
import { horses } from "./horses.js";
import { mindView } from "./mind.js";
import { ask } from "./server.js";
import { tilt } from "./tilt.js";

const BOARDS = { horses, tilt };
// Time between two moves of the machine, in milliseconds.
const PACE = 450;

const find = (id) => document.getElementById(id);
const say = (text) => { find("status").textContent = text; };
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The key under which a tab remembers the moves of a game, so that a reload keeps them. */
const memory = (order) => `moves of ${JSON.stringify(order)}`;

/** Prepares the controls. The result starts games with `begin(order, about)` and ends them with `leave()`. */
export function player() {
  let order = null;
  // the present state, and the one on the board: an earlier one while the user looks back
  let state = null;
  let shown = null;
  let selected = null;
  // the temperament to return to when the switch is thrown again
  let felt = null;
  // counts what the user has asked for, so that answers to earlier requests are dropped
  let turnOfEvents = 0;
  const cells = cellBoard(find("cells"), pick);

  const course = courseOf(look);
  const mind = mindView((strength) => call("imagine", { moves: shown.moves, strength }));

  const isYours = () => state.result === null && state.turn === state.person && !course.isBack();

  async function call(action, more = {}) {
    const { game, ...rest } = order;
    return ask(`${game}/${action}`, { ...rest, moves: state?.moves ?? "", ...more });
  }

  // Runs `task` unless the user asks for something else meanwhile. Errors are shown.
  async function run(task) {
    const mine = ++turnOfEvents;
    const isCurrent = () => mine === turnOfEvents;
    try {
      await task(isCurrent);
    } catch (error) {
      if (isCurrent()) say(error.message);
    }
  }

  function show(next) {
    state = next;
    course.reset(plies().length);
    display(state);
    find("review").hidden = true;
    sessionStorage.setItem(memory({ ...order, temperament: felt }), state.moves);
    find("undo").disabled = state.moves === "";
    find("again").hidden = state.result === null;
  }

  // Returns the moves of the game.
  const plies = () => state.moves.split(" ").filter(Boolean);

  // Shows a position of the game with its feelings.
  function display(next) {
    shown = next;
    selected = null;
    draw();
    showFeelings(shown);
    mind.show(shown);
  }

  // Shows the position after this number of moves, or the present one.
  async function look(ply) {
    if (ply === null) {
      display(state);
      return;
    }
    try {
      const earlier = await call("state", { moves: plies().slice(0, ply).join(" ") });
      if (course.at() === ply) display(earlier);
    } catch (error) {
      say(error.message);
    }
  }

  function draw() {
    const board = BOARDS[shown.game];
    const { names, columns } = board.layout(shown);
    document.body.dataset.game = shown.game;
    cells.lay(names, columns);
    cells.show(board.cells(shown, isYours(), selected));
    const lean = board.lean(shown);
    find("cells").style.setProperty("--lean", lean);
    // on narrow windows your half is at the bottom
    find("cells").style.setProperty("--tip", shown.person === 0 ? -lean : lean);
    find("balance").textContent = board.balance(shown);
    for (const [seat, side] of [["far", 1 - shown.person], ["near", shown.person]]) {
      const who = side === shown.person ? "you" : shown.level;
      find(`${seat}-name`).textContent = `${shown.sides[side]} (${who})`;
      find(`${seat}-score`).textContent = board.score(shown, side);
    }
  }

  // Says what has happened.
  function report() {
    const { last, sides, person, result, thought } = state;
    const parts = [];
    if (last) parts.push(last.side === person ? `You played ${last.name}.` : `${sides[last.side]} played ${last.name}${thought ? ` (${thought})` : ""}.`);
    if (result) parts.push(`The game is over: ${result.replace("-", "−")}.`);
    else parts.push(state.turn === person ? "Your move." : `${sides[state.turn]} is thinking.`);
    say(parts.join(" "));
  }

  async function compare(isCurrent) {
    const choice = await call("choice");
    if (isCurrent()) showChoice(choice, state);
  }

  // Lets the machine move until it is the user's turn, and looks back when the game is over.
  async function proceed(isCurrent) {
    report();
    while (state.result === null && state.turn !== state.person) {
      await pause(PACE);
      if (!isCurrent()) return;
      const next = await call("reply");
      if (!isCurrent()) return;
      show(next);
      report();
    }
    await compare(isCurrent);
    if (state.result === null || !isCurrent()) return;
    const review = await call("review");
    if (isCurrent()) showReview(review, state);
  }

  function pick(name) {
    if (!isYours()) return;
    const picked = BOARDS[state.game].pick(state, name, selected);
    if (picked.selected !== undefined) {
      selected = picked.selected;
      draw();
    } else if (picked.move) {
      run(async (isCurrent) => {
        const next = await call("move", { move: picked.move });
        if (!isCurrent()) return;
        show(next);
        await proceed(isCurrent);
      });
    }
  }

  // Asks for a state and continues from there.
  function change(action, more) {
    return run(async (isCurrent) => {
      const next = await call(action, more);
      if (!isCurrent()) return;
      show(next);
      await proceed(isCurrent);
    });
  }

  find("undo").addEventListener("click", () => change("undo"));
  find("again").addEventListener("click", () => change("state", { moves: "" }));
  find("feels").addEventListener("change", ({ target }) => {
    order.temperament = target.checked ? felt : "calm";
    change("state");
  });
  find("link").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      say("The link is copied. It leads to the same start.");
    } catch {
      say(`The link to this start: ${location.href}`);
    }
  });
  matchMedia("(max-width: 620px)").addEventListener("change", () => { if (state) draw(); });

  return {
    async begin(newOrder, about) {
      [order, state] = [{ ...newOrder }, null];
      const feeling = about.temperaments.find(({ name }) => name !== "calm").name;
      felt = order.temperament === "calm" ? feeling : order.temperament;
      find("how-list").replaceChildren(...about.how.map((rule) => Object.assign(document.createElement("li"), { textContent: rule })));
      find("legend").textContent = BOARDS[order.game].legend;
      find("choice").textContent = "";
      const moves = sessionStorage.getItem(memory({ ...order, temperament: felt })) ?? "";
      // fails here if the link is wrong
      state = await call("state", { moves });
      document.body.classList.remove("choosing");
      show(state);
      run(proceed);
    },
    leave() {
      turnOfEvents += 1;
      [state, shown] = [null, null];
    },
  };
}
