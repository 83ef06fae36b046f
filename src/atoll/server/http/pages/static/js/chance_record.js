// The stored data of this browser about the chance of tables. A script writes each key once and never changes or
// deletes it, except for the record of a game, which only grows. So no answer of a server can make a browser forget.

import { headOf, isHex, isWord } from "./chance_protocol.js";
import { toHex } from "./sha256.js";

/**
 * A share that this browser was about to send: digests of offer and terms, its seat and the share.
 * @typedef {{ offer: string, terms: string, seat: number, share: string }} Shown
 */

/**
 * The part of a record that this browser has received. terms: under which the game began. seats: the readers of the
 * record. live: number of lines that came while the page showed a running game. over: whether the end was received.
 * @typedef {{ terms: string, seats: number[] | null, lines: number, live: number, head: string, over?: boolean }} Heard
 */

/**
 * Lines of a record, as the server sends them. first: the number of the first one.
 * @typedef {{ terms: string, seats: number[], first: number, lines: string[] }} Told
 */

/**
 * The file that a browser saves about a table.
 * @typedef {{ format: "atoll-kept-2", table: string, shown: Shown[], record: Heard | null }} Kept
 */

const START = "atoll chance";
const SECRET = `${START} secret`;
/** @param {string} table */
const heardName = (table) => `${START} ${table} heard`;
/** @param {string} table */
const shownStart = (table) => `${START} ${table} shown `;

/** @param {string} name */
function read(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/**
 * Store a text under a name and return whether it is stored.
 * @param {string} name
 * @param {string} text
 */
function write(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {
    return false;
  }
  return read(name) === text;
}

/** @param {string} start */
function namesFrom(start) {
  try {
    const names = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? "");
    return names.filter((name) => name.startsWith(start)).sort();
  } catch {
    return [];
  }
}

/**
 * Return whether this page is that of a table: its address names the table, and no other page shows it in a frame. A
 * server could name any table to any page, or hide pages in frames, while the player knows of one table only.
 * @param {string} table
 */
export const isPageOf = (table) => location.pathname.split("/")[2] === table && window.parent === window;

/** Return this browser's secret, which never leaves it; "" if none can be stored. */
export function secret() {
  const known = read(SECRET);
  if (known) return known;
  const fresh = toHex(crypto.getRandomValues(new Uint8Array(32)));
  return write(SECRET, fresh) ? fresh : "";
}

const BY_PROGRAM = `${START} program`;

/** Return whether the player's own program gives the shares, so that this browser gives none. */
export const givenByProgram = () => read(BY_PROGRAM) === "yes";

/** @param {boolean} byProgram */
export const setGivenByProgram = (byProgram) => write(BY_PROGRAM, byProgram ? "yes" : "no");

/**
 * Store that this browser gives a seal to an offer, and return whether that is stored.
 * @param {string} table
 * @param {string} offer its digest
 */
export function keepOffer(table, offer) {
  const name = `${START} ${table} offer ${offer}`;
  return read(name) !== null || write(name, "sealed");
}

/**
 * @param {string} table
 * @param {string} offer its digest
 */
export const knowsOffer = (table, offer) => read(`${START} ${table} offer ${offer}`) !== null;

/**
 * Store that a share is about to be sent, and return whether that is stored.
 * @param {string} table
 * @param {Shown} shown
 */
export function keepShown(table, { terms, offer, seat, share }) {
  const name = `${shownStart(table)}${terms} ${seat}`; // with the seat, because two people may share a browser
  const text = JSON.stringify({ offer, terms, seat, share });
  const known = read(name);
  return known === null ? write(name, text) : known === text;
}

/**
 * @param {string} table
 * @returns {Shown[]}
 */
export const shownAt = (table) => namesFrom(shownStart(table)).map((name) => JSON.parse(read(name) ?? ""));

/**
 * @param {string} table
 * @returns {Heard | null}
 */
export function heardOf(table) {
  const found = read(heardName(table));
  return found ? JSON.parse(found) : null;
}

/**
 * Return whether something has the form of a record's lines. Judges can't read a file with anything else in it.
 * @param {string} table
 * @param {Told} told
 */
function isRecord(table, { terms, seats, lines }) {
  if (!isWord(table) || typeof terms !== "string" || !isHex(terms)) return false;
  return seats.every((each) => Number.isSafeInteger(each)) && lines.every((each) => typeof each === "string");
}

/**
 * Fold lines into the record of a game and return whether they were in order. Otherwise another tab was faster, and the
 * rest can be requested again. Lines of another game or for another reader are ignored.
 * @param {string} table
 * @param {Told} told
 * @param {{ live: boolean, over: boolean }} page whether it was opened while the game ran, and whether it is over
 */
export function hear(table, told, { live, over }) {
  if (!isRecord(table, told)) return true;
  const { terms, seats, first, lines } = told;
  const heard = heardOf(table) ?? { terms, seats, lines: 0, live: 0, head: headOf(terms, []) };
  if (heard.terms !== terms || heard.seats?.join() !== seats.join()) return true;
  if (first !== heard.lines) return false;
  const count = heard.lines + lines.length;
  const grown = { live: live ? count : heard.live, over: (over && isPageOf(table)) || (heard.over ?? false) };
  write(heardName(table), JSON.stringify({ ...heard, head: headOf(terms, lines, heard.head), lines: count, ...grown }));
  return true;
}

/**
 * Return everything that this browser has stored about a table, for a judge.
 * @param {string} table
 * @returns {Kept}
 */
export function recall(table) {
  const heard = heardOf(table);
  const record = heard && {
    terms: heard.terms,
    seats: heard.seats,
    lines: heard.lines,
    live: heard.live,
    head: heard.head,
  };
  return { format: "atoll-kept-2", table, shown: shownAt(table), record };
}

/**
 * Return the number of other tables at which this browser has shown a share without receiving the end of the game.
 * @param {string} table
 */
export function unfinished(table) {
  const shown = namesFrom(`${START} `).filter((name) => name.split(" ")[3] === "shown");
  const tables = new Set(shown.map((name) => name.split(" ")[2]));
  tables.delete(table);
  return [...tables].filter((each) => {
    const heard = heardOf(each);
    return !heard?.over || !shownAt(each).some(({ terms }) => terms === heard.terms);
  }).length;
}
