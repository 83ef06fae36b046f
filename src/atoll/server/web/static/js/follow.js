// Others' moves at a table, one after the other: those that happen now, and those that were missed. Meanwhile the page
// has the newest of everything but the picture, which is put aside until its moment comes.

import { allOf, byId, find, findOf } from "./dom.js";
import { note } from "./happened.js";
import { Lights } from "./lights.js";
import { changedSince, Marks, standings } from "./marks.js";
import { isStill, remember, show } from "./motion.js";
import { filled, patch, withoutOwn } from "./patch.js";
import { Player, paceNow, wordsOf } from "./player.js";
import { store, stored } from "./storage.js";

/**
 * @import { Act, PageData } from "./sent.d.ts"
 * @import { Tabletop } from "./tabletop.js"
 */

const NOTED_LINES = 3; // of the last act, where the log is out of sight: more would hide what can be chosen now

export class Follow {
  /** @param {Tabletop} table */
  constructor(table) {
    this.table = table;
    this.lights = new Lights();
    this.marks = new Marks(table);
    /** @type {HTMLElement | null} the newest picture, while an earlier one is shown */
    this.now = null;
    this.shown = table.data.sequence; // up to which moment everything was shown, or is about to be
    this.told = this.shown; // up to which moment acts were asked for
    /** @type {Map<number, Promise<HTMLElement | null>>} pictures that were asked for, by their moments */
    this.pictures = new Map();
    this.asking = Promise.resolve(); // one after the other
    this.answered = false; // who has chosen something doesn't wait for what was missed before
    this.running = new AbortController(); // ends a show of the game's own
    this.player = new Player({
      texts: table.texts.player,
      seats: () => table.data.names,
      slider: false,
      leave: null,
      asked: () => this.table.data.mine,
      show: (index) => this.show(index),
      end: () => this.release(),
      again: () => this.repeat(),
      say: (text) => table.news.say(text),
    });
    byId("page-bar").append(this.player.element);
  }

  /** Whether an earlier picture than the newest is shown: nothing can be chosen then. */
  get holding() {
    return this.now !== null;
  }

  /** Whether acts are played at all. */
  get plays() {
    return !isStill() && paceNow() !== "off";
  }

  get name() {
    const { table, seat } = this.table.data;
    return `atoll seen ${table} ${seat}`;
  }

  // -- coming back

  /** What was missed since this seat's table was last seen here; in a new browser, since its last choice. */
  begin() {
    const { data, preview } = this.table;
    if (!data.table || !preview.regions || data.curtain) return;
    this.answered = false;
    this.asking = this.asking.then(() => this.returned(data)).catch(() => this.release());
  }

  /** @param {PageData} begun what the page was opened with; newer pages may come while the acts are asked for */
  async returned(begun) {
    const seen = stored(this.name);
    const told = await this.ask(seen === null ? null : Number(seen));
    const { data, preview } = this.table;
    if (!told || this.answered || data.seat !== begun.seat || data.curtain || !preview.regions) return;
    this.again(told.acted);
    if (this.table.chooses || (seen === null && (data.seat === null || data.seats.length > 1))) this.seen();
    else this.play(told.acts, (act) => act.seats.every((seat) => seat === data.seat), true);
    await this.marks.since(told.acted, this.now ?? preview.picture);
  }

  seen() {
    const { table, curtain } = this.table.data;
    if (table && !document.hidden && !curtain && !this.holding) store(this.name, String(this.shown));
  }

  /**
   * Offer to see again what happened since the last choice.
   * @param {number | null} acted
   */
  again(acted) {
    const offer = findOf(HTMLElement, "#page-again");
    const { seat, sequence } = this.table.data;
    if (offer) offer.hidden = seat !== null && (acted === null || acted >= sequence);
  }

  /** Play again what happened since the last choice; for spectators, the whole game. */
  async repeat() {
    const { data, preview } = this.table;
    if (!data.table || !preview.regions || this.holding) return;
    const told = await this.ask(data.seat === null ? 0 : null);
    if (!told?.acts.length || this.holding) return;
    if (isStill()) note(this.table, told.acts, true);
    else this.load(told.acts);
  }

  /**
   * What has happened up to what the page knows; what is newer comes with the page that knows it.
   * @param {number | null} since
   */
  async ask(since) {
    const told = await this.table.server.acts(since).catch(() => null); // then everything is shown at once
    const { sequence } = this.table.data;
    if (!told) this.told = sequence;
    else told.acts = told.acts.filter((act) => act.end <= sequence);
    this.told = Math.max(this.told, told?.acts.at(-1)?.end ?? 0);
    return told;
  }

  // -- what comes

  /**
   * Before a new page is shown: put its picture aside if there is something to be played first.
   * @param {HTMLElement} main that the server sent
   * @param {boolean} own whether it answers a command from here
   */
  hold(main, own) {
    const { preview } = this.table;
    const coming = find("#page-regions", main);
    if (!this.table.data.table) return;
    this.answered ||= own;
    if (!coming || !preview.regions) {
      find("#page-happened")?.remove(); // who sits here next may not have seen it
      this.drop();
      this.told = this.shown;
      return;
    }
    const sent = JSON.parse(find("#page-data", main)?.textContent ?? "{}");
    if (!this.holding && (own || !this.plays || sent.sequence <= this.shown || sent.seat !== this.table.data.seat))
      return;
    if (coming instanceof HTMLElement) {
      preview.stop();
      this.now = filled(coming);
      coming.replaceWith(withoutOwn(preview.regions));
      document.body.dataset.following = "";
    }
  }

  /**
   * A new page is there: play what has happened, or if that isn't wanted, say where it was.
   * @param {Map<string, string>} heard the lines of the log before
   * @param {PageData} old
   */
  advance(heard, old) {
    const { data, news } = this.table;
    const { player } = this;
    if (data.table && data.sequence < this.shown) {
      // Something was taken back: what was to be played isn't so any more.
      this.release();
      this.shown = this.told = data.sequence;
      this.seen();
    }
    if (!this.holding) this.table.announce(heard, old);
    else if (data.mine && !old.mine) news.call();
    if (!data.table) this.run();
    if (this.holding) {
      this.cover(player.acts[player.at]?.end ?? this.shown);
      player.draw();
    }
    if (data.table && data.sequence > this.shown && this.table.preview.regions) {
      this.shown = data.sequence;
      this.asking = this.asking.then(() => this.hear(heard, old)).catch(() => this.release());
    } else if (!player.acts.length) this.release();
  }

  /**
   * @param {Map<string, string>} heard
   * @param {PageData} old
   */
  async hear(heard, old) {
    const { data, preview } = this.table;
    const all = !this.plays && !this.holding && data.seat !== null; // a list grows from choice to choice
    const told = await this.ask(all ? null : this.told);
    if (!preview.regions) return;
    const held = this.holding;
    this.play(told?.acts ?? [], (act) => act.seats.every((seat) => data.seats.includes(seat)), false);
    if (held && !this.holding) this.table.announce(heard, old);
    if (!told) return;
    this.again(told.acted);
    await this.marks.since(told.acted, this.now ?? preview.picture);
  }

  /**
   * Play acts, without those of one's own that come first: they were seen when they were done.
   * @param {Act[]} acts
   * @param {(act: Act) => boolean} isOwn
   * @param {boolean} back whether somebody has come back to them
   */
  play(acts, isOwn, back) {
    const first = acts.findIndex((act) => act.seats.length > 0 && !isOwn(act));
    const own = this.table.show?.has() ? acts.slice(-1) : []; // it is played if it brings a show
    const coming = first < 0 ? own : acts.slice(first);
    if (this.player.acts.length) {
      this.player.add(acts);
    } else if (!this.plays) {
      note(this.table, isStill() && paceNow() !== "off" ? coming : [], back);
      this.seen();
    } else if (coming.length) this.load(coming);
    else this.release();
  }

  /**
   * Play these.
   * @param {Act[]} acts
   */
  load(acts) {
    const { table } = this;
    table.preview.stop();
    if (!table.preview.regions) return this.release();
    this.now ??= withoutOwn(table.preview.regions);
    document.body.dataset.following = "";
    this.player.load(acts);
    table.ask();
    table.refresh();
    this.player.play();
  }

  // -- the picture of an act

  /** @param {number} index */
  async show(index) {
    const { player, table } = this;
    const { acts } = player;
    const act = acts[index];
    const last = index === acts.length - 1;
    this.running.abort();
    const sent = last ? null : await this.picture(act.end).catch(() => null); // then the present is shown
    if (player.acts !== acts || player.at !== index || !this.now) return;
    const changed = this.change(sent ?? this.now);
    table.picture.dress();
    for (const callback of table.patched) callback();
    this.lights.act(act, changed);
    this.cover(act.end);
    if (index + 1 < acts.length - 1) this.picture(acts[index + 1].end).catch(() => null);
    await this.run();
    if (player.acts === acts && player.at === index && last && table.data.mine && player.playing) {
      player.finish();
      this.tell(act);
    }
  }

  /** What an act has brought is shown step by step, if the game has a show for it. */
  async run() {
    const own = this.table.show;
    if (!own?.has()) return;
    this.running = new AbortController();
    await own.play(this.running.signal);
  }

  /**
   * The last act is told once more while one is asked already; where the log is seen it is lit there.
   * @param {Act} act
   */
  tell(act) {
    if (byId("page-log").checkVisibility()) return;
    const aside = findOf(HTMLElement, ".aside");
    const part = aside?.clientWidth ? aside : findOf(HTMLElement, ".scene"); // of a phone the scene is all there is
    this.table.hint.note(wordsOf({ ...act, lines: act.lines.slice(-NOTED_LINES) }), null, part);
  }

  /** @param {number} at */
  picture(at) {
    const asked = this.pictures.get(at) ?? this.table.server.moment(at);
    this.pictures.set(at, asked);
    return asked;
  }

  /**
   * Show a picture; the ids of the elements that stand otherwise than before.
   * @param {HTMLElement} picture
   */
  change(picture) {
    const root = this.table.preview.regions;
    if (!root) return [];
    const [before, stood] = [remember(root), standings(root)];
    patch(root, picture);
    show(root, before);
    return changedSince(stood, root);
  }

  /**
   * The log is covered from a moment on: what hasn't been shown yet isn't told yet.
   * @param {number} at
   */
  cover(at) {
    for (const line of allOf(HTMLElement, "#page-log > li")) {
      line.classList.toggle("coming", Number(line.dataset.at) > at);
    }
  }

  /** The page is as it is now. */
  release() {
    const { player, table } = this;
    const focused = player.element.contains(document.activeElement);
    const played = player.acts.length > 0;
    const now = this.now;
    this.drop();
    if (!now) return;
    this.change(now);
    table.ask();
    table.refresh();
    if (!played) return;
    if (table.data.mine || table.data.over) table.news.say(byId("page-prompt").textContent.trim());
    this.lights.fade();
    if (focused) table.root.focus();
  }

  /** Nothing is played any more. */
  drop() {
    this.player.close();
    this.running.abort();
    this.table.show?.stop();
    this.pictures.clear();
    this.now = null;
    delete document.body.dataset.following;
    this.cover(Infinity);
    this.shown = this.table.data.sequence;
    this.seen();
  }
}
