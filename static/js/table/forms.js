/* Sending moves: "Sent" at once, answers put in place, nothing typed lost; the keyboard; hints for first moves. */

import { isTelling, showAtOnce } from "./drama.js";
import { knows } from "./first_match.js";
import { keepPressed, receive } from "./parts.js";

const NOTHING_TO_ADD = 204; // the socket tells what came of it
const PATIENCE = 2_000;
const TYPING = "input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]";

export function watchForms(table) {
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    const seqs = [...document.querySelectorAll("#feed li:not(.private)")].map((line) => Number(line.dataset.seq));
    detail.parameters.since = Math.max(0, ...seqs);
    detail.parameters.number = table.dataset.generation;
    if ("live" in table.dataset) detail.parameters.live = 1;
  });
  document.addEventListener("htmx:confirm", (event) => {
    const question = event.detail.elt.dataset.sure;
    if (question && !confirm(question)) event.preventDefault();
  });
  document.addEventListener("htmx:beforeRequest", ({ detail }) => awaitAnswer(table, detail.elt));
  document.addEventListener("table:settled", prepare);
  document.addEventListener("change", (event) => prepare(event));
  document.addEventListener("keydown", onKey);
  prepare();
}

/* The answer is waited for at the form itself: a frame of the socket may have replaced it by then, and what is told to
   an element outside of the page never reaches the document. */
function awaitAnswer(table, form) {
  const heard = new AbortController();
  const once = (name, handle) => form.addEventListener(name, handle, { once: true, signal: heard.signal });
  forgetErrors(form);
  say(form, table.dataset.saySent, "sent");
  if ("movesOn" in form.dataset) document.getElementById("act").dataset.again = "";  // the next match may be here first
  const button = form.contains(document.activeElement) ? document.activeElement : null;
  keepPressed(button);
  const giveBack = () => {
    keepPressed(null);
    if (document.activeElement === document.body) button?.focus();
  };
  form.addEventListener("htmx:afterRequest", giveBack, { once: true });
  once("htmx:beforeOnLoad", ({ detail: { xhr } }) => {
    heard.abort();
    if (xhr.status < 300 && form.dataset.kind) localStorage.setItem(`knows ${form.dataset.kind}`, "yes");
    if (xhr.status === NOTHING_TO_ADD) {
      if (!("stays" in form.dataset)) setTimeout(() => form.isConnected && !isTelling() && fetchParts(), PATIENCE);
      return;
    }
    if (!xhr.getResponseHeader("content-type")?.startsWith("text/html")) return;
    say(form, "", "");
    if (xhr.responseText.includes("data-part")) {
      showAtOnce();
      receive(xhr.responseText, true, "movesOn" in form.dataset);
    }
    else if (xhr.status >= 400) say(form, table.dataset.sayFailed, "error");
  });
  for (const name of ["htmx:sendError", "htmx:timeout"]) {
    once(name, () => {
      heard.abort();
      say(form, table.dataset.sayFailed, "error");
    });
  }
}

/* The socket was to bring what came of a move, and has not: it may have died just then. */
async function fetchParts() {
  const answer = await fetch(location.href, { headers: { "HX-Request": "true" } }).catch(() => null);
  if (answer?.ok) receive(await answer.text());
}

/* Why an earlier try was refused says nothing of this one. */
function forgetErrors(form) {
  const around = form.closest("[data-part]")?.querySelectorAll(":scope > [role=alert]") ?? [];
  for (const error of [...form.querySelectorAll("[role=alert]"), ...around]) error.remove();
}

/* One line in the form that says how the sending goes. */
function say(form, words, kind) {
  if (!form.matches?.("form") || !form.isConnected) return;
  let line = form.querySelector(".said");
  if (!line) {
    line = document.createElement("p");
    line.setAttribute("role", "status");
    form.append(line);
  }
  line.className = `said ${kind}`;
  line.textContent = words;
}

function prepare() {
  for (const hint of document.querySelectorAll("[data-hint]")) {
    const { kind } = hint.closest("form").dataset;
    hint.hidden = knows(kind) || knows(kind.split(".")[0]);
  }
  for (const send of document.querySelectorAll("[data-send]")) {
    const chosen = send.closest("form").querySelector("input[type=radio]:checked");
    send.dataset.plain ??= send.textContent;
    const name = chosen?.closest("label").querySelector(".who-name")?.textContent;
    send.textContent = name ? `${send.dataset.send} ${name}` : send.dataset.plain;
  }
  for (const pick of document.querySelectorAll("[data-count]")) {
    const boxes = [...pick.querySelectorAll("input[type=checkbox]")];
    const full = boxes.filter((box) => box.checked).length >= Number(pick.dataset.count);
    for (const box of boxes) box.disabled = full && !box.checked;
  }
}

/* Digits choose seats (or buttons, by focus); Enter sends, also from a text of several lines and from a choice. */
function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const form = document.querySelector("#act form.move");
  if (!form) return;
  if (event.key === "Enter" && !event.shiftKey && event.target.closest("#act form.move") && event.target.matches("textarea, input[type=radio], input[type=checkbox]")) {
    event.preventDefault();
    event.target.form.requestSubmit();
  }
  if (!/^[0-9]$/.test(event.key) || event.target.matches(TYPING)) return;
  const digit = event.key === "0" ? "10" : event.key;
  const choice = form.querySelector(`.pick input[value="${digit}"]:not([type=hidden]):not(:disabled)`);
  const button = form.querySelector(`button[data-digit="${digit}"]:not(:disabled)`);
  if (choice) {
    choice.focus();
    choice.click();
  } else {
    button?.focus();
  }
}
