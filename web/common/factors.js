// A table of factors: by how many percent a feeling changes the weight of each term, for both sides.

import { words } from "./map.js";
import { make } from "./make.js";

// Changes in percent that a full bar can show.
const SCALES = [5, 10, 25, 50, 100, 300];

/**
 * Makes the rows of `groups` in the table body `body`. The result shows factors by side (`own`, `other`) and group with
 * `show(factors)`, and returns a sentence about the length of the bars, which all have the same scale.
 */
export function factorTable(body, groups) {
  body.replaceChildren();
  const rows = groups.map((group) => {
    const row = make(body, "tr", {});
    make(row, "th", { scope: "row" }, words(group));
    return { group, cells: ["own", "other"].map((side) => ({ side, cell: make(row, "td", {}) })) };
  });
  return {
    show(factors) {
      const change = (side, group) => Math.round(100 * ((factors?.[side]?.[group] ?? 1) - 1));
      const largest = Math.max(...groups.flatMap((group) => [change("own", group), change("other", group)]).map(Math.abs));
      const full = SCALES.find((scale) => largest <= scale) ?? largest;
      for (const { group, cells } of rows) {
        for (const { side, cell } of cells) {
          const percent = change(side, group);
          cell.textContent = `${percent > 0 ? "+" : percent < 0 ? "−" : ""}${Math.abs(percent)} %`;
          cell.className = percent === 0 ? "same" : percent > 0 ? "more" : "less";
          cell.style.setProperty("--much", Math.abs(percent) / full);
        }
      }
      return largest ? `A full bar is ${full} %.` : "Every term has its usual weight.";
    },
  };
}
