// Reasons why a card doesn't fit somewhere, computed as in geometry.py, and the ends of beaches that stick out.

/**
 * The page's data about the card in the hand and about the island: see `_hold` in picture.py.
 * @typedef {object} Hold
 * @property {string} card
 * @property {number} unit px
 * @property {number} left
 * @property {number} top
 * @property {string[]} edges for each rotation the units along the card's sides: L, S, and of a beach E or F
 * @property {{ left: number, top: number, lines: string[] }} units
 * @property {[x: number, y: number, star: boolean][]} symbols
 * @property {Outcome[]} outcomes
 * @property {number[]} outcomeOf
 * @property {Record<string, string>} names
 * @property {Record<string, string>} reasons
 * @property {Record<string, string>} texts
 */

/**
 * The changes by a placement: points in all, and rows of the sheet and symbols as name, difference and new value.
 * @typedef {{ gain: number, rows: Change[], symbols: Change[], beach: [by: number, then: number] | null }} Outcome
 * @typedef {[name: string, by: number, then: number]} Change
 */

/** @typedef {{ reason: string, x?: number, y?: number, side?: number }} Fault the reason, and its place */
/** @typedef {{ x: number, y: number, side: number }} End of a beach: a unit and the side it points to */

export const CARD = 6; // units
export const SYMBOL = 2; // units
export const STEPS = [
  [0, -1], // N
  [1, 0], // E
  [0, 1], // S
  [-1, 0], // W
];

/**
 * Return everything against a place, the most telling fault first. The list is empty if the card fits.
 * @param {Hold} hold
 * @param {number} x
 * @param {number} y
 * @param {number} rot
 * @returns {Fault[]}
 */
export function faultsOf(hold, x, y, rot) {
  /** @type {[Fault[], Fault[]]} */
  const [stars, cuts] = [[], []];
  let covered = false;
  for (const [left, top, star] of hold.symbols) {
    const [wide, high] = [inside(left, x), inside(top, y)];
    if (!wide || !high) continue;
    if (star) stars.push({ reason: "star_covered", x: left, y: top });
    else if (wide === SYMBOL && high === SYMBOL) covered = true;
    else cuts.push({ reason: "symbol_cut", x: left, y: top });
  }
  const none = covered ? [] : [{ reason: "no_symbol_covered" }];
  const seams = Map.groupBy(seamsOf(hold, x, y, hold.edges[rot]), (seam) => seam.reason);
  const of = (/** @type {string} */ reason) => seams.get(reason) ?? [];
  return [...stars, ...cuts, ...none, ...of("sea_touches_land"), ...of("beach_end_blocked")];
}

/**
 * Return how many of the two units of a symbol lie under a card, on one axis.
 * @param {number} symbol
 * @param {number} card
 */
export function inside(symbol, card) {
  return Math.max(0, Math.min(card + CARD, symbol + SYMBOL) - Math.max(card, symbol));
}

/**
 * Return the faults where the card's edge doesn't match its surroundings.
 * @param {Hold} hold
 * @param {number} x
 * @param {number} y
 * @param {string} edge
 */
function seamsOf(hold, x, y, edge) {
  const found = [];
  for (const end of rim(x, y)) {
    const other = beyond(hold, end);
    const reason = other === " " ? "" : against(edge[end.at], code(other, across(end).side));
    if (reason) found.push({ reason, x: end.x, y: end.y, side: end.side });
  }
  return found;
}

/**
 * Return the units along the sides of a card, clockwise from the north, with their index in its edge.
 * @param {number} x
 * @param {number} y
 */
function rim(x, y) {
  return Array.from({ length: 4 * CARD }, (_, at) => {
    const [side, index] = [Math.floor(at / CARD), at % CARD];
    const [column, row] = side % 2 ? [side === 1 ? CARD - 1 : 0, index] : [index, side === 2 ? CARD - 1 : 0];
    return { at, side, x: x + column, y: y + row };
  });
}

/**
 * Return the visible content of a unit of the island: see `_units` in picture.py.
 * @param {Hold} hold
 * @param {number} x
 * @param {number} y
 */
function cellAt({ units }, x, y) {
  return units.lines[y - units.top]?.[x - units.left] ?? " ";
}

/**
 * Return the same seam from its other side.
 * @param {End} end
 * @returns {End}
 */
function across({ x, y, side }) {
  return { x: x + STEPS[side][0], y: y + STEPS[side][1], side: (side + 2) % 4 };
}

/**
 * Return the visible content of the unit beyond a side of another one.
 * @param {Hold} hold
 * @param {End} end
 */
function beyond(hold, end) {
  const { x, y } = across(end);
  return cellAt(hold, x, y);
}

/**
 * Return the code of a visible unit towards a side: L, S, or for a beach its end (E) or flank (F).
 * @param {string} cell
 * @param {number} side
 */
function code(cell, side) {
  if (cell === "L" || cell === "S") return cell;
  return (Number.parseInt(cell, 16) >> side) & 1 ? "E" : "F";
}

/**
 * @param {string} one
 * @param {string} other
 */
function against(one, other) {
  if (one === "F" || other === "F" || one === other) return "";
  return one === "E" || other === "E" ? "beach_end_blocked" : "sea_touches_land";
}

/**
 * Return the places at which beaches of the island stick out over the empty table.
 * @param {Hold} hold
 */
function freeEnds(hold) {
  /** @type {End[]} */
  const found = [];
  for (const [row, line] of hold.units.lines.entries()) {
    for (const [column, cell] of [...line].entries()) {
      if (cell === " " || cell === "L" || cell === "S") continue;
      for (let side = 0; side < 4; side += 1) {
        const end = { x: column + hold.units.left, y: row + hold.units.top, side };
        if (code(cell, side) === "E" && beyond(hold, end) === " ") found.push(end);
      }
    }
  }
  return found;
}

/**
 * Return the ends of beaches that stick out, also the card's own, and the places where beaches meet at the card. The
 * list is empty if the card in the hand has no beach.
 * @param {Hold} hold
 * @param {number} x
 * @param {number} y
 * @param {number} rot
 */
export function beachEnds(hold, x, y, rot) {
  const edge = hold.edges[rot];
  return edge.includes("E") ? [...islandEnds(hold, x, y), ...cardEnds(hold, x, y, edge)] : [];
}

/**
 * Return the ends that stick out elsewhere, without those that the card covers or faces.
 * @param {Hold} hold
 * @param {number} x
 * @param {number} y
 */
function islandEnds(hold, x, y) {
  const isUnder = (/** @type {End} */ end) => end.x >= x && end.x < x + CARD && end.y >= y && end.y < y + CARD;
  return freeEnds(hold)
    .filter((end) => !isUnder(end) && !isUnder(across(end)))
    .map((end) => ({ ...end, css: "free" }));
}

/**
 * Return the card's ends that stick out, and the seams with beach on both sides. It doesn't matter whether the island's
 * beach ended there before or the card cuts it.
 * @param {Hold} hold
 * @param {number} x
 * @param {number} y
 * @param {string} edge
 */
function cardEnds(hold, x, y, edge) {
  return rim(x, y).flatMap((end) => {
    const [own, other] = [edge[end.at], beyond(hold, end)];
    if (other === " ") return own === "E" ? [{ ...end, css: "own" }] : [];
    return [own, code(other, across(end).side)].every(isBeach) ? [{ ...end, css: "met" }] : [];
  });
}

/** @param {string} shown towards a side */
function isBeach(shown) {
  return shown === "E" || shown === "F";
}
