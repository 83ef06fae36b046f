// Sheets over the table: folds close at a click elsewhere. Another button shows the buttons that don't fit into the
// strip, and a click opens a sentence that is cut there.

import { all, allOf, find, hit, onClick } from "./dom.js";

/** @import { Thing } from "./dom.js" */

const SENTENCES = "#page-prompt, .said";

const openFolds = () => allOf(HTMLDetailsElement, "details[data-closes][open]");

/**
 * Close sheets and the folds in them. A focus inside one returns to the opener.
 * @param {(fold: HTMLDetailsElement) => boolean} which
 */
export function closeSheets(which = () => true) {
  for (const fold of openFolds().filter(which)) {
    const inside = fold.contains(document.activeElement);
    for (const each of [fold, ...allOf(HTMLDetailsElement, "details", fold)]) each.open = false;
    if (inside) find("summary", fold)?.focus();
  }
}

/** @param {Thing} sentence */
const isCut = (sentence) => sentence.scrollHeight > sentence.clientHeight + 4;

/** Set a sentence of the strip smaller if it doesn't fit. If it still doesn't, a click can open it. */
export function fitSentences() {
  for (const sentence of all(SENTENCES)) {
    if (sentence.getAttribute("aria-expanded") === "true") continue;
    sentence.classList.remove("long");
    sentence.classList.toggle("long", isCut(sentence));
    if (!isCut(sentence)) continue;
    sentence.dataset.cut = "";
    sentence.tabIndex = 0;
    sentence.role = "button";
    sentence.setAttribute("aria-expanded", "false");
  }
}

/** @param {Thing | null} cut the sentence to open, or to close if it is open; all others are closed */
function toggleSentence(cut) {
  for (const sentence of all("[data-cut]")) {
    const opens = sentence === cut && sentence.getAttribute("aria-expanded") === "false";
    sentence.setAttribute("aria-expanded", String(opens));
  }
}

/**
 * Show the button for all buttons of the strip if some don't fit. Amounts need more room than the strip has; on a phone
 * the scene gives it to them.
 */
export function fit() {
  fitSentences();
  const [rest, more] = [find("#page-rest"), find("#page-more")];
  if (!rest || !more) return;
  const amounts = find(".stepper", rest) ? rest.getBoundingClientRect().height / (rest.currentCSSZoom ?? 1) : 0;
  rest.closest("main")?.style.setProperty("--amounts", `${amounts}px`);
  const opened = rest.classList.contains("opened");
  const bottom = rest.getBoundingClientRect().bottom;
  for (const child of rest.children) child.classList.toggle("beyond", child.getBoundingClientRect().top >= bottom);
  more.toggleAttribute("hidden", !opened && rest.scrollHeight <= rest.clientHeight + 4);
  more.setAttribute("aria-expanded", String(opened));
}

export function listenToSheets() {
  document.addEventListener("click", (event) => {
    const { target } = event;
    toggleSentence(hit(event, "[data-cut]"));
    closeSheets((fold) => !(target instanceof Node && fold.contains(target)));
    const more = target instanceof Element && target.closest("#page-more");
    if (!more) find("#page-rest.opened")?.classList.remove("opened");
    fit();
  });
  onClick("#page-more", () => {
    find("#page-rest")?.classList.toggle("opened");
    fit();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") closeSheets();
    const cut = event.key === "Enter" ? hit(event, "[data-cut]") : null;
    if (cut || event.key === "Escape") toggleSentence(cut);
  });
  addEventListener("resize", fit);
}
