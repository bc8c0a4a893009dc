// A replay: the player's story, and beside it the thoughts of each moment, fetched when it is looked at. Of a running match
// the line brings each event as it comes. Without this script the page works by its links.

import { patch } from "./patch.js";
import { all, at, find, mark, next, playing, position, read, root, running, scrollTo, seqs, show, steps } from "./player.js";
import { watchLine } from "./socket.js";

const thoughtsHere = find("thoughts-here");
let endLine = () => {};

root.addEventListener("moment", () => {
  later("address", 200, keepAddress);
  if (thinks()) later("thoughts", 120, fetchThoughts);
});

/* On a phone the row of views is longer than the screen. */
function showLens() {
  scrollTo(root.querySelector(".lenses nav"), root.querySelector(".lens[aria-current]"), "middle");
}

const timers = {};
function later(name, wait, action) {
  clearTimeout(timers[name]);
  timers[name] = setTimeout(action, wait);
}

// The address: a link to this very moment

function here() {
  const address = new URL(location.href);
  address.search = address.hash = "";
  address.searchParams.set("as", root.dataset.as);
  address.searchParams.set("seq", seqs()[0]);
  if (seat()) address.searchParams.set("seat", seat());
  return address;
}

/* A page that follows a running match goes on following when it is loaded anew. */
function keepAddress() {
  const kept = here();
  if (running && position >= steps.length - 1) kept.searchParams.delete("seq");
  history.replaceState(null, "", kept);
  for (const link of all("keeps-seq")) {
    const address = new URL(link.href);
    address.searchParams.set("seq", seqs()[0]);
    link.href = address;
  }
}

// Thoughts of the moment, kept once fetched

const thinks = () => thoughtsHere && (running || !find("tabs").hidden);
const seat = () => root.querySelector(".tabs [aria-current]")?.dataset.seat ?? "";
const fetched = new Map();
let wantedThoughts = "";

async function fetchThoughts() {
  const address = new URL(root.dataset.thoughts, location.href);
  address.searchParams.set("seq", seqs()[0]);
  if (seat()) address.searchParams.set("seat", seat());
  const key = (wantedThoughts = address.search);
  if (!fetched.has(key)) {
    const answer = await fetch(address, { headers: { "HX-Request": "true" } }).catch(() => null);
    if (!answer?.ok) return;
    fetched.set(key, await answer.text());
  }
  const html = fetched.get(key);
  if (key !== wantedThoughts || html === thoughtsHere.shown) return;
  thoughtsHere.shown = html;
  const template = document.createElement("template");
  template.innerHTML = html;
  placeTabs(template.content.querySelector("[data-tabs]"));
  fold(template.content, unfolds(), "[data-panel]");
  if (unfolds()) fold(template.content, true);
  for (const buttons of template.content.querySelectorAll("[data-folds]")) buttons.hidden = false;
  const fresh = thoughtsHere.cloneNode(false);
  fresh.append(template.content);
  patch(thoughtsHere, fresh, { heir: heirOf(thoughtsHere) });
}

/* The row of seats changes when one more has thought; else it stays, for it may be just being pressed. */
function placeTabs(fresh) {
  fresh.remove();
  const tabs = find("tabs");
  if (tabs.childElementCount !== fresh.childElementCount) patch(tabs, fresh, { heir: chosenTab });
}

const chosenTab = () => root.querySelector(".tabs [aria-current]");

/* Who has the focus of what is not there any more: its neighbour, such as Earlier of Later, or the heading of its panel;
   else whose thoughts are shown. */
function heirOf(box) {
  const held = document.activeElement;
  const panel = held.closest("[data-panel]")?.id;
  const neighbours = held.closest(".turnpages") ? ".turnpages a" : "summary";
  return () => ((panel && document.getElementById(panel)) || box).querySelector(neighbours) ?? chosenTab();
}

/* Who has opened all wants what comes open too, until all is closed; also after a reload. */
const UNFOLDS = "thoughts unfolded";
const unfolds = () => sessionStorage.getItem(UNFOLDS) === "yes";

function fold(box, open, which = "details:not([data-load])") {
  for (const part of box.querySelectorAll(which)) part.open = open;
}

// Prompts are long: each is fetched when it is opened. A toggle does not bubble, so it is caught on its way down.

root.addEventListener(
  "toggle",
  async ({ target }) => {
    const box = target.querySelector?.(":scope > [data-loaded]");
    if (!target.open || !box || box.dataset.loaded) return;
    box.dataset.loaded = "asked";
    const answer = await fetch(target.dataset.load).catch(() => null);
    if (answer?.ok) box.innerHTML = await answer.text();
    else delete box.dataset.loaded;
  },
  true,
);
root.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-fold]");
  if (!button) return;
  sessionStorage.setItem(UNFOLDS, button.dataset.fold ? "yes" : "");
  fold(thoughtsHere, Boolean(button.dataset.fold));
});

// A match that is still played goes on here too

let told = 0;
let fetching = false;

const lastSeq = () => steps.at(-1)?.seqs[0] ?? 0;

async function catchUp() {
  const since = lastSeq();
  if (fetching || told <= since) return;
  fetching = true;
  const address = here();
  address.searchParams.set("since", since);
  const answer = await fetch(address).catch(() => null);
  const news = answer?.status === 200 ? await answer.text() : null;
  fetching = false;
  if (news === null) return; // the next ping tries again
  if (lastSeq() === since) take(news); // else the line has brought it meanwhile
  catchUp();
}

function take(news) {
  const [seq] = seqs();
  const atEnd = position >= steps.length - 1;
  const template = document.createElement("template");
  template.innerHTML = news;
  for (const fresh of template.content.querySelectorAll("[data-news]")) {
    grow(root.querySelector(`[data-grows=${fresh.dataset.news}]`), fresh);
  }
  const place = (name) => {
    const [old, fresh] = [document, template.content].map((page) => page.querySelector(`[data-${name}]`));
    patch(old, fresh, { heir: () => find("play") });
  };
  read(JSON.parse(template.content.getElementById("news").textContent));
  if (!running) {
    endLine();
    ["where", "lenses"].forEach(place); // the end opens more to see
    showLens();
  }
  show(atEnd && !playing() ? steps.length - 1 : at(seq));
  next();
}

/* Seats that look as they did before are sent as empty places. */
function grow(box, fresh) {
  if (fresh.childElementCount) box.querySelector(":scope > .empty")?.remove();
  for (const item of [...fresh.children]) {
    for (const same of item.querySelectorAll("[data-same]")) {
      same.replaceWith(box.lastElementChild.children[[...item.children].indexOf(same)].cloneNode(true));
    }
    box.append(item);
  }
}

function thinkAgain() {
  fetched.clear();
  if (thinks() && steps.length) later("thoughts", 120, fetchThoughts);
}

find("link").addEventListener("click", async ({ currentTarget: button }) => {
  await navigator.clipboard.writeText(here());
  const text = button.textContent;
  button.textContent = button.dataset.done;
  setTimeout(() => (button.textContent = text), 1500);
});
root.addEventListener("click", (event) => {
  const chosen = event.target.closest(".tabs a");
  if (!chosen || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  for (const tab of root.querySelectorAll(".tabs a")) mark(tab, tab === chosen);
  show(position);
});

find("link").hidden = false;
showLens();
show(position);
if (root.dataset.socket && running) {
  endLine = watchLine(root, {
    moved: ({ n, since, html }) => {
      told = n;
      if (since === lastSeq()) take(html);
      else catchUp();
    },
    thoughts: thinkAgain,
    pong: catchUp,
  });
}
