// The parts of a phone's table: how much can be chosen in each, and going where the decision is.

import { all, allOf, findOf } from "./dom.js";

/** @import { Tabletop } from "./tabletop.js" */

const TALL = matchMedia("(max-width: 62.4rem)");

export class Tabs {
  /** @param {Tabletop} table */
  constructor(table) {
    this.table = table;
    this.decision = ""; // for which the page has gone to a part
  }

  /** Count what can be chosen in each part; when a decision begins elsewhere, go there. */
  dress() {
    const { root, data, selection } = this.table;
    const counts = this.counts();
    for (const label of all("label[data-tab]", root)) {
      const count = counts.get(label.dataset.tab ?? "");
      if (count) label.dataset.legal = String(count);
      else delete label.dataset.legal;
    }
    const decision = `${data.stamp} ${selection.picks.length}`;
    if (decision === this.decision || !TALL.matches) return;
    this.decision = decision;
    const here = allOf(HTMLInputElement, "[name=tab]", root).find((tab) => tab.checked);
    const [best] = [...counts].sort(([, a], [, b]) => b - a);
    if (best?.[1] && !counts.get(here?.value ?? "")) this.go(best[0]);
  }

  counts() {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const part of all("[data-tabs]", this.table.root)) {
      const found = part.querySelectorAll(".element.legal").length;
      for (const tab of (part.dataset.tabs ?? "").trim().split(" ")) counts.set(tab, (counts.get(tab) ?? 0) + found);
    }
    return counts;
  }

  /** @param {string} tab */
  go(tab) {
    const radio = findOf(HTMLInputElement, `#tab-${tab}`, this.table.root);
    if (radio) radio.checked = true;
  }
}
