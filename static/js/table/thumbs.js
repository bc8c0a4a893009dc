/* The bar for the thumb, on a phone: which of move, card, talk and notebook stands over it, and in which of the others there
   is something new. Without this file its links lead to the sections, which stand below one another.

   What sticks under the status line on a phone is told how tall that is.

   A section says by data-newest, or else by data-key, what is the newest in it; of the move it is what is asked. */

let table, bar;
const seen = {};

export function watchThumbs(page) {
  table = page;
  bar = table.querySelector(".thumbs");
  table.addEventListener("click", (event) => {
    const link = event.target.closest(".thumbs a, .talk-in-game a");
    if (!link) return;
    event.preventDefault();
    show(nameOf(link));
    const section = document.getElementById(nameOf(link));
    section.focus({ preventScroll: true });
    section.scrollIntoView({ block: "nearest" });
  });
  document.addEventListener("table:settled", settle);
  const status = document.getElementById("status");
  new ResizeObserver(() => table.style.setProperty("--status", `${status.offsetHeight}px`)).observe(status);
  show(links().map(nameOf).find((name) => location.hash === `#${name}`) ?? "act"); // pressed before this file was there
}

function links() {
  return [...bar.querySelectorAll("a")];
}

function nameOf(link) {
  return link.hash.slice(1);
}

/* A section that is gone, as the card is in the waiting room, is left for the move. */
function settle() {
  show(document.getElementById(table.dataset.at).hidden ? "act" : table.dataset.at);
}

function show(name) {
  table.dataset.at = name;
  for (const link of links()) {
    const [here, newest] = [nameOf(link) === name, newestIn(nameOf(link))];
    if (here) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
    if (here || !(nameOf(link) in seen)) seen[nameOf(link)] = newest;
    mark(link, newest !== "" && newest !== seen[nameOf(link)]);
  }
}

function newestIn(name) {
  const section = document.getElementById(name);
  if (name === "act") return [...section.querySelectorAll("form.move[data-request]")].map((form) => form.dataset.request).join();
  return section.dataset.newest ?? section.dataset.key ?? "";
}

function mark(link, fresh) {
  const dot = link.querySelector(".fresh");
  if (!fresh) dot?.remove();
  if (!fresh || dot) return;
  const made = document.createElement("span");
  made.className = "fresh";
  const words = document.createElement("span");
  words.className = "sr";
  words.textContent = bar.dataset.sayNew;
  made.append(words);
  link.append(made);
}
