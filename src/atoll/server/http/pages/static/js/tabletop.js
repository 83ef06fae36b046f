// The page of a table: what it holds, what is chosen on it, and how it stays as the server has it.

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
const CHOOSES = /^[1-9cuh]$/; // keys that belong to the question, which waits while an earlier picture is shown
const OF_TURN = ["choose", "undo", "restart", "confirm", "advice"]; // commands that mean the turn that was looked at

export class Tabletop {
  constructor() {
    /** @type {Messages} */
    this.texts = readJson("page-messages");
    /** @type {PageData} */
    this.data = readJson("page-data");
    this.selection = new Selection([]);
    /** @type {Option[]} members of a set that are picked, equal ones as often as they are */
    this.staged = [];
    /** @type {Panel | null} */
    this.panel = null;
    /** @type {(() => void)[]} called after each change of the page */
    this.patched = [];
    /** @type {Show | null} of the game's own, in which an act is shown step by step */
    this.show = null;
    this.busy = false; // a command is under way
    /** @type {Promise<unknown>} until it isn't */
    this.done = Promise.resolve();
    this.last = ""; // the command that was sent last
    this.asked = 0; // how often the server was asked for the page
    this.taken = 0; // which of these is shown, or is a command's and will be
    this.latest = ""; // the server's version, if it may be newer than the page's
    this.server = new Server(this);
    /** @type {number | null} the seat whose page is wanted */
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

  /** Whether somebody is about to choose. */
  get chooses() {
    return this.selection.picks.length > 0 || Boolean(this.panel?.rows.some((row) => row.at > 0));
  }

  /** Begin a selection for what the seat is asked now; while an earlier picture is shown, there is nothing to choose. */
  ask() {
    const { mine, question, picked } = this.data;
    const chooses = mine && !this.follow.holding;
    this.selection = new Selection(chooses && question ? readLegal(question.legal) : []);
    this.staged = chooses ? readLegal(picked) : [];
    this.panel = chooses && question?.amount ? new Panel(this, question) : null;
    this.preview.forget();
  }

  /** Make usable what the page holds, after it was loaded or patched. */
  refresh() {
    this.picture.dress();
    this.title();
    this.lookAgain();
    this.arrows.show(this.moves());
    this.picture.giveWay(); // the part that shows the advised move may have been opened now
    if (!this.follow.holding) this.counting.offer();
    for (const callback of this.patched) callback();
  }

  /**
   * The moves that arrows show: the one that a bot advises.
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
   * Say what is new on the page.
   * @param {Map<string, string>} heard the lines of the log before
   * @param {PageData} old
   */
  announce(heard, old) {
    this.news.announce(heard, old.mine);
  }

  /**
   * An element gets marks that it has for other reasons than that it can be chosen.
   * @param {Thing} _element
   */
  mark(_element) {}

  /** Whether a dialog opens unasked if all that can be chosen lies in it. */
  opensDialogs() {
    return true;
  }

  /**
   * A key that means something here before all others.
   * @param {string} key
   * @param {Thing | null} _element that has the focus
   * @returns {boolean} whether it does
   */
  press(key, _element) {
    return this.follow.holding && CHOOSES.test(key);
  }

  // -- choosing

  /** The occasion to choose: it stays the same while a turn is open, whatever was chosen already. */
  get occasion() {
    const { seat, sequence, step } = this.data;
    return [seat, sequence, typeof step === "number" ? step : ""].join(" ");
  }

  /** Say that a click belongs to a moment that is over. */
  late() {
    this.news.tell(this.texts.late);
  }

  /**
   * Somebody tried to choose what can't be chosen.
   * @param {Thing} element
   * @param {string} patterns what it stands for
   */
  async refuse(element, patterns) {
    await this.hint.why(element, patterns);
  }

  /**
   * Narrow the selection to some options; when one is left, it is made.
   * @param {Option[]} options
   * @param {string} id of the element that stands for them
   * @param {boolean} replaces what was picked before
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
    this.preview.stop(); // it gives back the picture of before this pick
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

  /** How many possibilities are left, in words. */
  left() {
    return this.texts.narrow.replace("{n}", String(this.selection.left.length));
  }

  /**
   * Take back what an element picked, or all picks.
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
   * Send a command and show what came of it; whether it was carried out. One that comes while another is under way
   * waits for that. If the turn that it means is over then, it was a repetition, or somebody learns so.
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
   * Something has changed on the server.
   * @param {string} version that it has now
   */
  async heard(version) {
    this.latest = version;
    await this.catchUp();
  }

  async catchUp() {
    if (!this.busy && this.latest && this.latest !== this.data.version) await this.update();
  }

  /** While a bot looks at the finished game, see how far it is. */
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

  /** Get what is new on the page of the wanted seat, and all of it if this page isn't what it said. */
  async load() {
    for (const whole of [false, true]) {
      if (await this.receive(this.server.page(this.wanted, whole))) return;
    }
  }

  /**
   * Show what was asked for, unless something that was asked for later is shown already; see `replace`. What was asked
   * for before a command isn't shown any more: it could bring the next question while no other command is taken.
   * @param {Promise<string>} asked
   * @param {boolean} own whether a command from here is answered
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
   * Show the page that the server sent. False if it lacks something that this page hasn't got either.
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
