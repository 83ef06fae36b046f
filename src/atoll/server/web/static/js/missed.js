// The moves since I last looked: remembered on this device, shown again when I come back.

import { byId } from "./dom.js";
import { isStill, remember, show } from "./motion.js";
import { isComplete, parse, patch, withoutOwn } from "./patch.js";

/** @import { Tabletop } from "./tabletop.js" */

const PAUSE_MS = 900;
const MOST = 12;

/**
 * @param {number} ms
 * @param {AbortSignal} signal that ends it at once
 * @returns {Promise<void>}
 */
const pause = (ms, signal) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
    signal.addEventListener("abort", () => resolve());
  });

export class Missed {
  /** @param {Tabletop} table */
  constructor(table) {
    this.table = table;
    this.from = 0; // the first moment that was missed
    this.playing = false;
  }

  get name() {
    const { table, seat } = this.table.data;
    return `atoll seen ${table} ${seat}`;
  }

  /** Offer what was missed; and play it at once where motion is welcome. */
  offer() {
    const last = Number(localStorage.getItem(this.name) ?? -1);
    const { sequence, seat } = this.table.data;
    this.from = Math.max(last + 1, sequence - MOST);
    if (last >= 0 && seat !== null && sequence - last > 1) {
      byId("page-missed").hidden = false;
      if (!isStill()) this.replay();
    }
    this.seen();
  }

  seen() {
    if (!document.hidden && this.table.data.table) localStorage.setItem(this.name, String(this.table.data.sequence));
  }

  async replay() {
    const root = this.table.preview.regions;
    if (!root || this.playing) return;
    this.playing = true;
    const now = withoutOwn(root);
    const { sequence } = this.table.data;
    const isPast = () => this.table.data.sequence !== sequence;
    const skipping = new AbortController();
    const { signal } = skipping;
    for (const input of ["pointerdown", "keydown"]) {
      document.addEventListener(input, () => skipping.abort(), { once: true, signal });
    }
    try {
      for (let at = this.from; at < sequence && !signal.aborted && !isPast(); at += 1) {
        this.show(parse(await this.table.server.moment(at, signal), "page-regions"));
        await pause(PAUSE_MS, signal);
      }
    } catch {
      // skipped, or the moment can't be shown: what is now is shown all the same
    }
    skipping.abort();
    if (!isPast()) this.show(now);
    this.playing = false;
  }

  /** @param {HTMLElement | null} picture */
  show(picture) {
    const root = this.table.preview.regions;
    if (!picture || !root || !isComplete(picture)) return;
    this.table.preview.stop();
    const before = remember(root);
    patch(root, picture);
    show(root, before);
    this.table.picture.dress();
  }
}
