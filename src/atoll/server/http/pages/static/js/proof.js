// Whether the chance of a finished game came as it was fixed: what the server says now, worked out anew and compared
// with what this browser has kept. What only the rules of the game can tell isn't judged here; see `atoll verify`.

import { digestOf } from "./kept.js";
import { commitment, fromHex, hmac, toHex } from "./sha256.js";

/**
 * @import { Draw, Proof } from "./sent.d.ts"
 * @import { Kept } from "./kept.js"
 * @import { Bytes } from "./sha256.js"
 */

/**
 * One thing that was checked: key and fields of its sentence, and how it came out. open: nothing speaks against it, but
 * it couldn't be checked.
 * @typedef {{ key: string, state: "right" | "wrong" | "open", fields: Record<string, string | number> }} Finding
 */

/**
 * @param {string} key
 * @param {Finding["state"]} state
 * @param {Finding["fields"]} fields
 * @returns {Finding}
 */
const finding = (key, state, fields = {}) => ({ key: `${key}_${state}`, state, fields });

/**
 * @param {Bytes} key
 * @param {number} index of the draw
 * @param {number} size of its pool
 */
function pick(key, index, size) {
  const range = 1n << 256n;
  const limit = range - (range % BigInt(size));
  for (let attempt = 0; ; attempt += 1) {
    const number = BigInt(`0x${toHex(hmac(key, `${index}:${attempt}`))}`);
    if (number < limit) return Number(number % BigInt(size));
  }
}

/**
 * For each draw, whether its outcome is the number that seed and shares give.
 * @param {Proof} proof
 */
export function judgeDraws(proof) {
  const lines = ["atoll-chance-1", proof.table, ...proof.contributions];
  const key = hmac(fromHex(proof.seed), lines.join("\n"));
  return proof.draws.map(({ index, pool, outcome }) => pool[pick(key, index, pool.length)] === outcome);
}

/**
 * @param {Proof} proof
 * @param {number[]} seats
 */
const named = (proof, seats) => ({ names: seats.map((seat) => proof.names[seat]).join(", ") });

/**
 * Whether seed and shares are those that were fixed before.
 * @param {Proof} proof
 */
function fixed(proof) {
  const { contributions: shares, commitments } = proof;
  const seats = shares.map((_, seat) => seat);
  const wrong = seats.filter((s) => shares[s] && commitments[s] && commitment(shares[s]) !== commitments[s]);
  const loose = seats.filter((s) => shares[s] && !commitments[s]);
  const withheld = seats.filter((s) => !shares[s] && commitments[s]);
  const found = [finding("seed", commitment(proof.seed) === proof.commitment ? "right" : "wrong")];
  if (wrong.length) found.push(finding("shares", "wrong", named(proof, wrong)));
  else if (loose.length) found.push({ key: "shares_loose", state: "open", fields: named(proof, loose) });
  else if (shares.some(Boolean)) {
    const shown = seats.filter((seat) => shares[seat]);
    found.push(finding("shares", "right", named(proof, shown)));
  } else found.push({ key: "shares_none", state: "open", fields: {} });
  if (withheld.length) found.push({ key: "shares_withheld", state: "open", fields: named(proof, withheld) });
  return found;
}

/**
 * Whether the draws come one after the other, each from a pool in its order, as the record of the game has them.
 * @param {Proof} proof
 */
function listed(proof) {
  const { draws, answers } = proof;
  const recorded = answers.filter(([seat]) => seat === -1).map(([, text]) => text);
  for (let i = 0; i < Math.max(draws.length, recorded.length); i += 1) {
    const draw = draws[i];
    if (!draw || draw.text !== recorded[i] || draw.index !== draws[0].index + i) {
      return [finding("record", "wrong", { number: i + 1, kind: draw?.kind ?? recorded[i] })];
    }
    const { pool } = draw;
    if (pool.some((each, at) => at > 0 && each < pool[at - 1])) {
      return [finding("order", "wrong", { number: i + 1, kind: draw.kind })];
    }
  }
  return [finding("order", "right", { all: draws.length })];
}

/**
 * How many pools are what was left of an earlier one of their kind, or the same each time; what is in the others only
 * the rules can say.
 * @param {Proof} proof
 */
export function follow(proof) {
  /** @type {Map<string, Draw[]>} */
  const kinds = new Map();
  for (const draw of proof.draws) kinds.set(draw.kind, [...(kinds.get(draw.kind) ?? []), draw]);
  let known = 0;
  for (const draws of kinds.values()) {
    const pools = draws.map(({ pool }) => pool.join());
    if (pools.every((pool) => pool === pools[0])) {
      known += pools.length - 1;
      continue;
    }
    /** @type {string[]} */
    const left = [];
    draws.forEach(({ pool, outcome }, i) => {
      const at = left.indexOf(pools[i]);
      if (at >= 0) {
        known += 1;
        left.splice(at, 1);
      }
      const out = pool.indexOf(outcome);
      left.push(pool.filter((_, place) => place !== out).join());
    });
  }
  const all = proof.draws.length;
  return finding("follow", known === all ? "right" : "open", { known, all, rest: all - known });
}

/**
 * The public record as it was heard while the game was played.
 * @param {Proof} proof
 */
function publicLines(proof) {
  /** @type {string[]} */
  const lines = [];
  for (const [seat, text, isPublic] of proof.answers) {
    const line = (seat < 0 ? "" : `p${seat} `) + (isPublic ? text : "?");
    if (isPublic || line !== lines.at(-1)) lines.push(line);
  }
  return lines;
}

/**
 * This browser's own shares against those that the key is made of.
 * @param {Proof} proof
 * @param {Kept} kept
 */
function ownShares(proof, kept) {
  /** @type {Record<string, number[]>} */
  const found = { right: [], wrong: [], left_out: [], unshown: [] };
  for (const [name, own] of Object.entries(kept.shares)) {
    const share = proof.contributions[Number(name)];
    if (share === undefined || !own.given) continue;
    const given = share === own.share ? "right" : "wrong";
    const lacking = own.shown ? "left_out" : "unshown";
    found[share ? given : lacking].push(Number(name));
  }
  /** @type {Record<string, Finding["state"]>} */
  const judged = { right: "right", wrong: "wrong", left_out: "wrong", unshown: "open" };
  /** @type {Finding[]} */
  const findings = Object.entries(found)
    .filter(([, seats]) => seats.length)
    .map(([state, seats]) => ({ key: `kept_share_${state}`, state: judged[state], fields: named(proof, seats) }));
  const lacking = proof.mine.filter((seat) => !kept.shares[seat]?.given);
  if (lacking.length) findings.push(finding("kept_share", "open", named(proof, lacking)));
  return findings;
}

/**
 * What this browser has kept against what the server says in the end; each that is missing is named.
 * @param {Proof} proof
 * @param {Kept} kept
 */
function compared(proof, kept) {
  /** @param {boolean} same */
  const judge = (same) => (same ? "right" : "wrong");
  const seal = kept.commitment ? judge(kept.commitment === proof.commitment) : "open";
  const seals = kept.commitments ? judge(kept.commitments.join() === proof.commitments.join()) : "open";
  const found = [finding("kept_commitment", seal), ...ownShares(proof, kept)];
  if (kept.commitments || proof.mine.length) found.push(finding("kept_commitments", seals));
  if (kept.rounds) found.push(finding("kept_rounds", "open", { times: kept.rounds }));
  const lines = publicLines(proof);
  const fields = { lines: kept.lines, all: lines.length };
  if (!kept.lines) found.push(finding("kept_record", "open"));
  else if (kept.lines <= lines.length && digestOf(proof.table, "", lines.slice(0, kept.lines)) === kept.digest) {
    found.push(finding("kept_record", "right", fields));
  } else if (proof.mended) found.push({ key: "kept_record_mended", state: "open", fields });
  else found.push(finding("kept_record", "wrong", fields));
  return found;
}

/**
 * What all findings come to.
 * @param {Finding[]} findings
 */
export function worst(findings) {
  const states = findings.map(({ state }) => state);
  if (states.includes("wrong")) return "wrong";
  return states.includes("open") ? "open" : "right";
}

/**
 * All findings on a finished game.
 * @param {Proof} proof
 * @param {Kept} kept
 * @returns {Finding[]}
 */
export function check(proof, kept) {
  const bad = judgeDraws(proof).indexOf(false);
  const draws =
    bad < 0
      ? finding("draws", "right", { all: proof.draws.length })
      : finding("draws", "wrong", { number: bad + 1, kind: proof.draws[bad].kind, found: proof.draws[bad].text });
  return [...compared(proof, kept), ...fixed(proof), draws, ...listed(proof), follow(proof)];
}
