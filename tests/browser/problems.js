// What is wrong with a page's lay-out, in words; each check gives a list.

// What lies above the rest for a while.
const ABOVE = "[data-own], .notices, .sheet, .panel, .score > .commands";

/** @param {string} selector */
const elements = (selector) => [...document.querySelectorAll(selector)];

/** @param {Element} e */
function isSeen(e) {
  const shown = e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  return shown && e.getClientRects().length > 0 && !e.closest(".unseen, dialog:not([open])");
}

export function sideways() {
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth > clientWidth ? [`${scrollWidth} > ${clientWidth}`] : [];
}

/** Tables and the like that are read only by scrolling sideways in their own box. */
export function scrolls() {
  return elements(".scroller")
    .filter((e) => isSeen(e) && e.scrollWidth > e.clientWidth)
    .map((e) => `${e.scrollWidth} > ${e.clientWidth}: ${e.getAttribute("aria-label") ?? e.outerHTML.slice(0, 90)}`);
}

/**
 * What is seen of an element: its box as far as nothing around it that scrolls or hides cuts it off.
 * @param {Element} e
 */
function seenBox(e) {
  let { left, top, right, bottom } = e.getBoundingClientRect();
  for (let around = e.parentElement; around && around !== document.body; around = around.parentElement) {
    if (getComputedStyle(around).overflow === "visible" || around.closest("svg")) continue;
    const room = around.getBoundingClientRect();
    [left, top] = [Math.max(left, room.left), Math.max(top, room.top)];
    [right, bottom] = [Math.min(right, room.right), Math.min(bottom, room.bottom)];
  }
  return { left, top, right, bottom };
}

/**
 * What an element lies in that is above the rest: a sheet; buttons are one where there is no strip for them.
 * @param {Element} e
 */
function above(e) {
  const buttons = e.closest(".choices");
  const sheet = buttons && getComputedStyle(buttons).position !== "static" ? buttons : null;
  return sheet ?? e.closest(ABOVE);
}

/** Boxes that people tell apart must not lie on each other; the cards of a fan or in the dock may. */
export function overlap() {
  const kinds = `.mast a, .mast button, main h1, main h2, main h3, main .prompt, main button, main .button, main input,
    main select, main summary, main .fact, main .note, main .log li, main .chat li, main .drawing, main .card, main td,
    main th, main p, main dt, main dd`;
  const boxes = elements(kinds)
    .filter(isSeen)
    .map((e) => ({ e, box: seenBox(e), above: above(e), fan: e.closest(".fan, .own .drawings") }));
  /** @type {string[]} */
  const found = [];
  boxes.forEach((a, i) => {
    for (const b of boxes.slice(i + 1)) {
      if (a.e.contains(b.e) || b.e.contains(a.e) || a.above !== b.above || (a.fan && a.fan === b.fan)) continue;
      const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (wide > 1.5 && high > 1.5) found.push(`${a.e.outerHTML.slice(0, 90)} ON ${b.e.outerHTML.slice(0, 90)}`);
    }
  });
  return found;
}

export function clipped() {
  const isCut = (/** @type {Element} */ e) => {
    const style = getComputedStyle(e);
    const hides = ["hidden", "clip"].includes(style.overflowX) || style.textOverflow === "ellipsis";
    return hides && e.clientWidth > 1 && e.scrollWidth > e.clientWidth + 1;
  };
  return elements("main *, .mast *")
    .filter((e) => isSeen(e) && !e.closest("svg, select, input") && isCut(e))
    .map((e) => e.outerHTML.slice(0, 120));
}

/** A card of a fan reaches under the next one. */
export function outside() {
  return elements("main .drawing text")
    .filter((text) => {
      const home = text.closest(".drawing")?.getBoundingClientRect();
      if (!home || !text.textContent.trim() || text.closest("[data-own], .fan") || !isSeen(text)) return false;
      const box = text.getBoundingClientRect();
      const sides = box.left < home.left - 1.5 || box.right > home.right + 1.5;
      return sides || box.top < home.top - 3 || box.bottom > home.bottom + 3;
    })
    .map((text) => text.textContent.trim().slice(0, 60));
}

/** What is hidden from screen readers is decoration, with its meaning told elsewhere. */
export function small() {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    const text = walker.currentNode.nodeValue?.trim();
    // What is in a part of a drawing that isn't displayed passes for visible, but it has no boxes.
    if (!text || !e?.closest("main") || !e.checkVisibility() || !e.getClientRects().length) continue;
    if (e.closest("[aria-hidden=true], .unseen, script, sup")) continue;
    const scale = (e instanceof SVGGraphicsElement && Math.abs(e.getScreenCTM()?.a ?? 1)) || 1;
    const size = Number.parseFloat(getComputedStyle(e).fontSize) * scale;
    if (size < 13.9) found.push(`${size.toFixed(1)} px: ${text.slice(0, 60)}`);
  }
  return found;
}

export function targets() {
  const kinds = "main button, main .button, main input:not([type=hidden]), main select, main .element[role=button]";
  const least = (/** @type {Element} */ e) =>
    e.closest("svg") || e.matches("[type=checkbox], [type=radio]") ? 20 : 24;
  return elements(kinds)
    .filter(isSeen)
    .map((e) => ({ e, box: e.getBoundingClientRect() }))
    .filter(({ e, box }) => Math.min(box.width, box.height) < least(e))
    .map(({ e, box }) => `${box.width.toFixed(0)} x ${box.height.toFixed(0)}: ${e.outerHTML.slice(0, 100)}`);
}
