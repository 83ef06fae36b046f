// Chance that can be checked: each browser adds its share before the game; afterwards every draw is worked out anew.

import { post } from "./http.js";

const encoder = new TextEncoder();
const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const bytes = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** Send this browser's 32 random bytes for its seats, when the table asks for them. */
export async function contribute(table) {
  const give = async () => {
    const { data } = table;
    if (!data.contribute || table.contributing) return;
    table.contributing = true;
    const seats = document.querySelectorAll("[data-share-seat]");
    for (const { dataset } of seats) {
      const share = hex(crypto.getRandomValues(new Uint8Array(32)));
      await post(`/t/${data.table}/contribute`, { seat: dataset.shareSeat, share }).catch(() => null);
    }
    table.contributing = false;
    await table.update();
  };
  table.patched.push(give);
  await give();
}

async function hmac(key, message) {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, encoder.encode(message)));
}

async function pick(key, index, size) {
  const range = 1n << 256n;
  const limit = range - (range % BigInt(size));
  for (let attempt = 0; ; attempt += 1) {
    const number = BigInt(`0x${hex(await hmac(key, `${index}:${attempt}`))}`);
    if (number < limit) return Number(number % BigInt(size));
  }
}

function report(id, right, text) {
  const line = document.getElementById(id);
  line.className = right ? "right" : "wrong";
  line.textContent = text;
}

/** The page of a finished game: check the commitment and every draw. */
export async function verify() {
  const proof = JSON.parse(document.getElementById("page-proof").textContent);
  const texts = JSON.parse(document.getElementById("page-messages").textContent);
  if (!proof.seed) return;
  const committed = hex(await crypto.subtle.digest("SHA-256", bytes(proof.seed))) === proof.commitment;
  report("page-committed", committed, committed ? texts.commitment_right : texts.commitment_wrong);
  const message = ["atoll-chance-1", proof.table, ...proof.contributions].join("\n");
  const key = await hmac(bytes(proof.seed), message);
  let right = 0;
  for (const draw of proof.draws) {
    const found = draw.pool[await pick(key, draw.index, draw.pool.length)];
    const row = document.getElementById(`draw-${draw.index}`);
    const agrees = found === draw.outcome;
    right += agrees ? 1 : 0;
    row.querySelector("[data-verdict]").textContent = agrees ? texts.draw_right : texts.draw_wrong;
    row.className = agrees ? "right" : "wrong";
  }
  const all = right === proof.draws.length;
  const text = (all ? texts.all_right : texts.some_wrong).replace("{right}", right).replace("{all}", proof.draws.length);
  report("page-verdict", all && committed, text);
}
