// The feast as a show: once the row of rituals has acted, it is gone through again card by card, the mana source running
// down with it. What the page shows without this is the same, all at once.

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const LOOK_MS = 700; // at a card, before it is paid
const READ_MS = 1300; // at what became of it
const FAIL_MS = 450; // at each of those that fail together
const CARDS = "#region-row .ritual";

export function mount(table) {
  new Feast(table);
}

class Feast {
  constructor(table) {
    this.table = table;
    this.seen = this.outcomes().length; // what is there when the page is opened has been seen
    this.at = null; // the card that is looked at, while the show runs
    this.paid = false; // whether it has had its effect
    table.onPatch(() => this.refresh());
  }

  /** The cards that have had their turn, the first one first. */
  outcomes() {
    return [...document.querySelectorAll(CARDS)].filter((card) => card.querySelector("[data-source]"));
  }

  refresh() {
    const n = this.outcomes().length;
    if (n < this.seen) this.stop(n);
    if (n > this.seen && this.at === null) {
      if (STILL.matches) this.seen = n;
      else this.start();
    }
    this.dress();
  }

  start() {
    this.at = this.seen;
    this.paid = false;
    this.seen = this.outcomes().length;
    document.getElementById("region-row").scrollIntoView({ behavior: "smooth", block: "nearest" });
    this.wait();
  }

  stop(n = this.outcomes().length) {
    clearTimeout(this.timer);
    this.at = null;
    this.seen = n;
    this.dress();
  }

  wait() {
    const failed = this.outcomes()[this.at]?.classList.contains("failed");
    this.timer = setTimeout(() => this.step(), failed ? FAIL_MS : this.paid ? READ_MS : LOOK_MS);
  }

  step() {
    const cards = this.outcomes();
    if (!this.paid) this.paid = true;
    else {
      this.at += 1;
      this.paid = false;
    }
    this.seen = cards.length;
    if (this.at >= cards.length) {
      this.stop();
      return;
    }
    this.dress();
    this.wait();
  }

  /** Mark the card that is looked at, hide what became of the later ones, and set the source to the mana of this moment. */
  dress() {
    const cards = this.outcomes();
    for (const [index, card] of cards.entries()) {
      card.classList.toggle("show-now", this.at === index);
      card.classList.toggle("show-waits", this.at !== null && (index > this.at || (index === this.at && !this.paid)));
    }
    this.offerToSkip();
    if (this.at === null || !cards[this.at]) return;
    const { source, cost } = cards[this.at].querySelector("[data-source]").dataset;
    const pays = this.paid && !cards[this.at].classList.contains("failed");
    document.getElementById("source-left").textContent = String(source - (pays ? cost : 0));
    const [drawing, strip] = [cards[this.at].closest("svg"), cards[this.at].closest(".drawings")];
    const beyond = drawing.getBoundingClientRect().right - strip.getBoundingClientRect().right;
    if (beyond > 0) strip.scrollBy({ left: beyond, behavior: "smooth" });
  }

  offerToSkip() {
    const source = document.getElementById("mana-source");
    const button = document.querySelector("#region-row .show-skip");
    if (this.at === null) {
      if (button) {
        const focused = button === document.activeElement;
        button.remove();
        if (focused) document.querySelector(CARDS)?.focus();
      }
      if (source) document.getElementById("source-left").textContent = source.dataset.left;
    } else if (!button) {
      const skip = document.createElement("button");
      skip.type = "button";
      skip.className = "show-skip";
      skip.dataset.own = "";
      skip.textContent = source.dataset.skip;
      skip.addEventListener("click", () => this.stop());
      document.getElementById("region-row").append(skip);
    }
  }
}
