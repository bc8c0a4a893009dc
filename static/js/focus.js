/* Where focus goes when the part of a page that holds it is replaced. */

/* What `element` was in `old` is in `fresh`: the field of the same name, or the same words on the same kind of element;
   of several alike, the one at the same place among them. */
export function twin(element, old, fresh) {
  const sign = (other) =>
    [other.type, other.name, other.matches("input, textarea, select") || (other.getAttribute("aria-label") ?? other.textContent.trim())].join("\n");
  const alike = (box) => [...box.querySelectorAll(element.localName)].filter((other) => sign(other) === sign(element));
  return alike(fresh)[alike(old).indexOf(element)];
}
