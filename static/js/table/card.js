/* My card is face up only while it is held, by finger, mouse or key. Without this file it is a plain fold. */

export function watchCard() {
  const cardOf = (event) => event.target.closest?.("[data-card] > summary")?.parentElement;
  const hide = () => document.querySelectorAll("[data-card][open]").forEach((card) => (card.open = false));
  let byPointer = false;

  document.addEventListener("pointerdown", (event) => {
    const card = cardOf(event);
    if (!card) return;
    byPointer = true;
    card.open = true;
  });
  for (const name of ["pointerup", "pointercancel", "blur", "pagehide"]) addEventListener(name, hide);
  document.addEventListener("visibilitychange", hide);
  document.addEventListener("contextmenu", (event) => cardOf(event) && event.preventDefault());
  document.addEventListener("focusout", (event) => cardOf(event) && hide());

  document.addEventListener("keydown", (event) => {
    const card = cardOf(event);
    if (!card || (event.key !== " " && event.key !== "Enter")) return;
    event.preventDefault();
    card.open = true;
  });
  document.addEventListener("keyup", (event) => cardOf(event) && hide());

  /* A screen reader's click has neither pointer nor key behind it: it turns the card over, and over again. */
  document.addEventListener("click", (event) => {
    const card = cardOf(event);
    if (!card) return;
    event.preventDefault();
    if (!byPointer) card.open = !card.open;
    byPointer = false;
  });
}
