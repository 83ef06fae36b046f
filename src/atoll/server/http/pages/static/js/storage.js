// This browser's storage; if nothing can be stored, values last as long as the page is open.

/** @type {Map<string, string>} */
const unstored = new Map();

/** @param {string} name */
export function stored(name) {
  if (unstored.has(name)) return unstored.get(name) ?? null;
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** @param {string} name */
export function forget(name) {
  unstored.delete(name);
  try {
    localStorage.removeItem(name);
  } catch {
    // nothing is stored
  }
}

/**
 * Forget everything stored under names with this beginning.
 * @param {string} start
 */
export function forgetAll(start) {
  let names = [...unstored.keys()];
  try {
    names = [...names, ...Object.keys(localStorage)];
  } catch {
    // nothing is stored
  }
  for (const name of names) if (name.startsWith(start)) forget(name);
}

/**
 * @param {string} name
 * @param {string} text
 */
export function store(name, text) {
  try {
    localStorage.setItem(name, text);
    unstored.delete(name);
  } catch {
    unstored.set(name, text);
  }
}
