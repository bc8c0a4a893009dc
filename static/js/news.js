/* The page of a competition, an export, a judging, a trial, a lab or of numbers: told that something has moved on, it fetches the parts
   that change anew, at most twice a second. What its buttons do changes the same parts; nothing is loaded anew, and the
   focus stays. */

import { patch } from "./patch.js";
import { watchLine } from "./socket.js";

const page = document.querySelector("[data-progress]");
const PARTS = "#progress, #bouts-now, #agreement, #models";
const PAUSE = 500;
let busy = false;
let missed = false;
const underWay = new Set();
let sends = 0;
let answers = 0;
let later;

/* Null where the line is lost, which the page says. */
async function ask(address, options) {
  try {
    const answer = await fetch(address, options);
    return { fine: answer.ok && !answer.redirected, html: await answer.text() };
  } catch {
    return null;
  }
}

async function renew() {
  if (busy) {
    missed = true;
    return;
  }
  busy = true;
  missed = false;
  const before = answers;
  const answer = await ask(page.dataset.progress);
  if (before !== answers) missed = true; // a button's answer may be newer than this one
  else if (answer?.fine) place(answer.html);
  setTimeout(() => {
    busy = false;
    if (missed) renew();
  }, PAUSE);
}

async function send(event) {
  const { target: form, submitter: button } = event;
  if (form.method !== "post") return;
  event.preventDefault();
  const address = new URL(button?.getAttribute("formaction") ?? form.action, location.href);
  if (underWay.has(address.pathname) || (form.dataset.sure && !confirm(form.dataset.sure))) return;
  const mine = (sends += 1);
  underWay.add(address.pathname);
  address.search = new URL(page.dataset.progress, location.href).search;
  const answer = await ask(address, { method: "POST", body: new FormData(form) });
  underWay.delete(address.pathname);
  if (!answer) return;
  if (!answer.fine) {
    location.reload();
    return;
  }
  answers += 1;
  if (mine === sends) place(answer.html);
  else renew();
  if (button?.dataset.gives) document.querySelector(button.dataset.gives)?.focus();
}

/* Where what had the focus is gone, the part in which it was now has it. */
function place(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  let finished = false;
  for (const old of page.querySelectorAll(PARTS)) {
    const now = fresh.getElementById(old.id);
    if (!now) continue;
    finished ||= old.dataset.open && !now.dataset.open && !("stays" in now.dataset);
    patch(old, now, { heir: (part) => part });
  }
  if (finished) location.reload();
  else lookLater();
}

/* What no worker takes up tells no news; the page says when it is worth looking once more. */
function lookLater() {
  clearTimeout(later);
  const waits = [...page.querySelectorAll("[data-look]")].map((part) => Number(part.dataset.look));
  if (waits.length) later = setTimeout(renew, 1000 * Math.min(...waits));
}

page.addEventListener("submit", send);
watchLine(page, { moved: renew });
lookLater();
