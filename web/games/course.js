// Walks back through the moves of a game. The page shows an earlier position; the game does not change.

const find = (id) => document.getElementById(id);
const KEYS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

/**
 * Prepares the buttons and keys. `look(ply)` shows the position after `ply` moves, or the present one for `null`. The
 * result takes the present number of moves with `reset(count)`. `at()` is the number of moves before the shown position, and
 * `isBack()` is true while that is an earlier one.
 */
export function courseOf(look) {
  let count = 0;
  let at = 0;

  function draw() {
    const isBack = at < count;
    document.body.classList.toggle("looking-back", isBack);
    find("first").disabled = find("earlier").disabled = at === 0;
    find("later").disabled = find("present").disabled = !isBack;
    find("where").textContent = count === 0 ? "" : isBack ? `After move ${at} of ${count}. The game goes on at its end.` : "";
  }

  function go(by) {
    const next = Math.min(count, Math.max(0, at + by));
    if (next === at) return;
    at = next;
    draw();
    look(at === count ? null : at);
  }

  for (const [id, by] of [["first", -Infinity], ["earlier", -1], ["later", 1], ["present", Infinity]]) {
    find(id).addEventListener("click", () => go(by));
  }
  addEventListener("keydown", (event) => {
    const by = KEYS[event.key];
    const { target } = event;
    const isBusy = event.altKey || event.ctrlKey || event.metaKey || target.closest?.("#cells, input, summary");
    if (!by || isBusy || document.body.classList.contains("choosing")) return;
    event.preventDefault();
    go(by);
  });

  return {
    reset(newCount) {
      [count, at] = [newCount, newCount];
      draw();
    },
    at: () => at,
    isBack: () => at < count,
  };
}
