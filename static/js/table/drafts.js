/* Words half typed for a move survive a reload: they lie in this tab until they are sent. */

const WORDS = "#act form.move[data-request] :is(input[type=text], textarea)";

export function keepDrafts() {
  document.addEventListener("input", ({ target }) => target.matches(WORDS) && note(target));
  document.addEventListener("htmx:beforeRequest", ({ detail: { elt } }) => {
    const sent = [...elt.querySelectorAll(WORDS)].map(placeOf);
    elt.addEventListener("htmx:afterRequest", ({ detail }) => detail.successful && sent.forEach(forget), { once: true });
  });
  document.addEventListener("table:settled", bringBack);
  bringBack();
}

function placeOf(field) {
  const { match, request } = field.form.elements;
  return `draft ${match.value} ${request.value} ${field.name}`;
}

function note(field) {
  if (field.value) sessionStorage.setItem(placeOf(field), field.value);
  else forget(placeOf(field));
}

function forget(place) {
  sessionStorage.removeItem(place);
}

function bringBack() {
  for (const field of document.querySelectorAll(WORDS)) {
    if (!field.value) field.value = sessionStorage.getItem(placeOf(field)) ?? "";
  }
}
