// What this browser keeps of the chance of a table, so that nobody can change it afterwards unseen.

import { bytesOf, sha256, toHex } from "./sha256.js";
import { store, stored } from "./storage.js";

/**
 * A share that this browser has made. given: the server has taken its commitment; shown: it has taken the share.
 * @typedef {{ share: string, given: boolean, shown: boolean }} Given
 */

/**
 * commitment: of the seed, as first seen. shares: this browser's own, by seat. commitments: of all shares, as they were
 * when this browser showed its own. rounds: how often it was asked for a new share after it had shown one. lines,
 * digest: how much of the public record it has heard, and its running digest.
 * @typedef {{
 *   table: string, commitment: string, shares: Record<string, Given>, commitments: string[] | null,
 *   rounds: number, lines: number, digest: string,
 * }} Kept
 */

/** @param {string} table */
const nameOf = (table) => `atoll chance ${table}`;

/**
 * @param {string} table
 * @returns {Kept}
 */
export function recall(table) {
  const found = stored(nameOf(table));
  if (found) return JSON.parse(found);
  return { table, commitment: "", shares: {}, commitments: null, rounds: 0, lines: 0, digest: "" };
}

/** @param {Kept} kept */
export function keep(kept) {
  store(nameOf(kept.table), JSON.stringify(kept));
}

/**
 * The running digest of a public record after further lines.
 * @param {string} table
 * @param {string} digest so far, "" before the first line
 * @param {string[]} lines
 */
export function digestOf(table, digest, lines) {
  let found = digest || toHex(sha256(bytesOf(`atoll-record-1\n${table}`)));
  for (const line of lines) found = toHex(sha256(bytesOf(`${found}\n${line}`)));
  return found;
}
