// The moves since I last looked: remembered on this device, shown again when I come back.

import { get } from "./http.js";
import { isStill, remember, show } from "./motion.js";
import { parse, patch } from "./patch.js";

const PAUSE_MS = 900;
const MOST = 12;

const pause = (ms, signal) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
    signal.addEventListener("abort", resolve);
  });

export class Missed {
  constructor(table) {
    this.table = table;
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
      document.getElementById("page-missed").hidden = false;
      if (!isStill()) this.replay();
    }
    this.seen();
  }

  seen() {
    if (!document.hidden) localStorage.setItem(this.name, String(this.table.data.sequence));
  }

  async replay() {
    const root = document.getElementById("page-regions");
    if (!root || this.playing) return;
    this.playing = true;
    const now = root.cloneNode(true);
    for (const own of now.querySelectorAll("[data-own]")) own.remove();
    const { table, seat, sequence } = this.table.data;
    const stop = new AbortController();
    const skip = () => stop.abort();
    document.addEventListener("pointerdown", skip, { once: true });
    document.addEventListener("keydown", skip, { once: true });
    try {
      for (let at = this.from; at < sequence; at += 1) {
        const answer = await get(`/t/${table}/moment?at=${at}&seat=${seat}`, { signal: stop.signal });
        this.show(parse(await answer.text(), "page-regions"));
        await pause(PAUSE_MS, stop.signal);
        if (stop.signal.aborted || this.table.data.sequence !== sequence) break;
      }
    } catch {
      // skipped, or the moment can't be shown: what is now is shown all the same
    }
    document.removeEventListener("pointerdown", skip);
    document.removeEventListener("keydown", skip);
    if (this.table.data.sequence === sequence) this.show(now);
    this.playing = false;
  }

  show(picture) {
    const root = document.getElementById("page-regions");
    if (!picture || !root) return;
    this.table.unpreview();
    const before = remember(root);
    patch(root, picture);
    show(root, before);
    this.table.dress();
  }
}
