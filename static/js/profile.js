/* The form of an agent: only the switches of the chosen way of thinking are shown; a name follows the title. */

const method = document.querySelector("[name=method]");
const provider = document.querySelector("[name=provider]");
const parts = [...document.querySelectorAll("[data-method]")];
const title = document.querySelector("[name=title]");
const name = document.querySelector("[name=name]");
const OWN = ["house", "remote"]; // these have one method each, of the same name

function show() {
  for (const part of parts) part.hidden = part.dataset.method !== method.value;
}

function agree() {
  const own = OWN.includes(provider.value);
  if (own) method.value = provider.value;
  else if (OWN.includes(method.value)) {
    method.value = [...method.options].find((option) => !OWN.includes(option.value)).value;
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
