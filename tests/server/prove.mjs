// Judges proofs as the page does: reads a list of [proof, kept] from stdin and writes the findings on each.

import { createHash, createHmac } from "node:crypto";
import { argv, stdin, stdout } from "node:process";
import { pathToFileURL } from "node:url";

const scripts = pathToFileURL(`${argv[2]}/`);
const { check, worst } = await import(new URL("proof.js", scripts));
const { bytesOf, hmac, sha256, toHex } = await import(new URL("sha256.js", scripts));

const texts = ["", "abc", "ü€😀", "x".repeat(55), "x".repeat(56), "x".repeat(64), "x".repeat(1000)];
const hashes = texts.every(
  (text) =>
    toHex(sha256(bytesOf(text))) === createHash("sha256").update(text).digest("hex") &&
    toHex(hmac(bytesOf(text), text)) === createHmac("sha256", text).update(text).digest("hex"),
);
let given = "";
for await (const part of stdin.setEncoding("utf-8")) given += part;
const judged = JSON.parse(given).map(([proof, kept]) => {
  const findings = check(proof, kept);
  return { findings, verdict: worst(findings) };
});
stdout.write(JSON.stringify({ hashes, judged }));
