/* The page of a competition, a judging, a trial or of numbers: told that something has moved on, it fetches the parts
   that change anew, at most twice a second. What its buttons do changes the same parts; nothing is loaded anew, and the
   focus stays. */

import { watchLine } from "./socket.js";

const page = document.querySelector("[data-progress]");
const PARTS = "#progress, #bouts-now";
const PAUSE = 500;
let busy = false;
let missed = false;
const underWay = new Set();
let sends = 0;
let answers = 0;

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

/* Where what had the focus is gone, what stands for it now has it, or else the part in which it was. */
function place(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  const held = document.activeElement;
  const around = held.closest(PARTS)?.id;
  let finished = false;
  for (const old of page.querySelectorAll(PARTS)) {
    const now = fresh.getElementById(old.id);
    if (!now) continue;
    finished ||= old.dataset.open && !now.dataset.open && !("stays" in now.dataset);
    patch(old, now);
  }
  if (!held.isConnected) {
    const twin = held.id && document.getElementById(held.id);
    (twin || document.getElementById(around)).focus({ preventScroll: true });
  }
  if (finished) location.reload();
}

/* Makes `old` what `fresh` is. What is so already is left alone: with it stay the scroll, and a press under way. */
function patch(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  const [before, after] = [[...old.children], [...fresh.children]];
  const alike = before.length === after.length && before.every((child, n) => isOf(child, after[n]));
  if (!alike || (before.length && words(old) !== words(fresh))) {
    old.replaceWith(fresh);
    return;
  }
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) old.setAttribute(name, value);
  if (before.length) before.forEach((child, n) => patch(child, after[n]));
  else if (old.textContent !== fresh.textContent) old.textContent = fresh.textContent;
}

function isOf(old, fresh) {
  return old.localName === fresh.localName && old.id === fresh.id;
}

function words(element) {
  const texts = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
  return texts.map((text) => text.data.trim()).join(" ");
}

page.addEventListener("submit", send);
watchLine(page, { moved: renew });
