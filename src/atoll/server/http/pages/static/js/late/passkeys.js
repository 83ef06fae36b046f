// Passkeys: the browser makes one for an account, or signs in with it.

import { find, findOf } from "../dom.js";
import { post, Refusal, Unreached } from "../http.js";
import { askForPasskey, canAutofill, hasPasskeys, makePasskey } from "./secure_passkeys.js";

const RENEW_MS = 240_000; // the server's challenges last five minutes

/**
 * Offer passkeys if this browser has them.
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
  /** @param {AbortSignal} [signal] */
  const attempt = async (signal) => {
    try {
      return await run(passkey, signal);
    } catch (error) {
      if (error instanceof Refusal) say(error.message);
      else if (error instanceof Unreached) say(offline);
      else if (!(error instanceof DOMException)) throw error; // the person has canceled, or the browser refused
      return false;
    }
  };
  say("");
  button.hidden = false;
  const filling = "autofill" in place.dataset ? new Autofill(attempt) : null;
  filling?.begin();
  button.addEventListener("click", async () => {
    button.disabled = true;
    filling?.end();
    try {
      if (!(await attempt())) filling?.begin();
    } finally {
      button.disabled = false;
    }
  });
}

/** Offers passkeys in the field for the mail address or the code, while nothing else requests one. */
class Autofill {
  /** @param {(signal?: AbortSignal) => Promise<boolean>} attempt */
  constructor(attempt) {
    this.attempt = attempt;
    this.asking = new AbortController();
  }

  async begin() {
    if (!(await canAutofill())) return;
    this.end();
    this.asking = new AbortController();
    this.timer = setTimeout(() => this.begin(), RENEW_MS);
    await this.attempt(this.asking.signal);
  }

  end() {
    clearTimeout(this.timer);
    this.asking.abort();
  }
}

/**
 * Return whether the server took the passkey; then another page follows.
 * @param {string} address for the answer of the authenticator
 * @param {AbortSignal} [signal] ends the offer; without it the browser asks immediately
 */
async function run(address, signal) {
  const options = await (await post(`${address}/options`, {})).json();
  const found = await ("user" in options ? makePasskey(options) : askForPasskey(options, signal));
  if (!found) return false;
  const name = findOf(HTMLInputElement, ".ways [name=name]")?.value ?? "";
  const answer = JSON.stringify(found);
  const { to } = await (await post(address, { answer, name })).json();
  if (location.pathname === to.split("#")[0]) location.reload();
  else location.assign(to);
  return true;
}
