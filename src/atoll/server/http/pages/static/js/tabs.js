// The parts of a phone's table: the number of choices in each, going to the decision, and marks on papers with news.

import { meant } from "./choices.js";
import { all, allOf, find, findOf, html, onClick } from "./dom.js";
import { store, stored } from "./storage.js";

/**
 * @import { Thing } from "./dom.js"
 * @import { Tabletop } from "./tabletop.js"
 */

const TALL = matchMedia("(--phone)");
const BESIDE = matchMedia("(--tablet)"); // seats and papers stand next to the parts
const SENTENCE = /[.:](?: \S+){3,}\.$/; // the part of a name that is a sentence
const ROOMS = ["words", "pairs", "wide", "large"]; // layouts of the seats, the roomiest first

export class Tabs {
  /** @param {Tabletop} table */
  constructor(table) {
    this.table = table;
    this.decision = ""; // for which the page has gone to a part
    this.heard = ""; // the coach's text when it was read last
    this.read = -1; // the last message of the chat that was seen
    table.root.addEventListener("change", () => {
      this.tell();
      furnish();
    });
    addEventListener("resize", furnish);
    TALL.addEventListener("change", sayCards);
    onClick(".tabs input", foldScore);
  }

  /** Count the choices in each part, and show the wanted part. */
  dress() {
    const { root } = this.table;
    const counts = this.counts();
    for (const label of all("label[data-tab]", root)) {
      const count = counts.get(label.dataset.tab ?? "");
      if (count) label.dataset.legal = String(count);
      else delete label.dataset.legal;
    }
    const papers = allOf(HTMLInputElement, "[name=paper]", root);
    if (papers[0] && !papers.some((paper) => paper.checked)) papers[0].checked = true; // the coach leaves at the end
    this.tell();
    sayCards();
    this.go(counts);
    furnish();
  }

  /**
   * Go to another part when a decision begins there.
   * @param {Map<string, number>} counts
   */
  go(counts) {
    const { root, data, selection, follow } = this.table;
    if (follow.holding) return;
    const decision = `${data.stamp} ${selection.picks.length}`;
    if (decision === this.decision) return;
    this.decision = decision;
    const here = allOf(HTMLInputElement, "[name=tab]", root).find((tab) => tab.checked);
    if (BESIDE.matches) counts.delete("seats");
    const [best] = [...counts].sort(([, a], [, b]) => b - a);
    const leads = !selection.picks.length && !counts.get(here?.value ?? ""); // a half-made choice continues in the bar
    if (TALL.matches && leads && best?.[1]) goTo(best[0]);
    // The elements may lie further down in a list; at least the first one is brought into sight.
    bringIntoSight(all(":is(.own, .seats) .element.legal", root));
  }

  /** Mark coach and chat, and their part, until the newest texts have been seen. */
  tell() {
    const { root, data } = this.table;
    const name = `atoll read ${data.table}`;
    const said = find("#page-coach", root)?.textContent ?? "";
    const last = Math.max(-1, ...all("#page-chat li[id]:not(.mine)", root).map((each) => Number(each.id.slice(5))));
    this.read = Math.max(this.read, Number(stored(name) ?? -1));
    if (isOpen("coach")) this.heard = said;
    if (isOpen("chat") && last > this.read) {
      this.read = last;
      store(name, String(last));
    }
    const news = [said !== this.heard, last > this.read && !find("#page-chat[data-muted]", root)];
    find("label[for=paper-coach]", root)?.toggleAttribute("data-unread", news[0]);
    find("label[for=paper-chat]", root)?.toggleAttribute("data-unread", news[1]);
    find("label[data-tab=log]", root)?.toggleAttribute("data-unread", news.includes(true));
  }

  /** Return the number of choices in each part: several elements may stand for the same one. */
  counts() {
    const { root, selection } = this.table;
    /** @type {Map<string, Set<string>>} */
    const found = new Map();
    for (const part of all("[data-tabs]", root)) {
      const legal = all(".element.legal", part).flatMap(({ dataset }) => meant(dataset.choice ?? "", selection.left));
      for (const tab of (part.dataset.tabs ?? "").trim().split(" ")) {
        found.set(tab, new Set([...(found.get(tab) ?? []), ...legal.map(({ text }) => text)]));
      }
    }
    return new Map([...found].map(([tab, texts]) => [tab, texts.size]));
  }
}

/**
 * Return whether a paper is in sight.
 * @param {string} paper
 */
function isOpen(paper) {
  const lies = !TALL.matches || BESIDE.matches || findOf(HTMLInputElement, "#tab-log")?.checked;
  return Boolean(lies && findOf(HTMLInputElement, `#paper-${paper}`)?.checked);
}

/**
 * On a phone, let the seats take their room: in words if these fit, or else as large as possible. If they don't fit at
 * all, they stand closer, in every window.
 */
function furnish() {
  const seats = find("#page-seats");
  if (!seats?.clientHeight) return;
  const fits = () => seats.scrollHeight <= seats.clientHeight && seats.scrollWidth <= seats.clientWidth;
  delete seats.dataset.crowded;
  for (const room of TALL.matches ? ROOMS : []) {
    seats.dataset.room = room;
    if (fits()) return;
  }
  delete seats.dataset.room;
  seats.toggleAttribute("data-crowded", !fits());
}

/**
 * On a phone, show the effects of the reader's cards in words below them. Screen readers have them as names of the
 * cards.
 */
function sayCards() {
  const own = find(".own");
  const cards = TALL.matches && own ? all(".element", own) : [];
  const said = cards.map((card) => [card.ariaLabel, card.dataset.help].filter(Boolean).join(". "));
  const sayings = [...new Set(said.filter((each) => SENTENCE.test(each)))];
  const list = find(".sayings", own ?? document);
  if (!sayings.length) list?.remove();
  else if (list?.textContent !== sayings.join("")) {
    list?.remove();
    const made = html("ul", { className: "sayings", ariaHidden: "true" });
    made.dataset.own = "";
    made.append(...sayings.map((each) => html("li", { textContent: each })));
    own?.append(made);
  }
}

/**
 * Scroll lists so that as many of these elements as possible are in sight, above all the first.
 * @param {Thing[]} things
 */
export function bringIntoSight(things) {
  for (const thing of things.toReversed()) thing.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** Fold the score, which would cover the part that the reader opens. */
function foldScore() {
  const score = findOf(HTMLDetailsElement, "#page-result > details");
  if (TALL.matches && score) score.open = false;
}

/** @param {string} tab */
export function goTo(tab) {
  const radio = findOf(HTMLInputElement, `#tab-${tab}`);
  if (radio) radio.checked = true;
}

/**
 * Return the parts of a phone's table that contain an element.
 * @param {Element | null} thing
 */
export function partsOf(thing) {
  const tabs = thing?.closest("[data-tabs]")?.getAttribute("data-tabs") ?? "";
  return tabs.split(" ").filter(Boolean);
}

/**
 * On a phone, go to a part of the scene that contains one of these, unless one is in sight.
 * @param {Thing[]} things
 */
export function goToPart(things) {
  if (!TALL.matches) return;
  const here = allOf(HTMLInputElement, "[name=tab]").find((tab) => tab.checked)?.value ?? "";
  const tabs = things.filter((thing) => thing.closest(".stage")).flatMap(partsOf);
  if (tabs.length && !tabs.includes(here)) goTo(tabs[0]);
}
