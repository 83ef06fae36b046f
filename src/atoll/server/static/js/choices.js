// What elements of the picture mean: which of the legal choices a click can stand for, and what is left to decide.
// A pattern is the text form of a choice in which `*` is any part; an element may have several, separated by `;`.

/** Legal choices from the page's data: [choice, text, words, parts of the words]. */
export function readLegal(rows) {
  return rows.map(([choice, text, words, parts]) => ({ choice, text, words, parts, split: text.split(" ") }));
}

export function matches(pattern, option) {
  const wanted = pattern.split(" ");
  return wanted.length === option.split.length && wanted.every((part, i) => part === "*" || part === option.split[i]);
}

/** Those of the options that one of an element's patterns stands for. */
export function meant(patterns, options) {
  const list = patterns.split(";").map((pattern) => pattern.trim()).filter(Boolean);
  return options.filter((option) => list.some((pattern) => matches(pattern, option)));
}

/** A step by step selection among the legal choices. */
export class Selection {
  constructor(legal) {
    this.legal = legal;
    this.picks = [];
  }

  get left() {
    return this.picks.reduce((options, pick) => options.filter((option) => pick.options.has(option)), this.legal);
  }

  /** What a pick would leave: of what is still open, else of everything (then it replaces the earlier picks). */
  after(patterns) {
    const now = meant(patterns, this.left);
    if (now.length) return { options: now, replaces: false };
    return { options: meant(patterns, this.legal), replaces: true };
  }

  pick(id, options, replaces) {
    if (replaces) this.picks = [];
    this.picks.push({ id, options: new Set(options) });
  }

  has(id) {
    return this.picks.some((pick) => pick.id === id);
  }

  drop(id) {
    this.picks = id ? this.picks.filter((pick) => pick.id !== id) : [];
  }

  /** The options that no element can tell apart from others: they need buttons. */
  unreached(elements) {
    const left = this.left;
    const reached = new Set();
    for (const patterns of elements) {
      const found = meant(patterns, left);
      if (found.length < left.length) for (const option of found) reached.add(option);
    }
    return left.filter((option) => !reached.has(option));
  }
}

/** Buttons for options: one each if they are few, else one for each value of the first part in which they differ. */
export function group(options, most) {
  if (options.length <= most) return options.map((option) => ({ label: option.words, options: [option] }));
  const depth = Math.max(...options.map((option) => option.split.length));
  for (let part = 0; part < depth; part += 1) {
    const byValue = new Map();
    for (const option of options) {
      const value = option.split[part] ?? "";
      if (!byValue.has(value)) byValue.set(value, []);
      byValue.get(value).push(option);
    }
    if (byValue.size > 1) {
      return [...byValue.values()].map((found) => ({
        label: found.length === 1 ? found[0].words : part ? found[0].parts[part - 1] : found[0].words,
        options: found,
      }));
    }
  }
  return options.map((option) => ({ label: option.words, options: [option] }));
}
