// Addresses and codes that are carried elsewhere: copied, shared by what the device has for that, and invite links made
// at the place.

import { byId, find, findOf, must, onClick } from "./dom.js";
import { post } from "./http.js";

/** @import { Thing } from "./dom.js" */

/** Whether people share by the device's own sheet rather than by copying: with a finger. */
const shares = () => "share" in navigator && matchMedia("(pointer: coarse)").matches;

/** @param {Thing} button beside the field */
const fieldOf = (button) =>
  must(findOf(HTMLInputElement, "[data-copy]", must(button.closest(".carried"), "place")), "field");

/** @param {Thing} button */
function copy(button) {
  const field = fieldOf(button);
  navigator.clipboard.writeText(field.value).then(
    () => done(button),
    () => field.select(),
  );
}

/** @param {Thing} button that copies */
function done(button) {
  button.textContent = button.dataset.done ?? "";
}

/** @param {Thing} button */
function share(button) {
  const { text = "" } = button.dataset;
  navigator.share({ text, url: fieldOf(button).value }).catch(() => null); // closed again, or there is nobody to share with
}

/**
 * Copy what is still to come: some browsers let a page write only at once, while its button is being pressed.
 * @param {Promise<string>} text
 */
async function copyComing(text) {
  if (!navigator.clipboard) return false;
  const blob = text.then((found) => new Blob([found], { type: "text/plain" }));
  blob.catch(() => null); // whoever makes the text hears why it doesn't come
  try {
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
    return true;
  } catch {
    return false;
  }
}

/**
 * Make the link that the button's form would show on a page of its own, and show it in its place here.
 * @param {HTMLButtonElement} button
 */
async function invite(button) {
  const form = must(button.form, "form of the button");
  const place = byId(must(button.dataset.invites, "place of the link"));
  const part = (/** @type {string} */ name) => must(find(`[data-${name}]`, place), name);
  const asked = post(new URL(form.action).pathname, { [button.name]: button.value });
  const link = asked.then((answer) => answer.json()).then((answer) => String(answer.link));
  const copying = copyComing(link);
  must(findOf(HTMLInputElement, "[data-copy]", place), "field").value = await link;
  place.hidden = false;
  if (shares()) share(part("shares"));
  const copied = await copying;
  if (copied) done(part("copies"));
  part("copied").toggleAttribute("hidden", !copied);
  part("made").toggleAttribute("hidden", copied);
  byId("page-live").textContent = part(copied ? "copied" : "made").textContent;
}

/** @param {(error: unknown) => void} fail tells why a link couldn't be made */
export function listenToCarried(fail) {
  const { dataset } = document.documentElement;
  if (navigator.clipboard) dataset.copying = "";
  if (shares()) dataset.sharing = "";
  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLInputElement && "copy" in target.dataset) target.select();
  });
  onClick("[data-copies]", copy);
  onClick("[data-shares]", share);
  onClick("[data-invites]", (button, event) => {
    if (!(button instanceof HTMLButtonElement)) return;
    event.preventDefault();
    invite(button).catch(fail);
  });
}
