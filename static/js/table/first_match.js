/* Beside the first match of a game its rules stand on three cards, one at a time, and each first move has a hint. Who puts
   the cards away has them put away in this browser; who knows the game gets no hints either. Without this file all cards
   stand there. */

export function watchLesson() {
  const lesson = document.querySelector("[data-lesson]");
  if (!lesson) return;
  const find = (name) => lesson.querySelector(`[data-lesson-${name}]`);
  const game = lesson.dataset.lesson;
  const cards = [...lesson.querySelectorAll("ol > li")];
  const row = find("row");
  let at = 0;

  if ("asked" in lesson.dataset) {
    for (const key of Object.keys(localStorage)) if (key.startsWith(`knows ${game}`)) localStorage.removeItem(key);
    history.replaceState(null, "", location.pathname);
  }
  lesson.hidden = knows(game) || knows(`${game} cards`);
  row.hidden = false;
  find("next").addEventListener("click", () => (at < cards.length - 1 ? show(at + 1) : putAway(`${game} cards`)));
  find("back").addEventListener("click", () => show(at - 1));
  find("skip").addEventListener("click", () => putAway(game));
  document.addEventListener("table:settled", () => (lesson.hidden ||= document.querySelector(".verdict") !== null));
  show(0);
  new ResizeObserver(fit).observe(document.getElementById("status"));
  addEventListener("resize", fit);

  function show(place) {
    at = place;
    for (const [index, card] of cards.entries()) card.hidden = index !== at;
    const last = at === cards.length - 1;
    find("next").textContent = last ? row.dataset.sayPlay : row.dataset.sayNext;
    find("back").hidden = at === 0;
    find("of").textContent = row.dataset.sayOf.replace("{n}", at + 1).replace("{all}", cards.length);
    fit();
  }

  /* A card that is too tall to stay in sight on a phone scrolls with the page. */
  function fit() {
    lesson.classList.remove("tall");
    lesson.classList.toggle("tall", lesson.scrollHeight > lesson.clientHeight);
  }

  function putAway(what) {
    localStorage.setItem(`knows ${what}`, "yes");
    lesson.hidden = true;
    document.getElementById("act").focus({ preventScroll: true });
    document.dispatchEvent(new CustomEvent("table:settled"));
  }
}

/* Whether the rules stand on the page. */
export function isTaught() {
  return document.querySelector("[data-lesson]:not([hidden])") !== null;
}

/* Whether something was learnt in this browser: a game, its cards, or a kind of move. */
export function knows(what) {
  return localStorage.getItem(`knows ${what}`) === "yes";
}
