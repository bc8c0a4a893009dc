/* Big moments take their time: before a line that the game calls one (data-beats) the page holds its breath, and what
   stands in it to be shown one after another (data-beat) is. Whatever comes in meanwhile waits, in order, so that nothing
   on the page knows more than the story tells. What is shown bit by bit is a copy that screen readers pass over; they
   hear the line once, when it stands. A press shows all at once; so does a page that nobody looks at, one that catches
   up, and one of a person who wants no motion, unless they switched the pauses on.

   The document hears of each step: "table:beat", with the line's seq and what fell. */

import { insert, isKnown, newest, receive, tell } from "./parts.js";
import { isOn } from "./switches.js";

const BEAT = 900;
const LONGEST_ROW = 3_000; // ms in which all has fallen that one line shows bit by bit

const table = document.getElementById("table");
const button = document.querySelector("[data-show-at-once]");
const incoming = [];
let telling = false;
let atOnce = false;
let endPause = () => {};

/* Takes a frame of the socket, puts it in place when all that came before stands, and what it holds has been told. */
export async function stage(html) {
  incoming.push(html);
  if (telling) return;
  telling = true;
  while (incoming.length) {
    await perform(incoming[0]);
    receive(incoming.shift());
  }
  telling = atOnce = false;
  button.hidden = true;
}

/* Whether something that has come in is still to be shown. */
export function isTelling() {
  return telling;
}

export function showAtOnce() {
  atOnce = telling;
  endPause();
}

export function watchMoments() {
  button.addEventListener("click", showAtOnce);
  document.addEventListener("click", (event) => event.target.closest(".staged") && showAtOnce());
  document.addEventListener("visibilitychange", () => document.hidden && showAtOnce());
}

async function perform(html) {
  if (!html.includes("data-beats") || document.hidden || !isOn("moments")) return;
  const { content } = Object.assign(document.createElement("template"), { innerHTML: html });
  const lines = [...content.children].filter((part) => part.matches("li[data-seq]"));
  if (newest(content) !== Number(table.dataset.generation) || lines.some(isKnown)) return;
  for (const line of lines) {
    if ("beats" in line.dataset) await unfold(line);
    if (atOnce) return;
    tell(line);
  }
}

async function unfold(line) {
  const copy = line.cloneNode(true);
  copy.removeAttribute("id");
  copy.setAttribute("aria-hidden", "true");
  copy.classList.add("staged", "hush");
  insert(copy);
  button.hidden = false;
  for (let beat = 0; beat < Number(line.dataset.beats); beat += 1) {
    fell(line, "breath");
    await pause(BEAT);
  }
  copy.classList.remove("hush");
  fell(line, "line");
  const pieces = [...copy.querySelectorAll("[data-beat]")];
  for (const piece of pieces) {
    await pause(Math.min(BEAT, LONGEST_ROW / pieces.length));
    piece.classList.add("fallen");
    fell(line, piece.textContent.trim());
  }
  if (pieces.length) await pause(BEAT);
  copy.remove();
}

function fell(line, what) {
  if (!atOnce) document.dispatchEvent(new CustomEvent("table:beat", { detail: { seq: Number(line.dataset.seq), what } }));
}

function pause(ms) {
  if (atOnce) return undefined;
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    endPause = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}
