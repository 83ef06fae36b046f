// The script of Atua's table: cards are placed by hand, and islands of others are enlarged.

import { Lens } from "./lens.js";
import { Placing } from "./placing.js";

/** @param {import("/static/js/game.js").Table} table */
export function mount(table) {
  new Placing(table);
  new Lens(table);
}
