// The replay: a slider over all moments of a game; each has an address.

import { byId, findOf, must, onClick, readJson } from "./dom.js";
import { get } from "./http.js";
import { remember, show } from "./motion.js";
import { blocksOf, isComplete, parse, patch } from "./patch.js";

export class Replay {
  constructor() {
    this.slider = must(findOf(HTMLInputElement, "#page-slider"), "#page-slider");
    /** @type {number[]} */
    this.moments = readJson("page-moments");
    this.wanted = NaN; // the moment that was asked for last
    byId("page-replay").addEventListener("submit", (event) => event.preventDefault());
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    onClick("[data-step-to]", (step, event) => {
      event.preventDefault();
      this.go(this.moments.indexOf(Number(step.dataset.stepTo)));
    });
    addEventListener("popstate", () => location.reload());
  }

  /** @param {number} index of a moment */
  async go(index) {
    const at = this.moments[index];
    this.wanted = at;
    const address = new URL(location.href);
    address.searchParams.set("at", String(at));
    const answer = await get(address.href, { blocks: blocksOf(byId("page-main")) }).catch(() => null); // the browser's own error page says it
    if (this.wanted !== at) return;
    const page = answer && parse(await answer.text(), "page-main");
    if (!page || !isComplete(page)) {
      location.assign(address);
      return;
    }
    const main = byId("page-main");
    const before = remember(main);
    patch(main, page);
    this.slider.value = String(index);
    this.slider.ariaValueText = byId("page-caption").textContent.trim();
    show(main, before);
    history.replaceState(null, "", address);
  }
}
