// A lesson: a table whose steps are addresses. Elements that the step mentions have a ring. Where the step explains
// refusals, illegal choices are tried all the same. A tryout is a page of this kind, too.

import { all, allOf, find, findOf, onClick } from "./dom.js";
import { get } from "./http.js";
import { measure } from "./lights.js";
import { showKeys } from "./page.js";
import { Tabletop } from "./tabletop.js";
import { bringIntoSight, goTo, partsOf } from "./tabs.js";

/**
 * @import { Thing } from "./dom.js"
 * @import { LessonData } from "./sent.d.ts"
 */

/** @type {Record<string, string>} the button of each letter */
const PRESSES = { n: "#page-next", b: "#page-back", u: "#page-take-back" };

export class Lesson extends Tabletop {
  constructor() {
    super();
    this.gone = this.facts.here; // the step for which goToSpot went to a part last
    this.step = this.facts.step;
    this.busy = false;
    /** @type {{ address: string, goes: boolean } | null} the page to turn to once nothing else is under way */
    this.next = null;
    onClick("#page-main a[data-turn]", (link, event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || !(link instanceof HTMLAnchorElement)) return;
      event.preventDefault();
      this.turn(link.href);
    });
    addEventListener("popstate", () => this.turn(location.href, false));
  }

  /** @returns {LessonData} */
  get facts() {
    return /** @type {LessonData} */ (this.data);
  }

  // -- from step to step

  /**
   * @param {string} address
   * @param {boolean} goes whether it continues from here, so that the browser can go back
   */
  async turn(address, goes = true) {
    this.next = { address, goes };
    if (this.busy) return;
    this.busy = true;
    this.done = this.walk();
    await this.done;
  }

  /** Turn to each wanted page until there is no other. */
  async walk() {
    while (this.next) {
      const wanted = this.next;
      this.next = null;
      await this.fetch(wanted.address, wanted.goes);
    }
    this.busy = false;
  }

  /**
   * @param {string} address
   * @param {boolean} goes see turn
   */
  async fetch(address, goes) {
    try {
      const { fragments } = this.server;
      const shown = this.replace(await (await get(address, { fragments })).text(), goes);
      if (!shown) this.replace(await (await get(address)).text(), goes);
    } catch (error) {
      this.news.fail(error);
    }
  }

  /**
   * @override
   * @param {string} html
   * @param {boolean} goes see turn
   */
  replace(html, goes = true) {
    if (this.next) return true; // the reader is on the way to another page already
    const shown = super.replace(html);
    const { here } = this.facts;
    if (goes && here !== location.pathname + location.search) history.pushState(null, "", here);
    return shown;
  }

  /** @override */
  refresh() {
    super.refresh();
    for (const element of this.picture.elements()) this.mark(element); // a game's own script may have redrawn them
    for (const made of all("[data-texts]", this.root)) {
      made.classList.toggle("lit", Boolean(this.facts.right) && made.dataset.texts === this.facts.right);
    }
    this.markTabs();
    this.goToSpot();
    measure();
  }

  /** On a phone, mark the parts with elements that the step mentions or shows. */
  markTabs() {
    const marked = all("[data-tabs]:has(.spot, .lit)", this.root).flatMap(
      (part) => part.dataset.tabs?.split(" ") ?? [],
    );
    for (const label of all("label[data-tab]", this.root)) {
      label.toggleAttribute("data-marked", marked.includes(label.dataset.tab ?? ""));
    }
  }

  /**
   * On a phone, open the part for the step's choice, or else the one of the first mentioned element, and scroll there.
   * The result of a choice is shown where it was made. A lesson begins with the board.
   */
  goToSpot() {
    const { aims, spot, here, step, mine } = this.facts;
    if (here === this.gone) return;
    const answered = step === this.step && !mine;
    [this.gone, this.step] = [here, step];
    if (answered) return;
    const things = [...aims, ...spot]
      .map((id) => find(`#${CSS.escape(id)}`, this.root))
      .filter((thing) => thing !== null);
    const [board] = allOf(HTMLInputElement, "[name=tab]", this.root);
    const begins = step === 1 && !mine && board !== undefined;
    const parts = begins ? [board.value] : things.map(partsOf).find((each) => each[0]);
    const open = findOf(HTMLInputElement, "[name=tab]:checked", this.root);
    if (parts && !parts.includes(open?.value ?? "")) goTo(parts[0]);
    bringIntoSight(things);
  }

  // -- what differs from a table where people play

  /**
   * Return the right choice, once it is shown.
   * @override
   * @returns {import("./arrows.js").Move[]}
   */
  moves() {
    const { right, mine } = this.facts;
    return right && mine ? [{ text: right, as: "best", own: true }] : [];
  }

  /** @override */
  title() {
    document.title = this.facts.title;
  }

  /**
   * Open no dialogs automatically: they would cover the lesson's text and the elements that it mentions.
   * @override
   */
  opensDialogs() {
    return typeof this.facts.step === "string";
  }

  /**
   * Announce nothing: the sentence is a status, which screen readers read automatically.
   * @override
   */
  announce() {}

  /**
   * @override
   * @param {Thing} element
   */
  mark(element) {
    element.classList.toggle("spot", this.facts.spot.includes(element.id));
    element.classList.toggle("lit", this.facts.lit.includes(element.id));
    const unsure = this.facts.unsure.includes(element.id);
    element.classList.toggle("unsure", unsure);
    if (unsure) element.setAttribute("aria-describedby", "page-guessed");
  }

  /**
   * @override
   * @param {Thing} element
   * @param {string} patterns
   */
  async refuse(element, patterns) {
    this.hint.hide();
    if (this.facts.refuses) await this.command("choose", { choices: patterns });
    else await super.refuse(element, patterns);
  }

  /**
   * @override
   * @param {string} name
   * @param {Record<string, string>} fields
   */
  async command(name, fields = {}) {
    const done = await super.command(name, { wrong: String(this.facts.wrong), ...fields });
    if (this.next && !this.busy) await this.turn(this.next.address, this.next.goes);
    return done;
  }

  /**
   * @override
   * @param {string} key
   * @param {Thing | null} element
   */
  press(key, element) {
    if (key === "?") {
      if (element?.dataset.choice) this.hint.why(element, element.dataset.choice);
      else showKeys();
      return true;
    }
    const pressed = PRESSES[key] ? findOf(HTMLElement, PRESSES[key]) : null;
    pressed?.click();
    return pressed !== null;
  }
}
