// The player of stories: one match as one viewer saw it, or two beside each other that step together. The page holds every
// line and picture that may be seen; here they are shown and hidden by moment. A file of its own, so that a page that was saved
// can hold all of it. After each step it tells the page: an event "moment" on the root, with the seq of each story.

export const root = document.querySelector("[data-replay]");
export const find = (name) => root.querySelector(`[data-${name}]`);
export const all = (name) => [...root.querySelectorAll(`[data-${name}]`)];

const slider = find("slider");
const speed = find("speed");
const box = root.querySelector(".player");

const LONGEST_WAIT = 8000;
const WAITS = {
  fixed: (step) => (step.told ? 1200 : 450),
  fast: (step) => (step.told ? 300 : 80),
  turning: (step) => (step.turning ? 3600 : step.told ? 900 : 250),
  played: (step, next) => Math.min(Math.max(next.ms - step.ms, 150), LONGEST_WAIT),
};

const stories = all("story").map((element) => ({ element, lines: [], pictures: [], chapters: [] }));
export const steps = [];
export let running = false;
export let position = 0;
let timer = 0;

/* Takes stock of what the page holds; data: the steps that are new, and whether the match is still played. Of two
   stories a step has the seq of each. */
export function read(data) {
  for (const story of stories) takeStock(story);
  const spoken = stories.map(({ lines }) => new Set(lines.map((line) => line.seq)));
  for (const [seq, kind, seat, ms, turning] of data.steps) {
    const seqs = [seq].flat();
    steps.push({ seqs, kind, seat, ms, turning, told: seqs.some((one, place) => spoken[place].has(one)) });
  }
  running = data.running;
  slider.max = Math.max(steps.length - 1, 0);
  drawMarks();
}

function takeStock(story) {
  const inside = (name) => [...story.element.querySelectorAll(`[data-${name}]`)];
  story.lines = inside("seq").map((element) => ({ element, seq: Number(element.dataset.seq) }));
  story.pictures = inside("changing").map((changes) =>
    [...changes.children].map((element) => ({ element, seq: Number(element.dataset.from) })),
  );
  story.chapters = inside("chapter").map((element) => ({ element, seq: Number(element.dataset.chapter) }));
}

/* The step at which a story stands at a seq, or is just before it. */
export function at(seq, story = 0) {
  const after = steps.findIndex((step) => step.seqs[story] > seq);
  return Math.max((after < 0 ? steps.length : after) - 1, 0);
}

export const seqs = () => steps[position]?.seqs ?? [0];

const lastUpTo = (items, seq) => items.filter((item) => item.seq <= seq).pop();

export function show(wanted) {
  if (!steps.length) return;
  position = Math.min(Math.max(wanted, 0), steps.length - 1);
  const told = stories.map((story, place) => showStory(story, seqs()[place]));
  const atEnd = position >= steps.length - 1;
  root.classList.toggle("is-following", running && atEnd);
  root.classList.toggle("is-behind", running && !atEnd);
  slider.value = position;
  slider.style.setProperty("--done", `${(100 * position) / Math.max(steps.length - 1, 1)}%`);
  const count = find("count");
  count.textContent = count.dataset.text.replace("{n}", position + 1).replace("{all}", steps.length);
  slider.setAttribute("aria-valuetext", [count.textContent, told[0]].filter(Boolean).join(", "));
  root.dispatchEvent(new CustomEvent("moment", { detail: seqs() }));
}

/* Gives back the heading under which it stands then. */
function showStory({ element, lines, pictures, chapters }, seq) {
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
  scrollTo(element.querySelector("[data-feed]"), line?.element, "bottom");
  scrollTo(element.querySelector(".chapters"), chapter?.element, "middle");
  return chapter?.element.textContent;
}

export function mark(element, current) {
  if (current) element.setAttribute("aria-current", "true");
  else element.removeAttribute("aria-current");
}

export function scrollTo(box, element, where) {
  if (!box || !element) return;
  const inner = element.getBoundingClientRect();
  const outer = box.getBoundingClientRect();
  if (where === "bottom") {
    box.scrollTop += inner.bottom - outer.bottom + 24;
  } else {
    box.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
  }
}

// Playing

export const playing = () => box.classList.contains("playing");

function play() {
  if (position >= steps.length - 1 && !running) show(0);
  box.classList.add("playing");
  next();
}

function pause() {
  box.classList.remove("playing");
  clearTimeout(timer);
}

export function next() {
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

export function goTo(wanted) {
  show(wanted);
  next();
}

function chapterBy(way) {
  const [seq] = seqs();
  const { chapters } = stories[0];
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
  const strokes = stories[0].chapters.map(({ seq }) => {
    const x = across(at(seq));
    return svg("line", { x1: x, x2: x, y1: 14, y2: 30 });
  });
  const diamonds = steps.flatMap((step, place) => {
    if (!step.turning) return [];
    const spot = svg("svg", { x: across(place), y: 7, overflow: "visible" });
    spot.append(svg("path", { d: "M0-6 5 0 0 6-5 0Z" }));
    return [spot];
  });
  find("marks").replaceChildren(...strokes, ...diamonds);
}

slider.addEventListener("input", () => goTo(Number(slider.value)));
speed.addEventListener("change", next);
find("play").addEventListener("click", () => (playing() ? pause() : play()));
root.addEventListener("click", (event) => {
  const link = event.target.closest("[data-go], [data-chapter], [data-seq-link]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link.dataset.go) {
    MOVES[link.dataset.go]();
    if (link.closest(".behind")) find("play").focus(); // the link is gone now
    return;
  }
  const story = stories.findIndex(({ element }) => element.contains(link));
  goTo(at(Number(link.dataset.chapter ?? link.dataset.seqLink), Math.max(story, 0)));
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

for (const element of [slider, find("play"), root.querySelector(".speed")]) element.hidden = false;
for (const link of all("go")) {
  link.setAttribute("href", "#");
  link.removeAttribute("aria-disabled");
}
const data = JSON.parse(document.getElementById("steps").textContent);
read(data);
show(data.position);
