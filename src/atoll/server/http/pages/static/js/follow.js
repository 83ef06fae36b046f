// Moves of others at a table, one after the other: the present ones, and missed ones. Meanwhile the page shows the
// newest of everything except the picture, which is stored until its moment comes.

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
    /** @type {number | null} the moment up to which acts are known here; null for the seat's last choice */
    this.told = table.data.sequence;
    /** @type {Act[]} the acts in the page that is about to be shown */
    this.coming = [];
    this.calls = false; // whether a seat here is asked and wasn't called yet
    this.ends = false; // whether the end of the game wasn't announced yet
    this.back = false; // whether the next page brings acts that the player has missed
    /** @type {Map<number, Promise<HTMLElement | null>>} requested pictures by their moments */
    this.pictures = new Map();
    this.running = new AbortController(); // ends the game's own show
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

  /** Return whether an earlier picture than the newest is shown. Nothing can be chosen then. */
  get holding() {
    return this.now !== null;
  }

  /** Return whether acts are played at all. */
  get plays() {
    return !isStill() && paceNow() !== "off";
  }

  // -- coming back

  /** Request missed acts after the page was opened, and hide the present until they are there. */
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
    if (this.back) this.release(); // the server can't be reached: only the present is available
  }

  /** Remember the shown moment, if the page is visible. */
  seen() {
    const { data } = this.table;
    const shown = data.table && !document.hidden && !data.curtain && !this.holding && this.told !== null;
    if (shown) remind(data, String(this.told));
  }

  /** Offer to replay the acts since the last choice, and mark their changes. */
  recall() {
    const offer = findOf(HTMLElement, "#page-again");
    const { seat, sequence, acted } = this.table.data;
    if (offer) offer.hidden = seat !== null && (acted === null || acted >= sequence);
    this.seen();
    return this.marks.since(acted, this.now ?? this.table.preview.picture);
  }

  /** Replay the acts since the last choice; for spectators, the whole game. */
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
   * Return the moment after which the page of a seat brings acts. null stands for the seat's last choice, since the
   * list for readers without motion grows from choice to choice.
   * @param {number | null} seat
   */
  since(seat) {
    const { data } = this.table;
    if (data.curtain && seat !== null) return seenBy(data, seat);
    return this.plays || this.back || seat === null ? this.told : null;
  }

  /**
   * Store the picture of a new page before the page is shown, if there is something to play first.
   * @param {HTMLElement} main that the server sent
   */
  hold(main) {
    const { data, preview } = this.table;
    if (!data.table) return;
    const coming = findOf(HTMLElement, "#page-regions", main);
    /** @type {PageData} */
    const sent = JSON.parse(find("#page-data", main)?.textContent ?? "{}");
    if (!coming) {
      find("#page-happened")?.remove(); // the next person at this seat may not have seen it
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
   * Play the acts of a new page, or if that isn't wanted, mark the changed places.
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
      this.cover(this.moment); // the picture of the current act may be on its way
      player.draw();
    }
    this.recall();
  }

  /**
   * Play acts, except for the seats' own ones that come first: these are shown immediately.
   * @param {Act[]} acts
   * @param {(number | null)[]} own seats
   * @param {boolean} back whether the reader has returned to the table
   * @param {number} known the moment up to which acts were known here before
   */
  play(acts, own, back, known) {
    const first = acts.findIndex((act) => isToPlay(act, own));
    const shows = this.table.show?.has() ? acts.slice(-1) : []; // an own act is played if it brings a show
    const coming = first < 0 ? shows : acts.slice(first);
    const atOnce = this.plays && first >= 0 ? acts.slice(0, first) : acts;
    if (!back && !shows.length) playSound(atOnce.findLast((act) => act.end > known && isTold(act))?.sound ?? "");
    if (!this.plays) note(this.table, isStill() && paceNow() !== "off" ? coming : [], back);
    else if (coming.length) this.load(coming, acts.slice(0, Math.max(0, first)));
    else this.release();
  }

  /**
   * Play these acts.
   * @param {Act[]} acts
   * @param {Act[]} own acts that come first and are shown immediately
   * @param {string | null} round the round of the acts; see the player
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

  /** Disable all elements of the shown picture. */
  stand() {
    document.body.dataset.following = "";
    this.table.ask();
    this.table.refresh();
  }

  /** Hide the picture until the first one that may be shown is there. */
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

  /** Run the game's own show of an act, if it has one. */
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
   * Show a picture in which nothing can be chosen, and return the ids of the changed elements.
   * @param {HTMLElement} picture
   */
  present(picture) {
    const changed = this.change(picture);
    this.table.picture.dress();
    for (const callback of this.table.patched) callback();
    return changed;
  }

  /**
   * Show a picture like `present`, but leave the page to others.
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
   * Cover the log from a moment on: acts that weren't shown yet aren't listed yet.
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

  /** Call the player whose turn it is and announce the end of the game, once the present is shown. */
  settle() {
    if (this.calls) this.table.news.call();
    if (this.ends) playSound("end");
    this.calls = false;
    this.ends = false;
  }

  /** Show the present page. */
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

  /** Stop playing. */
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
 * Return the round of acts: those since a seat's last choice, or for spectators those that come together.
 * @param {PageData} data
 */
const roundOf = ({ seat, acted, sequence }) => (seat === null ? `watch ${sequence}` : `${seat} ${acted}`);

/**
 * Return whether an act is another seat's and has a line in the log, if the log has any lines at all.
 * @param {Act} act
 * @param {(number | null)[]} own seats
 */
const isToPlay = (act, own) =>
  act.seats.some((seat) => !own.includes(seat)) && (isTold(act) || !find("#page-log .game"));
