// Lets this browser be told of things by its push service.

import { find, findOf } from "./dom.js";
import { post, Refusal, Unreached } from "./http.js";
import { canPush, subscribe } from "./secure.js";

/**
 * Offer it if this browser can.
 * @param {HTMLElement} place
 */
export function offer(place) {
  const button = findOf(HTMLButtonElement, `#${place.id} button`);
  const { push = "", unable = "", denied = "", offline = "" } = place.dataset;
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
    } catch (error) {
      if (error instanceof Refusal) say(error.message);
      else if (error instanceof Unreached) say(offline);
      else if (error instanceof DOMException) say(unable);
      else throw error;
    }
  });
}

/** @param {PushSubscription} made */
async function send(made) {
  const { endpoint = "", keys = {} } = made.toJSON();
  await post("/settings/notices", { kind: "push", url: endpoint, p256dh: keys.p256dh ?? "", auth: keys.auth ?? "" });
}
