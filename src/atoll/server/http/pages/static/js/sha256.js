// SHA-256 (FIPS 180-4) and HMAC (RFC 2104). The browser's own functions are missing without TLS, for example in a local
// network. Chance must be as fair there, and as easy to check.

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

const BLOCK = 64;
const encoder = new TextEncoder();

/**
 * Return the first 32 bits of the fractional parts of roots of the first primes.
 * @param {number} count
 * @param {number} root
 */
function fractions(count, root) {
  const found = [];
  for (let number = 2; found.length < count; number += 1) {
    let prime = true;
    for (let divisor = 2; divisor * divisor <= number; divisor += 1) prime &&= number % divisor !== 0;
    if (prime) found.push((number ** root % 1) * 2 ** 32);
  }
  return Uint32Array.from(found);
}

const ROUNDS = fractions(64, 1 / 3);
const START = fractions(8, 1 / 2);

/** @param {string} text */
export const bytesOf = (text) => encoder.encode(text);

/** @param {Uint8Array} bytes */
export const toHex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} hex */
export const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/**
 * @param {number} word
 * @param {number} by
 */
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/**
 * @param {Uint32Array} state
 * @param {DataView} data
 * @param {number} at the start of the block
 */
function takeIn(state, data, at) {
  const words = new Uint32Array(ROUNDS.length);
  for (let i = 0; i < words.length; i += 1) {
    if (i < 16) {
      words[i] = data.getUint32(at + 4 * i);
    } else {
      const [early, late] = [words[i - 15], words[i - 2]];
      const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
      const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
      words[i] = words[i - 16] + first + words[i - 7] + second;
    }
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < words.length; i += 1) {
    const chosen = (e & f) ^ (~e & g);
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen + ROUNDS[i] + words[i]) | 0;
    const major = (a & b) ^ (a & c) ^ (b & c);
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + major) | 0;
    [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] += word;
  });
}

/**
 * @param {Uint8Array} bytes
 * @returns {Bytes} 32 of them
 */
export function sha256(bytes) {
  const padded = new Uint8Array(BLOCK * Math.ceil((bytes.length + 9) / BLOCK));
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const data = new DataView(padded.buffer);
  data.setBigUint64(padded.length - 8, 8n * BigInt(bytes.length));
  const state = START.slice();
  for (let at = 0; at < padded.length; at += BLOCK) takeIn(state, data, at);
  const found = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => {
    found.setUint32(4 * i, word);
  });
  return new Uint8Array(found.buffer);
}

/**
 * @param {Uint8Array} key
 * @param {Uint8Array} message
 */
export function hmac(key, message) {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256(key) : key);
  const inner = sha256(Uint8Array.from([...block.map((byte) => byte ^ 0x36), ...message]));
  return sha256(Uint8Array.from([...block.map((byte) => byte ^ 0x5c), ...inner]));
}
