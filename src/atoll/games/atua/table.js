// What Atua's table does by itself: a card is placed by hand, islands of others open large.

import { Lens } from "./lens.js";
import { Placing } from "./placing.js";

/** @param {import("/static/js/game.js").Table} table */
export function mount(table) {
  new Placing(table);
  new Lens(table);
}
