// Soft sounds of acts at a table, at the volume of this device. A new browser is silent until somebody clicks, and
// there is no sound if the reader wants less motion. The sounds are loaded when the first one is played.

import { allOf } from "./dom.js";
import { isStill } from "./motion.js";
import { store, stored } from "./storage.js";

/** @import { Sound } from "./sent.d.ts" */

const NAME = "atoll volume";
const USUAL = 40; // of 100
const SLIDER = "input[data-volume]";

let touched = stored(NAME) !== null;
/** @type {Promise<typeof import("/static/js/late/sounds.js") | null> | null} */
let loading = null;

const volumeNow = () => Number(stored(NAME) ?? USUAL);

/** Set the sliders on the page to this device's volume. */
export function dressVolume() {
  for (const slider of allOf(HTMLInputElement, SLIDER)) slider.value = String(volumeNow());
}

/** Listen to clicks, which allow sounds, and to changes of the volume. */
export function listenToVolume() {
  dressVolume();
  for (const event of ["pointerdown", "keydown"]) document.addEventListener(event, touch, { capture: true });
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement && target.matches(SLIDER))) return;
    store(NAME, target.value);
    dressVolume();
    playSound("piece");
  });
}

function touch() {
  if (touched) return;
  touched = true;
  store(NAME, String(volumeNow()));
}

async function load() {
  try {
    return await import("/static/js/late/sounds.js");
  } catch {
    loading = null; // the server can't be reached: the next sound tries again
    return null;
  }
}

/**
 * Play a sound, if the reader wants it.
 * @param {Sound} name
 */
export async function playSound(name) {
  const volume = volumeNow();
  if (!name || !touched || volume === 0 || isStill()) return;
  loading ??= load();
  const sounds = await loading;
  sounds?.play(name, volume / 100);
}
