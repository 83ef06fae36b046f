// Sheets that lie over the table: those of folds close when one clicks elsewhere; buttons that don't fit into the
// strip are behind another.

import { allOf, find, onClick } from "./dom.js";

const openFolds = () => allOf(HTMLDetailsElement, "details[data-closes][open]");

/** @param {(fold: HTMLDetailsElement) => boolean} which */
function close(which) {
  for (const fold of openFolds()) if (which(fold)) fold.open = false;
}

/** Whether some of the strip's buttons don't fit: then there is one that shows all. */
export function fit() {
  const [rest, more] = [find("#page-rest"), find("#page-more")];
  if (!rest || !more) return;
  const opened = rest.classList.contains("opened");
  const bottom = rest.getBoundingClientRect().bottom;
  for (const child of rest.children) child.classList.toggle("beyond", child.getBoundingClientRect().top >= bottom);
  more.toggleAttribute("hidden", !opened && rest.scrollHeight <= rest.clientHeight + 4);
  more.setAttribute("aria-expanded", String(opened));
}

export function listenToSheets() {
  document.addEventListener("click", ({ target }) => {
    close((fold) => !(target instanceof Node && fold.contains(target)));
    const more = target instanceof Element && target.closest("#page-more");
    if (!more) find("#page-rest.opened")?.classList.remove("opened");
    fit();
  });
  onClick("#page-more", () => {
    find("#page-rest")?.classList.toggle("opened");
    fit();
  });
  document.addEventListener("keydown", ({ key }) => key === "Escape" && close(() => true));
  addEventListener("resize", fit);
}
