// On a phone, shows a new message of the chat over the table for a moment, where it covers no legal element.

import { all, byId, find } from "./dom.js";

/**
 * @import { Thing } from "./dom.js"
 * @import { Tabletop } from "./tabletop.js"
 */

const PHONE = matchMedia("(--phone)");

/** @param {Thing} message */
const numberOf = (message) => Number(message.id.slice("chat-".length));

const messages = () => all("#page-chat li[id]");

export class ChatNotes {
  /** @param {Tabletop} table */
  constructor(table) {
    this.table = table;
    this.last = Math.max(-1, ...messages().map(numberOf));
    table.patched.push(() => this.look());
  }

  look() {
    const coming = messages().filter((message) => numberOf(message) > this.last);
    this.last = Math.max(this.last, ...coming.map(numberOf));
    const newest = coming.findLast((message) => !message.classList.contains("mine"));
    const chat = byId("page-chat");
    if (!newest || !PHONE.matches || "muted" in chat.dataset) return;
    if (chat.checkVisibility({ visibilityProperty: true })) return;
    const name = find("b", newest)?.textContent ?? "";
    const options = find(".about-it", newest)?.textContent ?? "";
    const text = newest.textContent.slice(name.length, newest.textContent.lastIndexOf(options)).trim();
    this.table.hint.note(`\u2068${name}\u2069: \u2068${text}\u2069`); // each in its own direction
  }
}
