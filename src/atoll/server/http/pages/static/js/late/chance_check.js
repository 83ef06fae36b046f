// The verdict on the chance of a finished game: the published data, compared with this browser's. It equals
// `chance_verdict.py`. A page can't apply the rules, so that everything that depends on them stays open here.

import {
  headOf,
  isHex,
  keyOf,
  Malformed,
  nameTag,
  offerDigest,
  pick,
  sealOf,
  seedDigest,
  seedHash,
  sharedKey,
  termsDigest,
} from "../chance_protocol.js";

/**
 * @import { Kept, Shown } from "../chance_record.js"
 * @import { MaybeName, Offer, RecordedAnswer, Terms } from "../sent.d.ts"
 */

/**
 * The data by which a game is judged. draws: pool and outcome of each chance event. record: the lines for the reader of
 * the stored record. last: the number of lines up to the last answer of a reader with these seats. rules: whether a
 * judge has replayed the game by its rules.
 * @typedef {{
 *   offer: Offer, terms: Terms, seals: string[], seed: string, shares: string[], names?: MaybeName[],
 *   draws: [pool: unknown[], outcome: unknown][], record: string[], last: (seats: Set<number>) => number, rules: boolean,
 * }} Published
 */

/**
 * Evidence that doesn't hold; its sentence is `verdict.<evidence>.<reason>`.
 * @typedef {{ evidence: string, reason: string, fields: Record<string, string | number> }} Missing
 */

/** @typedef {{ value: "proven" | "open" | "wrong", missing: Missing[] }} Verdict */

/**
 * @param {string} evidence
 * @param {string} reason
 * @param {Missing["fields"]} fields
 * @returns {Missing}
 */
const missing = (evidence, reason, fields = {}) => ({ evidence, reason, fields });

/**
 * @param {Missing} first
 * @returns {Verdict}
 */
const wrong = (first) => ({ value: "wrong", missing: [first] });

/**
 * @param {Published} file
 * @param {Kept | null} kept
 * @returns {Verdict}
 */
export function judge(file, kept) {
  let offer = "";
  let terms = "";
  try {
    offer = offerDigest(file.offer);
    terms = termsDigest(offer, file.terms, file.seals);
  } catch (error) {
    if (error instanceof Malformed) return wrong(missing("form", "wrong", { detail: error.message }));
    throw error;
  }
  const first = published(file, offer) ?? played(file, terms);
  if (first) return wrong(first);
  const open = file.rules ? [] : [missing("rules", "page")];
  if (file.terms.start !== "new") open.push(missing("start", "open"));
  if (file.terms.shared) open.push(missing("share", "shared"));
  if (!kept || !(kept.shown.length || kept.record)) {
    return { value: "open", missing: [...open, missing("terms", "nothing")] };
  }
  const compared = compare(file, kept, offer, terms);
  if (!Array.isArray(compared)) return wrong(compared);
  open.push(...compared);
  return { value: open.length ? "open" : "proven", missing: open };
}

/**
 * Return the first contradiction within the published data.
 * @param {Published} file
 * @param {string} offer its digest
 */
function published(
  { offer: { table, round, seed: sealed }, terms: { seats, shared }, seals, seed, shares, names = [] },
  offer,
) {
  const named = names.every((name, seat) => !name || seats[seat] === `person ${nameTag(name.salt, name.name)}`);
  if (shares.length !== seats.length || !isHex(seed) || !named || (names.length && names.length !== seats.length))
    return missing("form", "wrong", { detail: "seed, shares or names" });
  if (seedDigest(table, round, seed) !== sealed) return missing("seed", "wrong");
  if (shared && seedHash(seed) !== shared.seed_hash) return missing("seed", "season");
  for (const seat of seats.keys()) {
    const [share, seal] = [shares[seat], seals[seat]];
    if (seal && !seats[seat].startsWith("person ")) return missing("seals", "wrong", { number: seat + 1 });
    const fits = share ? isHex(share) && sealOf(offer, seat, share) === seal : !seal;
    if (!fits) return missing("seals", "wrong", { number: seat + 1 });
  }
  return null;
}

/**
 * Return for each draw whether its pool is in order and its outcome is the key's.
 * @param {Published} file
 * @param {string} terms their digest
 */
export function judgeDraws({ draws, seed, shares, terms: { shared } }, terms) {
  const key = shared ? sharedKey(seed, shared) : keyOf(terms, seed, shares);
  const start = shared?.first ?? 0;
  return draws.map(([pool, outcome], index) => {
    /** @type {any[]} */
    const ordered = pool;
    if (!pool.length || ordered.some((each, at) => at > 0 && each < ordered[at - 1])) return false;
    return pool[Number(pick(key, start + index, BigInt(pool.length))[0])] === outcome;
  });
}

/**
 * @param {Published} file
 * @param {string} terms their digest
 */
function played(file, terms) {
  const bad = judgeDraws(file, terms).indexOf(false);
  return bad < 0 ? null : missing("draws", "wrong", { number: bad + 1 });
}

/**
 * Compare the published data with this browser's. Return the first contradiction, or everything missing.
 * @param {Published} file
 * @param {Kept} kept
 * @param {string} offer its digest
 * @param {string} terms their digest
 */
function compare(file, kept, offer, terms) {
  const { record, shares } = file;
  const starts = new Set(kept.shown.map((each) => each.terms));
  if (new Set(kept.shown.map((each) => each.offer)).size < starts.size) return missing("share", "twice");
  const heard = kept.record ?? { terms, lines: 0, live: 0, head: headOf(terms, []), seats: null };
  const mine = kept.shown.filter((each) => each.terms === terms);
  const others = kept.shown.filter((each) => each.terms !== terms);
  const again = others.some((each) => each.offer === offer || shares[each.seat] === each.share);
  if (heard.terms !== terms || again) return missing("terms", "wrong");
  const open = [];
  if (!mine.length && !file.terms.shared) open.push(missing("terms", "open"));
  if (mine.some((each) => shares[each.seat] !== each.share)) return missing("share", "wrong");
  const all = record.length;
  if (heard.lines > all || headOf(terms, record.slice(0, heard.lines)) !== heard.head)
    return missing("record", "wrong", { lines: heard.lines, all });
  const seated = seatsOf(file, mine);
  const reader = new Set(heard.seats ?? seated);
  const whole = heard.lines === all && heard.live >= file.last(seated) && [...seated].every((seat) => reader.has(seat));
  if (!whole) open.push(missing("record", "open", { lines: heard.live, all }));
  starts.delete(terms);
  if (starts.size) open.push(missing("starts", starts.size > 1 ? "more" : "one", { n: starts.size }));
  return open;
}

/**
 * Return the seats of shares: their own, and further ones of the same persons.
 * @param {Published} file
 * @param {Shown[]} mine
 */
function seatsOf({ terms: { seats } }, mine) {
  const own = mine.map((each) => each.seat);
  const same = [...seats.keys()].filter((seat) => own.some((each) => seats[seat] === `same ${each}`));
  return new Set([...own, ...same]);
}

/**
 * Return the lines of the record for a reader with these seats, and a function that returns the number of lines up to
 * the last answer of some seats.
 * @param {RecordedAnswer[]} answers
 * @param {number[]} seats
 */
export function readerRecord(answers, seats) {
  /** @type {string[]} */
  const record = [];
  /** @type {Map<number, number>} */
  const last = new Map();
  for (const { seat, choice, audience, auto } of answers) {
    const known = !audience || seats.includes(seat) || seats.some((each) => audience.includes(each));
    const line = (seat < 0 ? "" : `p${seat} `) + (known ? choice : "?");
    if (known || line !== record.at(-1)) record.push(line);
    if (!auto) last.set(seat, record.length);
  }
  /** @param {Set<number>} own */
  const lastOf = (own) => Math.max(0, ...[...own].map((seat) => last.get(seat) ?? 0));
  return { record, last: lastOf };
}
