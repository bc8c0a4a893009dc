/* Puts parts of the page in place, whichever way they came: by the socket or as the answer to a post.

   Every part carries data-n, "generation.seq.revision"; one that is older than what stands there is dropped. A line of the
   feed is added only if its id is not there yet. The form is swapped only when it is another one (data-key). */

import { patch } from "../patch.js";
import { isTaught } from "./first_match.js";
import { takeTalk } from "./talk.js";
import { announce, sayAloud } from "./turn.js";

const table = document.getElementById("table");
const feed = document.getElementById("feed");

/* answer: it is one to a post of this page; movesOn: to one by which its reader leaves the match that is over. */
export function receive(html, answer = false, movesOn = false) {
  const template = document.createElement("template");
  template.innerHTML = html;
  const generation = newest(template.content);
  if (generation < Number(table.dataset.generation)) return;
  if (generation > Number(table.dataset.generation)) {
    if (isRead() && !movesOn) return offerNext();
    table.dataset.generation = generation;
    feed.replaceChildren();
  }
  const fresh = [];
  const talk = [];
  for (const part of [...template.content.children]) {
    if (part.matches("[data-part]")) place(part, answer);
    else if (part.matches("li[data-seq]")) fresh.push(part);
    else talk.push(part);
  }
  for (const line of fresh) isKnown(line) || insert(line);
  talk.forEach(takeTalk);
  settle();
  keepUp();
}

/* Who has not said that they play again keeps the match that is over on the page; the room's screen is nobody's. */
function isRead() {
  const act = document.getElementById("act");
  return act !== null && document.querySelector(".verdict") !== null && !("again" in act.dataset);
}

/* The next match has begun without this reader: there is a link to it, and the page stays. */
function offerNext() {
  const act = document.getElementById("act");
  if (act.querySelector("[data-next]")) return;
  act.prepend(document.getElementById("next-match").content.cloneNode(true));
  sayAloud(act.querySelector("[data-next] p").textContent);
}

/* Of which match they are; lines alone are of the one that is shown. */
export function newest(content) {
  const marks = [...content.querySelectorAll("[data-part]")].map((part) => Number(part.dataset.n.split(".")[0]));
  return marks.length ? Math.max(...marks) : Number(table.dataset.generation);
}

function isOlder(left, right) {
  const [a, b] = [left, right].map((n) => n.split(".").map(Number));
  const place = a.findIndex((value, index) => value !== b[index]);
  return place >= 0 && a[place] < b[place];
}

function place(part, answer) {
  const old = document.getElementById(part.id);
  if (!old) return;
  const older = isOlder(part.dataset.n, old.dataset.n);
  const same = part.dataset.key !== undefined && part.dataset.key === old.dataset.key;
  const refusal = answer && ("refused" in part.dataset || "refused" in old.dataset);
  if (older || (same && !refusal)) {
    if (!older) old.dataset.n = part.dataset.n;
    if (answer) pass(part, old);
    return;
  }
  const held = heldOrPressedIn(old);
  const refused = "refused" in part.dataset;
  const now = patch(old, part, { held, heir: () => document.getElementById("act"), typed: !refused });
  window.htmx?.process(now);
  if (held && refused) faulty(now)?.focus({ preventScroll: true });
}

/* The socket was faster than the answer: what the answer says stands in the part that is there. */
function pass(part, old) {
  const notice = part.querySelector(":scope > .notice");
  if (!notice) return;
  old.querySelector(":scope > .notice")?.remove();
  old.prepend(notice);
}

let pressed = null;

/* While a form is being sent its button is disabled, which takes the focus from it: this was it. Null: it is sent. */
export function keepPressed(button) {
  pressed = button;
}

function heldOrPressedIn(part) {
  const held = document.activeElement === document.body ? pressed : document.activeElement;
  return part.contains(held) ? held : null;
}

/* After a refusal the focus goes to the field that it is about. */
function faulty(part) {
  const form = document.activeElement.form ?? part;
  return form.querySelector("[aria-invalid=true], input:checked") ?? form.querySelector("input:not([type=hidden]), textarea, select");
}

export function isKnown(line) {
  return document.getElementById(line.id) !== null;
}

/* One line more of the story, before the parts that go with it. */
export function tell(line) {
  if (isKnown(line)) return;
  insert(line);
  settle();
  keepUp();
}

export function insert(line) {
  const seq = Number(line.dataset.seq);
  line.classList.add("fresh");
  const after = [...feed.children].reverse().find((other) => Number(other.dataset.seq) < seq);
  if (after) after.after(line);
  else feed.prepend(line);
  keepUp();
}

/* What only this browser marks: the own seat, and the turn in the tab's title. */
export function settle() {
  const me = document.getElementById("act")?.dataset.me ?? "";
  table.dataset.seat = me;
  for (const name of document.querySelectorAll(".who-name")) {
    const mine = me !== "" && name.dataset.who === me;
    name.classList.toggle("me", mine);
    if (mine) name.dataset.you = table.dataset.sayYou;
  }
  for (const item of feed.querySelectorAll(".say")) item.classList.toggle("mine", me !== "" && item.dataset.seat === me);
  for (const link of document.querySelectorAll("[data-invite]")) link.value = new URL(link.dataset.invite, location.href).href;
  for (const hidden of document.querySelectorAll("[data-with-scripts]")) hidden.hidden = false;
  for (const note of document.querySelectorAll("[data-only-here]")) note.hidden = !/^(localhost|127\.|\[::1\])/.test(location.hostname);
  showAway(awaySeats);
  announce(table);
  document.dispatchEvent(new CustomEvent("table:settled"));
}

let awaySeats = [];

/* Seats of people whose page is closed are marked. */
export function showAway(seats) {
  awaySeats = seats;
  for (const seat of document.querySelectorAll("#seats .seat")) {
    const away = seats.includes(Number(seat.dataset.seat)) && seat.dataset.seat !== table.dataset.seat;
    seat.classList.toggle("away", away);
    if (away) seat.dataset.away = table.dataset.sayAway;
  }
}

const SCROLLING = ["PageUp", "PageDown", "Home", "End", "ArrowUp", "ArrowDown"];
const story = document.querySelector(".story");
let following = true;

/* Who reads at the end stays at the end; who scrolls back is left there. Only a person's own scrolling counts: when the
   form grows or shrinks the story moves as well. */
export function follow() {
  const look = () => requestAnimationFrame(() => (following = isAtEnd()));
  document.addEventListener("keyup", (event) => SCROLLING.includes(event.key) && look());
  story.addEventListener("pointerup", (event) => event.target === story && look()); // its scroll bar
  for (const box of [story, document]) {
    for (const name of ["wheel", "touchmove"]) box.addEventListener(name, look, { passive: true });
    box.addEventListener("scroll", () => (following ||= isAtEnd()), { passive: true });
  }
  const resized = new ResizeObserver(keepUp);
  for (const box of [story, feed]) resized.observe(box);
  document.addEventListener("table:settled", keepUp);
  keepUp();
}

function scroller() {
  return getComputedStyle(story).overflowY === "auto" ? story : document.scrollingElement;
}

function isAtEnd() {
  const box = scroller();
  return box.scrollHeight - box.scrollTop - box.clientHeight < 80;
}

/* How much of a phone's screen is covered from above. */
function stuckOnTop() {
  const stuck = [...document.querySelectorAll("#status, .think")].filter((part) => getComputedStyle(part).position === "sticky");
  return stuck.reduce((sum, part) => sum + part.offsetHeight, 0);
}

function keepUp() {
  const end = document.querySelector(".verdict");
  const layout = scroller() === story ? "wide" : "narrow";
  if (end && end.dataset.shown !== layout) {
    end.dataset.shown = layout;
    const top = layout === "wide" ? story.getBoundingClientRect().top : stuckOnTop();
    scroller().scrollTop += end.getBoundingClientRect().top - top;
    following = false;
  } else if (following && feed.childElementCount && !end && !(layout === "narrow" && isTaught())) {
    scroller().scrollTop = scroller().scrollHeight;
  }
}
