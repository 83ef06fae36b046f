// Clicks on a table's page: on elements of the picture, on dialogs and folds, and on forms, which are sent as commands.

import { byId, find, findOf, hit, must, onClick } from "./dom.js";
import { sendDraft } from "./drafts.js";
import { get, nothing } from "./http.js";
import { namesOf } from "./lights.js";
import { closeSheets } from "./sheets.js";

/**
 * @import { Thing } from "./dom.js"
 * @import { Tabletop } from "./tabletop.js"
 */

const NO_BOARD = "a, button, dialog, input, label, summary, .element"; // elements have a listener of their own
const SENDS = "#page-main .element, form[data-command] button, [data-texts], [data-submit]";

/** Show the dialog that lists all keys. */
export const showKeys = () => must(findOf(HTMLDialogElement, "#page-keys"), "#page-keys").showModal();

/**
 * Show or hide the rule behind the question, and once it is loaded the whole section with its tables and pictures.
 * @param {Thing} opener
 * @param {MouseEvent} event
 */
async function toggleRule(opener, event) {
  event.preventDefault();
  const text = byId("page-rule");
  text.hidden = !text.hidden;
  opener.setAttribute("aria-expanded", String(!text.hidden));
  if (text.hidden) return;
  const section = must(find("[data-section]", text), "section of the rule");
  const answer = await get(section.dataset.section ?? "").catch(nothing); // the text itself is there already
  if (!answer) return;
  section.innerHTML = await answer.text();
  find(".wanted", section)?.scrollIntoView({ block: "nearest" });
}

/** Close the open rule and return the focus to its opener. */
function closeRule() {
  const [text, opener] = [findOf(HTMLElement, "#page-rule:not([hidden])"), findOf(HTMLElement, "[data-rule]")];
  if (!text || !opener) return;
  if (text.contains(document.activeElement)) opener.focus();
  text.hidden = true;
  opener.setAttribute("aria-expanded", "false");
}

/** The elements that Escape closes, or steps back from, before it closes a bot's advice. */
const NEARER = "dialog[open], details[data-closes][open], #page-rule:not([hidden]), #page-hint:not([hidden])";

/**
 * Close the advice of a bot or the coach on the open turn.
 * @param {Tabletop} table
 */
function dismiss(table) {
  if (!find("#page-advised, #page-caution") || find(NEARER) || table.chooses || table.follow.holding) return;
  table.command("dismiss");
}

/** @param {Tabletop} table */
export function listen(table) {
  document.addEventListener("click", (event) => swallow(table, event), { capture: true });
  onClick("#page-main .element", (element) => {
    table.keyboard.at(element);
    table.picture.activate(element);
  });
  // A click on the board while an earlier picture is shown skips the rest.
  onClick(".scene", (_scene, event) => table.follow.holding && !hit(event, NO_BOARD) && table.follow.player.skip());
  onClick("[data-close]", (closer) => closer.closest("dialog")?.close());
  onClick("[data-rule]", toggleRule);
  onClick("[data-rule-close]", closeRule);
  document.addEventListener("pointerdown", (event) => !hit(event, "#page-rule, [data-rule]") && closeRule());
  document.addEventListener("keydown", (event) => event.key === "Escape" && closeRule());
  // In the capture phase, before other listeners have closed nearer elements.
  document.addEventListener("keydown", (event) => event.key === "Escape" && dismiss(table), true);
  onClick("[data-keys]", showKeys);
  onClick("[data-again]", () => table.follow.repeat());
  // The page behind the curtain has the table's address, so that a reload closes it again.
  onClick("[data-lift]", (link, event) => {
    event.preventDefault();
    table.update(Number(link.dataset.lift));
  });
  onClick("#page-log a", (link, event) => touchLine(table, link, event));
  document.addEventListener("submit", (event) => submit(table, event));
  // A dialog's "close" doesn't bubble.
  document.addEventListener("close", (event) => hit(event, "[data-opens]") && table.unpick(), true);
  document.addEventListener("visibilitychange", () => table.follow.seen());
}

/**
 * Ignore the second click of a double click while the command of the first one is under way.
 * @param {Tabletop} table
 * @param {MouseEvent} event
 */
function swallow(table, event) {
  if (!table.busy || event.detail < 2 || !hit(event, SENDS)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/**
 * Show the places of a line of the log under a finger. The line stays readable, and leads to its moment.
 * @param {Tabletop} table
 * @param {Thing} link
 * @param {MouseEvent} event
 */
function touchLine(table, link, event) {
  const touched = event instanceof PointerEvent && event.pointerType === "touch";
  if (!touched || !(link instanceof HTMLAnchorElement)) return;
  if (!table.follow.lights.point(namesOf(link.closest("li")))) return;
  event.preventDefault();
  table.hint.note(link.textContent, { href: link.href, text: table.texts.player.look });
}

/**
 * @param {Tabletop} table
 * @param {SubmitEvent} event
 */
function submit(table, event) {
  const form = event.target;
  if (!(form instanceof HTMLFormElement && form.dataset.command)) return;
  event.preventDefault();
  const fields = [...new FormData(form, event.submitter)].filter(([name]) => name !== "csrf");
  const sent = table.command(
    form.dataset.command,
    Object.fromEntries(fields.map(([name, value]) => [name, String(value)])),
  );
  if (form.closest("#page-menu")) closeSheets();
  sendDraft(form, sent);
}
