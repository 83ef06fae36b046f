// Plays acts one after the other: forward and back, by turns, for one seat, at the chosen pace. Acts of others at a
// table, missed acts and the replay use this player. Each of them shows the picture of an act in its own way.

import { allOf, button, chooser, findOf, html, svg } from "./dom.js";
import { nothing, post } from "./http.js";
import { isForTable, keyOf } from "./keys.js";
import { budgetOf, durationOf, factorOf, nextPace, paceNow, stepsOf, stopsOf, toldOf, wordsOf } from "./pacing.js";
import { fitSentences } from "./sheets.js";

/**
 * @import { Act, PlayerTexts } from "./sent.d.ts"
 * @typedef {object} Stage the place where acts are played
 * @property {PlayerTexts} texts
 * @property {() => string[]} seats names of the seats, which change when a player leaves
 * @property {(index: number) => Promise<unknown>} show shows the picture after an act
 * @property {() => void} end ends after everything was seen or skipped
 * @property {() => void} again plays again when a key asks for it
 * @property {(text: string) => void} say announces a text to screen readers
 * @property {boolean} slider whether the reader can go to any act
 * @property {() => boolean} asked returns whether the reader is asked something meanwhile
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
/** @type {Record<string, string>} the text of the button for the pace */
const SPEEDS = { slow: "½×", normal: "1×", fast: "2×" };

export class Player {
  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    /** @type {Act[]} */
    this.acts = [];
    this.at = -1; // the shown act
    this.playing = false;
    this.said = -1; // the last announced act
    this.from = -1; // the act that was shown before
    this.ms = 0; // duration of the act
    this.began = 0; // start of the act
    this.spent = 0; // ms of the budget
    /** @type {number | null} start of the acts' waiting */
    this.waited = null;
    /** @type {string | null} the round of the budget; null without one */
    this.round = null;
    /** @type {number | null} the only seat whose acts are played */
    this.seat = null;
    this.told = html("p", { className: "told" });
    this.controls = html("div", { className: "controls" });
    this.element = html("div", { className: "player", hidden: true, role: "group", ariaLabel: stage.texts.label });
    this.element.dataset.own = "";
    this.element.append(this.told);
    this.element.append(this.controls);
    this.speed = button("", () => this.setPace(nextPace(paceNow())), "quiet sign speed");
    /** @type {HTMLInputElement | null} */
    this.slider = stage.slider ? this.makeSlider() : null;
    this.controls.append(
      ...(this.slider ? [this.slider] : []),
      this.control("back", () => this.back()),
      this.control("play", () => this.toggle()),
      this.control("next", () => this.next()),
      this.speed,
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

  /** Make the sheet for the rare controls. */
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
    pace.dataset.paces = "";
    sheet.append(turns, whose, pace);
    if (this.stage.leave) sheet.append(this.stage.leave);
    fold.append(summary, sheet);
    return fold;
  }

  /** @param {string} pace */
  setPace(pace) {
    this.ms *= factorOf(pace) / factorOf(paceNow());
    document.body.dataset.pace = pace;
    post("/settings", { pace }).catch(nothing); // if it fails, the pace counts on this page only
    this.draw();
    if (this.playing) this.wait();
    if (pace === "off" && !this.slider) this.skip();
  }

  // -- playing

  /**
   * @param {Act[]} acts
   * @param {number} at the shown act
   * @param {string | null} round the round of the acts, which share a budget; null without one
   */
  load(acts, at = -1, round = null) {
    this.acts = acts;
    this.at = at;
    this.from = at - 1;
    this.said = at;
    if (round === null || round !== this.round) this.spent = 0;
    this.round = round;
    this.waited = null;
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
    this.charge();
    this.draw();
  }

  /** The acts that are shown one by one. */
  get stops() {
    return stopsOf(this.acts, this.seat);
  }

  /** The acts that the picture shows since the last one. */
  get shown() {
    return toldOf(this.acts.slice(Math.min(this.from + 1, this.at), this.at + 1));
  }

  /** The ms that are left for all waiting acts. */
  get left() {
    return this.round === null ? Infinity : budgetOf(paceNow()) - this.spent;
  }

  /**
   * Return whether no act after this one has a line.
   * @param {number} at
   */
  isLast(at) {
    return !stopsOf(this.acts).some((stop) => stop > at);
  }

  /** Charge the budget while acts wait for their turn. When none does, the others are thinking. */
  charge() {
    const now = performance.now();
    if (this.waited !== null) this.spent += now - this.waited;
    this.waited = this.playing && this.beside(1) >= 0 ? now : null;
  }

  /** @param {number} by */
  beside(by) {
    const { stops } = this;
    return (by > 0 ? stops.find((at) => at > this.at) : stops.findLast((at) => at < this.at)) ?? -1;
  }

  /**
   * @param {number} at
   * @param {number} ms for which it stands
   */
  async go(at, ms = durationOf(this.acts[at], paceNow())) {
    clearTimeout(this.timer);
    this.from = at > this.at ? this.at : at - 1;
    this.at = at;
    this.ms = ms;
    this.began = performance.now();
    this.charge();
    this.draw();
    this.stage.say(this.shown.map(wordsOf).join(" "));
    this.said = Math.max(this.said, at);
    await this.stage.show(at);
    if (this.at === at && this.playing) this.wait();
  }

  /**
   * Show the act for its duration, then the next one. In a hidden tab it stays until somebody looks. The time for
   * loading the picture counts, but half of the duration is for looking.
   */
  wait() {
    clearTimeout(this.timer);
    this.charge();
    if (document.hidden) {
      this.waited = null;
      return;
    }
    const gone = performance.now() - this.began;
    this.timer = setTimeout(() => this.on(), this.at < 0 ? 0 : Math.max(this.ms - gone, this.ms / 2));
  }

  async on() {
    this.charge();
    const coming = this.stops.filter((at) => at > this.at);
    const [step] = stepsOf(this.acts, coming, paceNow(), this.left);
    if (step) await this.go(step.at, step.ms);
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
    this.charge();
    this.draw();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  next() {
    this.pause();
    const next = this.beside(1);
    if (next >= 0) this.go(next);
    else this.finish();
  }

  back() {
    this.pause();
    const before = this.beside(-1);
    if (before >= 0) this.go(before);
  }

  /**
   * Go to the turn of another seat.
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
    const rest = toldOf(this.acts.slice(this.said + 1)).map(wordsOf);
    this.said = this.at;
    if (rest.length) this.stage.say(rest.join(" "));
    this.finish();
  }

  close() {
    clearTimeout(this.timer);
    this.playing = false;
    this.acts = [];
    this.at = -1;
    this.waited = null;
    this.element.hidden = true;
  }

  // -- what is seen

  draw() {
    const { texts } = this.stage;
    const act = this.acts[this.at];
    const stops = stopsOf(this.acts);
    const left = stops.filter((at) => at > this.at).length;
    const count = counted(texts.count, stops.length - left, stops.length);
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
    const pace = paceNow();
    this.speed.textContent = SPEEDS[pace] ?? SPEEDS.normal;
    this.speed.ariaLabel = `${texts.speed}: ${this.speed.textContent}`;
    this.speed.title = this.speed.ariaLabel;
    const chosen = findOf(HTMLSelectElement, "[data-paces] select", this.element);
    if (chosen) chosen.value = pace;
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
