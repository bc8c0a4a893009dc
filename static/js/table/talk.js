/* Talk at the table: lines that come by the socket, reactions under lines, the line that one points at, what is not read
   yet. Without this file the forms work as they are. */

const talk = document.getElementById("talk");
const feed = document.getElementById("talk-feed");
const story = document.getElementById("feed");
const CHOICE = 12;

let unread = 0;
let seen = false;
let pointed = "";
let begunFor = "";  // who would have heard the words when they were begun

export function keepTalk() {
  if (!feed) return;
  document.addEventListener("table:settled", settle);
  document.addEventListener("click", point);
  document.addEventListener("input", begin);
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    if (detail.elt.id !== "say-it" || !begunFor) return;
    detail.parameters.to = begunFor;
    begunFor = "";
  });
  document.addEventListener("htmx:afterRequest", ({ detail }) => detail.elt.matches("[data-stays]") && sent(detail));
  document.addEventListener("visibilitychange", read);
  new IntersectionObserver(([entry]) => {
    seen = entry.isIntersecting;
    read();
  }).observe(feed.parentElement);
  feed.parentElement.scrollTop = feed.parentElement.scrollHeight;
  settle();
}

/* A line or a tally, whichever way it came. */
export function takeTalk(part) {
  if (!feed) return;
  if (part.matches("li[data-talk]")) addLine(part);
  else if (part.matches(".tally")) hang(part);
}

function addLine(line) {
  if (document.getElementById(line.id)) {
    [...line.querySelectorAll(".tally")].forEach(hang);
    return;
  }
  const box = feed.parentElement;
  const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 80;
  const after = [...feed.children].reverse().find((other) => Number(other.dataset.at) <= Number(line.dataset.at));
  if (after) after.after(line);
  else feed.prepend(line);
  if (atEnd) box.scrollTop = box.scrollHeight;
  if (!isMine(line) && !line.hidden) {
    unread += 1;
    talk.dataset.newest = line.id;
  }
  read();
}

/* A tally stands under its line, in the talk or in the story; what is older than it is dropped. */
function hang(tally) {
  const { tally: value, apart } = tally.dataset;
  const line = feed.querySelector(`[data-talk="${value}"]`) ?? story.querySelector(`#${value}`);
  tally.remove();
  if (!line) return;
  const kin = [...line.querySelectorAll(":scope > .tally")].find((other) => other.dataset.apart === apart);
  if (kin && Number(kin.dataset.n) > Number(tally.dataset.n)) return;
  kin?.remove();
  if (!tally.childElementCount) return;
  line.append(tally);
  window.htmx?.process(tally);
  markOwn(tally);
}

function settle() {
  const muted = (document.getElementById("speak")?.dataset.muted ?? "").split(" ").filter(Boolean);
  for (const line of feed.children) line.hidden = muted.includes(line.dataset.by);
  document.querySelectorAll(".tally").forEach(markOwn);
  offer();
}

function me() {
  return document.getElementById("act")?.dataset.me ?? "";
}

function isMine(line) {
  return me() !== "" && line.querySelector(".who-name")?.dataset.who === me();
}

function markOwn(tally) {
  for (const button of tally.querySelectorAll("[data-seats]")) {
    button.setAttribute("aria-pressed", button.dataset.seats.split(" ").includes(me()));
  }
}

/* The lines that can be pointed at, the newest first; the one that was chosen stays chosen. */
function offer() {
  const select = document.getElementById("pick-line");
  if (!select) return;
  const told = [...feed.querySelectorAll(":scope > li:not([hidden])")].slice(-CHOICE).map((line) => [line.dataset.talk, line]);
  const happened = [...story.querySelectorAll(":scope > li:not(.private)")].slice(-CHOICE).map((line) => [line.id, line]);
  const lines = [...told.reverse(), ...happened.reverse()];
  const there = lines.find(([value]) => value === pointed);
  const known = [...select.options].map((option) => option.value).join();
  if (known !== lines.map(([value]) => value).join()) {
    select.replaceChildren(...lines.map(([value, line]) => new Option(wordsOf(line), value)));
  }
  if (there) select.value = pointed;
  select.form.hidden = !lines.length;
  for (const [, line] of lines) line.classList.toggle("picked", there?.[1] === line);
}

function wordsOf(line) {
  const words = [...line.children].filter((child) => !child.matches(".tally, .phase")).map((child) => child.innerText ?? child.textContent);
  return words.join(" ").replace(/\s+/g, " ").trim().slice(0, 60);
}

/* A tap on a line points at it. */
function point({ target }) {
  const line = target.closest("#talk-feed > li, #feed > li:not(.private)");
  if (!line || target.closest("a, button, input, summary, label")) return;
  pointed = line.dataset.talk ?? line.id;
  const select = document.getElementById("pick-line");
  if (select && ![...select.options].some((option) => option.value === pointed)) select.prepend(new Option(wordsOf(line), pointed));
  if (select) select.value = pointed;
  for (const other of document.querySelectorAll(".picked")) other.classList.remove("picked");
  line.classList.add("picked");
}

/* Words are meant for those who hear them as they are begun, though the place to speak may be another one's meanwhile. */
function begin({ target }) {
  if (target.id === "talk-text") begunFor = target.value && (begunFor || target.form.elements.to.value);
}

/* What was said is on its way; the place is free for the next words. */
function sent({ successful, elt }) {
  if (!successful) return;
  const words = elt.querySelector("[name=text]");
  if (words) words.value = "";
  elt.querySelector(".said")?.replaceChildren();
}

function read() {
  if (seen && !document.hidden) unread = 0;
  const mark = talk.querySelector("[data-unread]");
  mark.hidden = !unread;
  mark.querySelector("b").textContent = unread;
}
