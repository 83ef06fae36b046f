// What this browser remembers; where nothing can be stored, it remembers as long as the page is open.

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
