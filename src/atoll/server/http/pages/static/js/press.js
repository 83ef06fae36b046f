// Presses of a finger or a mouse button. The page stays as it is until the release, since a click on an element that
// has gone meanwhile would reach nothing.

const LONGEST_MS = 1500; // a finger may rest
const CLICK_MS = 50; // a browser may click some time after a finger is lifted

/** @type {Promise<void> | null} */
let pressed = null;
/** @type {() => void} */
let release = () => {};

function press() {
  if (pressed) return;
  /** @type {Promise<void>} */
  const own = new Promise((done) => {
    release = () => {
      if (pressed === own) pressed = null; // an earlier press may have its time-out now
      done();
    };
  });
  pressed = own;
  setTimeout(release, LONGEST_MS);
}

/** Wait until nothing is pressed, and the pressed element has had its click. */
export async function released() {
  while (pressed) await pressed;
}

export function listenToPresses() {
  document.addEventListener("pointerdown", press, true);
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, () => setTimeout(release, CLICK_MS), true);
  }
}
