// Chance that can be checked: each browser fixes a share before any is shown, then shows it, and listens to the game.

import { must } from "./dom.js";
import { get, isFromServer, nothing, post } from "./http.js";
import { digestOf, keep, recall } from "./kept.js";
import { commitment, toHex } from "./sha256.js";

/**
 * @import { Given, Kept } from "./kept.js"
 * @import { ChanceData, PublicRecord } from "./sent.d.ts"
 * @import { Tabletop } from "./tabletop.js"
 */

const LISTEN_MS = 500;

/** This browser's part in the chance of one table. */
export class Chance {
  /** @param {Tabletop} table */
  constructor(table) {
    this.table = table;
    this.busy = false;
    this.heard = -1; // the sequence number up to which the public record was asked for
    this.warned = false;
  }

  get id() {
    return this.table.data.table;
  }

  get chance() {
    return must(this.table.data.chance, "chance");
  }

  /** Do what the page as it is now calls for. */
  async attend() {
    if (this.busy) return;
    this.busy = true;
    const { data } = this.table;
    const gave = await this.give(this.chance);
    this.busy = false;
    this.listen();
    if (gave) await this.table.update();
    else if (this.table.data !== data) await this.attend();
  }

  /**
   * Fix or show the shares of this browser's seats, as it is time for. Whether the server took any.
   * @param {ChanceData} chance
   */
  async give(chance) {
    const kept = recall(this.id);
    if (!kept.commitment) {
      kept.commitment = chance.commitment;
      keep(kept);
    } else if (kept.commitment !== chance.commitment) {
      if (!this.warned) this.table.news.tell(this.table.texts.seal_changed);
      this.warned = true;
      return false;
    }
    if (!chance.gathering) return false;
    for (const seat of Object.keys(kept.shares)) if (!chance.mine.includes(Number(seat))) delete kept.shares[seat];
    keep(kept);
    let gave = false;
    for (const seat of chance.mine) {
      gave = (await (chance.showing ? this.show(kept, seat, chance) : this.fix(kept, seat, chance))) || gave;
      keep(kept);
    }
    return gave;
  }

  /**
   * Send what fixes this browser's 32 random bytes for a seat.
   * @param {Kept} kept
   * @param {number} seat
   * @param {ChanceData} chance
   */
  async fix(kept, seat, chance) {
    const fixed = chance.commitments[seat];
    const known = kept.shares[seat];
    if (fixed) {
      if (known) settle(kept, seat, known, fixed);
      return false;
    }
    if (known?.shown) kept.rounds += 1;
    const own = known && !known.shown ? known : fresh();
    kept.shares[seat] = own;
    keep(kept);
    own.given = await this.send("commit", seat, commitment(own.share));
    return own.given;
  }

  /**
   * Send the share that was fixed; not before this browser has kept what all others have fixed.
   * @param {Kept} kept
   * @param {number} seat
   * @param {ChanceData} chance
   */
  async show(kept, seat, chance) {
    const known = kept.shares[seat];
    if (!known || known.shown) return false;
    settle(kept, seat, known, chance.commitments[seat]);
    if (commitment(known.share) !== chance.commitments[seat]) return false;
    kept.commitments = chance.commitments;
    keep(kept);
    known.shown = await this.send("contribute", seat, known.share);
    return known.shown;
  }

  /**
   * Whether the server took it. What it refuses, another tab has sent, or it came too late; the next page tells.
   * @param {string} action
   * @param {number} seat
   * @param {string} share or its commitment
   */
  async send(action, seat, share) {
    try {
      await post(`/t/${this.id}/${action}`, { seat: String(seat), share });
      return true;
    } catch (error) {
      if (isFromServer(error)) return false;
      throw error;
    }
  }

  /** Hear what everybody has learnt since, and fold it into the digest that this browser keeps. */
  listen() {
    const { sequence } = this.table.data;
    if (this.chance.gathering || sequence === this.heard) return;
    this.heard = sequence;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.hear().catch(nothing), LISTEN_MS); // missed lines come with the next ones
  }

  async hear() {
    const answer = await get(`/t/${this.id}/record?first=${recall(this.id).lines}`);
    /** @type {PublicRecord} */
    const { first, lines } = await answer.json();
    const kept = recall(this.id);
    if (first !== kept.lines || !lines.length) return; // another tab has heard them
    kept.digest = digestOf(this.id, kept.digest, lines);
    kept.lines += lines.length;
    keep(kept);
  }
}

/** @returns {Given} */
function fresh() {
  return { share: toHex(crypto.getRandomValues(new Uint8Array(32))), given: false, shown: false };
}

/**
 * The server holds a commitment for a seat: either it is this browser's, or another device was faster.
 * @param {Kept} kept
 * @param {number} seat
 * @param {Given} own
 * @param {string} fixed
 */
function settle(kept, seat, own, fixed) {
  if (commitment(own.share) === fixed) own.given = true;
  else if (!own.given) delete kept.shares[seat];
}
