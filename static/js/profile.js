/* The form of an agent: only the switches of the chosen way of thinking are shown; a name follows the title. */

const method = document.querySelector("[name=method]");
const provider = document.querySelector("[name=provider]");
const parts = [...document.querySelectorAll("[data-method]")];
const title = document.querySelector("[name=title]");
const name = document.querySelector("[name=name]");
const HOUSE = "house";

function show() {
  for (const part of parts) part.hidden = part.dataset.method !== method.value;
}

function agree() {
  if ((provider.value === HOUSE) !== (method.value === HOUSE)) {
    const fitting = [...method.options].find((option) => (option.value === HOUSE) === (provider.value === HOUSE));
    method.value = fitting.value;
  }
  show();
}

method.addEventListener("change", show);
provider.addEventListener("change", agree);
let follows = !name.value;
name.addEventListener("input", () => (follows = !name.value));
title.addEventListener("input", () => {
  if (follows) name.value = title.value.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
});
show();
