// The final score is counted: line after line lights up, the last place first. It can be skipped and seen again; who
// doesn't want motion, or has no script, simply has all of it.

import { isStill } from "./motion.js";

const LINE_MS = 420;
const LONGEST_MS = 9000;
const DIM = 0.15;

export class Counting {
  constructor(table) {
    this.table = table;
    this.running = [];
    document.addEventListener("click", (event) => {
      if (event.target.closest("[data-count]")) this.start();
      else if (event.target.closest("[data-skip]")) this.finish();
    });
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.finish());
  }

  get name() {
    return `atoll counted ${this.table.data.table}`;
  }

  /** When the score is there for the first time in this browser. */
  offer() {
    const again = document.querySelector("[data-count]");
    if (!again || isStill()) return;
    again.hidden = this.running.length > 0;
    document.querySelector("[data-skip]").hidden = !again.hidden;
    if (localStorage.getItem(this.name)) return;
    localStorage.setItem(this.name, "1");
    this.start();
  }

  start() {
    this.finish();
    const seats = [...document.querySelectorAll(".ranking > li")].reverse();
    const lines = seats.map((seat) => [...seat.querySelectorAll("tbody tr")]);
    const step = Math.min(LINE_MS, LONGEST_MS / (lines.flat().length + seats.length));
    let at = 0;
    seats.forEach((seat, i) => {
      seat.querySelector("details").open = true;
      for (const line of [...lines[i], seat.querySelector(".total")]) {
        this.running.push(light(line, at * step, step));
        at += 1;
      }
    });
    const end = () => this.finish();
    Promise.all(this.running.map((each) => each.finished)).then(end, end);
    this.offer();
  }

  finish() {
    const running = this.running;
    this.running = [];
    for (const each of running) each.finish();
    if (running.length) this.offer();
  }
}

// Animations and no classes: the page may be patched meanwhile, and what is read aloud is all there from the beginning.
function light(element, delay, duration) {
  const style = getComputedStyle(document.querySelector(".score"));
  const glow = style.getPropertyValue("--glow");
  return element.animate(
    [
      { opacity: DIM },
      { opacity: 1, backgroundColor: `color-mix(in srgb, ${glow} 55%, transparent)`, offset: 0.4 },
      { opacity: 1 },
    ],
    { delay, duration: duration * 2, fill: "backwards" },
  );
}
