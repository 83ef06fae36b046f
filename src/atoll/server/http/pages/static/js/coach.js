// Asks the coach about a turn before it is confirmed. Without scripts a button does that.

import { find } from "./dom.js";
import { nothing } from "./http.js";
import { released } from "./press.js";

/** @import { Tabletop } from "./tabletop.js" */

export class Coach {
  /** @param {Tabletop} table */
  constructor(table) {
    this.table = table;
    this.looked = "";
    table.patched.push(() => this.look());
    this.look();
  }

  /** Have the open turn checked, once. A confirmation doesn't wait for it. */
  async look() {
    const { stamp } = this.table.data;
    if (!find("#page-check") || this.looked === stamp) return;
    this.looked = stamp;
    const page = await this.table.server.command("check", {}).catch(nothing);
    await released();
    if (page && this.table.data.stamp === stamp && !this.table.busy) this.table.replace(page);
  }
}
