// The table page: choosing by click, touch and keyboard, previews, reasons, and staying up to date.

import { Selection, group, meant, readLegal } from "./choices.js";
import { Hint } from "./hint.js";
import { Refusal, get, newKey, post } from "./http.js";
import { Keyboard } from "./keyboard.js";
import { numbersOf, remember, show } from "./motion.js";
import { Panel } from "./panel.js";
import { parse, patch } from "./patch.js";
import { Missed } from "./missed.js";
import { Counting } from "./score.js";

const MOST_BUTTONS = 12;
const PREVIEW_MS = 90;
const LOOK_AGAIN_MS = 2000;
const CLEAR = 3; // an element that could mean more choices than these isn't previewed

const texts = () => JSON.parse(document.getElementById("page-messages").textContent);

export class Tabletop {
  constructor() {
    this.texts = texts();
    this.patched = [];
    this.previews = new Map();
    this.hint = new Hint(this);
    this.keyboard = new Keyboard(this);
    this.missed = new Missed(this);
    this.counting = new Counting(this);
    this.listen();
    this.refresh();
    this.missed.offer();
  }

  get root() {
    return document.getElementById("page-main");
  }

  /** Read anew what the page holds, after it was loaded or patched. */
  refresh() {
    const before = this.data;
    this.data = JSON.parse(document.getElementById("page-data").textContent);
    const question = this.data.question;
    if (!before || before.stamp !== this.data.stamp || before.seat !== this.data.seat) {
      this.selection = new Selection(this.data.mine && question ? readLegal(question.legal) : []);
      this.previews.clear();
      this.panel = question?.amount && this.data.mine ? new Panel(this, question) : null;
    }
    this.dress();
    this.title();
    this.lookAgain();
    this.counting.offer();
    for (const callback of this.patched) callback();
  }

  // -- elements

  elements() {
    return [...this.root.querySelectorAll(".element")];
  }

  /** Give each element its role and whether it can be chosen now, and offer the rest as buttons. */
  dress() {
    const playing = this.data.mine && this.selection.legal.length > 0;
    const reaching = [];
    const open = this.root.querySelector("dialog[data-opens][open]");
    const advised = this.selection.legal.filter((option) => option.text === this.data.advised);
    for (const element of this.elements()) {
      const patterns = element.dataset.choice ?? "";
      const now = patterns && playing ? meant(patterns, this.selection.left) : [];
      const legal = now.length > 0 || (patterns && playing && meant(patterns, this.selection.legal).length > 0);
      element.classList.toggle("legal", now.length > 0);
      element.classList.toggle("picked", this.selection.has(element.id));
      element.classList.toggle("advised", Boolean(patterns) && meant(patterns, advised).length > 0);
      if (patterns) {
        element.setAttribute("role", "button");
        element.setAttribute("aria-disabled", String(!legal));
        if (this.selection.picks.length) element.setAttribute("aria-pressed", String(this.selection.has(element.id)));
        else element.removeAttribute("aria-pressed");
        // What lies behind an open dialog can't be reached.
        if (!open || open.contains(element)) reaching.push(patterns);
      } else if (element.getAttribute("role") === "button") {
        element.setAttribute("role", "img");
        element.removeAttribute("aria-disabled");
        element.removeAttribute("aria-pressed");
      }
    }
    this.root.classList.toggle("choosing", playing);
    this.keyboard.dress();
    this.offer(playing ? this.selection.unreached(reaching) : []);
  }

  /** Buttons in the decision bar for what can't be chosen in the picture. */
  offer(options) {
    const bar = document.getElementById("page-rest");
    bar.replaceChildren();
    if (this.panel) {
      this.panel.draw(bar);
      return;
    }
    for (const dialog of this.root.querySelectorAll("dialog[data-opens]")) this.offerDialog(bar, dialog);
    const open = this.root.querySelector("dialog[data-opens][open]");
    const place = open?.querySelector("[data-rest]") ?? bar;
    if (open) place.replaceChildren();
    const kinds = open?.dataset.opens.split(" ");
    const shown = open ? options.filter((option) => kinds.includes(option.split[0])) : options;
    for (const { label, options: found } of group(shown, MOST_BUTTONS)) place.append(this.optionButton(label, found));
    if (this.selection.picks.length) place.append(this.button(this.texts.unpick, () => this.unpick(), "quiet"));
  }

  optionButton(label, options) {
    const button = this.button(label, () => this.take(options));
    button.dataset.texts = options.map((option) => option.text).join(";");
    const preview = () => options.length === 1 && this.preview(options[0].choice);
    button.addEventListener("pointerenter", preview);
    button.addEventListener("focus", preview);
    button.addEventListener("pointerleave", () => this.unpreview());
    button.addEventListener("blur", () => this.unpreview());
    return button;
  }

  offerDialog(bar, dialog) {
    const kinds = dialog.dataset.opens.split(" ");
    const legal = this.selection.left.some((option) => kinds.includes(option.split[0]));
    if (!legal) {
      if (dialog.open) dialog.close();
      return;
    }
    const only = this.selection.left.every((option) => kinds.includes(option.split[0]));
    const button = this.button(dialog.dataset.title, () => this.show(dialog));
    button.setAttribute("aria-haspopup", "dialog");
    bar.append(button);
    if (only && !dialog.open && !this.opened?.has(this.data.stamp + dialog.id)) {
      this.opened = new Set([this.data.stamp + dialog.id]);
      this.show(dialog);
    }
  }

  show(dialog) {
    dialog.showModal();
    this.dress();
  }

  button(label, act, css = "") {
    const button = document.createElement("button");
    button.type = "button";
    button.className = css;
    button.textContent = label;
    button.addEventListener("click", act);
    return button;
  }

  // -- choosing

  /** A click, a touch or Enter on an element. */
  async activate(element) {
    const patterns = element.dataset.choice;
    if (!patterns) {
      this.hint.show(element);
      return;
    }
    if (this.selection.has(element.id)) {
      this.selection.drop(element.id);
      this.unpreview();
      this.dress();
      return;
    }
    const { options, replaces } = this.selection.after(patterns);
    if (!options.length) {
      await this.hint.why(element);
      return;
    }
    this.hint.hide();
    this.take(options, element.id, replaces);
  }

  /** Narrow the selection to some options; when one is left, it is made. */
  take(options, id = "", replaces = false) {
    this.selection.pick(id, options, replaces);
    const left = this.selection.left;
    if (left.length === 1) {
      this.choose([left[0].choice]);
      return;
    }
    this.dress();
    this.say(this.texts.narrow.replace("{n}", left.length));
    document.querySelector("#page-rest button, dialog[open] [data-rest] button")?.focus();
  }

  unpick() {
    this.selection.drop();
    this.unpreview();
    this.dress();
  }

  async choose(choices, confirm = false) {
    await this.command("choose", { choices: choices.join(","), confirm: confirm ? "1" : "" });
  }

  /** Send a command of the open turn and show what came of it. */
  async command(name, fields = {}) {
    if (this.busy) return;
    this.busy = true;
    this.root.setAttribute("aria-busy", "true");
    if (name === "advice") this.say(this.texts.thinking);
    const seat = this.data.seat === null ? {} : { seat: this.data.seat };
    try {
      const answer = await post(`/t/${this.data.table}/${name}`, { ...seat, stamp: this.data.stamp, key: newKey(), ...fields });
      this.replace(await answer.text());
    } catch (error) {
      await this.fail(error);
    } finally {
      this.busy = false;
      this.root.removeAttribute("aria-busy");
    }
    await this.catchUp();
  }

  /** Something has changed on the server: this is its version now. */
  async news(version) {
    this.latest = version;
    await this.catchUp();
  }

  async catchUp() {
    if (this.busy || !this.latest || this.latest === this.data.version) return;
    this.latest = null;
    await this.update();
  }

  async fail(error) {
    this.tell(error instanceof Refusal ? error.message : this.texts.offline);
    this.selection.drop();
    if (error instanceof Refusal) this.latest = "after a refusal";
    this.dress();
  }

  /** A short message that everybody sees and hears. */
  tell(text) {
    this.say(text);
    this.hint.note(text);
  }

  say(text) {
    const live = document.getElementById("page-live");
    live.textContent = "";
    live.textContent = text;
  }

  // -- staying up to date

  /** While a bot looks at the finished game, see how far it is. */
  lookAgain() {
    clearTimeout(this.looking);
    if (!document.querySelector("#page-analysis[data-computing]")) return;
    this.looking = setTimeout(() => this.update(), LOOK_AGAIN_MS);
  }

  async update(seat = this.data.seat) {
    try {
      const answer = await get(`/t/${this.data.table}${seat === null ? "" : `?seat=${seat}`}`);
      this.replace(await answer.text());
    } catch (error) {
      if (error instanceof Refusal) this.hint.note(error.message);
    }
  }

  /** Show the page that the server sent. */
  replace(html) {
    const main = parse(html, "page-main");
    if (!main) return;
    const before = remember(this.root);
    const heard = new Set([...this.root.querySelectorAll("#page-log > li")].map((line) => line.id));
    const asked = this.data.mine;
    for (const own of this.root.querySelectorAll(".difference")) own.remove();
    this.plain = null;
    this.previewing = null;
    patch(this.root, main);
    this.refresh();
    show(this.root, before);
    this.announce(heard, asked);
    this.missed.seen();
  }

  announce(heard, asked) {
    const news = [...this.root.querySelectorAll("#page-log > li")].filter((line) => !heard.has(line.id)).reverse();
    const lines = news.map((line) => line.textContent.trim());
    if (this.data.mine || this.data.over) lines.push(document.getElementById("page-prompt").textContent.trim());
    if (lines.length) this.say(lines.join(" "));
    if (this.data.mine && !asked) this.callToTable();
  }

  title() {
    const plain = document.title.replace(/^● .*? – /, "");
    document.title = this.data.mine ? `● ${this.texts.your_turn} – ${plain}` : plain;
  }

  callToTable() {
    if (document.body.dataset.sound !== "on") return;
    const audio = new AudioContext();
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.setValueAtTime(523, audio.currentTime);
    tone.frequency.setValueAtTime(659, audio.currentTime + 0.14);
    volume.gain.setValueAtTime(0.12, audio.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.0005, audio.currentTime + 0.5);
    tone.connect(volume).connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + 0.5);
    tone.onended = () => audio.close();
  }

  // -- previews

  /** What a hovered or focused element would do, if that is clear. */
  previewElement(element) {
    const patterns = element.dataset.choice;
    if (!patterns || !this.data.mine || this.panel) return;
    const { options } = this.selection.after(patterns);
    if (options.length > 0 && options.length <= CLEAR) this.preview(options[0].choice);
  }

  preview(choice) {
    clearTimeout(this.previewTimer);
    this.previewing = choice;
    this.previewTimer = setTimeout(() => this.showPreview(choice), PREVIEW_MS);
  }

  async showPreview(choice) {
    const key = `${this.data.stamp} ${choice}`;
    if (!this.previews.has(key)) this.previews.set(key, this.lookAhead([choice]));
    const seen = await this.previews.get(key).catch(() => null);
    if (this.previewing !== choice || this.busy || this.missed.playing || !seen?.html || !this.previews.has(key)) return;
    this.overlay(parse(seen.html, "page-regions"));
  }

  /** The picture and the question after some choices; nothing is stored. */
  async lookAhead(choices) {
    const seat = this.data.seat === null ? "" : `&seat=${this.data.seat}`;
    const answer = await get(`/t/${this.data.table}/preview?choices=${choices.join(",")}${seat}`);
    return answer.json();
  }

  /** Lay a coming picture over the present one: what goes stays faint, what comes is faint, numbers show their change. */
  overlay(coming) {
    const root = document.getElementById("page-regions");
    if (!root || !coming) return;
    this.restore();
    this.plain = root.cloneNode(true);
    for (const own of this.plain.querySelectorAll("[data-own]")) own.remove();
    const numbers = numbersOf(root);
    overlayElement(root, coming);
    root.classList.add("previewing");
    for (const [id, { value }] of numbersOf(coming)) {
      const old = numbers.get(id);
      if (old && old.value !== value) this.difference(document.getElementById(id), value - old.value);
    }
  }

  difference(element, by) {
    element.classList.add("would-change");
    if (element instanceof SVGElement) return;
    const badge = document.createElement("span");
    badge.className = "difference";
    badge.dataset.own = "";
    badge.textContent = by > 0 ? `+${by}` : `−${-by}`;
    element.append(badge);
  }

  unpreview() {
    clearTimeout(this.previewTimer);
    this.previewing = null;
    this.restore();
  }

  restore() {
    if (!this.plain) return;
    const root = document.getElementById("page-regions");
    for (const own of root.querySelectorAll(".difference")) own.remove();
    patch(root, this.plain);
    this.plain = null;
  }

  // -- listening

  listen() {
    document.addEventListener("click", (event) => this.onClick(event));
    document.addEventListener("submit", (event) => this.onSubmit(event));
    document.addEventListener("pointerover", (event) => this.onOver(event));
    document.documentElement.addEventListener("pointerleave", () => this.hover(null));
    document.addEventListener("focusin", (event) => {
      const element = event.target.closest?.(".element");
      if (!element || !element.matches(":focus-visible")) return;
      this.hint.wait(element);
      this.previewElement(element);
    });
    document.addEventListener("focusout", (event) => {
      if (!event.target.closest?.(".element")) return;
      this.hint.hide();
      this.unpreview();
    });
    // A dialog's "close" doesn't bubble.
    document.addEventListener("close", (event) => event.target.matches("[data-opens]") && this.unpick(), true);
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.missed.seen();
    });
  }

  onOver(event) {
    if (event.pointerType !== "touch") this.hover(event.target.closest?.(".element") ?? null);
  }

  /** The mouse is over an element now, or over none. (A preview may replace what is under it, so "out" isn't heard.) */
  hover(element) {
    if (element === this.hovered) return;
    if (this.hovered) {
      this.hint.leave();
      this.unpreview();
    }
    this.hovered = element;
    if (!element) return;
    this.hint.wait(element);
    this.previewElement(element);
  }

  onClick(event) {
    const { target } = event;
    const element = target.closest(".element");
    if (element && this.root.contains(element)) {
      this.keyboard.at(element);
      this.activate(element);
    } else if (target.closest("[data-close]")) target.closest("dialog").close();
    else if (target.closest("[data-rule]")) this.toggleRule(target.closest("[data-rule]"));
    else if (target.closest("[data-keys]")) document.getElementById("page-keys").showModal();
    else if (target.closest("[data-missed]")) this.missed.replay();
    else if (target.closest("[data-lift]")) this.lift(event, target.closest("[data-lift]"));
  }

  /** Behind the curtain: the page's address stays that of the table, so that a reload closes it again. */
  lift(event, link) {
    event.preventDefault();
    this.update(Number(link.dataset.lift));
  }

  toggleRule(button) {
    const text = document.getElementById("page-rule");
    text.hidden = !text.hidden;
    button.setAttribute("aria-expanded", String(!text.hidden));
  }

  onSubmit(event) {
    const form = event.target.closest("form[data-command]");
    if (!form) return;
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(form, event.submitter));
    delete fields.csrf;
    this.command(form.dataset.command, { ...fields, key: newKey() });
    if (form.dataset.command === "say") form.reset();
  }
}

const STAYS = ["legal", "picked", "advised", "fresh", "changed"];
const SHAPES = ["class", "data-value", "d", "x", "y", "cx", "cy", "r", "width", "height", "points", "transform"];

// As `patch`, but nothing is taken away and what elements mean stays: the coming picture lies over the present one.
function overlayElement(found, wanted) {
  for (const name of SHAPES) {
    const value = wanted.getAttribute(name);
    if (value === null || value === found.getAttribute(name)) continue;
    const kept = STAYS.filter((token) => found.classList.contains(token));
    found.setAttribute(name, value);
    if (name === "class") found.classList.add(...kept);
  }
  if (found.querySelector("[id]") || wanted.querySelector("[id]")) overlayChildren(found, wanted);
  else if (!sameInside(found, wanted)) {
    found.replaceChildren(...[...wanted.childNodes].map(coming));
  }
}

/** A copy of what only the preview brings: it can't be chosen yet. */
function coming(node) {
  const copy = document.importNode(node, true);
  if (copy instanceof Element) for (const each of [copy, ...copy.querySelectorAll("[data-choice]")]) each.removeAttribute("data-choice");
  return copy;
}

function sameInside(a, b) {
  return a.childNodes.length === b.childNodes.length && [...a.childNodes].every((node, i) => node.isEqualNode(b.childNodes[i]));
}

function overlayChildren(from, to) {
  const left = new Set(from.children);
  for (const wanted of to.children) {
    const found = counterpart(from, left, wanted);
    left.delete(found);
    if (found) overlayElement(found, wanted);
    else if (isKnown(wanted)) {
      const arriving = coming(wanted);
      arriving.classList.add("arriving");
      from.append(arriving);
    }
  }
  for (const child of left) if (isKnown(child) && child.nodeName !== "DIALOG") child.classList.add("leaving");
}

/** Whether an element is known by its id, or holds such elements. */
function isKnown(element) {
  return Boolean(element.id || element.querySelector("[id]"));
}

/** What an element of the coming picture is in the present one: by its id, by those it holds, or by its order. */
function counterpart(from, left, wanted) {
  const like = (child) => left.has(child) && child.id === wanted.id && child.nodeName === wanted.nodeName;
  if (!wanted.id && isKnown(wanted)) {
    for (const { id } of wanted.querySelectorAll("[id]")) {
      let held = from.querySelector(`#${CSS.escape(id)}`);
      while (held && held.parentNode !== from) held = held.parentNode;
      if (held && like(held)) return held;
    }
  }
  return [...left].find((child) => like(child) && (wanted.id || !isKnown(child))) ?? null;
}
