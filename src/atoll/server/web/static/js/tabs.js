// The parts of a phone's table: how much can be chosen in each, and going where the decision is.

import { all, allOf, find, findOf } from "./dom.js";

/**
 * @import { Thing } from "./dom.js"
 * @import { Tabletop } from "./tabletop.js"
 */

const TALL = matchMedia("(max-width: 62.4rem)");

export class Tabs {
  /** @param {Tabletop} table */
  constructor(table) {
    this.table = table;
    this.decision = ""; // for which the page has gone to a part
    this.heard = ""; // what the coach had said when somebody looked there last
    table.root.addEventListener("change", () => this.tell());
  }

  /** Count what can be chosen in each part; when a decision begins elsewhere, go there. */
  dress() {
    const { root, data, selection, follow } = this.table;
    const counts = this.counts();
    for (const label of all("label[data-tab]", root)) {
      const count = counts.get(label.dataset.tab ?? "");
      if (count) label.dataset.legal = String(count);
      else delete label.dataset.legal;
    }
    this.tell();
    if (follow.holding) return;
    const decision = `${data.stamp} ${selection.picks.length}`;
    if (decision === this.decision || !TALL.matches) return;
    this.decision = decision;
    const here = allOf(HTMLInputElement, "[name=tab]", root).find((tab) => tab.checked);
    const [best] = [...counts].sort(([, a], [, b]) => b - a);
    if (best?.[1] && !counts.get(here?.value ?? "")) goTo(best[0]);
  }

  /** Mark the part where the coach speaks until somebody has looked at its newest words. */
  tell() {
    const said = find("#page-coach", this.table.root)?.textContent ?? "";
    if (findOf(HTMLInputElement, "#tab-log")?.checked) this.heard = said;
    find("label[data-tab=log]", this.table.root)?.toggleAttribute("data-unread", said !== this.heard);
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
}

/** @param {string} tab */
export function goTo(tab) {
  const radio = findOf(HTMLInputElement, `#tab-${tab}`);
  if (radio) radio.checked = true;
}

/**
 * The parts of a phone's table in which a thing lies.
 * @param {Element | null} thing
 */
export function partsOf(thing) {
  const tabs = thing?.closest("[data-tabs]")?.getAttribute("data-tabs") ?? "";
  return tabs.split(" ").filter(Boolean);
}

/**
 * On a phone: go to a part of the scene that has one of these, unless one is there where one looks.
 * @param {Thing[]} things
 */
export function goToPart(things) {
  if (!TALL.matches) return;
  const here = allOf(HTMLInputElement, "[name=tab]").find((tab) => tab.checked)?.value ?? "";
  const tabs = things.filter((thing) => thing.closest(".stage")).flatMap(partsOf);
  if (tabs.length && !tabs.includes(here)) goTo(tabs[0]);
}
