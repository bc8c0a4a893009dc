/* A notebook in this browser alone: words, and for each other seat trust, doubt or neither. After the match the marks, and
   never the words, may be given to research; until the person does that, nothing of it leaves the browser. */

const STEPS = ["unsure", "trust", "doubt"];

export function keepNotes(table) {
  const notes = document.querySelector("[data-notes]");
  const list = notes.querySelector("[data-suspects]");
  const text = notes.querySelector("textarea");
  let key = "";
  let kept = {};

  text.addEventListener("input", () => keep({ text: text.value }));
  list.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const next = STEPS[(STEPS.indexOf(button.dataset.step) + 1) % STEPS.length];
    const marks = [...(kept.marks ?? []), [lastSeq(), Number(button.dataset.seat), next]];
    keep({ seats: { ...kept.seats, [button.dataset.seat]: next }, marks });
    showStep(button, next);
  });
  document.addEventListener("table:settled", open);
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-give-marks]")) return;
    keep({ given: true });
    event.target.hidden = true;
  });
  open();

  function open() {
    read();
    offer();
  }

  function read() {
    const now = `notes ${table.dataset.code} ${table.dataset.generation}`;
    notes.hidden = table.dataset.seat === "" || table.dataset.generation === "0";
    if (now === key || notes.hidden) return;
    key = now;
    kept = JSON.parse(localStorage.getItem(key) ?? "{}");
    text.value = kept.text ?? "";
    list.replaceChildren(...[...document.querySelectorAll("#seats .seat")].filter(isOther).map(entry));
  }

  function offer() {
    const form = document.querySelector("[data-give-marks]");
    if (!form) return;
    form.hidden = notes.hidden || kept.given || !kept.marks?.length;
    form.elements.marks.value = JSON.stringify((kept.marks ?? []).slice(-400));
  }

  function lastSeq() {
    return Math.max(0, ...[...document.querySelectorAll("#feed li[data-seq]")].map((line) => Number(line.dataset.seq)));
  }

  function isOther(seat) {
    return seat.dataset.seat !== table.dataset.seat;
  }

  function entry(seat) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet";
    button.dataset.seat = seat.dataset.seat;
    button.dataset.name = seat.dataset.name;
    showStep(button, kept.seats?.[seat.dataset.seat] ?? "unsure");
    item.append(button);
    return item;
  }

  function showStep(button, step) {
    button.dataset.step = step;
    const [disc, name, word] = [document.createElement("span"), document.createElement("span"), document.createElement("span")];
    disc.className = `disc sm p${button.dataset.seat}`;
    disc.textContent = button.dataset.seat;
    name.textContent = button.dataset.name;
    name.className = "name";
    word.textContent = list.dataset[step];
    word.className = `step ${step}`;
    button.replaceChildren(disc, name, word);
  }

  function keep(change) {
    kept = { ...kept, ...change };
    localStorage.setItem(key, JSON.stringify(kept));
  }
}
