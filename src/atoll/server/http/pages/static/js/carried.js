// Addresses and codes for other devices and people: copied, shared with the device's own sheet, or invite links made in
// place.

import { byId, find, findOf, must, onClick } from "./dom.js";
import { post } from "./http.js";
import { canShare, copyComing, copyField, share } from "./secure.js";

/** @import { Thing } from "./dom.js" */

/** Return whether to share with the device's own sheet instead of copying: that is so with a finger. */
const shares = () => canShare() && matchMedia("(pointer: coarse)").matches;

/** @param {Thing} button next to the field */
const fieldOf = (button) =>
  must(findOf(HTMLInputElement, "[data-copy]", must(button.closest(".carried"), "place")), "field");

/** @param {Thing} button */
async function copy(button) {
  if (await copyField(fieldOf(button))) done(button);
}

/** @param {Thing} button that copies */
function done(button) {
  button.textContent = button.dataset.done ?? "";
}

/** @param {Thing} button */
const offer = (button) => share({ text: button.dataset.text ?? "", url: fieldOf(button).value });

/**
 * Make the invite link that the button's form would show on another page, and show it in the button's place.
 * @param {HTMLButtonElement} button
 */
async function invite(button) {
  const form = must(button.form, "form of the button");
  const place = byId(must(button.dataset.invites, "place of the link"));
  const part = (/** @type {string} */ name) => must(find(`[data-${name}]`, place), name);
  const asked = post(new URL(form.action).pathname, { [button.name]: button.value });
  const made = asked.then((answer) => answer.json());
  const copying = copyComing(made.then((answer) => String(answer.link)));
  const field = must(findOf(HTMLInputElement, "[data-copy]", place), "field");
  const { link, code } = await made;
  field.value = link;
  part("code").innerHTML = code;
  place.hidden = false;
  if (shares()) offer(part("shares"));
  const copied = (await copying) || (await copyField(field));
  if (copied) done(part("copies"));
  part("copied").toggleAttribute("hidden", !copied);
  part("made").toggleAttribute("hidden", copied);
  byId("page-live").textContent = part(copied ? "copied" : "made").textContent;
}

/** @param {(error: unknown) => void} fail reports why a link couldn't be made */
export function listenToCarried(fail) {
  const { dataset } = document.documentElement;
  dataset.copying = "";
  if (shares()) dataset.sharing = "";
  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLInputElement && "copy" in target.dataset) target.select();
  });
  onClick("[data-copies]", copy);
  onClick("[data-shares]", offer);
  onClick("[data-invites]", (button, event) => {
    if (!(button instanceof HTMLButtonElement)) return;
    event.preventDefault();
    invite(button).catch(fail);
  });
}
