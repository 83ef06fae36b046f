// What a browser gives, when, and what it keeps: the page's own script against a server that is played here.

import assert from "node:assert/strict";
import { argv } from "node:process";
import { pathToFileURL } from "node:url";

const scripts = pathToFileURL(`${argv[2]}/`);
const stored = new Map();
Object.assign(globalThis, {
  document: { querySelector: () => null },
  HTMLMetaElement: class {},
  HTMLElement: class {},
  SVGElement: class {},
  // Node's own takes no address without a host.
  Request: class {
    constructor(url, options) {
      Object.assign(this, { url, ...options });
    }
  },
  localStorage: { getItem: (name) => stored.get(name) ?? null, setItem: (name, text) => stored.set(name, text) },
});
const { Chance } = await import(new URL("chance.js", scripts));
const { digestOf, recall } = await import(new URL("kept.js", scripts));
const { commitment } = await import(new URL("sha256.js", scripts));

/** A table with a page; `sent` is what its browser has posted. */
function sitDown(id, mine = [0]) {
  const chance = { gathering: true, showing: false, commitment: "5e".repeat(32), commitments: ["", ""], mine };
  const page = { data: { table: id, sequence: 0, chance }, texts: { seal_changed: "changed" }, told: [], updates: 0 };
  page.news = { tell: (text) => page.told.push(text) };
  page.update = async () => {
    page.updates += 1;
  };
  page.sent = [];
  page.lines = [];
  page.refuse = false;
  globalThis.fetch = async ({ url: address, method, body }) => {
    if (method === "POST") {
      page.sent.push([address.split("/").at(-1), body.get("share"), recall(id).commitments]);
      return page.refuse ? new Response('{"text": "no"}', { status: 409 }) : new Response("");
    }
    const first = Number(new URL(address, "http://x").searchParams.get("first"));
    return Response.json({ table: id, first, lines: page.lines.slice(first) });
  };
  return { page, chance, browser: new Chance(page) };
}

const tests = {
  async "a share is fixed first, shown when all are fixed, and after their seals are kept"() {
    const { page, chance, browser } = sitDown("t1");
    await browser.attend();
    const own = recall("t1").shares[0];
    assert.deepEqual(page.sent, [["commit", commitment(own.share), null]]);
    assert.deepEqual([own.given, own.shown, recall("t1").commitment], [true, false, chance.commitment]);
    chance.commitments = [commitment(own.share), ""];
    await browser.attend();
    assert.equal(page.sent.length, 1, "others haven't fixed theirs");
    chance.commitments = [commitment(own.share), "bb".repeat(32)];
    chance.showing = true;
    await browser.attend();
    assert.deepEqual(page.sent[1], ["contribute", own.share, chance.commitments]);
    assert.ok(recall("t1").shares[0].shown);
    await browser.attend();
    assert.equal(page.sent.length, 2);
    assert.equal(page.updates, 2);
  },

  async "a share that the server has another seal for is never shown"() {
    const { page, chance, browser } = sitDown("t2");
    await browser.attend();
    Object.assign(chance, { showing: true, commitments: ["cc".repeat(32), "bb".repeat(32)] });
    await browser.attend();
    assert.equal(page.sent.length, 1);
    assert.ok(recall("t2").shares[0].given, "it is kept, to be compared in the end");
  },

  async "to a table whose seal has changed nothing is given, and that is said once"() {
    const { page, chance, browser } = sitDown("t3", []);
    await browser.attend();
    Object.assign(chance, { commitment: "66".repeat(32), mine: [0] });
    await browser.attend();
    await browser.attend();
    assert.deepEqual([page.sent, page.told], [[], ["changed"]]);
    assert.equal(recall("t3").commitment, "5e".repeat(32));
  },

  async "after a start that was broken off a shown share is replaced and counted, an unshown one given again"() {
    const { page, chance, browser } = sitDown("t4");
    await browser.attend();
    const first = recall("t4").shares[0].share;
    await browser.attend();
    assert.equal(page.sent[1][1], commitment(first));
    assert.equal(recall("t4").rounds, 0);
    Object.assign(chance, { showing: true, commitments: [commitment(first), ""] });
    await browser.attend();
    Object.assign(chance, { showing: false, commitments: ["", ""] });
    await browser.attend();
    const second = recall("t4").shares[0].share;
    assert.notEqual(second, first);
    assert.deepEqual(page.sent.at(-1).slice(0, 2), ["commit", commitment(second)]);
    assert.equal(recall("t4").rounds, 1);
  },

  async "what another device has fixed is not this browser's share, and a seat that was left has none"() {
    const { page, chance, browser } = sitDown("t5", [0, 1]);
    page.refuse = true;
    await browser.attend();
    assert.ok(!recall("t5").shares[0].given);
    assert.equal(page.updates, 0, "what is refused doesn't go round in a circle");
    Object.assign(chance, { commitments: ["dd".repeat(32), "ee".repeat(32)], mine: [0] });
    await browser.attend();
    assert.deepEqual(recall("t5").shares, {});
  },

  async "what is heard is folded into the digest, also after lines that were missed"() {
    const { page, chance, browser } = sitDown("t6");
    Object.assign(chance, { gathering: false });
    page.lines = ["start seat 0", "p0 place r1c1 base", "?"];
    await browser.hear();
    page.lines = [...page.lines, "p1 ?", "p0 pass"];
    await browser.hear();
    await browser.hear();
    const { lines, digest } = recall("t6");
    assert.deepEqual([lines, digest], [5, digestOf("t6", "", page.lines)]);
    page.lines = page.lines.slice(0, 2);
    await browser.hear();
    assert.equal(recall("t6").digest, digest, "what is taken back was heard all the same");
  },

  async "a browser that stores nothing gives its share as long as the page is open"() {
    const { page, chance, browser } = sitDown("t7");
    localStorage.setItem = () => {
      throw new Error("no storage");
    };
    await browser.attend();
    Object.assign(chance, { showing: true, commitments: [page.sent[0][1], ""] });
    await browser.attend();
    assert.equal(commitment(page.sent[1][1]), page.sent[0][1]);
  },
};

for (const [name, test] of Object.entries(tests)) {
  await test().catch((error) => {
    throw new Error(`${name}: ${error.message}`);
  });
}
console.log(Object.keys(tests).length);
