// Requests to the server: fragments of pages and JSON, with its refusals as errors that can be shown.

export class Refusal extends Error {
  constructor(text, status, code) {
    super(text);
    this.status = status;
    this.code = code;
  }
}

const csrf = () => document.querySelector("meta[name=csrf]").content;

async function answer(response) {
  if (response.ok || response.status === 304) return response;
  let refusal = { text: document.body.dataset.offline ?? response.statusText, code: "" };
  try {
    refusal = await response.json();
  } catch {
    // an answer that isn't ours: its status is all there is to tell
  }
  throw new Refusal(refusal.text, response.status, refusal.code);
}

export async function get(address, { signal, etag } = {}) {
  const headers = { "X-Fragment": "1" };
  if (etag) headers["If-None-Match"] = etag;
  return answer(await fetch(address, { headers, signal }));
}

export async function post(address, fields) {
  const body = new URLSearchParams(fields);
  return answer(await fetch(address, { method: "POST", body, headers: { "X-Fragment": "1", "X-CSRF": csrf() } }));
}

/** A random text by which the server knows a repeated command. */
export const newKey = () => crypto.randomUUID().replaceAll("-", "");
