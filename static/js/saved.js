// A saved replay: its thoughts stand in the page, and are shown and hidden by moment and by whose they are. Prompts are kept
// as the lines that they share, and put together when one is opened.

const root = document.querySelector("[data-replay]");
const tabs = [...root.querySelectorAll("[data-tabs] a")];
const panels = [...root.querySelectorAll("[data-panel]")].map((element) => ({
  element,
  seat: element.dataset.panel,
  seq: Number(element.dataset.from),
}));
const prompts = JSON.parse(document.getElementById("prompts")?.textContent ?? "{}");
let now = 0;

function showThoughts() {
  const chosen = tabs.find((tab) => tab.hasAttribute("aria-current"))?.dataset.seat ?? "";
  const done = panels.filter(({ seq, seat }) => seq <= now && (!Number(chosen) || seat === chosen));
  const last = new Map(done.map((panel) => [chosen === "every" ? panel.seat : "", panel]));
  const shown = new Set(last.values());
  for (const panel of panels) panel.element.hidden = !shown.has(panel);
  const empty = root.querySelector("[data-nothing-yet]");
  if (empty) empty.hidden = shown.size > 0;
}

root.addEventListener("moment", ({ detail: [seq] }) => {
  now = seq;
  showThoughts();
});
root.addEventListener("click", (event) => {
  const chosen = event.target.closest("[data-tabs] a");
  if (!chosen) return;
  event.preventDefault();
  for (const tab of tabs) {
    if (tab === chosen) tab.setAttribute("aria-current", "true");
    else tab.removeAttribute("aria-current");
  }
  showThoughts();
});
root.addEventListener(
  "toggle",
  ({ target }) => {
    const place = target.querySelector?.(":scope > [data-prompt]");
    if (!target.open || !place || place.textContent) return;
    const pieces = prompts.pieces[place.dataset.prompt];
    place.textContent = pieces.flatMap(([text, first, last]) => prompts.texts[text].slice(first, last + 1)).join("\n");
  },
  true,
);
showThoughts();
