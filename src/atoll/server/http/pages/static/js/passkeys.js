// Passkeys: the browser makes one for an account, or signs in with it.

import { find, findOf } from "./dom.js";
import { post, Refusal, Unreached } from "./http.js";
import { askForPasskey, hasPasskeys, makePasskey } from "./secure.js";

/**
 * Offer them if this browser has passkeys.
 * @param {HTMLElement} place
 */
export function offer(place) {
  const { passkey = "", unable = "", offline = "" } = place.dataset;
  const button = findOf(HTMLButtonElement, "[data-passkey] button");
  const say = (/** @type {string} */ text) => {
    const said = find("[data-passkey] span");
    if (said) said.textContent = text;
  };
  if (!button) return;
  if (!hasPasskeys()) {
    say(unable);
    return;
  }
  say("");
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await run(passkey);
    } catch (error) {
      if (error instanceof Refusal) say(error.message);
      else if (error instanceof Unreached) say(offline);
      else if (!(error instanceof DOMException)) throw error; // the person has canceled, or the browser refused
    } finally {
      button.disabled = false;
    }
  });
}

/** @param {string} address to which the answer of the authenticator is sent */
async function run(address) {
  const options = await (await post(`${address}/options`, {})).json();
  const found = await ("user" in options ? makePasskey(options) : askForPasskey(options));
  if (!found) return;
  const name = findOf(HTMLInputElement, ".ways [name=name]")?.value ?? "";
  const answer = JSON.stringify(found);
  const { to } = await (await post(address, { answer, name })).json();
  if (location.pathname === to.split("#")[0]) location.reload();
  else location.assign(to);
}
