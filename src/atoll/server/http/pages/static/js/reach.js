// The connection to the server: while it fails, the page says so, and persistent requests are repeated.

import { byId } from "./dom.js";
import { isFromServer, nothing, Refusal } from "./http.js";

const DELAYS_MS = [500, 1000, 2000, 4000];

/** @type {Set<object>} the parts of the page whose requests fail now */
const away = new Set();

/**
 * @param {object} part of the page
 * @param {boolean} gets whether its requests succeed
 */
export function reach(part, gets) {
  if (gets) away.delete(part);
  else away.add(part);
  byId("page-offline").hidden = !away.size;
}

addEventListener("offline", () => reach(window, false));
addEventListener("online", () => reach(window, true));

/** Work that is repeated until it succeeds, or is refused for good. */
export class Persistent {
  /** @param {() => Promise<void>} work */
  constructor(work) {
    this.work = work;
    this.failed = 0;
    /** @type {number | undefined} */
    this.timer = undefined;
    addEventListener("online", () => this.failed && this.again());
  }

  /** Do the work now. A Refusal ends it for good, and a fault of our own isn't repeated. */
  async run() {
    clearTimeout(this.timer);
    try {
      await this.work();
      this.settle();
    } catch (error) {
      if (!isFromServer(error) || (error instanceof Refusal && !error.passes)) {
        this.settle();
        throw error;
      }
      reach(this, false);
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.again(), DELAYS_MS[Math.min(this.failed, DELAYS_MS.length - 1)]);
      this.failed += 1;
    }
  }

  again() {
    return this.run().catch(nothing); // refused after all: nothing is left to wait for
  }

  settle() {
    clearTimeout(this.timer);
    this.failed = 0;
    reach(this, true);
  }
}
