// The replay: a slider over all moments of a game; each has an address.

import { get } from "./http.js";
import { remember, show } from "./motion.js";
import { parse, patch } from "./patch.js";

export class Replay {
  constructor() {
    this.form = document.getElementById("page-replay");
    this.slider = this.form.elements.moment;
    this.moments = JSON.parse(document.getElementById("page-moments").textContent);
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    document.addEventListener("click", (event) => {
      const step = event.target.closest("[data-step-to]");
      if (!step) return;
      event.preventDefault();
      this.go(this.moments.indexOf(Number(step.dataset.stepTo)));
    });
    addEventListener("popstate", () => location.reload());
  }

  async go(index) {
    const at = this.moments[index];
    this.wanted = at;
    const address = new URL(location.href);
    address.searchParams.set("at", at);
    const answer = await get(address.href).catch(() => null);
    if (this.wanted !== at) return;
    const page = answer && parse(await answer.text(), "page-main");
    if (!page) {
      location.assign(address);
      return;
    }
    const main = document.getElementById("page-main");
    const before = remember(main);
    patch(main, page);
    this.slider.value = index;
    this.slider.setAttribute("aria-valuetext", document.getElementById("page-caption").textContent.trim());
    show(main, before);
    history.replaceState(null, "", address);
  }
}
