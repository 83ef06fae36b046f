// The page that judges the chance of a finished game: the verdict, its evidence, and every draw.

import { offerDigest, termsDigest } from "../chance_protocol.js";
import { hear, recall, unfinished } from "../chance_record.js";
import { byId, find, findOf, html, must } from "../dom.js";
import { get, nothing } from "../http.js";
import { judge, judgeDraws, readerRecord } from "./chance_check.js";

/**
 * @import { ChanceProof, ReaderRecord } from "../sent.d.ts"
 * @import { Kept } from "../chance_record.js"
 * @import { Verdict } from "./chance_check.js"
 */

/**
 * @param {string} text
 * @param {Record<string, string | number>} fields
 */
const filled = (text, fields) => text.replace(/\{(\w+)\}/g, (all, name) => String(fields[name] ?? all));

/**
 * Request the rest of the record, offer this browser's data to other judges, and judge.
 * @param {ChanceProof} proof
 */
export async function showVerdict(proof) {
  const { table, address } = proof;
  const { fairness } = proof;
  if (fairness.seed) await hearRest(address, table).catch(nothing);
  const kept = recall(table);
  offerFile(table, kept);
  if (!fairness.seed || !fairness.offer || !fairness.terms || !fairness.shares || !fairness.draws) return;
  const { record, last } = readerRecord(proof.answers, kept.record?.seats ?? []);
  /** @type {[unknown[], unknown][]} */
  const draws = fairness.draws.map(({ pool, outcome }) => [pool, outcome]);
  const { offer, terms, seals, seed, shares, names } = fairness;
  const file = { offer, terms, seals, seed, shares, names, draws, record, last, rules: false };
  const found = judge(file, kept);
  showFindings(proof, found);
  if (found.missing[0]?.evidence === "form") return;
  judgeDraws(file, termsDigest(offerDigest(offer), terms, seals)).forEach((fits, index) => {
    const row = find(`#draw-${index}`);
    row?.setAttribute("class", fits ? "proven" : "wrong");
    const cell = row && find("[data-verdict]", row);
    if (cell) cell.textContent = fits ? proof.texts.draw_fits : proof.texts.draw_differs;
  });
}

/**
 * @param {string} address
 * @param {string} table
 */
async function hearRest(address, table) {
  const first = recall(table).record?.lines ?? 0;
  /** @type {ReaderRecord} */
  const told = await (await get(`${address}/record?first=${first}`)).json();
  if (told.table === table && told.terms) hear(table, told, { live: false, over: true });
}

/**
 * Offer this browser's data as a file, and send it to the judge of this server.
 * @param {string} table
 * @param {Kept} kept
 */
function offerFile(table, kept) {
  const text = JSON.stringify(kept);
  const field = findOf(HTMLInputElement, "#page-kept");
  if (field) field.value = text;
  const save = findOf(HTMLButtonElement, "#page-save-kept");
  if (!save) return;
  save.hidden = false;
  save.addEventListener("click", () => {
    const file = new Blob([text], { type: "application/json" });
    const link = html("a", { href: URL.createObjectURL(file), download: `${table}.kept.json` });
    link.click();
    URL.revokeObjectURL(link.href);
  });
}

/**
 * @param {ChanceProof} proof
 * @param {Verdict} found
 */
function showFindings({ table, texts }, { value, missing }) {
  const verdict = byId("page-verdict");
  verdict.className = value;
  verdict.textContent = texts[value];
  const others = unfinished(table);
  const more = others ? [filled(texts[others > 1 ? "unfinished_more" : "unfinished_one"], { n: others })] : [];
  byId("page-checks").replaceChildren(
    ...missing.map(({ evidence, reason, fields }) =>
      html("li", { className: value, textContent: filled(must(texts[`${evidence}.${reason}`], evidence), fields) }),
    ),
    ...more.map((textContent) => html("li", { textContent })),
  );
}
