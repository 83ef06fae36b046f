// Watches a table's page for three faults: a picture of a moment that is followed by one of an earlier moment, a choice or
// line that belongs to a later moment than the picture, and a click on the picture that has no answer.

/**
 * @typedef {object} Seen
 * @property {string[]} wrong
 * @property {number} pictures
 * @property {number} clicks
 * @property {string[]} open ids of elements that were clicked and have no answer yet
 * @property {Record<string, number>} answers
 */
(() => {
  /** @type {Seen} */
  const seen = { wrong: [], pictures: 0, clicks: 0, open: [], answers: {} };
  Object.assign(window, { seen });
  let shown = -1;
  let said = "";

  /** @param {Element | null} element */
  const isVisible = (element) => element?.checkVisibility({ visibilityProperty: true }) ?? false;

  function look() {
    const root = document.getElementById("page-regions");
    const data = document.getElementById("page-data");
    if (!data || !root || !isVisible(document.getElementById("page-stage"))) return;
    const { sequence } = JSON.parse(data.textContent);
    const at = Number(root.dataset.at);
    if (at < shown) seen.wrong.push(`the picture went from moment ${shown} back to ${at}`);
    if (at !== shown) seen.pictures += 1;
    shown = at;
    if (at === sequence) return;
    const lines = document.querySelectorAll("#page-log > li:not(.coming)");
    const early = [
      ...document.querySelectorAll(".element.legal, #page-result, #page-prompt, #page-confirm, #page-list"),
      ...[...lines].filter((line) => Number(line.getAttribute("data-at")) > at),
    ].filter(isVisible);
    for (const each of early) seen.wrong.push(`at moment ${at} of ${sequence} there is ${each.outerHTML.slice(0, 90)}`);
  }

  /** @param {string} kind */
  function answer(kind) {
    seen.answers[kind] = (seen.answers[kind] ?? 0) + seen.open.length;
    seen.open = [];
  }

  /** Note a message that has come since the last click. */
  function listen() {
    const sheet = document.getElementById("page-hint");
    if (!sheet || sheet.hidden || sheet.textContent === said) return;
    said = sheet.textContent;
    answer("told");
  }

  const follows = () => "following" in document.body.dataset;

  /** @param {MutationRecord} change */
  const picks = ({ target, oldValue }) =>
    target instanceof Element && /\bpicked\b/.test(oldValue ?? "") !== target.classList.contains("picked");

  const { fetch } = window;
  window.fetch = (...given) => {
    const [request] = given;
    if (request instanceof Request && request.method === "POST" && !request.url.endsWith("/check")) answer("sent");
    return fetch(...given);
  };
  const listenTo = (/** @type {MouseEvent} */ { target }) => {
    const element = target instanceof Element && target.closest("#page-regions .element[data-choice]");
    if (!element) return;
    seen.clicks += 1;
    said = "";
    seen.open.push(element.id);
    if (!follows()) return;
    setTimeout(() => {
      if (!follows()) answer("skipped"); // the click has put an earlier picture away: the present is its answer
    });
  };
  addEventListener("click", listenTo, true);
  new MutationObserver((changes) => {
    look();
    listen();
    if (changes.some((change) => change.attributeName === "class" && picks(change))) answer("picked");
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeOldValue: true });
})();
