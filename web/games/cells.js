// A board of buttons. Arrow keys move between them, and one of them is in the tab order.

import { make } from "./make.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Makes `element` a board and returns its methods. `lay` arranges cells by name, row by row. `show` draws them: a cell is
 * `{label, classes, content, isPickable}`, where `content(button)` fills the button.
 */
export function cellBoard(element, onPick) {
  let names = [];
  let columns = 1;
  let buttons = new Map();

  function tabTo(name) {
    for (const [other, button] of buttons) button.tabIndex = other === name ? 0 : -1;
  }

  element.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    const at = names.indexOf(event.target.dataset.cell);
    if (!step || at < 0) return;
    event.preventDefault();
    const column = (at % columns) + step[0];
    const row = Math.floor(at / columns) + step[1];
    if (column < 0 || column >= columns) return;
    const next = names[row * columns + column];
    if (next) buttons.get(next).focus();
  });
  element.addEventListener("focusin", (event) => tabTo(event.target.dataset.cell));
  element.addEventListener("click", (event) => {
    const button = event.target.closest("[data-cell]");
    if (button) onPick(button.dataset.cell);
  });

  return {
    lay(newNames, newColumns) {
      if (newColumns === columns && newNames.join() === names.join()) return;
      [names, columns] = [newNames, newColumns];
      element.replaceChildren();
      element.style.setProperty("--columns", columns);
      element.style.setProperty("--rows", names.length / columns);
      buttons = new Map(names.map((name) => [name, make(element, "button", { type: "button", "data-cell": name })]));
    },
    show(cells) {
      const focused = document.activeElement?.dataset?.cell;
      for (const [name, button] of buttons) {
        const { label, classes, content, isPickable } = cells(name);
        button.className = ["cell", ...classes].join(" ");
        button.setAttribute("aria-label", `${name}: ${label}`);
        button.setAttribute("aria-disabled", String(!isPickable));
        button.replaceChildren();
        content?.(button);
      }
      const first = names.find((name) => buttons.get(name).getAttribute("aria-disabled") === "false") ?? names[0];
      tabTo(focused && buttons.has(focused) ? focused : first);
    },
  };
}
