// Chance that can be checked: each browser adds its share before the game; afterwards every draw is worked out anew.

import { all, byId, find, readJson } from "./dom.js";
import { post } from "./http.js";

/**
 * @import { Messages, Proof } from "./sent.d.ts"
 * @import { Tabletop } from "./tabletop.js"
 * @typedef {Uint8Array<ArrayBuffer>} Bytes
 */

const encoder = new TextEncoder();

/** @param {Bytes} bytes */
const toHex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} hex */
const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

let contributing = false;

/**
 * Send this browser's 32 random bytes for each of its seats that the table asks for them.
 * @param {Tabletop} table
 */
export async function contribute(table) {
  if (contributing) return;
  contributing = true;
  for (const { dataset } of all("[data-share-seat]")) {
    const share = toHex(crypto.getRandomValues(new Uint8Array(32)));
    const fields = { seat: dataset.shareSeat ?? "", share };
    await post(`/t/${table.data.table}/contribute`, fields).catch(() => null); // the server's own share is enough
  }
  contributing = false;
  await table.update();
}

/**
 * @param {Bytes} key
 * @param {string} message
 */
async function hmac(key, message) {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, encoder.encode(message)));
}

/**
 * @param {Bytes} key
 * @param {number} index of the draw
 * @param {number} size of its pool
 */
async function pick(key, index, size) {
  const range = 1n << 256n;
  const limit = range - (range % BigInt(size));
  for (let attempt = 0; ; attempt += 1) {
    const number = BigInt(`0x${toHex(await hmac(key, `${index}:${attempt}`))}`);
    if (number < limit) return Number(number % BigInt(size));
  }
}

/**
 * @param {Element | null} row
 * @param {Element | null} verdict
 * @param {boolean} right
 * @param {string} text
 */
function report(row, verdict, right, text) {
  row?.setAttribute("class", right ? "right" : "wrong");
  if (verdict) verdict.textContent = text;
}

/** The page of a finished game: check the commitment and every draw. */
export async function verify() {
  /** @type {Proof} */
  const proof = readJson("page-proof");
  /** @type {Messages} */
  const texts = readJson("page-messages");
  if (!proof.seed || !proof.draws || !proof.contributions) return;
  const seed = fromHex(proof.seed);
  const committed = toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", seed))) === proof.commitment;
  const line = byId("page-committed");
  report(line, line, committed, committed ? texts.commitment_right : texts.commitment_wrong);
  const key = await hmac(seed, ["atoll-chance-1", proof.table, ...proof.contributions].join("\n"));
  let right = 0;
  for (const { index, pool, outcome } of proof.draws) {
    const agrees = pool[await pick(key, index, pool.length)] === outcome;
    right += Number(agrees);
    const row = find(`#draw-${index}`);
    report(row, row && find("[data-verdict]", row), agrees, agrees ? texts.draw_right : texts.draw_wrong);
  }
  const every = right === proof.draws.length;
  const text = every ? texts.all_right : texts.some_wrong;
  const said = text.replace("{right}", String(right)).replace("{all}", String(proof.draws.length));
  const verdict = byId("page-verdict");
  report(verdict, verdict, every && committed, said);
}
