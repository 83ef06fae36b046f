// The replay: the whole game is played act by act, and each act has an address.

import { Arrows } from "./arrows.js";
import { byId, find, findOf, html, must, onClick, readJson } from "./dom.js";
import { get, nothing } from "./http.js";
import { Lights } from "./lights.js";
import { changedSince, standings } from "./marks.js";
import { complete, morph } from "./morph.js";
import { remember, show } from "./motion.js";
import { Player } from "./player.js";
import { listenToSheets } from "./sheets.js";
import { playSound } from "./sound.js";

/**
 * @import { Move } from "./arrows.js"
 * @import { Messages, Story } from "./sent.d.ts"
 */

/**
 * Return the moves that the analysis mentions at this moment.
 * @returns {Move[]}
 */
function moves() {
  const { best, taken, mine } = find("#page-turning")?.dataset ?? {};
  const own = mine !== undefined;
  /** @type {Move[]} */
  const found = [
    { text: best ?? "", as: "best", own },
    { text: taken ?? "", as: "taken", own },
  ];
  return found.filter(({ text }) => text);
}

export class Replay {
  constructor() {
    /** @type {Story} */
    this.story = readJson("page-acts");
    /** @type {Messages} */
    const texts = readJson("page-messages");
    const table = must(findOf(HTMLAnchorElement, "#page-table"), "#page-table");
    this.lights = new Lights();
    this.arrows = new Arrows();
    /** @type {Map<number, Promise<HTMLElement | null>>} requested pages by their moments */
    this.pages = new Map();
    this.player = new Player({
      texts: texts.player,
      seats: () => this.story.seats,
      slider: true,
      asked: () => false,
      leave: html("a", { className: "button", href: table.href, textContent: table.textContent }),
      show: (index) => this.show(index),
      end: () => null,
      again: () => null, // the player is always there
      say: (text) => {
        byId("page-live").textContent = text;
      },
    });
    byId("page-bar").append(this.player.element);
    listenToSheets();
    this.wanted = new URL(location.href); // the wanted page
    document.body.dataset.following = "";
    const { acts } = this.story;
    this.player.load(acts, this.indexOf(Number(byId("page-main").dataset.at)));
    onClick("#page-log a, [data-step-to]", (link, event) => {
      if (!(link instanceof HTMLAnchorElement)) return;
      event.preventDefault();
      this.player.pause();
      this.visit(new URL(link.href));
    });
    addEventListener("popstate", () => location.reload());
    this.arrows.show(moves());
  }

  /** @param {number} moment */
  indexOf(moment) {
    const found = this.story.acts.findIndex((act) => act.end >= moment);
    return found < 0 ? this.story.acts.length - 1 : found;
  }

  /** @param {number} index of an act */
  async show(index) {
    const { acts } = this.story;
    const address = this.address(acts[index].end);
    this.wanted = address;
    const sent = await this.page(address);
    if (this.wanted !== address) return;
    this.lights.act(this.player.shown, this.change(sent, address));
    playSound(acts[index].sound);
    const next = this.player.beside(1);
    if (this.player.playing && next >= 0) this.page(this.address(acts[next].end));
  }

  /**
   * Visit a moment that needn't be the end of an act.
   * @param {URL} address
   */
  async visit(address) {
    this.wanted = address;
    const sent = await this.page(address);
    if (this.wanted !== address) return;
    this.player.load(this.story.acts, this.indexOf(Number(address.searchParams.get("at"))));
    this.lights.light([]);
    this.change(sent, address);
  }

  /** @param {number} at */
  address(at) {
    const address = new URL(location.href);
    address.searchParams.set("at", String(at));
    return address;
  }

  /**
   * Request the page at an address; null without one.
   * @param {URL} address
   */
  page(address) {
    const at = Number(address.searchParams.get("at"));
    const sent = async (/** @type {string} */ fragments) => (await get(address.href, { fragments })).text();
    const asked = this.pages.get(at) ?? complete(sent, "page-main").catch(nothing);
    this.pages.clear();
    this.pages.set(at, asked);
    return asked;
  }

  /**
   * Show a page and return the ids of the changed elements.
   * @param {HTMLElement | null} page
   * @param {URL} address
   */
  change(page, address) {
    if (!page) {
      location.assign(address); // the browser's own error page shows the reason
      return [];
    }
    const main = byId("page-main");
    const [before, stood] = [remember(main), standings(main)];
    morph(main, page);
    show(main, before);
    this.lights.dress();
    this.arrows.show(moves());
    history.replaceState(null, "", address);
    return changedSince(stood, main);
  }
}
