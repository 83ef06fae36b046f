// Starts what the page at hand needs.

import { contribute, verify } from "./chance.js";
import { get } from "./http.js";
import { parse, patch } from "./patch.js";
import { Push } from "./push.js";
import { Replay } from "./replay.js";
import { Tabletop } from "./tabletop.js";

const play = document.querySelector("main.play[data-table]");
const lists = document.querySelector("[data-lists]");

// A link's secret stands after the #, so that no server and no log sees it before the form is sent.
const door = document.querySelector("form[data-door]");
if (door && location.hash.length > 1) {
  door.elements.token.value = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
}

for (const field of document.querySelectorAll("input[data-copy]")) field.addEventListener("focus", () => field.select());
for (const form of document.querySelectorAll("form[data-follows]")) {
  form.addEventListener("change", (event) => event.target.matches("[data-follow]") && form.requestSubmit());
}
for (const fold of document.querySelectorAll("[data-fold]")) fold.open = matchMedia("(min-width: 900px)").matches;

let table = null;
let game = Promise.resolve();
if (play) {
  table = new Tabletop();
  contribute(table);
  const { script } = document.body.dataset;
  if (script) game = import(script).then((module) => module.mount(api(table)));
}
if (document.getElementById("page-replay")) new Replay();
if (document.getElementById("page-proof")) verify();

if (play || lists) {
  new Push({
    watch: play ? [play.dataset.table] : [],
    onTable: (id, version) => {
      if (table && id === table.data.table) table.news(version);
      else if (lists) refreshLists();
    },
    onLists: () => lists && refreshLists(),
  }).start();
}
game.then(() => {
  document.body.dataset.ready = "";
});

let refreshing = null;
function refreshLists() {
  clearTimeout(refreshing);
  refreshing = setTimeout(async () => {
    const answer = await get(location.href).catch(() => null); // the next news brings another chance
    const fresh = answer && parse(await answer.text(), "page-main");
    if (fresh) patch(document.getElementById("page-main"), fresh);
  }, 200);
}

/** What a game's own script may use; docs/table.md describes it. */
function api(tabletop) {
  const option = (text) => tabletop.selection.legal.find((each) => each.text === text);
  const known = (text) => {
    const found = option(text);
    if (!found) throw new Error(`${text} isn't legal now`);
    return found.choice;
  };
  return {
    get root() {
      return tabletop.root;
    },
    legal: () => tabletop.selection.legal.map(({ choice, text, words }) => ({ choice, text, words })),
    pick: (pattern) => {
      const { options, replaces } = tabletop.selection.after(pattern);
      if (options.length) tabletop.take(options, "", replaces);
    },
    choose: (found) => tabletop.choose(found.map(known)),
    preview: (text) => tabletop.preview(known(text)),
    unpreview: () => tabletop.unpreview(),
    whyNot: (text) => tabletop.hint.reason(text),
    say: (text) => tabletop.say(text),
    onPatch: (callback) => tabletop.patched.push(callback),
  };
}
