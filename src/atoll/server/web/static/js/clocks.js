// Clocks that run while one looks: the last hour of a deadline is counted by the second.

import { allOf } from "./dom.js";
import { time } from "./http.js";
import { fitSentences } from "./sheets.js";

/** @import { Tabletop } from "./tabletop.js" */

const SECOND_MS = 1000;
const COUNTED_MS = 3_600_000;
const LOW_S = 60;

/** @param {number} seconds */
const counted = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

export class Clocks {
  /** @param {Tabletop} table */
  constructor(table) {
    table.patched.push(() => this.tick());
    setInterval(() => this.tick(), SECOND_MS);
    this.tick();
  }

  tick() {
    for (const clock of allOf(HTMLElement, "[data-due]")) {
      const left = Date.parse(clock.dataset.due ?? "") - Date.now() - time.behind;
      if (left >= COUNTED_MS) continue; // the server's words say enough; in the strip nothing is said
      const appears = clock.hidden;
      clock.hidden = false;
      const seconds = Math.max(0, Math.ceil(left / SECOND_MS));
      clock.classList.toggle("low", seconds < LOW_S);
      clock.textContent = (clock.dataset.says ?? "{}").replace("{}", counted(seconds));
      if (appears) fitSentences(); // it takes room from what is asked
    }
  }
}
