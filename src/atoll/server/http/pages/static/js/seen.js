// The last moment of a table that was seen in this browser, for each seat.

import { store, stored } from "./storage.js";

/** @import { PageData } from "./sent.d.ts" */

/**
 * @param {PageData} data
 * @param {number | null} seat
 */
const nameOf = ({ table }, seat) => `atoll seen ${table} ${seat}`;

/**
 * Return the last moment of a seat's page that was seen. In a new browser the seat's own page is played from its last
 * choice on, which is null; others begin with the present.
 * @param {PageData} data
 * @param {number | null} seat
 */
export function seenBy(data, seat) {
  const seen = stored(nameOf(data, seat));
  if (seen !== null) return Number(seen);
  return seat === null || data.seats.length > 1 ? data.sequence : null;
}

/**
 * @param {PageData} data
 * @param {string} moment
 */
export const remind = (data, moment) => store(nameOf(data, data.seat), moment);
