// Two stories side by side: the player steps both; the thoughts of each moment are fetched for either.

import { all, position, root, seqs, show } from "./player.js";

const WAIT = 150;
const fetched = new Map();
let waiting = 0;

root.addEventListener("moment", () => {
  clearTimeout(waiting);
  waiting = setTimeout(follow, WAIT);
});

function follow() {
  const address = new URL(location.href);
  address.searchParams.set("at", position);
  history.replaceState(null, "", address);
  all("story").forEach((story, place) => showThoughts(story, seqs()[place]));
}

async function showThoughts(story, seq) {
  const box = story.querySelector("[data-thoughts-here]");
  if (!box) return;
  const address = new URL(story.dataset.thoughts, location.href);
  address.searchParams.set("seq", seq);
  if (story.dataset.seat) address.searchParams.set("seat", story.dataset.seat);
  const key = (box.dataset.wanted = address.pathname + address.search);
  if (!fetched.has(key)) {
    const answer = await fetch(address, { headers: { "HX-Request": "true" } }).catch(() => null);
    if (!answer?.ok) return;
    fetched.set(key, await answer.text());
  }
  if (key !== box.dataset.wanted || key === box.dataset.shown) return;
  box.dataset.shown = key;
  const template = document.createElement("template");
  template.innerHTML = fetched.get(key);
  template.content.querySelector("[data-tabs]").remove(); // whose thoughts they are is chosen above
  box.replaceChildren(template.content);
}

root.addEventListener(
  "toggle",
  async ({ target }) => {
    const place = target.querySelector?.(":scope > [data-loaded]");
    if (!target.open || !place || place.dataset.loaded) return;
    place.dataset.loaded = "asked";
    const answer = await fetch(target.dataset.load).catch(() => null);
    if (answer?.ok) place.innerHTML = await answer.text();
    else delete place.dataset.loaded;
  },
  true,
);

show(position);
