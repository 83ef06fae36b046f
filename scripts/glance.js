// What scripts/glance.py asks of a table's page.

/**
 * @param {string} selector
 * @param {ParentNode} root
 */
const every = (selector, root = document) =>
  [...root.querySelectorAll(selector)].filter((e) => e instanceof HTMLElement || e instanceof SVGElement);

/** What is in a part of a drawing that isn't displayed passes for visible, but it has no boxes. */
const isShown = (/** @type {Element} */ e) =>
  e.getClientRects().length > 0 && e.checkVisibility({ visibilityProperty: true });

/** What can be chosen: elements of the picture, and buttons; of an open dialog only its own. */
function targets() {
  const dialog = document.querySelector("dialog[open]");
  const rest = dialog ? "[data-rest] button" : "#page-rest button, #page-confirm";
  return { legal: every(".element.legal", dialog ?? document), buttons: every(rest, dialog ?? document) };
}

/**
 * @param {Element} e
 * @param {number} x
 * @param {number} y
 */
function isUncovered(e, x, y) {
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
  const top = document.elementFromPoint(x, y);
  return !top || e.contains(top) || top.contains(e);
}

/** @param {Element} e */
function isInSight(e) {
  const { left, top, width, height } = e.getBoundingClientRect();
  if (!width || !height) return false;
  const corner = isUncovered(e, left + Math.min(12, width / 2), top + Math.min(14, height / 2));
  return corner || isUncovered(e, left + width / 2, top + height / 2);
}

/**
 * What stands in another part is told by the number on that part's tab.
 * @param {Element} e
 */
function isTold(e) {
  const tabs = (e.closest("[data-tabs]")?.getAttribute("data-tabs") ?? "").split(" ");
  return tabs.some((tab) => document.querySelector(`label[data-tab="${tab}"][data-legal]`));
}

/**
 * What lies beyond an edge of a scene that is panned is told by the number there.
 * @param {Element} e
 */
function isCounted(e) {
  const room = e.closest(".scene")?.getBoundingClientRect();
  if (!room) return false;
  const box = e.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const sides = { left: x < room.left, right: x > room.right, up: y < room.top, down: y > room.bottom };
  return Object.entries(sides).some(([side, lies]) => lies && document.querySelector(`.beyond-${side}`));
}

const LEAST = 24; // px in each direction; see WCAG 2.5.8

/**
 * Whether an element is too small to be hit, and stays so.
 * @param {Element} e
 */
function isTooSmall(e) {
  const zooms = e.closest(".scene") !== null && document.querySelector(".zoom-row button") !== null;
  return sideOf(e) < LEAST && !zooms;
}

/**
 * The shorter side of an element on the screen, in pixels.
 * @param {Element} e
 */
function sideOf(e) {
  const { width, height } = e.getBoundingClientRect();
  return Math.min(width, height);
}

/** The smallest text in sight: its size in pixels on the screen, and what it says. */
function smallest() {
  const texts = every("main svg text, main p, main b, main span, main button").filter((e) => {
    const { top, bottom, width } = e.getBoundingClientRect();
    const inWindow = bottom >= 0 && top <= innerHeight && width >= 2;
    return inWindow && e.textContent.trim() && isShown(e) && !e.closest("[aria-hidden=true], .unseen, sup");
  });
  const sizes = texts.map((e) => {
    const scale = e instanceof SVGGraphicsElement ? Math.abs(e.getScreenCTM()?.a ?? 1) : 1;
    const within = e.closest("[id]")?.id ?? "";
    return { small: Number.parseFloat(getComputedStyle(e).fontSize) * scale, smallText: `${within}: ${e.textContent}` };
  });
  return sizes.reduce((least, each) => (each.small < least.small ? each : least), { small: 99, smallText: "" });
}

/** @param {Element} e */
const nameOf = (e) => e.id || e.textContent.trim();

export function look() {
  const { legal, buttons } = targets();
  const here = [...legal, ...buttons].filter(isShown);
  // What one holds in the hand just now is drawn where the hand is.
  const isThere = (/** @type {Element} */ e) => isShown(e) && !e.matches(".held");
  const dock = document.querySelector(".dock");
  const isPhone = dock !== null && getComputedStyle(dock).display === "contents";
  const own = every(isPhone ? ".goods .element" : ".dock .element").filter(isThere);
  const prompt = document.getElementById("page-prompt");
  const data = JSON.parse(document.getElementById("page-data")?.textContent ?? "{}");
  const box = document.documentElement;
  return {
    stamp: data.stamp ?? null,
    over: data.over ?? false,
    mine: data.mine ?? false,
    targets: here.length,
    seen: here.filter((e) => isInSight(e) || isCounted(e)).length,
    target: Math.min(99, ...here.filter(isInSight).map(sideOf)),
    tooSmall: here.filter((e) => isInSight(e) && isTooSmall(e)).length,
    smallTarget: nameOf(
      here.filter(isInSight).toSorted((one, other) => sideOf(one) - sideOf(other))[0] ?? document.body,
    ),
    told: legal.filter((e) => !isShown(e)).every(isTold),
    prompt: Boolean(prompt && isInSight(prompt)),
    own: own.length,
    ownSeen: own.filter(isInSight).length,
    tall: box.scrollHeight / innerHeight,
    wide: box.scrollWidth / innerWidth,
    ...smallest(),
    hidden: [...here, ...own].filter((e) => !isInSight(e) && !isCounted(e)).map(nameOf),
  };
}

/**
 * Brings what moves or fades to its end, as it would come there by itself.
 * @returns {boolean} whether nothing was under way: no command, no judging, no act that is played, nothing that moved
 */
export function settle() {
  const under = document.querySelector("#page-main[aria-busy], [data-judging], [data-following]");
  const ends = document.getAnimations().filter((each) => each.effect?.getComputedTiming().endTime !== Infinity);
  const moving = ends.filter((each) => each.playState === "running");
  for (const each of moving) each.finish();
  return !under && moving.length === 0;
}

/**
 * A click that isn't a pointer's, which would scroll to where it goes.
 * @param {number} pick 0 to 1: which of all that can be chosen
 */
export function choose(pick) {
  const { legal, buttons } = targets();
  const usable = buttons.filter((e) => !e.hasAttribute("disabled") && e.getClientRects().length > 0);
  const all = [...legal, ...usable];
  const chosen = all[Math.floor(pick * all.length)];
  const focused = document.activeElement;
  if (focused instanceof HTMLElement || focused instanceof SVGElement) focused.blur(); // else it is previewed
  chosen?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, view: window }));
}
