// Others' moves at a table, one after the other: those that happen now, and those that were missed. Meanwhile the page
// has the newest of everything but the picture, which is put aside until its moment comes.

import { allOf, byId, find, findOf } from "./dom.js";
import { note, tell } from "./happened.js";
import { nothing } from "./http.js";
import { Lights } from "./lights.js";
import { changedSince, Marks, standings } from "./marks.js";
import { filled, morph, withoutOwn } from "./morph.js";
import { isStill, remember, show } from "./motion.js";
import { isTold, paceNow, toldOf, wordsOf } from "./pacing.js";
import { Player } from "./player.js";
import { released } from "./press.js";
import { remind, seenBy } from "./seen.js";
import { playSound } from "./sound.js";

/**
 * @import { Act, PageData } from "./sent.d.ts"
 * @import { Tabletop } from "./tabletop.js"
 */

export class Follow {
  /** @param {Tabletop} table */
  constructor(table) {
    this.table = table;
    this.lights = new Lights();
    this.marks = new Marks(table);
    /** @type {HTMLElement | null} the newest picture, while an earlier one is shown */
    this.now = null;
    /** @type {number | null} up to which moment acts are known here; null: up to the seat's last choice */
    this.told = table.data.sequence;
    /** @type {Act[]} the acts that come with the page that is about to be shown */
    this.coming = [];
    this.calls = false; // whether a seat here is asked and hasn't been called yet
    this.ends = false; // whether the game has ended and that wasn't heard yet
    this.back = false; // whether the next page brings acts that somebody has missed
    /** @type {Map<number, Promise<HTMLElement | null>>} pictures that were asked for, by their moments */
    this.pictures = new Map();
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

  // -- coming back

  /** The page was opened: ask for missed acts, and show nothing of the present until they are there. */
  async begin() {
    const { data, preview } = this.table;
    delete document.documentElement.dataset.missed;
    if (!data.table || !preview.regions || data.curtain) return;
    const seen = seenBy(data, data.seat);
    if ((seen ?? data.acted ?? -1) >= data.sequence) {
      this.recall();
      return;
    }
    this.told = seen;
    this.back = true;
    if (this.plays) {
      this.now = withoutOwn(preview.regions);
      this.veil();
      this.stand();
    }
    await this.table.update();
    if (this.back) this.release(); // the server can't be reached: the present is all there is
  }

  /** Remember what was shown, if somebody looks. */
  seen() {
    const { data } = this.table;
    const shown = data.table && !document.hidden && !data.curtain && !this.holding && this.told !== null;
    if (shown) remind(data, String(this.told));
  }

  /** Offer to see again what happened since the last choice, and mark it. */
  recall() {
    const offer = findOf(HTMLElement, "#page-again");
    const { seat, sequence, acted } = this.table.data;
    if (offer) offer.hidden = seat !== null && (acted === null || acted >= sequence);
    this.seen();
    return this.marks.since(acted, this.now ?? this.table.preview.picture);
  }

  /** Play again what happened since the last choice; for spectators, the whole game. */
  async repeat() {
    const { data, preview } = this.table;
    if (!data.table || !preview.regions || this.holding) return;
    const told = await this.table.server.acts(data.seat === null ? 0 : null).catch(nothing);
    const acts = told?.acts.filter((act) => act.end <= this.table.data.sequence) ?? [];
    if (!acts.length || this.holding) return;
    if (isStill()) note(this.table, acts, true);
    else this.load(acts, [], data.seat === null ? null : `again ${performance.now()}`);
  }

  // -- what comes

  /**
   * Which acts the page of a seat is to bring: those after this moment. null: after the seat's last choice, since the
   * list for those who want no motion grows from choice to choice.
   * @param {number | null} seat
   */
  since(seat) {
    const { data } = this.table;
    if (data.curtain && seat !== null) return seenBy(data, seat);
    return this.plays || this.back || seat === null ? this.told : null;
  }

  /**
   * Before a new page is shown: put its picture aside if there is something to be played first.
   * @param {HTMLElement} main that the server sent
   */
  hold(main) {
    const { data, preview } = this.table;
    if (!data.table) return;
    const coming = findOf(HTMLElement, "#page-regions", main);
    /** @type {PageData} */
    const sent = JSON.parse(find("#page-data", main)?.textContent ?? "{}");
    if (!coming) {
      find("#page-happened")?.remove(); // who sits here next may not have seen it
      this.drop();
      return;
    }
    if (data.curtain) {
      this.told = seenBy(data, sent.seat);
      this.back = true;
    }
    const from = this.plays ? (this.told ?? -1) : -1;
    this.coming = sent.acts.filter((act) => act.end > from);
    const own = this.back ? [sent.seat] : sent.seats;
    const others = this.coming.some((act) => isToPlay(act, own));
    if (!this.holding && !(this.plays && others)) return;
    preview.stop();
    this.now = filled(coming);
    if (preview.regions) {
      coming.replaceWith(withoutOwn(preview.regions));
    } else {
      this.now = withoutOwn(coming);
      this.veil();
    }
    document.body.dataset.following = "";
  }

  /**
   * A new page is there: play what has happened, or if that isn't wanted, say where it was.
   * @param {Map<string, string>} heard the lines of the log before
   * @param {PageData} old
   */
  advance(heard, old) {
    const { table, player, coming, back } = this;
    const { data } = table;
    const undone = this.told !== null && data.sequence < this.told;
    const known = this.told ?? -1;
    this.coming = [];
    this.back = false;
    this.told = data.sequence;
    if (!data.table) this.run();
    if (undone || !table.preview.regions) this.release(); // the acts to be played are no longer true
    if (player.acts.length) player.add(coming);
    else this.play(coming, back ? [data.seat] : data.seats, back, known);
    this.ends ||= data.over && !old.over && data.table === old.table;
    if (!this.holding) {
      table.announce(heard, old);
      this.settle();
    } else {
      this.calls ||= data.mine && !old.mine;
      if (document.hidden) this.settle(); // playback waits for its reader
      this.cover(this.moment); // the picture of the act that is told may be on its way
      player.draw();
    }
    this.recall();
  }

  /**
   * Play acts, without those of one's own that come first: they are shown at once.
   * @param {Act[]} acts
   * @param {(number | null)[]} own seats
   * @param {boolean} back whether somebody has come back to them
   * @param {number} known up to which moment acts were known here before
   */
  play(acts, own, back, known) {
    const first = acts.findIndex((act) => isToPlay(act, own));
    const shows = this.table.show?.has() ? acts.slice(-1) : []; // one's own act is played if it brings a show
    const coming = first < 0 ? shows : acts.slice(first);
    const atOnce = this.plays && first >= 0 ? acts.slice(0, first) : acts;
    if (!back && !shows.length) playSound(atOnce.findLast((act) => act.end > known && isTold(act))?.sound ?? "");
    if (!this.plays) note(this.table, isStill() && paceNow() !== "off" ? coming : [], back);
    else if (coming.length) this.load(coming, acts.slice(0, Math.max(0, first)));
    else this.release();
  }

  /**
   * Play these.
   * @param {Act[]} acts
   * @param {Act[]} own acts that come first and are shown at once
   * @param {string | null} round what the acts belong to; see the player
   */
  async load(acts, own = [], round = roundOf(this.table.data)) {
    const { player, table } = this;
    if (!table.preview.regions) return;
    if (!this.holding) {
      table.preview.stop();
      this.now = withoutOwn(table.preview.regions);
      this.stand();
    }
    player.load(acts, -1, round);
    const last = own.at(-1);
    if (last) {
      table.news.say(toldOf(own).map(wordsOf).join(" "));
      const sent = await this.picture(last.end).catch(nothing);
      await released();
      if (player.acts !== acts) return;
      if (sent && player.at < 0) {
        this.present(sent);
        this.cover(last.end);
        await this.run();
      }
    }
    if (player.acts === acts && player.at < 0) player.play();
  }

  /** Nothing can be chosen any more in the picture that is shown. */
  stand() {
    document.body.dataset.following = "";
    this.table.ask();
    this.table.refresh();
  }

  /** Until the first picture is there that may be shown, there is none. */
  veil() {
    document.body.dataset.veiled = "";
  }

  // -- the picture of an act

  /** @param {number} index */
  async show(index) {
    const { player, table } = this;
    const { acts } = player;
    const act = acts[index];
    const last = player.isLast(index);
    this.running.abort();
    const sent = last ? this.now : await this.picture(act.end).catch(nothing); // then the picture stays as it is
    await released();
    if (player.acts !== acts || player.at !== index || !this.now) return;
    const changed = sent ? this.present(last ? this.now : sent) : [];
    playSound(act.sound);
    this.lights.act(player.shown, changed);
    this.cover(last ? Infinity : act.end);
    const next = player.beside(1);
    if (next >= 0 && !player.isLast(next)) this.picture(acts[next].end).catch(nothing);
    await this.run();
    if (player.acts === acts && player.at === index && last && table.data.mine && player.playing) {
      player.finish();
      tell(table, act);
    }
  }

  /** What an act has brought is shown step by step, if the game has a show for it. */
  async run() {
    const own = this.table.show;
    if (!own?.has()) return;
    this.running = new AbortController();
    await own.play(this.running.signal, Math.max(0, this.player.left));
  }

  /** @param {number} at */
  picture(at) {
    const asked = this.pictures.get(at) ?? this.table.server.moment(at);
    this.pictures.set(at, asked);
    return asked;
  }

  /**
   * Show a picture in which nothing can be chosen; the ids of the elements that stand otherwise than before.
   * @param {HTMLElement} picture
   */
  present(picture) {
    const changed = this.change(picture);
    this.table.picture.dress();
    for (const callback of this.table.patched) callback();
    return changed;
  }

  /**
   * As `present`, and the page is left to others.
   * @param {HTMLElement} picture
   */
  change(picture) {
    const root = this.table.preview.regions;
    if (!root) return [];
    const [before, stood] = [remember(root), standings(root)];
    morph(root, picture);
    delete document.body.dataset.veiled;
    show(root, before);
    return changedSince(stood, root);
  }

  /**
   * The log is covered from a moment on: what hasn't been shown yet isn't told yet.
   * @param {number} at
   */
  cover(at) {
    for (const line of allOf(HTMLElement, "#page-log li")) {
      line.classList.toggle("coming", Number(line.dataset.at) > at);
    }
  }

  /** The moment that the picture shows. */
  get moment() {
    return Number(this.table.preview.regions?.dataset.at ?? this.table.data.sequence);
  }

  /** The present is there: who is asked is called, and the end of the game is heard. */
  settle() {
    if (this.calls) this.table.news.call();
    if (this.ends) playSound("end");
    this.calls = false;
    this.ends = false;
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
    this.settle();
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
    this.back = false;
    delete document.body.dataset.following;
    delete document.body.dataset.veiled;
    this.cover(Infinity);
    this.told = this.table.data.sequence;
    this.seen();
  }
}

/**
 * What acts belong to: those since a seat's last choice, or for spectators those that come together.
 * @param {PageData} data
 */
const roundOf = ({ seat, acted, sequence }) => (seat === null ? `watch ${sequence}` : `${seat} ${acted}`);

/**
 * Whether an act is somebody else's, and the log says something about it, if it ever says something.
 * @param {Act} act
 * @param {(number | null)[]} own seats
 */
const isToPlay = (act, own) =>
  act.seats.some((seat) => !own.includes(seat)) && (isTold(act) || !find("#page-log .game"));
