// Announcements: sentences that are seen or heard, new lines of the log, and a call when it is the reader's turn.

import { allOf, byId } from "./dom.js";
import { isFromServer, Refusal, Unreached } from "./http.js";
import { playSound } from "./sound.js";

/** @import { Tabletop } from "./tabletop.js" */

export class News {
  /** @param {Tabletop} table */
  constructor(table) {
    this.table = table;
  }

  /**
   * Announce a sentence to screen readers.
   * @param {string} text
   */
  say(text) {
    const live = byId("page-live");
    live.textContent = "";
    live.textContent = text;
  }

  /**
   * Show and announce a sentence.
   * @param {string} text
   */
  tell(text) {
    this.say(text);
    this.table.hint.note(text);
  }

  /**
   * Tell why a request failed; report a fault of our own.
   * @param {unknown} error
   */
  fail(error) {
    if (isFromServer(error)) this.tell(this.sentence(error));
    else reportError(error);
  }

  /**
   * Return the sentence for a failed request; rethrow a fault of our own.
   * @param {unknown} error
   */
  sentence(error) {
    if (error instanceof Refusal) return error.message;
    if (error instanceof Unreached) return this.table.texts.offline;
    throw error;
  }

  /** Return the lines of the log, the newest first, by id. */
  lines() {
    return new Map(allOf(HTMLElement, "#page-log li").map((line) => [line.id, line.textContent.trim()]));
  }

  /**
   * Announce new lines, and call the player who is asked now.
   * @param {Map<string, string>} heard the lines of the log before
   * @param {boolean} asked whether it was this seat's turn before
   */
  announce(heard, asked) {
    const { mine, over } = this.table.data;
    const lines = [...this.lines()].filter(([id]) => !heard.has(id)).map(([, text]) => text);
    lines.reverse();
    if (mine || over) lines.push(byId("page-prompt").textContent.trim());
    if (lines.length) this.say(lines.join(" "));
    if (mine && !asked) this.call();
  }

  /** Call a player who is asked and may be looking elsewhere. */
  call() {
    playSound("turn");
  }

  /**
   * Mark the seats whose players have this table open, too; see page-here in table_main.html.jinja.
   * @param {number[]} seats
   */
  here(seats) {
    this.table.root.dataset.here = seats.join(" ");
    const told = byId("page-here");
    const names = seats.map((seat) => this.table.data.names[seat]).join(", ");
    told.textContent = names && (told.dataset.told ?? "").replace("{names}", names);
  }

  title() {
    const plain = document.title.replace(/^● .*? – /, "");
    document.title = this.table.data.mine ? `● ${this.table.texts.your_turn} – ${plain}` : plain;
  }
}
