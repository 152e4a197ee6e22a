// Shows what lies behind the machine's feeling: its map, the factors, and what it would have played with other feelings.

import { factorTable } from "./factors.js";
import { drawMap } from "./map.js";

const find = (id) => document.getElementById(id);

// Places of the perceived concepts, in the order of the measures, and of the others, in units of the picture.
const PERCEIVED = [[72, 54], [40, 120], [40, 192], [72, 262]];
const OTHERS = { desirability: [216, 34], arousal: [216, 234], relief: [350, 142] };

// Returns the concepts with their places. The names of perceived concepts belong to the game.
function placed(concepts) {
  let perceived = 0;
  return concepts.map(({ name, perceived: isPerceived }) => {
    const [x, y] = isPerceived ? PERCEIVED[perceived++] : OTHERS[name];
    return { name, x, y };
  });
}

/**
 * Prepares the panels. `imagine(strength)` asks what the machine would have played with emotions of this strength in
 * percent. The result shows the state of a game with `show(state)`.
 */
export function mindView(imagine) {
  const strength = find("strength");
  let shown = "";
  let map = null;
  let factors = null;

  function showDetail(detail) {
    map.show(detail?.concepts ?? {});
    find("factor-scale").textContent = factors.show(detail?.factors);
  }

  function label() {
    find("strength-text").textContent = `${strength.value} %`;
  }

  strength.addEventListener("input", label);
  strength.addEventListener("change", async () => {
    const answer = await imagine(Number(strength.value)).catch(({ message }) => ({ message }));
    const line = find("imagined");
    if (answer === null) line.textContent = "It has not moved yet.";
    else if (answer.message) line.textContent = answer.message;
    else {
      const { played, chosen, feeling, detail } = answer;
      const what = chosen === played ? `still have played ${played}` : `have played ${chosen} instead of ${played}`;
      line.textContent = `Before its last move, it would have been ${feeling.sentence}. It would ${what}.`;
      line.classList.toggle("differs", chosen !== played);
      showDetail(detail);
      document.body.classList.add("imagined");
    }
  });

  return {
    show(state) {
      const structure = JSON.stringify([state.game, state.map]);
      if (structure !== shown) {
        shown = structure;
        find("map").replaceChildren();
        map = drawMap(find("map"), { nodes: placed(state.map.concepts), links: state.map.links });
        factors = factorTable(find("factors"), state.groups);
      }
      document.body.classList.remove("imagined");
      find("imagined").textContent = "";
      find("imagined").classList.remove("differs");
      strength.value = 100;
      label();
      // a machine that does not feel changes no weights
      const feels = state.temperament !== "calm";
      showDetail(feels ? state.detail : state.detail && { concepts: state.detail.concepts });
    },
  };
}
