// What this browser stores of the chance of tables. A key is written once and never changed or deleted by a script, but
// for the record of a game, which only grows: nothing that a server says can make a browser forget.

import { headOf, isHex, isWord } from "./chance_protocol.js";
import { toHex } from "./sha256.js";

/**
 * A share that this browser was about to send: digests of offer and terms, its seat and the share.
 * @typedef {{ offer: string, terms: string, seat: number, share: string }} Shown
 */

/**
 * The part of a record that this browser has received. terms: under which the game began. seats: that the record was
 * written for. live: how many lines came while its page was told that the game runs. over: whether it was told the end.
 * @typedef {{ terms: string, seats: number[] | null, lines: number, live: number, head: string, over?: boolean }} Heard
 */

/**
 * Lines of a record, as the server tells them. first: the number of the first one.
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
 * Whether a text is stored under a name.
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
 * Whether this page is that of a table: its address names the table, and no other page shows it in a frame. A server can
 * name any table to any page, or hide pages in frames, and its player knows of one table only.
 * @param {string} table
 */
export const isPageOf = (table) => location.pathname.split("/")[2] === table && window.parent === window;

/** This browser's secret, which never leaves it; "" if none can be stored. */
export function secret() {
  const known = read(SECRET);
  if (known) return known;
  const fresh = toHex(crypto.getRandomValues(new Uint8Array(32)));
  return write(SECRET, fresh) ? fresh : "";
}

const BY_PROGRAM = `${START} program`;

/** Whether this player's own program gives the shares, so that this browser gives none. */
export const givenByProgram = () => read(BY_PROGRAM) === "yes";

/** @param {boolean} byProgram */
export const setGivenByProgram = (byProgram) => write(BY_PROGRAM, byProgram ? "yes" : "no");

/**
 * Store that this browser gives a seal to an offer. Whether it is stored.
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
 * Store that a share is about to be sent. Whether it is stored.
 * @param {string} table
 * @param {Shown} shown
 */
export function keepShown(table, { terms, offer, seat, share }) {
  const name = `${shownStart(table)}${terms} ${seat}`; // another seat's: two people may share a browser
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
 * Whether something has the form of a record's lines. Judges can't read a file with anything else in it.
 * @param {string} table
 * @param {Told} told
 */
function isRecord(table, { terms, seats, lines }) {
  if (!isWord(table) || typeof terms !== "string" || !isHex(terms)) return false;
  return seats.every((each) => Number.isSafeInteger(each)) && lines.every((each) => typeof each === "string");
}

/**
 * Fold lines into the record of a game. Lines of another game or for another reader are ignored. Whether they were in
 * order; else another tab was faster, and the rest can be asked for again.
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
 * All that this browser has stored of a table, for a judge.
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
 * At how many other tables this browser has shown a share without seeing the end of a game that it was shown for.
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
