// Labels in a replay: a tag beside each line that has one, a spot on the timeline, and the way to the next moment with a
// label that was chosen, by button or key.

import { at, find, goTo, position, root, steps } from "./player.js";

const labels = [...find("labels").querySelectorAll("[data-at]")].map((element) => ({
  name: element.dataset.label,
  title: element.dataset.title,
  seq: Number(element.dataset.at),
}));
const choice = find("label-choice");
const ways = [...root.querySelectorAll("[data-label-go]")];
const forward = ways.find((button) => button.dataset.labelGo === "1");

const wanted = () => labels.filter(({ name }) => !choice.value || name === choice.value);

function go(way) {
  const places = [...new Set(wanted().map(({ seq }) => at(seq)))].sort((one, other) => one - other);
  const place = way > 0 ? places.find((one) => one > position) : places.findLast((one) => one < position);
  if (place !== undefined) goTo(place);
}

function draw() {
  const title = choice.value ? choice.selectedOptions[0].dataset.title : forward.dataset.any;
  forward.setAttribute("aria-label", forward.dataset.next.replace("{label}", title));
  forward.title = forward.getAttribute("aria-label");
  const spots = [...new Set(wanted().map(({ seq }) => at(seq)))].map((place) => {
    const spot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    const facts = { class: "labelled", cx: `${(100 * place) / Math.max(steps.length - 1, 1)}%`, cy: 36, r: 4 };
    for (const [key, value] of Object.entries(facts)) spot.setAttribute(key, value);
    return spot;
  });
  for (const old of find("marks").querySelectorAll(".labelled")) old.remove();
  find("marks").append(...spots);
}

function tag() {
  for (const { seq, title } of labels) {
    const line = root.querySelector(`[data-seq="${seq}"]`);
    if (!line) continue;
    let box = line.querySelector(":scope > .tags");
    if (!box) line.append((box = Object.assign(document.createElement("p"), { className: "tags" })));
    box.append(Object.assign(document.createElement("span"), { className: "tag", textContent: title }));
  }
}

const many = new Map();
for (const { name, title } of labels) many.set(name, { title, n: (many.get(name)?.n ?? 0) + 1 });
for (const [name, { title, n }] of many) {
  const option = new Option(`${title} (${n})`, name);
  option.dataset.title = title;
  choice.append(option);
}
tag();
if (labels.length) {
  for (const element of [choice, ...ways]) element.hidden = false;
  choice.addEventListener("change", draw);
  for (const button of ways) button.addEventListener("click", () => go(Number(button.dataset.labelGo)));
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "l" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("select, textarea, input:not([type=range])")) return;
    event.preventDefault();
    go(event.shiftKey ? -1 : 1);
  });
  draw();
}
