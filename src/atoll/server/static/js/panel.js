// Amounts: a stepper for each decision of a mix, asked ahead on the server, and sent together.

import { readLegal } from "./choices.js";

export class Panel {
  constructor(table, question) {
    this.table = table;
    this.rows = [this.row(question)];
    this.extend();
  }

  row(question) {
    return { key: question.key, options: readLegal(question.legal), at: 0 };
  }

  choices(count = this.rows.length) {
    return this.rows.slice(0, count).map((row) => row.options[row.at].choice);
  }

  /** Ask what follows the amounts so far, as long as it belongs to the same mix; keep what was set where it still fits. */
  async extend(from = 1) {
    const old = this.rows.slice(from).map((row) => row.options[row.at].choice);
    this.rows = this.rows.slice(0, from);
    this.turn = (this.turn ?? 0) + 1;
    const turn = this.turn;
    for (let i = 0; ; i += 1) {
      const seen = await this.table.lookAhead(this.choices()).catch((error) => this.table.tell(error.message));
      if (turn !== this.turn) return;
      const question = seen?.question;
      if (!question?.amount || question.key !== this.rows[0].key) break;
      const row = this.row(question);
      row.at = Math.max(0, row.options.findIndex((option) => option.choice === old[i]));
      this.rows.push(row);
    }
    const bar = document.getElementById("page-rest");
    if (this.table.panel === this) this.draw(bar);
  }

  draw(bar) {
    const focus = bar.contains(document.activeElement) ? document.activeElement.dataset.step : null;
    bar.replaceChildren(...this.rows.map((row, i) => this.stepper(row, i)), this.submit());
    if (focus) bar.querySelector(`[data-step="${focus}"]:not(:disabled)`)?.focus();
  }

  stepper(row, i) {
    const box = document.createElement("div");
    box.className = "stepper";
    box.setAttribute("role", "group");
    const value = Object.assign(document.createElement("output"), { textContent: row.options[row.at].words });
    value.dataset.text = row.options[row.at].text;
    box.setAttribute("aria-label", value.textContent);
    const step = (by, sign, label) => {
      const button = this.table.button(sign, () => this.set(i, row.at + by));
      button.setAttribute("aria-label", label);
      button.dataset.step = `${i}${sign}`;
      button.disabled = !row.options[row.at + by];
      return button;
    };
    box.append(step(-1, "−", this.table.texts.less), value, step(1, "+", this.table.texts.more));
    return box;
  }

  set(i, at) {
    this.rows[i].at = at;
    this.draw(document.getElementById("page-rest"));
    this.table.say(this.rows[i].options[at].words);
    this.extend(i + 1);
  }

  submit() {
    const button = this.table.button(this.table.texts.take_amounts, () => this.table.choose(this.choices()), "strong");
    button.dataset.submit = "";
    return button;
  }
}
