// The protocol of verifiable chance: digests, shares, the key of a table, and its draws. It equals
// `chance_protocol.py`, and both are tested with the same vectors.

import { bytesOf, fromHex, hmac, sha256, toHex } from "./sha256.js";

/** @import { Offer, SharedDraws, Terms } from "./sent.d.ts" */

export const PROTOCOL = "atoll-chance-2";
const HEX = /^[0-9a-f]{64}$/;
const WORD = /^[A-Za-z0-9_.-]{1,64}$/;
const SEAT = /^(person [0-9a-f]{64}|same [0-9]|bot [A-Za-z0-9_.-]{1,64})$/;
const SURROGATE = /\p{Surrogate}/u; // half of a surrogate pair
const ASCII = 0x7f;
const MOST_SEATS = 10;

/** An error for data whose form the protocol doesn't allow. */
export class Malformed extends Error {}

/**
 * @param {boolean} holds
 * @param {string} what
 */
function require(holds, what) {
  if (!holds) throw new Malformed(what);
}

/** @param {string} text */
export const isHex = (text) => HEX.test(text);

/** @param {string} text */
export const isWord = (text) => WORD.test(text);

/**
 * Return SHA-256 of the line "atoll-chance-2 <what>" and the others, in hex.
 * @param {string} what
 * @param {string[]} lines
 */
export const digest = (what, ...lines) => toHex(sha256(bytesOf([`${PROTOCOL} ${what}`, ...lines].join("\n"))));

/**
 * Return data as JSON text, in the only form that the protocol allows.
 * @param {unknown} value
 * @returns {string}
 */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const entries = Object.entries(value).sort(([one], [two]) => (one < two ? -1 : 1));
    const names = entries.map(([name]) => name).join("");
    require(![...names].some((letter) => letter > String.fromCharCode(ASCII)), "names are ASCII");
    const fields = entries.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`);
    return `{${fields.join(",")}}`;
  }
  if (typeof value === "number") require(Number.isSafeInteger(value), "numbers are whole and below 2^53");
  if (typeof value === "string") require(!SURROGATE.test(value), "texts have no lone surrogates");
  return JSON.stringify(value);
}

/**
 * @param {string} salt
 * @param {string} name
 */
export const nameTag = (salt, name) => digest("name", salt, name);

/**
 * Return the digest that fixes the server's seed of a round.
 * @param {string} table
 * @param {number} round
 * @param {string} seed
 */
export const seedDigest = (table, round, seed) => digest("seed", table, `${round}`, seed);

/** @param {number} number */
function count(number) {
  require(Number.isSafeInteger(number) && number >= 0, "a count is a whole number");
  return number;
}

/** @param {Offer} offer */
export function offerDigest({ table, round, seed }) {
  require(WORD.test(table) && HEX.test(seed), "offer");
  return digest("offer", `table ${table}`, `round ${count(round)}`, `seed ${seed}`);
}

/**
 * Return the lines from which the digest of terms is made.
 * @param {string} offer its digest
 * @param {Terms} terms
 * @param {string[]} seals of each seat, or ""
 */
export function termsLines(offer, { game, rules, components, options, seats, start, shared }, seals) {
  require(WORD.test(game) && HEX.test(components), "game, components");
  require(start === "new" || HEX.test(start), "start");
  require(seats.length >= 1 && seats.length <= MOST_SEATS && seats.every((seat) => SEAT.test(seat)), "seats");
  const same = seats.filter((seat) => seat.startsWith("same ")).map((seat) => seats[Number(seat.slice(5))]);
  require(same.every((seat) => seat?.startsWith("person ")), "seats");
  require(seals.length === seats.length && seals.every((seal) => !seal || HEX.test(seal)), "seals");
  require(!shared || !seals.some(Boolean), "seals");
  return [
    `offer ${offer}`,
    `game ${game}`,
    `rules ${count(rules)}`,
    `components ${components}`,
    `options ${canonical(options)}`,
    `seats ${seats.length}`,
    ...seats.map((seat, number) => `seat ${number} ${seat}`),
    `start ${start}`,
    drawsLine(shared),
    "back no-chance no-reveal",
    ...seals.map((seal, seat) => `seal ${seat} ${seal || "-"}`),
  ];
}

/** @param {SharedDraws | null} shared */
function drawsLine(shared) {
  if (!shared) return "draws hmac-sha256 from 0";
  const { competition, round, seed_hash: hash, first } = shared;
  require(WORD.test(competition) && HEX.test(hash), "shared draws");
  return `draws hmac-sha256 from ${count(first)} shared ${competition} ${count(round)} ${hash}`;
}

/**
 * Return the digest that binds everything that decides chance, before any share is shown.
 * @param {string} offer its digest
 * @param {Terms} terms
 * @param {string[]} seals
 */
export const termsDigest = (offer, terms, seals) => digest("terms", ...termsLines(offer, terms, seals));

/**
 * Return a browser's share: the same in every tab, and another one for every other offer.
 * @param {string} secret
 * @param {string} offer its digest
 * @param {number} seat
 */
export const shareOf = (secret, offer, seat) =>
  toHex(hmac(fromHex(secret), bytesOf(`${PROTOCOL} share\n${offer}\n${seat}`)));

/**
 * Return the digest that fixes a share before it is shown.
 * @param {string} offer its digest
 * @param {number} seat
 * @param {string} share
 */
export const sealOf = (offer, seat, share) => digest("seal", offer, `${seat}`, share);

/**
 * Return HKDF-Extract (RFC 5869) of seed and shares, salted with the terms.
 * @param {string} terms their digest
 * @param {string} seed
 * @param {string[]} shares of each seat, or ""
 */
export const keyOf = (terms, seed, shares) => toHex(hmac(fromHex(terms), fromHex(seed + shares.join(""))));

/**
 * Return the key of a round of a solo league, which is the same at all tables.
 * @param {string} seed of the season
 * @param {SharedDraws} shared
 */
export const sharedKey = (seed, { competition, round }) =>
  toHex(hmac(fromHex(seed), bytesOf(`${PROTOCOL} shared\n${competition}\n${round}`)));

/**
 * Return the hash of a season's seed, which is published when sign-up opens.
 * @param {string} seed
 */
export const seedHash = (seed) => toHex(sha256(fromHex(seed)));

/**
 * Return the outcome of a chance event among `size` ones, and the number of tries that were passed over.
 * @param {string} key
 * @param {number} index of the event
 * @param {bigint} size
 * @returns {[outcome: bigint, passed: number]}
 */
export function pick(key, index, size) {
  const range = 1n << 256n;
  const limit = range - (range % size);
  const bytes = fromHex(key);
  for (let passed = 0; ; passed += 1) {
    // A template within a template would lose its spaces in the minifier.
    const message = [`${PROTOCOL} draw`, index, passed].join("\n");
    const number = BigInt(`0x${toHex(hmac(bytes, bytesOf(message)))}`);
    if (number < limit) return [number % size, passed];
  }
}

/**
 * Return the head of a record after further lines.
 * @param {string} terms their digest
 * @param {string[]} lines
 * @param {string} head before them, "" at the beginning
 */
export const headOf = (terms, lines, head = "") =>
  lines.reduce((found, line) => digest("line", found, line), head || digest("record", terms));
