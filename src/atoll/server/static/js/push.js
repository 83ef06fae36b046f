// News from the server. All tabs of a browser share one stream: the tab that holds the lock reads it and tells the
// others, since a browser opens only six connections to a server. Without a stream the leader asks now and then.

import { get } from "./http.js";

const LOCK = "atoll-stream";
const POLL_MS = 3000;

/** Calls `onTable(id, version)` and `onLists()` when something changed; `watch` are tables looked at as a spectator. */
export class Push {
  constructor({ watch, onTable, onLists }) {
    this.watch = watch;
    this.onTable = onTable;
    this.onLists = onLists;
    this.leads = false;
    this.wanted = new Set(watch);
    this.versions = new Map();
    this.channel = new BroadcastChannel(LOCK);
    this.channel.onmessage = ({ data }) => this.hear(data);
  }

  start() {
    this.channel.postMessage({ type: "watch", tables: this.watch });
    if (!navigator.locks) {
      this.lead();
      return;
    }
    navigator.locks.request(LOCK, () => new Promise(() => this.lead()));
  }

  hear(message) {
    if (message.type === "watch" && this.leads) {
      const known = [...message.tables].every((table) => this.wanted.has(table));
      for (const table of message.tables) this.wanted.add(table);
      if (!known) this.open();
      for (const [game, version] of this.versions) this.channel.postMessage({ type: "table", game, version });
    }
    if (message.type === "who" && this.watch.length) this.channel.postMessage({ type: "watch", tables: this.watch });
    if (message.type === "table") this.onTable(message.game, message.version);
    if (message.type === "lists") this.onLists();
  }

  lead() {
    this.leads = true;
    this.channel.postMessage({ type: "who" });
    this.open();
  }

  tell(message) {
    if (message.type === "table") this.versions.set(message.game, message.version);
    this.channel.postMessage(message);
    this.hear(message);
  }

  get query() {
    return this.wanted.size ? `?watch=${encodeURIComponent([...this.wanted].join(","))}` : "";
  }

  open() {
    this.source?.close();
    clearTimeout(this.timer);
    this.source = new EventSource(`/events${this.query}`);
    this.source.addEventListener("table", ({ data }) => this.tell({ type: "table", ...JSON.parse(data) }));
    this.source.addEventListener("lists", () => this.tell({ type: "lists" }));
    this.source.onopen = () => {
      clearTimeout(this.timer);
      this.timer = null;
    };
    this.source.onerror = () => {
      if (!this.timer) this.timer = setTimeout(() => this.poll(), POLL_MS);
    };
  }

  async poll() {
    try {
      const response = await get(`/events/poll${this.query}`, { etag: this.etag });
      if (response.status !== 304) {
        this.etag = response.headers.get("ETag");
        const { tables } = await response.json();
        for (const [game, version] of Object.entries(tables)) {
          if (this.versions.get(game) !== version) this.tell({ type: "table", game, version });
        }
      }
    } catch {
      // the server is away; the next round tries again
    }
    if (this.source.readyState === EventSource.CLOSED) this.open();
    else if (this.source.readyState !== EventSource.OPEN) this.timer = setTimeout(() => this.poll(), POLL_MS);
  }
}
