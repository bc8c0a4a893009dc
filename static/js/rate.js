/* The page of raters: a key labels and goes on.

   The next items are fetched before they are needed. What was given waits in an outbox, kept by the browser, until the
   server has it: without a connection nothing is lost. A post that comes twice counts once. */

const page = document.getElementById("rate");
const form = document.getElementById("labels");
const back = document.getElementById("back");
const shown = document.getElementById("item");
const side = document.getElementById("side");
const keys = [...form.querySelectorAll(".key")];
const several = "several" in page.dataset;
const inParts = "spans" in page.dataset;
const AHEAD = 6; // items that are there before they are needed
const AGAIN = 2000; // milliseconds until what failed is tried again

const post = form.elements;
const itemOf = (one) => one.querySelector("[name=item]"); // `elements.item` is a method
const name = (key) => key.value ?? key.querySelector("input").value;
const box = (key) => key.querySelector("input");
const characters = (text) => [...text].length; // the server counts characters, not units of UTF-16

/* The outbox */

const shelf = `labels:${page.dataset.who}:${location.pathname}`;
let outbox = JSON.parse(localStorage.getItem(shelf) || "[]");
let sending = false;
let dead = false;

function keep() {
  page.dataset.unsent = outbox.length;
  if (outbox.length) localStorage.setItem(shelf, JSON.stringify(outbox));
  else localStorage.removeItem(shelf);
}

function say(sentence) {
  const line = document.getElementById("line");
  line.hidden = !sentence;
  line.textContent = sentence || "";
}

function complain(sentence) {
  const wrong = document.getElementById("wrong");
  wrong.hidden = !sentence;
  wrong.textContent = sentence || "";
}

function body(entry) {
  const data = new URLSearchParams({ csrfmiddlewaretoken: post.csrfmiddlewaretoken.value, item: entry.item });
  if (entry.verb) data.set("verb", entry.verb);
  for (const label of entry.labels ?? []) data.append("labels", label);
  for (const span of entry.spans ?? []) data.append("spans", span ? span.join("-") : "");
  data.set("note", entry.note ?? "");
  data.set("seconds", entry.seconds ?? 0);
  return data;
}

async function send() {
  if (sending || dead) return;
  sending = true;
  while (outbox.length) {
    const entry = outbox[0];
    let answer;
    try {
      answer = await fetch(location.pathname, { method: "POST", body: body(entry), headers: { Accept: "application/json" } });
    } catch {
      answer = null;
    }
    const signedOut = answer?.redirected;
    if (!answer || signedOut || answer.status >= 500 || answer.status === 429) {
      say((signedOut ? page.dataset.signedOut : page.dataset.waiting).replace("%d", outbox.length));
      setTimeout(send, AGAIN);
      break;
    }
    outbox.shift();
    keep();
    say("");
    if (answer.status === 403 || answer.status === 404) return stop(page.dataset.refused);
    const told = await answer.json().catch(() => ({}));
    if (told.error) complain(told.error);
  }
  sending = false;
}

function stop(sentence) {
  dead = true;
  complain(sentence);
  side.hidden = true;
}

/* Items */

let current = null; // {id, node}
let ahead = [];
const done = []; // what was labelled, with its item, for taking back
let noMore = false;
let fetching = null;

function take(html) {
  const holder = document.createElement("div");
  holder.innerHTML = html;
  const node = holder.firstElementChild;
  return { id: Number(node.dataset.item), node };
}

async function refill() {
  if (fetching || noMore || dead || ahead.length >= AHEAD) return fetching;
  const have = [current, ...ahead].filter(Boolean).map((item) => item.id);
  const waiting = outbox.filter((entry) => !entry.verb).map((entry) => entry.item);
  fetching = (async () => {
    try {
      const answer = await fetch(`${page.dataset.next}?have=${[...have, ...waiting].join()}`);
      if (answer.status === 403 || answer.status === 404) return stop(page.dataset.refused);
      if (!answer.ok || answer.redirected) throw new Error(answer.status);
      const told = await answer.json();
      if (told.total) document.getElementById("total").textContent = told.total;
      if (told.closed || (told.round && String(told.round) !== page.dataset.round)) {
        noMore = true;
        return complain(page.dataset.otherRound);
      }
      const known = new Set([...have, ...done.map((one) => one.item.id)]);
      const fresh = told.items.map((item) => take(item.html)).filter((item) => !known.has(item.id));
      ahead.push(...fresh);
      noMore = !told.items.length;
    } catch {
      setTimeout(() => refill().then(show), AGAIN);
    } finally {
      fetching = null;
    }
  })();
  return fetching;
}

let since = performance.now();
let spent = 0; // milliseconds on this item before it was paused
let paused = false;

function show() {
  if (current || dead) return;
  current = ahead.shift() ?? null;
  document.getElementById("over").hidden = Boolean(current) || !noMore;
  side.hidden = !current;
  shown.replaceChildren(...(current ? [current.node] : []));
  if (current) begin();
}

function begin() {
  itemOf(form).value = current.id;
  spent = 0;
  since = performance.now();
  marks = [];
  choice = null;
  cursor = null;
  for (const key of keys) if (box(key)) box(key).checked = false;
  if (post.note) post.note.value = "";
  const noting = document.getElementById("noting");
  if (noting) noting.open = false;
  words = current.node.querySelector("[data-words]");
  text = words?.textContent ?? "";
  draw();
  page.querySelector(".moment").scrollTop = 0;
  current.node.querySelector(".item").scrollIntoView({ block: "nearest" });
}

function onward() {
  current = null;
  show();
  refill().then(show);
}

const seconds = () => Math.round((spent + (paused ? 0 : performance.now() - since)) / 100) / 10;

/* Pace */

let given = 0;
let active = 0;

function count(step, time = 0) {
  const counter = document.getElementById("done");
  counter.textContent = Number(counter.textContent) + step;
  document.getElementById("bar").value = Number(counter.textContent);
  given += step;
  active += time;
  if (given > 2 && active > 0) {
    const pace = Math.round((60 * given) / active);
    document.getElementById("pace").textContent = " · " + page.dataset.pace.replace("%d", pace);
  }
}

/* Labels */

let marks = []; // [{label, span}] of a scheme of parts
let choice = null; // the part that is selected, [from, to] in units of UTF-16
let cursor = null; // [first word, last word] of a selection by keyboard
let words = null;
let text = "";

const inCharacters = (span) => span && [characters(text.slice(0, span[0])), characters(text.slice(0, span[1]))];

function finish(labels, spans = []) {
  complain("");
  const entry = { item: current.id, labels, spans: spans.map(inCharacters), note: post.note?.value ?? "", seconds: seconds() };
  if (!entry.spans.some(Boolean)) entry.spans = [];
  done.push({ item: current, seconds: entry.seconds });
  outbox.push(entry);
  keep();
  send();
  count(1, entry.seconds);
  itemOf(back).value = entry.item;
  back.querySelector("button").disabled = false;
  onward();
}

function chosen() {
  return keys.filter((key) => box(key)?.checked).map(name);
}

/* A key, or a touch: `more` adds a label and stays. */
function give(key, more = false) {
  const label = name(key);
  if (inParts) {
    if (!choice && key.dataset.key === "0") return finish([label]);
    const same = (mark) => mark.label === label && String(mark.span) === String(choice);
    marks = marks.some(same) ? marks.filter((mark) => !same(mark)) : [...marks, { label, span: choice }];
    choose(null);
    getSelection().removeAllRanges();
    return draw();
  }
  if (several && more) {
    box(key).checked = !box(key).checked;
    return draw();
  }
  const labels = several ? [...new Set([...chosen(), label])] : [label];
  finish(labels, choice ? labels.map(() => choice) : []);
}

/* Go on with what is chosen, or with what the rule says. */
function go() {
  if (!current) return;
  if (inParts && marks.length) return finish(marks.map((mark) => mark.label), marks.map((mark) => mark.span));
  const labels = chosen();
  const marked = current.node.dataset.marked.split(" ").filter(Boolean);
  if (labels.length) finish(labels, choice ? labels.map(() => choice) : []);
  else if (marked.length) finish(marked);
}

function takeBack() {
  const last = done.pop();
  const item = last?.item.id ?? Number(itemOf(back).value);
  if (!item) return;
  const unsent = outbox.findIndex((entry, n) => entry.item === item && !entry.verb && !(n === 0 && sending));
  if (unsent >= 0) outbox.splice(unsent, 1);
  else outbox.push({ verb: "back", item });
  keep();
  const sent = send();
  count(-1, -(last?.seconds ?? 0));
  itemOf(back).value = done.at(-1)?.item.id ?? "";
  back.querySelector("button").disabled = !done.length;
  if (!last) return sent.then(() => location.reload()); // labelled before this page was loaded
  if (current) ahead.unshift(current);
  ahead.unshift(last.item);
  current = null;
  show();
}

/* Parts of the words */

const tokens = () => [...text.matchAll(/\S+/gu)].map((found) => [found.index, found.index + found[0].length]);

function choose(span) {
  choice = span;
  if (!span) cursor = null;
}

function draw() {
  const list = document.getElementById("marks");
  for (const key of keys) {
    const on = inParts ? marks.some((mark) => mark.label === name(key)) : box(key)?.checked;
    key.classList.toggle("on", Boolean(on));
    if (inParts && box(key)) box(key).checked = Boolean(on);
  }
  if (list) {
    list.hidden = !marks.length;
    list.replaceChildren(
      ...marks.map((mark) => {
        const line = document.createElement("li");
        const title = keys.find((key) => name(key) === mark.label).querySelector("span").firstChild.textContent;
        line.textContent = mark.span ? `${title}: “${text.slice(...mark.span)}”` : title;
        return line;
      }),
    );
  }
  if (!words) return;
  const spans = [...marks.map((mark) => ["marked", mark.span]), ...(cursor ? [["chosen", choice]] : [])].filter(([, span]) => span);
  const cuts = [...new Set([0, text.length, ...spans.flatMap(([, span]) => span)])].sort((one, other) => one - other);
  words.replaceChildren(
    ...cuts.slice(1).map((end, n) => {
      const start = cuts[n];
      const kinds = spans.filter(([, span]) => span[0] <= start && end <= span[1]).map(([kind]) => kind);
      if (!kinds.length) return document.createTextNode(text.slice(start, end));
      const part = document.createElement("mark");
      part.classList.add(...kinds);
      part.textContent = text.slice(start, end);
      return part;
    }),
  );
}

function walk(step, more) {
  const every = tokens();
  if (!every.length) return;
  if (!cursor) cursor = step > 0 ? [0, 0] : [every.length - 1, every.length - 1];
  else if (more) cursor = [cursor[0], Math.min(Math.max(cursor[1] + step, 0), every.length - 1)];
  else cursor = Array(2).fill(Math.min(Math.max(cursor[1] + step, 0), every.length - 1));
  const [first, last] = [Math.min(...cursor), Math.max(...cursor)];
  choice = [every[first][0], every[last][1]];
  draw();
}

document.addEventListener("selectionchange", () => {
  const selection = getSelection();
  if (!words || !selection.rangeCount) return;
  const range = selection.getRangeAt(0);
  if (!words.contains(range.startContainer) || !words.contains(range.endContainer)) return;
  if (range.collapsed) return cursor ? undefined : choose(null);
  const before = document.createRange();
  before.selectNodeContents(words);
  before.setEnd(range.startContainer, range.startOffset);
  const start = before.toString().length;
  cursor = null;
  choice = [start, start + range.toString().length];
});

/* Keys, touches, pauses */

function pause(on) {
  if (on === paused || !current) return;
  if (on) spent += performance.now() - since;
  paused = on;
  since = performance.now();
  shown.hidden = on;
  side.classList.toggle("off", on);
  document.getElementById("paused").hidden = !on;
  document.getElementById("pause").setAttribute("aria-pressed", String(on));
}

const doing = {
  u: takeBack,
  p: () => pause(!paused),
  n: () => {
    const noting = document.getElementById("noting");
    if (!noting) return;
    noting.open = true;
    post.note.focus();
  },
  "?": () => {
    const definitions = document.getElementById("definitions");
    definitions.open = !definitions.open;
    definitions.scrollIntoView({ block: "nearest" });
  },
  Enter: go,
  Escape: () => {
    choose(null);
    draw();
  },
  ArrowRight: (event) => walk(1, event.shiftKey),
  ArrowLeft: (event) => walk(-1, event.shiftKey),
};

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("textarea, input:not([type=checkbox])");
  if (typing) {
    if (event.key === "Escape" || (event.key === "Enter" && !event.shiftKey)) {
      event.preventDefault();
      typing.blur();
    }
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const digit = /^(?:Digit|Numpad)([0-9])$/.exec(event.code)?.[1] ?? (/^[0-9]$/.test(event.key) ? event.key : null);
  const key = digit && keys.find((one) => one.dataset.key === digit);
  if (!current || (paused && event.key !== "p")) return;
  if (key) {
    event.preventDefault();
    give(key, event.shiftKey);
  } else if (doing[event.key]) {
    if (event.key === "Enter" && event.target.closest("a, summary, button:not(.key)")) return;
    event.preventDefault();
    doing[event.key](event);
  }
});

/* A touch of one of several labels adds it, but for the one that says that there is none. */
function touched(key) {
  if (!current || paused) return draw();
  if (inParts || !several) give(key);
  else if (key.dataset.key === "0") finish([name(key)]);
  else draw();
}

for (const key of keys) {
  if (box(key)) box(key).addEventListener("change", () => touched(key));
  else
    key.addEventListener("click", (event) => {
      event.preventDefault();
      touched(key);
    });
}
form.addEventListener("submit", (event) => {
  event.preventDefault();
  go();
});
back.addEventListener("submit", (event) => {
  event.preventDefault();
  takeBack();
});
document.getElementById("pause").hidden = false;
document.getElementById("pause").addEventListener("click", () => pause(!paused));
document.getElementById("hints").hidden = false;
document.addEventListener("visibilitychange", () => {
  if (document.hidden) pause(true);
});
addEventListener("online", send);

keep();
const first = shown.firstElementChild;
const unsent = new Set(outbox.filter((entry) => !entry.verb).map((entry) => entry.item));
if (first && !unsent.has(Number(first.dataset.item))) {
  current = { id: Number(first.dataset.item), node: first };
  begin();
}
send();
refill().then(show);
