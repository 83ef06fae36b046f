// What a game's own script may do with its table; docs/study/howto-draw-a-table.md describes it.

/**
 * @import { Tabletop } from "./tabletop.js"
 * @typedef {ReturnType<typeof tableOf>} Table
 * @typedef {object} Show
 * @property {() => boolean} has whether the picture has something to be shown
 * @property {(signal: AbortSignal, ms: number) => Promise<void>} play until it is over, in the time that is left, or
 *   until the signal ends it
 * @property {() => void} stop all of it has been seen
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
     * The game's own tools stand for the choices of a kind: the strip has one button for them, which the game words.
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
    /** The choice that a bot advises, or that a lesson shows; "" without one. */
    advised: () => tabletop.moves()[0]?.text ?? "",
    /** @param {string} text */
    whyNot: (text) => tabletop.hint.reason(text),
    /** @param {string} text */
    say: (text) => tabletop.news.say(text),
    /** Whether what happens is played; else all of it is shown at once. */
    plays: () => tabletop.follow.plays,
    /**
     * A show of the game's own belongs to the act that brings it: it runs when the player shows that act.
     * @param {Show} show
     */
    shows: (show) => {
      tabletop.show = show;
    },
    /** @param {() => void} callback */
    onPatch: (callback) => tabletop.patched.push(callback),
  };
}
