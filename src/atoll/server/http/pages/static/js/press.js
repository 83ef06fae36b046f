// Presses of a finger or a mouse button. The page isn't changed until the release, since a click on a removed element
// would have no effect.

const LONGEST_MS = 1500; // for a resting finger
const CLICK_MS = 50; // delay of a browser's click after the release

/** @type {Promise<void> | null} */
let pressed = null;
/** @type {() => void} */
let release = () => {};

function press() {
  if (pressed) return;
  /** @type {Promise<void>} */
  const own = new Promise((done) => {
    release = () => {
      if (pressed === own) pressed = null; // an earlier press may end by its timeout now
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
