// The page of a table: its data, the choices made on it, and its updates from the server.

import { Arrows } from "./arrows.js";
import { Bar } from "./bar.js";
import { readLegal, Selection } from "./choices.js";
import { byId, find, readJson } from "./dom.js";
import { holdFocus } from "./focus.js";
import { Follow } from "./follow.js";
import { Hint } from "./hint.js";
import { Keyboard } from "./keyboard.js";
import { isComplete, morph, parse } from "./morph.js";
import { remember, show } from "./motion.js";
import { News } from "./news.js";
import { listen } from "./page.js";
import { Panel } from "./panel.js";
import { Picture } from "./picture.js";
import { Pointer } from "./pointer.js";
import { listenToPresses, released } from "./press.js";
import { Preview } from "./preview.js";
import { Persistent } from "./reach.js";
import { Counting } from "./score.js";
import { Server } from "./server.js";
import { listenToSheets } from "./sheets.js";
import { Tabs } from "./tabs.js";
import { Zoom } from "./zoom.js";

/**
 * @import { Option } from "./choices.js"
 * @import { Thing } from "./dom.js"
 * @import { Show } from "./game.js"
 * @import { Messages, PageData } from "./sent.d.ts"
 */

const LOOK_AGAIN_MS = 2000;
const CHOOSES = /^[1-9cuh]$/; // keys of the question, which waits while an earlier picture is shown
const OF_TURN = ["choose", "undo", "restart", "confirm", "advice"]; // commands about the turn on the page

export class Tabletop {
  constructor() {
    /** @type {Messages} */
    this.texts = readJson("page-messages");
    /** @type {PageData} */
    this.data = readJson("page-data");
    this.selection = new Selection([]);
    /** @type {Option[]} picked members of a set, equal ones as often as they are picked */
    this.staged = [];
    /** @type {Panel | null} */
    this.panel = null;
    /** @type {(() => void)[]} called after each change of the page */
    this.patched = [];
    /** @type {Show | null} the game's own show of an act */
    this.show = null;
    this.busy = false; // a command is under way
    /** @type {Promise<unknown>} pending while busy */
    this.done = Promise.resolve();
    this.last = ""; // the command that was sent last
    this.asked = 0; // number of requests for the page
    this.taken = 0; // the request that is shown, or will be because it is a command
    this.latest = ""; // the server's version, if it may be newer than the page's
    this.server = new Server(this);
    /** @type {number | null} the wanted seat */
    this.wanted = this.data.seat;
    this.loading = new Persistent(() => this.load());
    this.hint = new Hint(this);
    this.news = new News(this);
    this.preview = new Preview(this);
    this.picture = new Picture(this);
    this.bar = new Bar(this);
    this.tabs = new Tabs(this);
    this.zoom = new Zoom(this);
    this.keyboard = new Keyboard(this);
    this.follow = new Follow(this);
    this.counting = new Counting(this);
    this.arrows = new Arrows();
    listenToPresses();
    listen(this);
    listenToSheets();
    new Pointer(this);
    this.ask();
    this.refresh();
    this.follow.begin();
  }

  get root() {
    return byId("page-main");
  }

  /** Return whether the reader is about to choose. */
  get chooses() {
    return this.selection.picks.length > 0 || Boolean(this.panel?.rows.some((row) => row.at > 0));
  }

  /** Begin a selection for the seat's decision. While an earlier picture is shown, nothing can be chosen. */
  ask() {
    const { mine, question, picked } = this.data;
    const chooses = mine && !this.follow.holding;
    this.selection = new Selection(chooses && question ? readLegal(question.legal) : []);
    this.staged = chooses ? readLegal(picked) : [];
    this.panel = chooses && question?.amount ? new Panel(this, question) : null;
    this.preview.forget();
  }

  /** Set up the page's elements after it was loaded or patched. */
  refresh() {
    this.picture.dress();
    this.title();
    this.lookAgain();
    this.arrows.show(this.moves());
    this.picture.giveWay(); // the part with the advised move may be open now
    if (!this.follow.holding) this.counting.offer();
    for (const callback of this.patched) callback();
  }

  /**
   * Return the moves that arrows show: the advised one.
   * @returns {import("./arrows.js").Move[]}
   */
  moves() {
    const { advised, mine } = this.data;
    return advised && mine && !this.follow.holding ? [{ text: advised, as: "best", own: true }] : [];
  }

  title() {
    this.news.title();
  }

  /**
   * Announce the news on the page.
   * @param {Map<string, string>} heard the lines of the log before
   * @param {PageData} old
   */
  announce(heard, old) {
    this.news.announce(heard, old.mine);
  }

  /**
   * Mark an element for other reasons than that it can be chosen.
   * @param {Thing} _element
   */
  mark(_element) {}

  /** Return whether a dialog opens automatically if it contains all legal choices. */
  opensDialogs() {
    return true;
  }

  /**
   * Handle a key before all other listeners.
   * @param {string} key
   * @param {Thing | null} _element that has the focus
   * @returns {boolean} whether it does
   */
  press(key, _element) {
    return this.follow.holding && CHOOSES.test(key);
  }

  // -- choosing

  /** The occasion to choose: it is the same for a whole open turn. */
  get occasion() {
    const { seat, sequence, step } = this.data;
    return [seat, sequence, typeof step === "number" ? step : ""].join(" ");
  }

  /** Say that a click belongs to a past moment. */
  late() {
    this.news.tell(this.texts.late);
  }

  /**
   * Handle an attempt to choose something illegal.
   * @param {Thing} element
   * @param {string} patterns of its choices
   */
  async refuse(element, patterns) {
    await this.hint.why(element, patterns);
  }

  /**
   * Narrow the selection to some options; when one is left, choose it.
   * @param {Option[]} options
   * @param {string} id of the element that stands for them
   * @param {boolean} replaces whether it replaces the earlier picks
   */
  async take(options, id = "", replaces = false) {
    if (this.busy) {
      const { occasion } = this;
      while (this.busy) await this.done;
      const again = options.map(({ text }) => this.selection.left.find((option) => option.text === text));
      const known = again.filter((option) => option !== undefined);
      if (occasion === this.occasion && known.length) await this.take(known, id, replaces);
      else this.late();
      return;
    }
    if (this.panel) {
      this.panel.raise(options);
      return;
    }
    this.preview.stop(); // it restores the picture before this pick
    this.selection.pick(id, options, replaces);
    const left = this.selection.left;
    if (left.length === 1) {
      this.choose([left[0].choice]);
      return;
    }
    this.picture.dress();
    this.news.say(byId("page-prompt").textContent.trim());
    find("#page-rest button, dialog[open] [data-rest] button")?.focus();
  }

  /** Return the number of remaining possibilities, in words. */
  left() {
    return this.texts.narrow.replace("{n}", String(this.selection.left.length));
  }

  /**
   * Take back the pick of an element, or all picks.
   * @param {string} id
   */
  unpick(id = "") {
    this.selection.drop(id);
    this.preview.stop();
    this.picture.dress();
  }

  /** @param {number[]} choices */
  choose(choices) {
    return this.command("choose", { choices: choices.join(",") });
  }

  /**
   * Take a picked member out of its set.
   * @param {number} choice
   */
  drop(choice) {
    return this.command("undo", { choice: String(choice) });
  }

  /**
   * Send a command, show its result, and return whether it was carried out. A command waits for the one that is under
   * way. If its turn is over by then, it was a repetition, or the page says so.
   * @param {string} name
   * @param {Record<string, string>} fields
   */
  async command(name, fields = {}) {
    const { occasion } = this;
    const waits = this.busy;
    while (this.busy) await this.done;
    if (waits && occasion !== this.occasion && OF_TURN.includes(name)) {
      if (this.last !== name) this.late();
      return this.last === name;
    }
    this.last = name;
    this.busy = true;
    const sent = this.send(name, fields);
    this.done = sent;
    return sent;
  }

  /**
   * @param {string} name
   * @param {Record<string, string>} fields
   */
  async send(name, fields) {
    this.root.setAttribute("aria-busy", "true");
    if (name === "advice") this.news.say(this.texts.thinking);
    let done = false;
    try {
      if (!(await this.receive(this.server.command(name, fields), true))) await this.update();
      done = true;
    } catch (error) {
      this.news.fail(error);
    }
    this.busy = false;
    this.root.removeAttribute("aria-busy");
    if (done) {
      await this.catchUp();
    } else {
      this.unpick();
      await this.update();
    }
    return done;
  }

  // -- staying up to date

  /**
   * Handle a change on the server.
   * @param {string} version on the server
   */
  async heard(version) {
    this.latest = version;
    await this.catchUp();
  }

  async catchUp() {
    if (!this.busy && this.latest && this.latest !== this.data.version) await this.update();
  }

  /** Update the page while a bot analyzes the finished game. */
  lookAgain() {
    clearTimeout(this.looking);
    if (!find("#page-analysis[data-computing]")) return;
    this.looking = setTimeout(() => this.update(), LOOK_AGAIN_MS);
  }

  /** @param {number | null} seat */
  async update(seat = this.data.seat) {
    this.latest = "";
    this.wanted = seat;
    try {
      await this.loading.run();
    } catch (error) {
      this.hint.note(this.news.sentence(error));
    }
  }

  /** Load the changed fragments for the wanted seat, or the whole page if fragments are missing. */
  async load() {
    for (const whole of [false, true]) {
      if (await this.receive(this.server.page(this.wanted, whole))) return;
    }
  }

  /**
   * Show the requested page, unless a later request is shown already; see `replace`. A request from before a command
   * isn't shown any longer: it could bring the next question while no other command is accepted.
   * @param {Promise<string>} asked
   * @param {boolean} own whether it answers a command from this page
   */
  async receive(asked, own = false) {
    this.asked += 1;
    const number = this.asked;
    if (own) this.taken = number;
    const html = await asked;
    await released();
    if (number < this.taken) return true;
    this.taken = number;
    return this.replace(html);
  }

  /**
   * Show the page that the server sent. Return false if it left a fragment empty that this page doesn't have.
   * @param {string} html
   */
  replace(html) {
    const main = parse(html, "page-main");
    if (!main) return true;
    if (!isComplete(main)) return false;
    const [before, old, heard, held] = [remember(this.root), this.data, this.news.lines(), this.follow.holding];
    const giveBack = holdFocus();
    this.preview.stop();
    this.follow.hold(main);
    morph(this.root, main);
    this.data = readJson("page-data");
    if (old.stamp !== this.data.stamp || old.seat !== this.data.seat || held !== this.follow.holding) this.ask();
    this.refresh();
    giveBack();
    show(this.root, before);
    this.follow.advance(heard, old);
    return true;
  }
}
