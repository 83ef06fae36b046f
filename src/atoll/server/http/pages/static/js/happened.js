// Past acts in words: a list for readers who want no motion, and the last act as a message.

import { button, byId, find, findOf, html } from "./dom.js";
import { wordsOf } from "./pacing.js";
import { goTo } from "./tabs.js";

/**
 * @import { Act } from "./sent.d.ts"
 * @import { Tabletop } from "./tabletop.js"
 */

const NOTED_LINES = 3; // of the last act, if the log is out of sight: more would cover legal elements

/**
 * Repeat the last act in a message, because a question follows it already. It is lit in the log if that is in sight.
 * @param {Tabletop} table
 * @param {Act} act
 */
export function tell(table, act) {
  if (byId("page-log").checkVisibility()) return;
  const aside = findOf(HTMLElement, ".aside");
  const part = aside?.clientWidth ? aside : findOf(HTMLElement, ".scene"); // on a phone only the scene is in sight
  table.hint.note(wordsOf({ ...act, lines: act.lines.slice(-NOTED_LINES) }), null, part);
}

/**
 * List the lines of acts above the log. On a phone, a returning reader is led there.
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
