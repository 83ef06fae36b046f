// What Atua's table does by itself: the sea pans and zooms, a card is placed by hand, islands of others open large.

import { Lens } from "./lens.js";
import { Placing } from "./placing.js";
import { Sea } from "./sea.js";

/** @param {import("/static/js/game.js").Table} table */
export function mount(table) {
  new Placing(table, new Sea(table));
  new Lens(table);
}
