// Requests to the server, for fragments of pages and JSON. Its refusals are errors with a text that can be shown. Any
// other error is a fault of our own scripts, and must not look like a fault of the network.

import { findOf } from "./dom.js";

const TOO_OFTEN = 429;
const FAILED = 500;

/** The server refused a request, and gave the reason in a sentence. */
export class Refusal extends Error {
  /**
   * @param {string} text
   * @param {number} status
   */
  constructor(text, status) {
    super(text);
    this.passes = status === TOO_OFTEN || status >= FAILED; // whether the same request may succeed later
  }
}

/** The server can't be reached, or its answer broke off. */
export class Unreached extends Error {}

/**
 * @param {unknown} error
 * @returns {boolean}
 */
export const isFromServer = (error) => error instanceof Refusal || error instanceof Unreached;

/**
 * Ignore the failure of a request that may fail. Rethrow a fault of our own.
 * @param {unknown} error
 */
export function nothing(error) {
  if (isFromServer(error)) return null;
  throw error;
}

const ROUNDED_MS = 1500; // the server's time is rounded to seconds, and takes a while to arrive

// The server's time, and the age of the page at that time. The device's clock may be wrong, and may jump.
const known = { server: Number(findOf(HTMLMetaElement, "meta[name=now]")?.content ?? Number.NaN), at: sentAt() };

/** Return the age of the page in ms when its first byte came: its server time is of that moment. */
function sentAt() {
  const [opened] = performance.getEntriesByType("navigation");
  return opened && "responseStart" in opened ? Number(opened.responseStart) : 0;
}

/** Return the server's time now, in ms since 1970; NaN if it is unknown. */
export const serverNow = () => known.server + performance.now() - known.at;

/** @param {Request} request */
async function reach(request) {
  try {
    const response = await fetch(request);
    const body = await response.arrayBuffer();
    return new Response(body.byteLength ? body : null, response);
  } catch (error) {
    throw new Unreached(String(error));
  }
}

/** @param {Request} request */
async function answer(request) {
  const response = await reach(request);
  const told = Date.parse(response.headers.get("date") ?? "");
  if (told && !(Math.abs(told - serverNow()) < ROUNDED_MS))
    Object.assign(known, { server: told, at: performance.now() });
  if (response.ok || response.status === 304) return response;
  // An answer that isn't ours has no text, only its status.
  const { text } = await response.json().catch(() => ({ text: response.statusText }));
  throw new Refusal(text, response.status);
}

/**
 * @typedef {object} Has the parts that a page has already
 * @property {string} [fragments] the digests of fragments that needn't be sent
 * @property {string} [since] the moment after which acts are to be sent
 * @property {string} [heard] the first line of the record that is to be sent
 */

/** @param {Has} has */
const headersOf = ({ fragments, since, heard }) => ({
  "X-Fragments": fragments ?? "",
  ...(since && { "X-Since": since }),
  ...(heard && { "X-Heard": heard }),
});

/**
 * @param {string} address
 * @param {Has & { signal?: AbortSignal, etag?: string | null }} options
 */
export function get(address, { signal, etag, ...has } = {}) {
  const headers = { ...headersOf(has), ...(etag && { "If-None-Match": etag }) };
  return answer(new Request(address, { headers, ...(signal && { signal }) }));
}

/**
 * @param {string} address
 * @param {Record<string, string>} fields
 * @param {Has} has
 * @param {boolean} keepalive whether to send it even if the page is left meanwhile
 */
export function post(address, fields, has = {}, keepalive = false) {
  const csrf = findOf(HTMLMetaElement, "meta[name=csrf]")?.content ?? "";
  const headers = { ...headersOf(has), "X-CSRF": csrf };
  return answer(new Request(address, { method: "POST", body: new URLSearchParams(fields), headers, keepalive }));
}
