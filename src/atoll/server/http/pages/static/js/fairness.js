// The page that shows whether chance came as it was fixed: every check with its outcome, and every draw.

import { byId, find, findOf, html, readJson } from "./dom.js";
import { recall } from "./kept.js";
import { check, judgeDraws, worst } from "./proof.js";

/** @import { Proof } from "./sent.d.ts" */

/**
 * @param {string} text
 * @param {Record<string, string | number>} fields
 */
const filled = (text, fields) => text.replace(/\{(\w+)\}/g, (all, name) => String(fields[name] ?? all));

/** Check all that can be, and offer what this browser has kept as a file, for other judges. */
export function showProof() {
  /** @type {Proof} */
  const proof = readJson("page-proof");
  const kept = recall(proof.table);
  const save = findOf(HTMLButtonElement, "#page-save-kept");
  if (save) {
    save.hidden = false;
    save.addEventListener("click", () => {
      const file = new Blob([JSON.stringify(kept)], { type: "application/json" });
      const link = html("a", { href: URL.createObjectURL(file), download: `${proof.table}.kept.json` });
      link.click();
      URL.revokeObjectURL(link.href);
    });
  }
  if (!proof.seed) return;
  /** @type {Record<string, string>} */
  const texts = { ...proof.texts };
  const findings = check(proof, kept);
  byId("page-checks").replaceChildren(
    ...findings.map(({ key, state, fields }) =>
      html("li", { className: state, textContent: filled(texts[key], fields) }),
    ),
  );
  judgeDraws(proof).forEach((right, i) => {
    const row = find(`#draw-${proof.draws[i].index}`);
    row?.setAttribute("class", right ? "right" : "wrong");
    const verdict = row && find("[data-verdict]", row);
    if (verdict) verdict.textContent = right ? texts.draw_right : texts.draw_wrong;
  });
  const verdict = byId("page-verdict");
  verdict.className = worst(findings);
  verdict.textContent = texts[`verdict_${verdict.className}`];
}
