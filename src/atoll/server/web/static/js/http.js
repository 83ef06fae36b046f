// Requests to the server: fragments of pages and JSON, with its refusals as errors that can be shown.

import { findOf } from "./dom.js";

const TOO_OFTEN = 429;
const FAILED = 500;

/** The server refused, and said why in a sentence. */
export class Refusal extends Error {
  /**
   * @param {string} text
   * @param {number} status
   */
  constructor(text, status) {
    super(text);
    this.passes = status === TOO_OFTEN || status >= FAILED; // the same may be done later
  }
}

/** How far this device's time is behind the server's, in ms, as its last answer told. */
export const time = { behind: 0 };

/** @param {Response} response */
async function answer(response) {
  const told = Date.parse(response.headers.get("date") ?? "");
  if (told) time.behind = told - Date.now();
  if (response.ok || response.status === 304) return response;
  // An answer that isn't ours has no text: its status is all there is to tell.
  const { text } = await response.json().catch(() => ({ text: response.statusText }));
  throw new Refusal(text, response.status);
}

/**
 * @param {string} address
 * @param {{ signal?: AbortSignal, etag?: string | null, blocks?: string }} options blocks: that needn't be sent
 */
export async function get(address, { signal, etag, blocks } = {}) {
  const headers = { "X-Fragment": "1", ...(etag && { "If-None-Match": etag }), ...(blocks && { "X-Blocks": blocks }) };
  return answer(await fetch(address, { headers, ...(signal && { signal }) }));
}

/**
 * @param {string} address
 * @param {Record<string, string>} fields
 * @param {string} blocks that needn't be sent
 */
export async function post(address, fields, blocks = "") {
  const csrf = findOf(HTMLMetaElement, "meta[name=csrf]")?.content ?? "";
  const headers = { "X-Fragment": "1", "X-CSRF": csrf, "X-Blocks": blocks };
  return answer(await fetch(address, { method: "POST", body: new URLSearchParams(fields), headers }));
}
