// News from the server. A browser opens only six connections to a server, so its tabs share one stream: the leading tab
// reads it and passes everything to the others. They elect the leader over their channel, as locks exist only in secure
// contexts. Without a stream the leader polls.

import { get, nothing } from "./http.js";
import { reach } from "./reach.js";

const CHANNEL = "atoll-stream";
const POLL_MS = 3000;
const ANSWER_MS = 150; // within which a leader answers
const SILENCE_MS = 40_000; // the server sends something every 15 seconds, and the leader passes it on

/**
 * Messages between tabs. table, lists: changes. watch: a request to follow these tables, which the leader answers.
 * leads: the sender leads, and follows these tables. left: the leader has gone. here: other people have these seats
 * of a table open.
 * @typedef {{ type: "table", game: string, version: string } | { type: "lists" }} Change
 * @typedef {{ type: "here", game: string, seats: number[] }} Here
 * @typedef {{ type: "watch", tables: string[] } | { type: "leads", id: number, tables: string[] }} Claim
 * @typedef {Change | Here | Claim | { type: "left" }} Message
 */

export class Push {
  /**
   * @param {object} what
   * @param {string[]} what.watch tables to follow although the reader has no seat there
   * @param {(id: string, version: string) => void} what.onTable
   * @param {() => void} what.onLists
   * @param {(id: string, seats: number[]) => void} what.onHere
   */
  constructor({ watch, onTable, onLists, onHere }) {
    this.watch = watch;
    this.onTable = onTable;
    this.onLists = onLists;
    this.onHere = onHere;
    this.id = Math.random(); // of two leaders the one with the lower id continues
    this.leads = false;
    this.wanted = new Set(watch);
    /** @type {Map<string, string>} */
    this.versions = new Map();
    /** @type {string | null} */
    this.etag = null;
    /** @type {EventSource | null} */
    this.source = null;
    /** @type {number | undefined} */
    this.timer = undefined;
    this.channel = new BroadcastChannel(CHANNEL);
    this.channel.onmessage = ({ data }) => this.hear(data);
  }

  start() {
    addEventListener("online", () => this.leads && this.open());
    addEventListener("pagehide", () => this.leave());
    addEventListener("pageshow", ({ persisted }) => persisted && this.join());
    this.join();
  }

  /** Ask for the leader; lead if nobody answers. */
  join() {
    this.send({ type: "watch", tables: this.watch });
    this.expect(ANSWER_MS);
  }

  /** Stop when this tab is closed, or frozen by the browser. */
  leave() {
    clearTimeout(this.silence);
    if (!this.leads) return;
    this.follow();
    this.send({ type: "left" });
  }

  /**
   * Lead unless a leader sends something within some time. Tabs that begin to wait together end at different times.
   * @param {number} ms
   * @param {number} spread the largest additional time
   */
  expect(ms, spread = ms) {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.lead(), ms + Math.random() * spread);
  }

  /** @param {Message} message */
  send(message) {
    this.channel.postMessage(message);
  }

  /** @param {Message} message */
  hear(message) {
    if (message.type === "watch" && this.leads) this.take(message.tables);
    if (message.type === "leads") this.heed(message);
    if (message.type === "left" && !this.leads) this.expect(ANSWER_MS);
    if (message.type === "table") this.onTable(message.game, message.version);
    if (message.type === "lists") this.onLists();
    if (message.type === "here") this.onHere(message.game, message.seats);
  }

  // -- who leads

  /** Lead from now on, or continue to. */
  lead() {
    this.leads = true;
    this.open();
  }

  claim() {
    this.send({ type: "leads", id: this.id, tables: [...this.wanted] });
  }

  /** Stop leading, because another tab leads. */
  follow() {
    this.leads = false;
    this.source?.close();
    this.source = null;
    clearTimeout(this.timer);
    reach(this, true); // this tab doesn't report on the connection now
  }

  /**
   * Heed another tab that leads. A tab that was frozen may come back as a second leader.
   * @param {{ id: number, tables: string[] }} other
   */
  heed({ id, tables }) {
    if (this.leads && this.id < id) {
      this.claim();
      return;
    }
    if (this.leads) this.follow();
    this.expect(SILENCE_MS);
    if (!this.watch.every((table) => tables.includes(table))) this.send({ type: "watch", tables: this.watch });
  }

  /**
   * Follow these tables, too, for a tab that has no news of them yet.
   * @param {string[]} tables
   */
  take(tables) {
    const known = tables.every((table) => this.wanted.has(table));
    for (const table of tables) this.wanted.add(table);
    if (known) this.claim();
    else this.open();
    for (const [game, version] of this.versions) this.send({ type: "table", game, version });
  }

  // -- what the leader reads

  /** @param {Change | Here} change */
  tell(change) {
    if (change.type === "table") this.versions.set(change.game, change.version);
    this.send(change);
    this.hear(change);
  }

  get query() {
    return this.wanted.size ? `?watch=${encodeURIComponent([...this.wanted].join(","))}` : "";
  }

  open() {
    this.source?.close();
    clearTimeout(this.timer);
    this.timer = undefined;
    const source = new EventSource(`/events${this.query}`);
    this.source = source;
    source.addEventListener("table", ({ data }) => this.tell({ type: "table", ...JSON.parse(data) }));
    source.addEventListener("lists", () => this.tell({ type: "lists" }));
    source.addEventListener("here", ({ data }) => this.tell({ type: "here", ...JSON.parse(data) }));
    for (const sign of ["open", "ping", "table", "lists", "here"]) source.addEventListener(sign, () => this.alive());
    this.alive();
    source.onopen = () => {
      clearTimeout(this.timer);
      this.timer = undefined;
      reach(this, true);
    };
    source.onerror = () => {
      this.timer ??= setTimeout(() => this.poll(source), POLL_MS);
    };
  }

  /** Reopen a stream that is silent for too long: it is dead, though the browser hasn't noticed. */
  alive() {
    this.claim();
    this.expect(SILENCE_MS, 0);
  }

  /** @param {EventSource} source that has failed */
  async poll(source) {
    const response = await get(`/events/poll${this.query}`, { etag: this.etag }).catch(nothing);
    if (source !== this.source) return;
    this.claim();
    reach(this, response !== null);
    if (response && response.status !== 304) {
      this.etag = response.headers.get("ETag");
      const { tables } = await response.json();
      for (const [game, version] of Object.entries(tables)) {
        if (this.versions.get(game) !== version) this.tell({ type: "table", game, version });
      }
    }
    if (source.readyState === EventSource.CLOSED) this.open();
    else if (source.readyState !== EventSource.OPEN) this.timer = setTimeout(() => this.poll(source), POLL_MS);
  }
}
