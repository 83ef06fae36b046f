// Enlarges a small island of another seat.

import { find, hit, html } from "/static/js/dom.js";

/**
 * @import { Thing } from "/static/js/dom.js"
 * @import { Table } from "/static/js/game.js"
 */

export class Lens {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    table.root.addEventListener("click", (event) => this.open(hit(event, ".small-island")));
    table.root.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") this.open(hit(event, ".small-island"));
    });
  }

  /** @param {Thing | null} island */
  open(island) {
    const picture = island?.closest("svg");
    if (!island || !picture) return;
    const name = island.ariaLabel ?? "";
    const dialog = html("dialog", { className: "atua-lens", ariaLabel: name });
    dialog.dataset.own = "";
    const drawing = document.importNode(picture, true);
    for (const each of [drawing, ...drawing.querySelectorAll("[id]")]) each.removeAttribute("id");
    for (const each of drawing.querySelectorAll(".element")) each.setAttribute("class", "small-island-large");
    drawing.removeAttribute("width");
    drawing.removeAttribute("height");
    const word = find("#page-keys [data-close]")?.textContent ?? "×";
    const close = html("button", { type: "button", className: "close", textContent: word });
    close.dataset.close = "";
    dialog.append(close, drawing, html("p", { textContent: name }));
    dialog.addEventListener("close", () => dialog.remove());
    this.table.root.append(dialog);
    dialog.showModal();
  }
}
