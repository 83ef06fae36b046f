// This browser's part in the chance of a table: it seals a share, shows it once the list of seals is closed, and stores
// the record of the game. Later statements of the server can only be compared with that.

import { canonical, Malformed, nameTag, offerDigest, sealOf, shareOf, termsDigest } from "./chance_protocol.js";
import {
  givenByProgram,
  hear,
  heardOf,
  isPageOf,
  keepOffer,
  keepShown,
  knowsOffer,
  secret,
  setGivenByProgram,
  shownAt,
} from "./chance_record.js";
import { findOf } from "./dom.js";
import { get, isFromServer, nothing, post, Refusal } from "./http.js";

/**
 * @import { Shown } from "./chance_record.js"
 * @import { ChanceData, PageData, ReaderRecord, Terms } from "./sent.d.ts"
 * @import { Tabletop } from "./tabletop.js"
 */

const LISTEN_MS = 500;
const RETRY_MS = 2000;
const ATTEMPTS = 3; // another tab may receive the same lines first

export class ChanceShare {
  /** @param {Tabletop} table */
  constructor(table) {
    this.table = table;
    this.live = !table.data.over; // whether this page was open before the end
    this.busy = false;
    this.asked = ""; // state for which the record was requested last
    /** @type {Promise<unknown>} */
    this.hearing = Promise.resolve(); // requests for the record, one after the other
    this.told = new Set(); // messages that were shown once
  }

  /** Do what the current page calls for. A page that isn't the table's does nothing. */
  async attend() {
    if (this.busy || !isPageOf(this.table.data.table)) return;
    this.busy = true;
    const { data } = this.table;
    let gave = false;
    try {
      if (data.chance) gave = await this.give(data, data.chance);
      else this.listen(data);
    } finally {
      this.busy = false;
    }
    if (gave) await this.table.update();
    else if (this.table.data !== data) await this.attend();
  }

  /**
   * Seal or show this browser's share, whichever is due, and return whether the server took it.
   * @param {PageData} data
   * @param {ChanceData} chance
   */
  async give(data, chance) {
    const { table } = data;
    offerProgram();
    if (givenByProgram()) return false;
    const seat = Math.min(...chance.mine); // further seats of the same person give no share
    if (!chance.missing.includes(seat) || chance.offer.table !== table) return false;
    const heard = heardOf(table);
    if (heard && !chance.terms) return false;
    const key = secret();
    if (!key) return this.say("chance_unstored");
    try {
      const offer = offerDigest(chance.offer);
      const share = shareOf(key, offer, seat);
      if (!chance.terms) return await this.seal(table, offer, seat, share);
      if (!fits(data, chance, chance.terms)) return this.say("chance_refused");
      if (chance.seals[seat] !== sealOf(offer, seat, share)) return false; // another device of this player has sealed
      const terms = termsDigest(offer, chance.terms, chance.seals);
      if (heard && heard.terms !== terms) return false; // another game has begun here
      return await this.show(table, { offer, terms, seat, share });
    } catch (error) {
      if (error instanceof Malformed) return this.say("chance_refused");
      throw error;
    }
  }

  /**
   * @param {string} table
   * @param {string} offer its digest
   * @param {number} seat
   * @param {string} share
   */
  async seal(table, offer, seat, share) {
    if (!keepOffer(table, offer)) return this.say("chance_unstored");
    return await this.send("seal", { seat: String(seat), offer, seal: sealOf(offer, seat, share) });
  }

  /**
   * Show the share. It counts as shown because it is stored before it is sent, whatever the server answers.
   * @param {string} table
   * @param {Shown} shown
   */
  async show(table, shown) {
    const { offer, terms, seat, share } = shown;
    const other = shownAt(table).some((each) => each.offer === offer && each.terms !== terms);
    if (other || !knowsOffer(table, offer)) return this.say("chance_refused");
    if (!keepShown(table, shown)) return this.say("chance_unstored");
    return await this.send("share", { seat: String(seat), terms, share });
  }

  /**
   * Send a command and return whether the server took it. A refused one was sent by another tab or came too late; the
   * next page shows that. A request that fails, or comes while the server is busy, is repeated.
   * @param {string} action
   * @param {Record<string, string>} fields
   */
  async send(action, fields) {
    try {
      await post(`/t/${this.table.data.table}/${action}`, fields);
      return true;
    } catch (error) {
      if (!isFromServer(error)) throw error;
      if (!(error instanceof Refusal) || error.passes) {
        clearTimeout(this.retry);
        this.retry = setTimeout(() => this.attend(), RETRY_MS);
      }
      return false;
    }
  }

  /**
   * Show once why nothing is given.
   * @param {"chance_unstored" | "chance_refused"} key
   */
  say(key) {
    if (!this.told.has(key)) this.table.news.tell(this.table.texts[key]);
    this.told.add(key);
    return false;
  }

  /**
   * Request what this player has learned since, and fold it into this browser's record. Lines in the page are folded
   * immediately, so that nothing is missing if the page is closed.
   * @param {PageData} data
   */
  listen({ chance_table: table, sequence, over, record }) {
    const upTo = `${table} ${sequence} ${over}`;
    const complete = table && record && this.fold(table, record, over);
    if (!table || (upTo === this.asked && !complete)) return;
    this.asked = upTo;
    clearTimeout(this.waiting);
    if (complete) return;
    // Missed lines come with the next ones.
    this.waiting = setTimeout(
      () => {
        this.hearing = this.hearing.then(() => this.hear(table, over)).catch(nothing);
      },
      over ? 0 : LISTEN_MS,
    );
  }

  /**
   * @param {string} table
   * @param {boolean} over
   */
  async hear(table, over) {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const answer = await get(`/t/${this.table.data.table}/record?first=${heardOf(table)?.lines ?? 0}`);
      /** @type {ReaderRecord} */
      const told = await answer.json();
      if (this.fold(table, told, over)) return;
    }
  }

  /**
   * Fold lines into the record and return whether none is missing before them.
   * @param {string} table
   * @param {ReaderRecord} told
   * @param {boolean} over
   */
  fold(table, told, over) {
    return told.table !== table || !told.terms || hear(table, told, { live: this.live, over });
  }
}

/** Offer that the player's own program gives the share. */
function offerProgram() {
  const box = findOf(HTMLInputElement, "[data-chance-program]");
  if (!box?.parentElement) return;
  box.parentElement.hidden = false;
  box.checked = givenByProgram();
  box.onchange = () => setGivenByProgram(box.checked);
}

/**
 * Return whether terms are those of the page: its game, options, seats and start, draws of its own, and seals of persons
 * only.
 * @param {PageData} data
 * @param {ChanceData} chance
 * @param {Terms} terms
 */
function fits({ names }, { seals, names: salted, game, options }, terms) {
  return (
    terms.game === game &&
    canonical(terms.options) === canonical(options) &&
    terms.start === "new" &&
    !terms.shared &&
    terms.seats.length === names.length &&
    terms.seats.every((seat, number) => {
      const name = salted[number];
      if (!seat.startsWith("person ")) return !seals[number];
      return name?.name === names[number] && seat === `person ${nameTag(name.salt, name.name)}`;
    })
  );
}
