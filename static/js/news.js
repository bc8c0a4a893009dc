/* The page of a competition or a trial: told that something has moved on, it fetches the part that changes anew, at most
   twice a second. */

import { watchLine } from "./socket.js";

const page = document.querySelector("[data-progress]");
const PAUSE = 500;
let busy = false;
let missed = false;

async function renew() {
  if (busy) {
    missed = true;
    return;
  }
  busy = true;
  missed = false;
  const answer = await fetch(page.dataset.progress).catch(() => null);
  if (answer?.ok) swap(await answer.text());
  setTimeout(() => {
    busy = false;
    if (missed) renew();
  }, PAUSE);
}

/* The buttons stay as they are while they are: what is being pressed is not taken away. */
function swap(html) {
  const old = document.getElementById("progress");
  const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("progress");
  if (!fresh) return;
  const finished = old.dataset.open && !fresh.dataset.open;
  const focused = old.contains(document.activeElement) ? document.activeElement.textContent : "";
  old.replaceWith(document.adoptNode(fresh));
  if (focused) [...fresh.querySelectorAll("button")].find((button) => button.textContent === focused)?.focus();
  if (finished && !("stays" in fresh.dataset)) location.reload();
}

watchLine(page, { moved: renew });
