// Requests of a table's page to the server, each for the viewing seat.

import { heardOf } from "./chance_record.js";
import { get, post } from "./http.js";
import { complete, fragmentsOf } from "./morph.js";
import { randomKey } from "./secure.js";

/**
 * @import { Ahead, Told } from "./sent.d.ts"
 * @import { Tabletop } from "./tabletop.js"
 */

export class Server {
  /** @param {Tabletop} table */
  constructor(table) {
    this.table = table;
  }

  /**
   * @param {string} path below the table's
   * @param {Record<string, string | number | null>} query without the entries that are null
   */
  address(path, query) {
    const { address, seat, step } = this.table.data;
    const given = Object.entries({ seat, step, ...query }).filter(([, value]) => value !== null);
    const fields = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    return `${address}${path}${fields.size ? "?" : ""}${fields}`;
  }

  /**
   * Return the page for one seat.
   * @param {number | null} seat
   * @param {boolean} whole whether to include the fragments that this page has
   */
  async page(seat, whole = false) {
    const fragments = whole ? "" : this.fragments;
    return (await get(this.address("", { seat }), { fragments, since: this.since(seat), heard: this.heard })).text();
  }

  /**
   * Return the moment after which a page of a seat brings acts.
   * @param {number | null} seat
   */
  since(seat) {
    return String(this.table.follow.since(seat) ?? "choice");
  }

  /** The first line of the chance's record that is to be sent; "" without a record. */
  get heard() {
    const { chance_table: table } = this.table.data;
    return table && String(heardOf(table)?.lines ?? 0);
  }

  /** The digests of the fragments that the page has. */
  get fragments() {
    return fragmentsOf(this.table.root);
  }

  /**
   * Return the picture and the question after some choices; nothing is stored.
   * @param {number[]} choices
   * @returns {Promise<Ahead>}
   */
  async ahead(choices) {
    return (await get(this.address("/preview", { choices: choices.join(",") }), { fragments: this.fragments })).json();
  }

  /**
   * Return the sentence why the choices of a pattern can't be chosen.
   * @param {string} pattern
   * @returns {Promise<string>}
   */
  async why(pattern) {
    return (await (await get(this.address("/why", { choice: pattern }))).json()).text;
  }

  /**
   * Return the picture at a moment of the game.
   * @param {number} at
   */
  moment(at) {
    const sent = async (/** @type {string} */ fragments) =>
      (await get(this.address("/moment", { at }), { fragments })).text();
    return complete(sent, "page-regions");
  }

  /**
   * Return the acts since a moment; null stands for this seat's last choice.
   * @param {number | null} since
   * @returns {Promise<Told>}
   */
  async acts(since) {
    return (await get(this.address("/acts", { since }))).json();
  }

  /**
   * Send a command and return the changed fragments of the page.
   * @param {string} name
   * @param {Record<string, string>} fields
   */
  async command(name, fields) {
    const { address, seat, step, stamp } = this.table.data;
    const key = randomKey(); // by which the server recognizes a repeated command
    const asked = { ...(seat !== null && { seat: String(seat) }), ...(step !== null && { step: String(step) }) };
    const has = { fragments: this.fragments, since: this.since(seat), heard: this.heard };
    return (await post(`${address}/${name}`, { ...asked, stamp, ...fields, key }, has)).text();
  }
}
