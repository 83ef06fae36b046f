// The interface of a game's own script to its table; docs/study/howto-draw-a-table.md describes it.

/**
 * @import { Tabletop } from "./tabletop.js"
 * @typedef {ReturnType<typeof tableOf>} Table
 * @typedef {object} Show
 * @property {() => boolean} has whether the picture has something to show
 * @property {(signal: AbortSignal, ms: number) => Promise<void>} play until it is over, in the time that is left, or
 *   until the signal ends it
 * @property {() => void} stop marks everything as seen
 */

/** @param {Tabletop} tabletop */
export function tableOf(tabletop) {
  /** @param {string} text */
  const numberOf = (text) => {
    const found = tabletop.selection.legal.find((option) => option.text === text);
    if (!found) throw new Error(`${text} isn't legal now`);
    return found.choice;
  };
  return {
    get root() {
      return tabletop.root;
    },
    legal: () => tabletop.selection.legal.map(({ choice, text, words }) => ({ choice, text, words })),
    /** @param {string} pattern */
    pick: (pattern) => {
      const { options, replaces } = tabletop.selection.after(pattern);
      if (options.length) tabletop.take(options, "", replaces);
    },
    /** @param {string[]} texts */
    choose: (texts) => tabletop.choose(texts.map(numberOf)),
    /**
     * Offer one button for all choices of a kind, which the game's own tools make and name.
     * @param {string} kind
     * @param {() => void} act makes the choice that the tools show
     */
    serve: (kind, act) => {
      const made = tabletop.bar.serve(kind, act);
      tabletop.picture.dress();
      return made;
    },
    /** @param {string} text */
    preview: (text) => tabletop.preview.start(numberOf(text)),
    unpreview: () => tabletop.preview.stop(),
    /** Return the choice that a bot advises, or that a lesson shows; "" without one. */
    advised: () => tabletop.moves()[0]?.text ?? "",
    /** @param {string} text */
    whyNot: (text) => tabletop.hint.reason(text),
    /** @param {string} text */
    say: (text) => tabletop.news.say(text),
    /** Return whether acts are played. Otherwise they are shown immediately. */
    plays: () => tabletop.follow.plays,
    /**
     * Register the game's own show, which runs when the player shows the act that brings it.
     * @param {Show} show
     */
    shows: (show) => {
      tabletop.show = show;
    },
    /** @param {() => void} callback */
    onPatch: (callback) => tabletop.patched.push(callback),
  };
}
