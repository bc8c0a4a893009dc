/* The notebook is kept while one writes and marks: a moment after the last change, and at once when the page is left. It
   belongs to the person: it lies on the server, and another device of theirs shows it. Without this file it is a form. */

const PAUSE = 800;
const AGAIN = 5_000;

let waiting = null; // the timer until what has changed is sent

export function keepNotes() {
  document.addEventListener("input", ({ target }) => notesOf(target) && later(PAUSE));
  document.addEventListener("submit", (event) => {
    if (!notesOf(event.target)) return;
    event.preventDefault();
    later(0);
  });
  addEventListener("pagehide", () => waiting && send());
  document.addEventListener("visibilitychange", () => document.hidden && waiting && send());
  document.addEventListener("table:settled", prepare);
  prepare();
}

function notesOf(element) {
  return element.closest?.("[data-notes]");
}

function form() {
  return document.querySelector("[data-notes]");
}

function prepare() {
  const button = form()?.querySelector("[data-without-scripts]");
  if (button) button.hidden = true;
}

function later(pause) {
  clearTimeout(waiting);
  waiting = setTimeout(send, pause);
}

async function send() {
  clearTimeout(waiting);
  waiting = null;
  const notes = form();
  if (!notes) return;
  const body = new URLSearchParams(new FormData(notes));
  body.set("seq", Math.max(0, ...[...document.querySelectorAll("#feed li[data-seq]")].map((line) => Number(line.dataset.seq))));
  body.set("number", document.getElementById("table").dataset.generation);
  const headers = { "HX-Request": "true", ...JSON.parse(document.body.getAttribute("hx-headers")) };
  const answer = await fetch(notes.action, { method: "POST", body, headers, keepalive: true }).catch(() => null);
  const line = notes.querySelector("[role=status]");
  line.textContent = answer?.ok ? "" : line.dataset.sayLost;
  if (!answer?.ok) waiting ??= setTimeout(send, AGAIN);
}
