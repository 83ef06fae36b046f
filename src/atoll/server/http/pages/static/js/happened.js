// Past acts in words: a list for readers who want no motion, and the last act as a message.

import { button, byId, find, findOf, html } from "./dom.js";
import { wordsOf } from "./pacing.js";
import { goTo } from "./tabs.js";

/**
 * @import { Act } from "./sent.d.ts"
 * @import { Tabletop } from "./tabletop.js"
 */

const NOTED_LINES = 3; // of the last act, where the log is out of sight: more would hide what can be chosen now

/**
 * The last act is told once more while one is asked already; where the log is seen it is lit there.
 * @param {Tabletop} table
 * @param {Act} act
 */
export function tell(table, act) {
  if (byId("page-log").checkVisibility()) return;
  const aside = findOf(HTMLElement, ".aside");
  const part = aside?.clientWidth ? aside : findOf(HTMLElement, ".scene"); // of a phone the scene is all there is
  table.hint.note(wordsOf({ ...act, lines: act.lines.slice(-NOTED_LINES) }), null, part);
}

/**
 * The lines of acts in a list above the log; on a phone, whoever comes back is led there.
 * @param {Tabletop} table
 * @param {Act[]} acts
 * @param {boolean} open
 */
export function note(table, acts, open) {
  const old = findOf(HTMLDetailsElement, "#page-happened details");
  find("#page-happened")?.remove();
  if (!acts.length) return;
  const { texts, server } = table;
  const fold = html("details", { open: open || old?.open === true });
  const summary = html("summary", { textContent: texts.player.since.replace("{n}", String(acts.length)) });
  const list = html("ol");
  for (const act of acts) {
    const line = html("li");
    line.dataset.names = act.lines.flatMap(({ names }) => names).join(" ");
    line.id = `happened-${act.end}`;
    line.append(html("a", { href: server.address("/replay", { at: act.end }), textContent: wordsOf(act) }));
    list.append(line);
  }
  fold.append(summary, list);
  const notice = html("section", { id: "page-happened", className: "happened" });
  notice.dataset.own = "";
  notice.append(
    fold,
    button(texts.player.close, () => notice.remove(), "quiet"),
  );
  find(".log-box")?.prepend(notice);
  if (open) goTo("log");
}
