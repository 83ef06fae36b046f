// Plays acts one after the other: on and back, by turns, of one seat, at the pace that is set. What others do at a
// table, what was missed meanwhile and the replay are played by this; each shows the picture of an act in its own way.

import { allOf, button, chooser, findOf, html, svg } from "./dom.js";
import { nothing, post } from "./http.js";
import { isForTable, keyOf } from "./keys.js";
import { fitSentences } from "./sheets.js";

/**
 * @import { Act, PlayerTexts } from "./sent.d.ts"
 * @typedef {object} Stage where acts are played
 * @property {PlayerTexts} texts
 * @property {() => string[]} seats their names, which are others once somebody has left
 * @property {(index: number) => Promise<unknown>} show the picture after an act
 * @property {() => void} end all was seen, or skipped
 * @property {() => void} again while nothing is played, a key asks for it
 * @property {(text: string) => void} say to who listens
 * @property {boolean} slider whether one can go to any act
 * @property {() => boolean} asked whether the reader is asked something meanwhile
 * @property {HTMLElement | null} leave a link away from here
 */

const SIGNS = {
  turn_back: "M4 5v14M20 5l-6 7 6 7zM13 5l-6 7 6 7z",
  back: "M6 5v14M18 5l-8 7 8 7z",
  play: "M8 5l10 7-10 7z",
  pause: "M8 5v14M16 5v14",
  next: "M18 5v14M6 5l8 7-8 7z",
  turn_next: "M20 5v14M4 5l6 7-6 7zM11 5l6 7-6 7z",
  more: "M5 12h.01M12 12h.01M19 12h.01",
};
const KEYS = new Map([
  [",", "back"],
  [".", "next"],
  ["k", "play"],
]);
const LEAST_MS = 900;
const LETTER_MS = 22;
const FACTORS = new Map([
  ["slow", 1.8],
  ["normal", 1],
  ["off", 1], // who asks to see it all the same
]);
const QUICKEST = 0.5;

/** How fast acts are played, as the reader has set it. */
export const paceNow = () => document.body.dataset.pace ?? "normal";

/** @param {Act} act */
export const wordsOf = (act) => act.lines.map((line) => line.words).join(" ");

/**
 * How long an act is shown: who reads needs time.
 * @param {Act} act
 */
const durationOf = (act) =>
  (LEAST_MS + LETTER_MS * Math.min(wordsOf(act).length, 200)) * (FACTORS.get(paceNow()) ?? QUICKEST);

export class Player {
  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    /** @type {Act[]} */
    this.acts = [];
    this.at = -1; // the act that is shown
    this.playing = false;
    this.said = -1; // the last act that was told to who listens
    /** @type {number | null} only this seat's acts */
    this.seat = null;
    this.told = html("p", { className: "told" });
    this.controls = html("div", { className: "controls" });
    this.element = html("div", { className: "player", hidden: true, role: "group", ariaLabel: stage.texts.label });
    this.element.dataset.own = "";
    this.element.append(this.told);
    this.element.append(this.controls);
    /** @type {HTMLInputElement | null} */
    this.slider = stage.slider ? this.makeSlider() : null;
    this.controls.append(
      ...(this.slider ? [this.slider] : []),
      this.control("back", () => this.back()),
      this.control("play", () => this.toggle()),
      this.control("next", () => this.next()),
      this.makeMore(),
    );
    if (!stage.slider) this.controls.append(button(stage.texts.skip, () => this.skip(), "strong skip-acts"));
    document.addEventListener("keydown", (event) => this.onKey(event));
    document.addEventListener("visibilitychange", () => this.playing && this.wait());
  }

  // -- what it is made of

  /**
   * @param {"turn_back" | "back" | "play" | "next" | "turn_next"} name
   * @param {() => void} act
   */
  control(name, act) {
    const made = button("", act, "quiet sign");
    made.dataset.player = name;
    made.ariaLabel = this.stage.texts[name];
    made.title = this.stage.texts[name];
    made.append(sign(SIGNS[name]));
    return made;
  }

  makeSlider() {
    const slider = html("input", { type: "range", min: "0", className: "slider", ariaLabel: this.stage.texts.slider });
    slider.id = "page-slider";
    slider.addEventListener("input", () => {
      const at = Number(slider.value);
      this.pause();
      this.go(at);
    });
    return slider;
  }

  /** What is needed less often lies in a sheet. */
  makeMore() {
    const { texts } = this.stage;
    const fold = html("details", { className: "player-more" });
    fold.dataset.closes = "";
    const summary = html("summary", { ariaLabel: texts.more, title: texts.more });
    summary.append(sign(SIGNS.more));
    const sheet = html("div", { className: "sheet" });
    const turns = html("div", { className: "commands" });
    turns.append(
      this.control("turn_back", () => this.turn(-1)),
      this.control("turn_next", () => this.turn(1)),
    );
    const names = this.stage.seats().map((name, seat) => [String(seat), name]);
    const whose = chooser(texts.whose, [["", texts.all], ...names], "", (value) => {
      this.seat = value === "" ? null : Number(value);
      this.draw();
    });
    whose.dataset.whose = "";
    const pace = chooser(texts.pace, Object.entries(texts.paces), paceNow(), (value) => this.setPace(value));
    sheet.append(turns, whose, pace);
    if (this.stage.leave) sheet.append(this.stage.leave);
    fold.append(summary, sheet);
    return fold;
  }

  /** @param {string} pace */
  setPace(pace) {
    document.body.dataset.pace = pace;
    post("/settings", { pace }).catch(nothing); // then it counts on this page only
    if (this.playing) this.wait();
    if (pace === "off" && !this.slider) this.skip();
  }

  // -- playing

  /**
   * @param {Act[]} acts
   * @param {number} at the act that is shown
   */
  load(acts, at = -1) {
    this.acts = acts;
    this.at = at;
    this.said = at;
    this.element.hidden = false;
    const seats = this.stage.seats();
    for (const option of allOf(HTMLOptionElement, "[data-whose] option", this.element)) {
      if (option.value) option.text = seats[Number(option.value)];
    }
    this.draw();
  }

  /** @param {Act[]} acts that have happened meanwhile */
  add(acts) {
    this.acts.push(...acts);
    this.draw();
  }

  /** @param {number} by */
  beside(by) {
    for (let at = this.at + by; at >= 0 && at < this.acts.length; at += by) {
      if (this.seat === null || this.acts[at].seats.includes(this.seat)) return at;
    }
    return -1;
  }

  /** @param {number} at */
  async go(at) {
    clearTimeout(this.timer);
    this.at = at;
    this.draw();
    this.stage.say(wordsOf(this.acts[at]));
    this.said = Math.max(this.said, at);
    await this.stage.show(at);
    if (this.at === at && this.playing) this.wait();
  }

  /** What is shown now stands for a while, then the next act comes; in a hidden tab it stands until somebody looks. */
  wait() {
    clearTimeout(this.timer);
    if (document.hidden) return;
    this.timer = setTimeout(() => this.on(), this.at < 0 ? 0 : durationOf(this.acts[this.at]));
  }

  async on() {
    const next = this.beside(1);
    if (next >= 0) await this.go(next);
    else this.finish();
  }

  play() {
    this.playing = true;
    this.draw();
    if (this.beside(1) < 0 && this.slider) this.go(0);
    else this.wait();
  }

  pause() {
    clearTimeout(this.timer);
    this.playing = false;
    this.draw();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  next() {
    this.pause();
    return this.on();
  }

  back() {
    this.pause();
    const before = this.beside(-1);
    if (before >= 0) this.go(before);
  }

  /**
   * To the turn of another seat.
   * @param {number} by
   */
  turn(by) {
    this.pause();
    const turns = this.acts.map((act) => act.seats.join());
    let at = this.at + by;
    while (at in turns && turns[at] === turns[this.at]) at += by;
    if (by < 0) while (at > 0 && turns[at - 1] === turns[at]) at += by;
    if (this.acts[at]) this.go(at);
  }

  finish() {
    this.pause();
    this.stage.end();
  }

  skip() {
    this.at = this.acts.length - 1;
    const rest = this.acts.slice(this.said + 1).map(wordsOf);
    this.said = this.at;
    if (rest.length) this.stage.say(rest.join(" "));
    this.finish();
  }

  close() {
    clearTimeout(this.timer);
    this.playing = false;
    this.acts = [];
    this.at = -1;
    this.element.hidden = true;
  }

  // -- what is seen

  draw() {
    const { texts } = this.stage;
    const act = this.acts[this.at];
    const left = this.acts.length - this.at - 1;
    const count = counted(texts.count, this.at + 1, this.acts.length);
    const waits = left > 0 && this.stage.asked() ? ` · ${texts.mine.replace("{n}", String(left))}` : "";
    const said = html("span", { className: "said" });
    said.append(
      html("span", { className: "told-at", textContent: count + waits }),
      ` ${act ? wordsOf(act) || texts.start : ""}`,
    );
    this.told.replaceChildren(said);
    fitSentences();
    const toggle = findOf(HTMLButtonElement, "[data-player=play]", this.controls);
    if (toggle) {
      toggle.ariaLabel = this.playing ? texts.pause : texts.play;
      toggle.title = toggle.ariaLabel;
      toggle.replaceChildren(sign(this.playing ? SIGNS.pause : SIGNS.play));
    }
    for (const each of allOf(HTMLButtonElement, "[data-player=back]", this.controls))
      each.disabled = this.beside(-1) < 0;
    for (const each of allOf(HTMLButtonElement, "[data-player=next]", this.controls)) {
      each.disabled = this.beside(1) < 0 && this.slider !== null;
    }
    if (!this.slider) return;
    this.slider.max = String(this.acts.length - 1);
    this.slider.value = String(this.at);
    this.slider.ariaValueText = this.told.textContent;
  }

  // -- keys

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const name = KEYS.get(keyOf(event));
    if (!name || !isForTable(event)) return;
    event.preventDefault();
    if (!this.element.hidden) findOf(HTMLButtonElement, `[data-player=${name}]`, this.controls)?.click();
    else if (name !== "next") this.stage.again();
  }
}

/**
 * @param {string} text
 * @param {number} at
 * @param {number} of
 */
const counted = (text, at, of) => text.replace("{at}", String(at)).replace("{of}", String(of));

/** @param {string} path */
function sign(path) {
  const drawn = svg("svg", { viewBox: "0 0 24 24", width: 24, height: 24, class: "player-sign" });
  drawn.setAttribute("aria-hidden", "true");
  drawn.append(svg("path", { d: path }));
  return drawn;
}
