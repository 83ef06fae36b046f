// Starts the modules that the page needs.

import { listenToCarried } from "./carried.js";
import { allOf, byId, find, findOf, onClick, readJson } from "./dom.js";
import { draftsOfAccount } from "./drafts.js";
import { listenToFaults } from "./faults.js";
import { get } from "./http.js";
import { morph, parse } from "./morph.js";
import { Push } from "./push.js";
import { checkPush } from "./push_check.js";
import { Persistent } from "./reach.js";
import { startWorker } from "./secure.js";
import { dressVolume, listenToVolume } from "./sound.js";
import { forgetAll } from "./storage.js";

listenToFaults();

const REFRESH_MS = 200;
// At these addresses a link's secret stands after the #; see door.html.jinja.
const doors = ["/join", "/device", "/sign-in/mail", "/rescue"];
if (doors.includes(location.pathname)) (await import("/static/js/late/doors.js")).enter();
// A reader who has given a name needn't give it again.
onClick("a[data-named]", (link) => {
  const name = findOf(HTMLInputElement, "form.play-now [name=name]")?.value;
  if (name && link instanceof HTMLAnchorElement) link.search += `&name=${encodeURIComponent(name)}`;
});

// The server writes times in this zone.
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
// biome-ignore lint/suspicious/noDocumentCookie: cookieStore is missing where the page didn't come by TLS
if (timeZone) document.cookie = `${document.body.dataset.zone}=${timeZone}; path=/; max-age=31536000; samesite=lax`;

listenToVolume();
listenToCarried((error) => table?.news.fail(error));
for (const button of allOf(HTMLElement, "[data-back]")) button.hidden = history.length < 2;
onClick("[data-back]", () => history.back());
const wide = matchMedia("(min-width: 900px)").matches;
for (const fold of allOf(HTMLDetailsElement, "details[data-fold]")) fold.open = wide;

// A person who leaves this device leaves no drafts here.
for (const form of allOf(HTMLFormElement, "form[data-forgets]"))
  form.addEventListener("submit", () => forgetAll(draftsOfAccount()));

/** @type {number | undefined} */
let refreshing;
const loading = new Persistent(async () => {
  const fresh = parse(await (await get(location.href)).text(), "page-main");
  if (fresh) morph(byId("page-main"), fresh);
});
function refreshLists() {
  clearTimeout(refreshing);
  refreshing = setTimeout(() => loading.again(), REFRESH_MS);
}

// Another of the reader's tables has changed, and may be the next one that waits for them.
function refreshTable() {
  clearTimeout(refreshing);
  refreshing = setTimeout(() => find("main[data-waits]") && table?.update(), REFRESH_MS);
}

const play = findOf(HTMLElement, "main.play[data-table]");
const lists = find("[data-lists]");
const lesson = find("main.play[data-lesson]") && new (await import("./lesson.js")).Lesson();
const table = play ? new (await import("./tabletop.js")).Tabletop() : lesson;

if (play || lists) {
  const watched = play?.dataset.table;
  new Push({
    watch: watched ? [watched] : [],
    onTable: (id, version) => {
      if (table && id === table.data.table) table.heard(version);
      else if (lists) refreshLists();
      else if (find("main[data-waits]")) refreshTable();
    },
    onLists: () => lists && refreshLists(),
    onHere: (id, seats) => {
      if (table && id === table.data.table) table.news.here(seats);
    },
  }).start();
}

const { script } = document.body.dataset;
if (table) {
  table.patched.push(dressVolume);
  if (play) {
    const chance = new (await import("./chance_share.js")).ChanceShare(table);
    table.patched.push(() => chance.attend());
    chance.attend();
    new (await import("./coach.js")).Coach(table);
    new (await import("./chat_notes.js")).ChatNotes(table);
    new (await import("./clocks.js")).Clocks(table);
    new (await import("./drafts.js")).Drafts(table);
  }
  if (script) {
    const [{ mount }, { tableOf }] = await Promise.all([import(script), import("./game.js")]);
    mount(tableOf(table));
  }
}
const searched = findOf(HTMLFormElement, "form[data-search]");
if (searched) (await import("/static/js/late/rules.js")).search(searched);
if (find("#page-acts")) new (await import("./replay.js")).Replay();
if (find("#page-proof")) (await import("/static/js/late/chance_page.js")).showVerdict(readJson("page-proof"));
const workshop = findOf(HTMLFormElement, "form[data-workshop]");
if (workshop) (await import("/static/js/late/workshop.js")).edit(workshop);
const followers = allOf(HTMLFormElement, "form[data-follows]");
if (followers.length) (await import("/static/js/late/followers.js")).follow(followers);
const files = allOf(HTMLInputElement, "input[data-into]");
if (files.length) (await import("/static/js/late/files.js")).read(files);
const polls = findOf(HTMLElement, "[data-polls]");
if (polls) (await import("/static/js/late/devices.js")).poll(polls.dataset.polls ?? "");
findOf(HTMLFormElement, "form[data-at-once]")?.requestSubmit();
const passkey = findOf(HTMLElement, "[data-passkey]");
if (passkey) (await import("/static/js/late/passkeys.js")).offer(passkey);
startWorker();
const push = findOf(HTMLElement, "[data-push]");
if (push) (await import("/static/js/late/web_push.js")).offer(push);
const { account } = document.body.dataset;
if (account) checkPush(account);
document.body.dataset.ready = "";
