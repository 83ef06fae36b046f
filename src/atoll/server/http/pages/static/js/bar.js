// The decision bar: buttons for choices without an element in the picture, and for dialogs that contain such elements.

import { group, halves } from "./choices.js";
import { all, allOf, button, byId, find, html } from "./dom.js";
import { holdFocus } from "./focus.js";

/**
 * @import { Option } from "./choices.js"
 * @import { Tabletop } from "./tabletop.js"
 */

const MOST_BUTTONS = 12;
const MOST_NAMED = 6;

/**
 * Return the kinds of choices that are made in a dialog.
 * @param {HTMLDialogElement} dialog
 */
const kindsOf = (dialog) => (dialog.dataset.opens ?? "").split(" ");

/** @param {Option[]} options */
const textsOf = (options) => options.map((option) => option.text).join(";");

export class Bar {
  /** @param {Tabletop} table */
  constructor(table) {
    this.table = table;
    this.opened = ""; // the decision and dialog that were opened automatically
    /** @type {Map<string, HTMLButtonElement>} the buttons of the game's own tools, by kind of choices */
    this.served = new Map();
  }

  get element() {
    return byId("page-rest");
  }

  /**
   * @param {Option[]} options that need buttons
   */
  offer(options) {
    const { panel, picture, selection, texts, root } = this.table;
    const bar = this.element;
    this.ask();
    const giveBack = holdFocus();
    for (const rest of all("[data-rest]", root)) if (!panel || rest !== bar) rest.replaceChildren();
    if (panel) {
      panel.draw();
      return;
    }
    for (const dialog of allOf(HTMLDialogElement, "dialog[data-opens]", root)) this.offerDialog(dialog);
    const open = picture.dialog();
    const place = (open && find("[data-rest]", open)) ?? bar;
    const shown = open ? options.filter((option) => kindsOf(open).includes(option.split[0])) : options;
    for (const [kind, made] of this.served) {
      const own = shown.filter((option) => option.split[0] === kind);
      made.dataset.texts = textsOf(own);
      if (own.length) place.append(made);
    }
    const others = shown.filter((option) => !this.served.has(option.split[0]));
    for (const { label, options: found } of this.grouped(others)) place.append(this.optionButton(label, found));
    if (selection.picks.length) place.append(button(texts.unpick, () => this.table.unpick(), "quiet"));
    giveBack();
  }

  /**
   * Return buttons for options. The buttons of a half-made choice name only the missing half, because the prompt has
   * the other one.
   * @param {Option[]} options
   */
  grouped(options) {
    const groups = group(options, MOST_BUTTONS);
    const { left, picks } = this.table.selection;
    if (!picks.length || groups.length < left.length) return groups;
    const { missing } = halves(left);
    return groups.map((each) => ({ ...each, label: missing[left.indexOf(each.options[0])] }));
  }

  /** Let the prompt name both halves of a half-made choice: the settled one, and the missing one. */
  ask() {
    const prompt = byId("page-prompt");
    find("[data-own]", prompt)?.remove();
    const { left, picks } = this.table.selection;
    if (!picks.length) return;
    const { settled, missing } = halves(left);
    const list = new Intl.ListFormat(document.documentElement.lang, { type: "disjunction" });
    const named = missing.length > MOST_NAMED ? this.table.left() : `${list.format(missing)}?`;
    const before = settled && `${settled}: `;
    const said = html("span", { className: "now", textContent: `${before}${named} ` });
    said.dataset.own = "";
    prompt.prepend(said); // a long question is cut at its end
  }

  /**
   * Offer one button for all choices of a kind, which the game's own tools make.
   * @param {string} kind
   * @param {() => void} act makes the choice that the tools show
   */
  serve(kind, act) {
    const made = button("", act, "strong");
    made.dataset.serves = kind;
    this.served.set(kind, made);
    return made;
  }

  /**
   * @param {string} label
   * @param {Option[]} options
   * @param {() => void} act
   */
  optionButton(label, options, act = () => this.table.take(options)) {
    const made = button(label, act);
    made.dataset.texts = textsOf(options);
    const preview = () => options.length === 1 && this.table.preview.start(options[0].choice);
    const stop = () => this.table.preview.stop();
    for (const begin of ["pointerenter", "focus"]) made.addEventListener(begin, preview);
    for (const end of ["pointerleave", "blur"]) made.addEventListener(end, stop);
    return made;
  }

  /** @param {HTMLDialogElement} dialog */
  offerDialog(dialog) {
    const { selection, data } = this.table;
    const inside = selection.left.filter((option) => kindsOf(dialog).includes(option.split[0]));
    if (!inside.length) {
      if (dialog.open) dialog.close();
      return;
    }
    const opener = button(dialog.dataset.title ?? "", () => this.open(dialog));
    opener.setAttribute("aria-haspopup", "dialog");
    this.element.append(opener);
    const once = data.stamp + dialog.id;
    const isAll = inside.length === selection.left.length;
    if (!isAll || dialog.open || this.opened === once || !this.table.opensDialogs()) return;
    this.opened = once;
    this.open(dialog);
  }

  /** @param {HTMLDialogElement} dialog */
  open(dialog) {
    dialog.showModal();
    this.table.picture.dress();
  }
}
