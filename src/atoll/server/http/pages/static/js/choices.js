// The meaning of the picture's elements: the legal choices that a click can stand for, and the remaining ones. A
// pattern is the text form of a choice in which `*` is any part; an element may have several, separated by `;`.

/** @import { LegalRow } from "./sent.d.ts" */

/** @typedef {{ choice: number, text: string, words: string, parts: string[], split: string[] }} Option a legal choice */

/**
 * @param {LegalRow[]} rows
 * @returns {Option[]}
 */
export function readLegal(rows) {
  return rows.map(([choice, text, words, parts]) => ({ choice, text, words, parts, split: text.split(" ") }));
}

/**
 * @param {string} pattern
 * @param {Option} option
 */
export function matches(pattern, option) {
  const wanted = pattern.split(" ");
  return wanted.length === option.split.length && wanted.every((part, i) => part === "*" || part === option.split[i]);
}

/**
 * Return the options for which one of an element's patterns stands.
 * @param {string} patterns
 * @param {Option[]} options
 */
export function meant(patterns, options) {
  const list = patterns
    .split(";")
    .map((pattern) => pattern.trim())
    .filter(Boolean);
  return options.filter((option) => list.some((pattern) => matches(pattern, option)));
}

/** A step by step selection among the legal choices. */
export class Selection {
  /** @param {Option[]} legal */
  constructor(legal) {
    this.legal = legal;
    /** @type {{ id: string, options: Set<Option> }[]} */
    this.picks = [];
  }

  get left() {
    return this.picks.reduce((options, pick) => options.filter((option) => pick.options.has(option)), this.legal);
  }

  /**
   * Return the options that would remain after a pick: those still open, otherwise all (then it replaces the earlier
   * picks).
   * @param {string} patterns
   */
  after(patterns) {
    const now = meant(patterns, this.left);
    if (now.length) return { options: now, replaces: false };
    return { options: meant(patterns, this.legal), replaces: true };
  }

  /**
   * @param {string} id of the picked element; "" if none was
   * @param {Option[]} options
   * @param {boolean} replaces the earlier picks
   */
  pick(id, options, replaces) {
    if (replaces) this.picks = [];
    this.picks.push({ id, options: new Set(options) });
  }

  /** @param {string} id */
  has(id) {
    return this.picks.some((pick) => pick.id === id);
  }

  /**
   * Take back the pick of one element, or all.
   * @param {string} id
   */
  drop(id = "") {
    this.picks = id ? this.picks.filter((pick) => pick.id !== id) : [];
  }

  /**
   * Return the options that need buttons: those that no element distinguishes from others. For a half-made choice these
   * are all the rest, since the elements of its other half may lie in another part of the table.
   * @param {string[]} elements the patterns of each
   */
  worded(elements) {
    const left = this.left;
    if (this.picks.length) return left;
    const reached = new Set();
    for (const patterns of elements) {
      const found = meant(patterns, left);
      if (found.length < left.length) for (const option of found) reached.add(option);
    }
    return left.filter((option) => !reached.has(option));
  }
}

/**
 * Return the settled half of a choice, and the missing half that each option adds.
 * @param {Option[]} left
 * @returns {{ settled: string, missing: string[] }} in words; settled: "" where the options differ in kind
 */
export function halves(left) {
  const [{ split, parts }] = left;
  const alike = left.every((option) => option.split[0] === split[0] && option.split.length === split.length);
  const differs = parts.map((_part, i) => left.some((option) => option.split[i + 1] !== split[i + 1]));
  const missing = left.map((option) => option.parts.filter((_part, i) => differs[i]).join(" "));
  const told = new Set(missing);
  if (!alike || told.size < left.length || told.has(""))
    return { settled: "", missing: left.map(({ words }) => words) };
  return { settled: parts.filter((_part, i) => !differs[i]).join(" "), missing };
}

/**
 * Return the buttons for options: one each if they are few, otherwise one for each value of the first part that
 * differs.
 * @param {Option[]} options
 * @param {number} most
 */
export function group(options, most) {
  const depth = options.length > most ? Math.max(...options.map((option) => option.split.length)) : 0;
  for (let part = 0; part < depth; part += 1) {
    const byValue = Map.groupBy(options, (option) => option.split[part] ?? "");
    if (byValue.size > 1) {
      return [...byValue.values()].map((found) => {
        const [{ words, parts }] = found;
        return { label: found.length > 1 && part ? parts[part - 1] : words, options: found };
      });
    }
  }
  return options.map((option) => ({ label: option.words, options: [option] }));
}
