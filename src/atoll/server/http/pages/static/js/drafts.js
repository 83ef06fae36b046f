// Drafts: typed texts are stored on this device for the account, and restored when their field is on the page again.
// Notes are also sent to the server when their field is left or the page is hidden.

import { allOf, find, findOf } from "./dom.js";
import { nothing, post } from "./http.js";
import { parse } from "./morph.js";
import { forget, store, stored } from "./storage.js";

/**
 * @import { Tabletop } from "./tabletop.js"
 * @typedef {HTMLInputElement | HTMLTextAreaElement} Field
 */

const NOTES = "textarea[data-draft]";

/** Return the beginning of the names of all drafts of the account. */
export const draftsOfAccount = () => `draft.${document.body.dataset.account}.`;

/** @param {Field} field */
const nameOf = (field) => `${draftsOfAccount()}${find("[data-table]")?.dataset.table}.${field.dataset.draft}`;

/**
 * Return the target of an event if it is a field of drafts, or null.
 * @param {unknown} target
 */
function asField(target) {
  const isTyped = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  return isTyped && target.dataset.draft ? target : null;
}

/**
 * Store the text of a field, unless the server has it.
 * @param {Field} field
 */
function keep(field) {
  const { defaultValue: from, value: words } = field;
  if (words === from) forget(nameOf(field));
  else store(nameOf(field), JSON.stringify({ from, words }));
}

/**
 * Restore the text of a field. If the server has another text by now, the field gets both.
 * @param {Field} field
 */
function giveBack(field) {
  const draft = stored(nameOf(field));
  if (!draft || field.value !== field.defaultValue) return;
  const { from, words } = JSON.parse(draft);
  const isOlder = field.defaultValue !== from && field.defaultValue !== words;
  field.value = isOlder ? `${field.defaultValue}\n${words}` : words;
  keep(field);
}

/**
 * Clear the line of a sent text. Notes stay, and a text that the server didn't take remains a draft.
 * @param {HTMLFormElement} form
 * @param {Promise<boolean>} sent
 */
export async function sendDraft(form, sent) {
  const field = asField(form.elements.namedItem("text"));
  if (!field) return;
  const words = field.value;
  if (!field.matches(NOTES)) field.value = "";
  if (!(await sent)) field.value ||= words;
  else if (field.value === words) field.value = field.defaultValue; // as the server has cleaned them
  keep(field);
}

export class Drafts {
  /** @param {Tabletop} table */
  constructor(table) {
    this.table = table;
    /** @type {WeakSet<Field>} fields that were restored */
    this.known = new WeakSet();
    table.patched.push(() => this.look());
    this.look();
    document.addEventListener("input", ({ target }) => {
      const field = asField(target);
      if (field) keep(field);
    });
    document.addEventListener("change", ({ target }) => this.save(asField(target)));
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) for (const field of allOf(HTMLTextAreaElement, NOTES)) this.save(field);
    });
  }

  look() {
    for (const field of [...allOf(HTMLInputElement, "[data-draft]"), ...allOf(HTMLTextAreaElement, NOTES)]) {
      if (this.known.has(field)) continue;
      this.known.add(field);
      giveBack(field);
    }
  }

  /**
   * Send notes while other commands are under way. If that fails, they remain a draft.
   * @param {Field | null} field
   */
  async save(field) {
    if (!field?.matches(NOTES) || !field.form || field.value === field.defaultValue) return;
    const words = field.value;
    const sent = await post(field.form.action, { text: words }, { fragments: this.table.server.fragments }, true).catch(
      nothing,
    );
    if (!sent) return;
    const page = parse(await sent.text(), "page-main");
    field.defaultValue = (page && findOf(HTMLTextAreaElement, NOTES, page)?.defaultValue) ?? words;
    if (field.value === words && field !== document.activeElement) field.value = field.defaultValue;
    keep(field);
  }
}
