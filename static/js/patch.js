/* How a page takes in fresh HTML, whichever way it came. What is the same is left alone, and with it the focus, the
   selection, the scroll and a press under way. What somebody typed or chose stays with its form, and what they opened or
   closed stays so. */

import { Idiomorph } from "../vendor/idiomorph.js";

/* Makes `old` what `fresh` is and gives back what now stands there. held: what has the focus; if it goes, the focus
   passes to what is the same in the new part, or else to what `heir` finds there. typed: whether what was typed stays. */
export function patch(old, fresh, { held = heldIn(old), heir = () => null, typed = true } = {}) {
  nameForms(old);
  nameForms(fresh);
  const place = held && placeOf(held, old);
  keepApart(old, fresh);
  const callbacks = {
    beforeAttributeUpdated: (name, element) => !(name === "open" && element.localName === "details") && !(typed && isTyped(name, element)),
    beforeNodeMorphed: ({ dataset }) => !dataset?.loaded && !dataset?.saying, // what was fetched into it stays, and what a button says
  };
  const [now] = Idiomorph.morph(old, fresh, { morphStyle: "outerHTML", callbacks });
  if (held && held !== document.activeElement) {
    (held.isConnected ? held : place(now) ?? heir(now))?.focus({ preventScroll: true });
  }
  return now;
}

export function heldIn(box) {
  return box !== document.activeElement && box.contains(document.activeElement) ? document.activeElement : null;
}

/* Finds in another part what an element is in this one: what has its id; else the field of the same name, or the same
   words on the same kind of element; of several alike, the one at the same place among them. The button of another form
   without an id is not the same: a second press would send what has not been read. */
function placeOf(element, box) {
  const sign = (other) => [
    other.type,
    other.name,
    other.type === "submit" ? other.form?.id : "",
    other.matches("input, textarea, select") || (other.getAttribute("aria-label") ?? other.textContent.trim()),
  ].join("\n");
  const mine = sign(element);
  const alike = (other) => [...other.querySelectorAll(element.localName)].filter((one) => sign(one) === mine);
  const [place, { id }] = [alike(box).indexOf(element), element];
  return (other) => (id && other.querySelector(`[id="${CSS.escape(id)}"]`)) || alike(other)[place];
}

/* A form is the same only if it sends to the same address, for the same request of the same match; its button only if it
   sends the same. */
function nameForms(box) {
  const seen = {};
  const name = (element, ...does) => {
    const key = does.map((part) => part ?? "").join("|");
    seen[key] = (seen[key] ?? 0) + 1;
    element.id ||= `${key}|${seen[key]}`;
  };
  for (const form of box.querySelectorAll("form")) {
    name(form, form.getAttribute("action"), form.dataset.request, form.elements.match?.value);
    for (const button of form.querySelectorAll("button")) {
      name(button, form.id, button.getAttribute("formaction"), button.name, button.value);
    }
  }
}

/* A field of the same id in another form is another field. */
function keepApart(old, fresh) {
  for (const field of old.querySelectorAll("form [id]")) {
    const other = fresh.querySelector(`[id="${CSS.escape(field.id)}"]`);
    if (other && other.closest("form")?.id !== field.closest("form").id) field.removeAttribute("id");
  }
}

function isTyped(name, field) {
  if (name === "value" && field.matches("input:not([type=hidden], [type=radio], [type=checkbox]), textarea")) return field.value !== field.defaultValue;
  if (name === "checked") return field.checked !== field.defaultChecked;
  return name === "selected" && field.selected !== field.defaultSelected;
}
