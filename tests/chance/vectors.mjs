// The scripts of pages against the vectors of the protocol; prints how many agree.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { argv } from "node:process";
import { pathToFileURL } from "node:url";

const scripts = pathToFileURL(`${argv[2]}/`);
const chance = await import(new URL("chance_protocol.js", scripts));
const { judge } = await import(new URL("late/chance_check.js", scripts));
const vectors = JSON.parse(readFileSync(argv[3], "utf8"));
let done = 0;
const same = (found, due, what) => {
  assert.deepEqual(found, due, what);
  done += 1;
};

/** What a vector's only reader has heard up to the last own answer. */
function lastOwn(record) {
  return (seats) => record.findLastIndex((line) => [...seats].some((seat) => line.split(" ")[0] === `p${seat}`)) + 1;
}

assert.equal(vectors.protocol, chance.PROTOCOL);
for (const { value, text } of vectors.canonical) same(chance.canonical(value), text);
for (const text of vectors.canonical_refused) {
  assert.throws(() => chance.canonical(JSON.parse(text)), chance.Malformed, text);
  done += 1;
}
for (const { salt, name, tag } of vectors.names) same(chance.nameTag(salt, name), tag);
for (const { table, round, seed, seal } of vectors.seeds) same(chance.seedDigest(table, round, seed), seal);
for (const { offer, digest } of vectors.offers) same(chance.offerDigest(offer), digest);
for (const { secret, offer, seat, share } of vectors.shares) same(chance.shareOf(secret, offer, seat), share);
for (const { offer, seat, share, seal } of vectors.seals) same(chance.sealOf(offer, seat, share), seal);
for (const { offer, terms, seals, text, digest } of vectors.terms) {
  const lines = chance.termsLines(offer, terms, seals);
  assert.equal([`${chance.PROTOCOL} terms`, ...lines].join("\n"), text);
  same(chance.termsDigest(offer, terms, seals), digest);
}
for (const { seed, shared, key } of vectors.shared_keys) same(chance.sharedKey(seed, shared), key);
for (const { terms, seed, shares, key } of vectors.keys) same(chance.keyOf(terms, seed, shares), key);
const { key, draws } = vectors.draws;
for (const { index, size, outcome, passed_over } of draws)
  same(chance.pick(key, index, BigInt(size)), [BigInt(outcome), passed_over]);
for (const [index, [pool, outcome]] of vectors.deal.draws.entries())
  same(pool[Number(chance.pick(vectors.deal.key, index, BigInt(pool.length))[0])], outcome);
const { terms, lines, heads } = vectors.records;
for (const [count, head] of heads.entries()) same(chance.headOf(terms, lines.slice(0, count)), head);
for (const { case: what, file, kept, verdict, named } of vectors.verdicts) {
  const given = { ...file, last: lastOwn(file.record), rules: true };
  const found = judge(given, kept);
  same([found.value, found.missing.map(({ evidence }) => evidence)], [verdict, named], what);
}
console.log(done);
