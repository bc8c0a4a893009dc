// The player of a replay. The page holds every line and picture that this viewer may see; here they are shown and
// hidden by moment. Of a running match the line brings each event as it comes. Thoughts are fetched when a moment is looked at. Without this script the page works by its links.

import { patch } from "./patch.js";
import { watchLine } from "./socket.js";

const root = document.querySelector("[data-replay]");
const find = (name) => root.querySelector(`[data-${name}]`);
const all = (name) => [...root.querySelectorAll(`[data-${name}]`)];

const slider = find("slider");
const speed = find("speed");
const player = root.querySelector(".player");
const thoughtsHere = find("thoughts-here");

const LONGEST_WAIT = 8000;
const WAITS = {
  fixed: (step) => (step.told ? 1200 : 450),
  fast: (step) => (step.told ? 300 : 80),
  turning: (step) => (step.turning ? 3600 : step.told ? 900 : 250),
  played: (step, next) => Math.min(Math.max(next.ms - step.ms, 150), LONGEST_WAIT),
};

const steps = [];
let lines = [];
let pictures = [];
let chapters = [];
let running = false;
let position = 0;
let timer = 0;
let endLine = () => {};

/* Takes stock of what the page holds; data: the steps that are new, and whether the match is still played. */
function read(data) {
  lines = all("seq").map((element) => ({ element, seq: Number(element.dataset.seq) }));
  pictures = all("changing").map((box) =>
    [...box.children].map((element) => ({ element, seq: Number(element.dataset.from) })),
  );
  chapters = all("chapter").map((element) => ({ element, seq: Number(element.dataset.chapter) }));
  const spoken = new Set(lines.map((line) => line.seq));
  for (const [seq, kind, seat, ms, turning] of data.steps) steps.push({ seq, kind, seat, ms, turning, told: spoken.has(seq) });
  running = data.running;
  if (!running) endLine();
  slider.max = Math.max(steps.length - 1, 0);
  drawMarks();
}

function at(seq) {
  const after = steps.findIndex((step) => step.seq > seq);
  return Math.max((after < 0 ? steps.length : after) - 1, 0);
}

const lastUpTo = (items, seq) => items.filter((item) => item.seq <= seq).pop();

function show(wanted) {
  if (!steps.length) return;
  position = Math.min(Math.max(wanted, 0), steps.length - 1);
  const { seq } = steps[position];
  const line = lastUpTo(lines, seq);
  for (const item of lines) {
    item.element.hidden = item.seq > seq;
    item.element.classList.toggle("now", item === line);
  }
  for (const changes of pictures) {
    const current = lastUpTo(changes, seq);
    for (const item of changes) item.element.hidden = item !== current;
  }
  const chapter = lastUpTo(chapters, seq);
  for (const item of chapters) mark(item.element, item === chapter);
  scrollTo(find("feed"), line?.element, "bottom");
  scrollTo(root.querySelector(".chapters"), chapter?.element, "middle");
  const atEnd = position >= steps.length - 1;
  root.classList.toggle("is-following", running && atEnd);
  root.classList.toggle("is-behind", running && !atEnd);
  slider.value = position;
  slider.style.setProperty("--done", `${(100 * position) / Math.max(steps.length - 1, 1)}%`);
  const count = find("count");
  count.textContent = count.dataset.text.replace("{n}", position + 1).replace("{all}", steps.length);
  slider.setAttribute("aria-valuetext", [count.textContent, chapter?.element.textContent].filter(Boolean).join(", "));
  later("address", 200, keepAddress);
  if (thinks()) later("thoughts", 120, fetchThoughts);
}

function mark(element, current) {
  if (current) element.setAttribute("aria-current", "true");
  else element.removeAttribute("aria-current");
}

function scrollTo(box, element, where) {
  if (!box || !element) return;
  const inner = element.getBoundingClientRect();
  const outer = box.getBoundingClientRect();
  if (where === "bottom") {
    box.scrollTop += inner.bottom - outer.bottom + 24;
  } else {
    box.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
  }
}

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
  address.searchParams.set("seq", steps[position]?.seq ?? 0);
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
    address.searchParams.set("seq", steps[position].seq);
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
  address.searchParams.set("seq", steps[position].seq);
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

// Playing

const playing = () => player.classList.contains("playing");

function play() {
  if (position >= steps.length - 1 && !running) show(0);
  player.classList.add("playing");
  next();
}

function pause() {
  player.classList.remove("playing");
  clearTimeout(timer);
}

function next() {
  clearTimeout(timer);
  if (!playing()) return;
  if (position >= steps.length - 1) {
    if (!running) pause();
    return;
  }
  timer = setTimeout(() => {
    show(position + 1);
    next();
  }, WAITS[speed.value](steps[position], steps[position + 1]));
}

function goTo(wanted) {
  show(wanted);
  next();
}

function chapterBy(way) {
  const { seq } = steps[position];
  const place = chapters.indexOf(lastUpTo(chapters, seq));
  const target = way < 0 && place >= 0 && chapters[place].seq < seq ? chapters[place] : chapters[place + way];
  if (target) goTo(at(target.seq));
}

const MOVES = {
  start: () => goTo(0),
  back: () => goTo(position - 1),
  forward: () => goTo(position + 1),
  end: () => goTo(steps.length - 1),
};
const KEYS = {
  Home: MOVES.start,
  End: MOVES.end,
  ArrowLeft: MOVES.back,
  ArrowRight: MOVES.forward,
  " ": () => (playing() ? pause() : play()),
  "[": () => chapterBy(-1),
  "]": () => chapterBy(1),
};

// The rail: a stroke where a phase begins, a diamond where the match took a turn

function drawMarks() {
  const svg = (name, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const across = (place) => `${(100 * place) / Math.max(steps.length - 1, 1)}%`;
  const strokes = chapters.map(({ seq }) => svg("line", { x1: across(at(seq)), x2: across(at(seq)), y1: 14, y2: 30 }));
  const diamonds = steps.flatMap((step, place) => {
    if (!step.turning) return [];
    const spot = svg("svg", { x: across(place), y: 7, overflow: "visible" });
    spot.append(svg("path", { d: "M0-6 5 0 0 6-5 0Z" }));
    return [spot];
  });
  find("marks").replaceChildren(...strokes, ...diamonds);
}

// A match that is still played goes on here too

let told = 0;
let fetching = false;

const lastSeq = () => steps.at(-1)?.seq ?? 0;

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
  const { seq = 0 } = steps[position] ?? {};
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

slider.addEventListener("input", () => goTo(Number(slider.value)));
speed.addEventListener("change", next);
find("play").addEventListener("click", () => (playing() ? pause() : play()));
find("link").addEventListener("click", async ({ currentTarget: button }) => {
  await navigator.clipboard.writeText(here());
  const text = button.textContent;
  button.textContent = button.dataset.done;
  setTimeout(() => (button.textContent = text), 1500);
});
root.addEventListener("click", (event) => {
  const link = event.target.closest("[data-go], [data-chapter], [data-seq-link], .tabs a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link.dataset.go) {
    MOVES[link.dataset.go]();
    if (link.closest(".behind")) find("play").focus(); // the link is gone now
  } else if (link.dataset.chapter) goTo(at(Number(link.dataset.chapter)));
  else if (link.dataset.seqLink) goTo(at(Number(link.dataset.seqLink)));
  else {
    for (const tab of root.querySelectorAll(".tabs a")) mark(tab, tab === link);
    show(position);
  }
});
document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  const move = KEYS[key];
  if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.closest("select, textarea, input:not([type=range])")) return;
  if (key === " " && target.closest("button, summary")) return;
  event.preventDefault();
  move();
});

for (const element of [slider, find("play"), find("link"), root.querySelector(".speed")]) element.hidden = false;
for (const link of all("go")) link.setAttribute("href", "#");
showLens();
const data = JSON.parse(document.getElementById("steps").textContent);
read(data);
show(data.position);
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
