// The scripts of a page, driven from outside: each line of input is something to do, each request that the scripts send
// is a line of output, and the next line of input is its answer. Several pages share what the browser stores, as tabs do.

import { argv, stdin, stdout } from "node:process";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const scripts = pathToFileURL(`${argv[2]}/`);
const lines = createInterface({ input: stdin })[Symbol.asyncIterator]();
const told = async () => JSON.parse((await lines.next()).value);
const say = (value) => stdout.write(`${JSON.stringify(value)}\n`);

/** A browser's store. full: nothing can be written. blind: what was written meanwhile isn't seen, as by another tab. */
const store = { values: new Map(), full: false, blind: null };
const visible = () => [...store.values.keys()].filter((name) => !store.blind || store.blind.has(name));
/** The timers of all pages, which run out when the test says so. */
const timers = new Map();
let lastTimer = 0;
Object.assign(globalThis, {
  setTimeout(run) {
    lastTimer += 1;
    timers.set(lastTimer, run);
    return lastTimer;
  },
  clearTimeout: (timer) => timers.delete(timer),
  document: { querySelector: () => null },
  HTMLMetaElement: class {},
  HTMLElement: class {},
  HTMLInputElement: class {},
  SVGElement: class {},
  // Node's own takes no address without a host.
  Request: class {
    constructor(url, options) {
      Object.assign(this, { url, ...options });
    }
  },
  localStorage: {
    getItem: (name) => (visible().includes(name) ? store.values.get(name) : null),
    setItem: (name, text) => {
      if (!store.full) store.values.set(name, text);
    },
    key: (at) => visible()[at],
    get length() {
      return visible().length;
    },
  },
  async fetch({ url, method, body }) {
    say({ method: method ?? "GET", url, fields: body ? Object.fromEntries(body) : {} });
    const { status, text } = await told();
    return new Response(status === 204 ? null : text, { status });
  },
});
const { ChanceShare } = await import(new URL("chance_share.js", scripts));
const { judge, readerRecord } = await import(new URL("late/chance_check.js", scripts));
const { recall, unfinished } = await import(new URL("chance_record.js", scripts));
const tabs = [];

const actions = {
  /**
   * A page of a table as the server sends it now; the scripts do what it calls for. at: the table of its address if that
   * is another one. framed: another page shows it.
   */
  async attend({ tab, data, blind, at, framed }) {
    const said = [];
    tabs[tab] ??= new ChanceShare({ data, texts: { chance_refused: "refused", chance_unstored: "unstored" } });
    const page = tabs[tab];
    page.table.data = data;
    page.table.news = { tell: (text) => said.push(text) };
    page.table.update = async () => undefined;
    globalThis.location = { pathname: `/t/${at ?? data.table}` };
    globalThis.window = {};
    globalThis.window.parent = framed ? {} : globalThis.window;
    store.blind = blind ? new Set(blind) : null;
    await page.attend();
    clearTimeout(page.waiting);
    store.blind = null;
    return said;
  },
  async hear({ tab, data, at }) {
    globalThis.location = { pathname: `/t/${at ?? data.table}` };
    tabs[tab].table.data = data;
    await tabs[tab].hear(data.chance_table, data.over);
    return [];
  },
  async wait() {
    const due = [...timers.values()];
    timers.clear();
    for (const run of due) await run();
  },
  unfinished: ({ table }) => unfinished(table),
  close({ tab }) {
    delete tabs[tab];
  },
  names: () => [...store.values.keys()],
  fill({ full }) {
    store.full = full;
  },
  clear: () => store.values.clear(),
  kept: ({ table }) => recall(table),
  /** What the page says of a finished game. rules: as if it could play the rules. */
  judge({ file, answers, kept, rules }) {
    const { offer, terms, seals, seed, shares, names } = file;
    const draws = file.draws.map(({ pool, outcome }) => [pool, outcome]);
    const reader = readerRecord(answers, kept?.record?.seats ?? []);
    return judge({ offer, terms, seals, seed, shares, names, draws, ...reader, rules }, kept);
  },
};

for (;;) {
  const { value, done } = await lines.next();
  if (done) break;
  const { action, ...given } = JSON.parse(value);
  try {
    say({ done: (await actions[action](given)) ?? null });
  } catch (error) {
    say({ failed: String(error.stack) });
  }
}
