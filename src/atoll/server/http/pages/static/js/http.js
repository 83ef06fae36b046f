// Requests to the server: fragments of pages and JSON, with its refusals as errors that can be shown. Other errors than
// these two are faults of our own scripts, and nobody may take them for a fault of the network.

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

/** The server can't be reached, or its answer broke off. */
export class Unreached extends Error {}

/**
 * @param {unknown} error
 * @returns {boolean}
 */
export const isFromServer = (error) => error instanceof Refusal || error instanceof Unreached;

/**
 * For requests that may fail: nothing came of one. A fault of our own is thrown on.
 * @param {unknown} error
 */
export function nothing(error) {
  if (isFromServer(error)) return null;
  throw error;
}

const ROUNDED_MS = 1500; // the time of an answer is a whole second, and was on its way for a while

// The server's time, and how long the page was open then. The device's clock may be wrong, and may jump.
const known = { server: Number(findOf(HTMLMetaElement, "meta[name=now]")?.content ?? Number.NaN), at: sentAt() };

/** How long the page was open, in ms, when its first byte came: the server's time in it is of that moment. */
function sentAt() {
  const [opened] = performance.getEntriesByType("navigation");
  return opened && "responseStart" in opened ? Number(opened.responseStart) : 0;
}

/** The server's time now, in ms since 1970; NaN where it hasn't been told. */
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
  // An answer that isn't ours has no text: its status is all there is to tell.
  const { text } = await response.json().catch(() => ({ text: response.statusText }));
  throw new Refusal(text, response.status);
}

/**
 * @typedef {object} Has what a page has already
 * @property {string} [fragments] that needn't be sent
 * @property {string} [since] the moment after which acts are to be sent
 * @property {string} [heard] the line of the record from which on it is to be sent
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
 * @param {boolean} keepalive also when the page is left meanwhile
 */
export function post(address, fields, has = {}, keepalive = false) {
  const csrf = findOf(HTMLMetaElement, "meta[name=csrf]")?.content ?? "";
  const headers = { ...headersOf(has), "X-CSRF": csrf };
  return answer(new Request(address, { method: "POST", body: new URLSearchParams(fields), headers, keepalive }));
}
