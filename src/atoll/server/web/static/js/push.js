// News from the server. All tabs of a browser share one stream: the tab that holds the lock reads it and tells the
// others, since a browser opens only six connections to a server. Without a stream the leader asks now and then.

import { get } from "./http.js";
import { reach } from "./reach.js";

const LOCK = "atoll-stream";
const POLL_MS = 3000;
const SILENCE_MS = 40_000; // the server says something every 15 seconds

/**
 * What tabs tell each other: a table or the lists have changed; who follows which tables, and that somebody asks.
 * @typedef {{ type: "table", game: string, version: string } | { type: "lists" }} Change
 * @typedef {Change | { type: "watch", tables: string[] } | { type: "who" }} Message
 */

export class Push {
  /**
   * @param {object} what
   * @param {string[]} what.watch tables that are followed though one has no seat at them
   * @param {(id: string, version: string) => void} what.onTable
   * @param {() => void} what.onLists
   */
  constructor({ watch, onTable, onLists }) {
    this.watch = watch;
    this.onTable = onTable;
    this.onLists = onLists;
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
    this.channel = new BroadcastChannel(LOCK);
    this.channel.onmessage = ({ data }) => this.hear(data);
  }

  start() {
    this.send({ type: "watch", tables: this.watch });
    if (navigator.locks) navigator.locks.request(LOCK, () => new Promise(() => this.lead()));
    else this.lead();
  }

  /** @param {Message} message */
  send(message) {
    this.channel.postMessage(message);
  }

  /** @param {Message} message */
  hear(message) {
    if (message.type === "watch" && this.leads) {
      const known = message.tables.every((table) => this.wanted.has(table));
      for (const table of message.tables) this.wanted.add(table);
      if (!known) this.open();
      for (const [game, version] of this.versions) this.send({ type: "table", game, version });
    }
    if (message.type === "who" && this.watch.length) this.send({ type: "watch", tables: this.watch });
    if (message.type === "table") this.onTable(message.game, message.version);
    if (message.type === "lists") this.onLists();
  }

  lead() {
    this.leads = true;
    this.send({ type: "who" });
    addEventListener("online", () => this.open());
    this.open();
  }

  /** @param {Change} change */
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
    const source = new EventSource(`/events${this.query}`);
    this.source = source;
    source.addEventListener("table", ({ data }) => this.tell({ type: "table", ...JSON.parse(data) }));
    source.addEventListener("lists", () => this.tell({ type: "lists" }));
    for (const sign of ["open", "ping", "table", "lists"]) source.addEventListener(sign, () => this.alive());
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

  /** A stream that says nothing any more is dead, though nobody has told the browser. */
  alive() {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.open(), SILENCE_MS);
  }

  /** @param {EventSource} source that is out of order */
  async poll(source) {
    try {
      const response = await get(`/events/poll${this.query}`, { etag: this.etag });
      reach(this, true);
      if (response.status !== 304) {
        this.etag = response.headers.get("ETag");
        const { tables } = await response.json();
        for (const [game, version] of Object.entries(tables)) {
          if (this.versions.get(game) !== version) this.tell({ type: "table", game, version });
        }
      }
    } catch {
      reach(this, false); // the next round tries again
    }
    if (source.readyState === EventSource.CLOSED) this.open();
    else if (source.readyState !== EventSource.OPEN) this.timer = setTimeout(() => this.poll(source), POLL_MS);
  }
}
