// Lets this browser be told of things by its push service.

import { find, findOf } from "./dom.js";
import { canPush, subscribe } from "./secure.js";

/**
 * Offer it if this browser can.
 * @param {HTMLElement} place
 */
export function offer(place) {
  const button = findOf(HTMLButtonElement, `#${place.id} button`);
  const { push = "", unable = "", denied = "" } = place.dataset;
  if (!button) return;
  const say = (/** @type {string} */ text) => {
    const said = find(`#${place.id} span`);
    if (said) said.textContent = text;
  };
  if (!canPush()) {
    say(unable);
    return;
  }
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      const made = await subscribe(push);
      if (!made) {
        say(denied);
        return;
      }
      await send(made);
      location.reload();
    } catch {
      say(unable);
    }
  });
}

/** @param {PushSubscription} made */
async function send(made) {
  const { endpoint = "", keys = {} } = made.toJSON();
  const csrf = findOf(HTMLMetaElement, "meta[name=csrf]")?.content ?? "";
  const fields = { csrf, kind: "push", url: endpoint, p256dh: keys.p256dh ?? "", auth: keys.auth ?? "" };
  const answer = await fetch("/settings/notices", { method: "POST", body: new URLSearchParams(fields) });
  if (!answer.ok) throw new Error(`${answer.status}`);
}
