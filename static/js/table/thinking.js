/* A quiet pulse at the seat whose model is at work. It is for the eye only: that the seat is asked stands in words. */

const LASTS = 4_000;
const ends = new Map();

export function showThinking(seat) {
  clearTimeout(ends.get(seat));
  mark(seat, true);
  ends.set(seat, setTimeout(() => mark(seat, false), LASTS));
}

function mark(seat, on) {
  document.querySelector(`#seats [data-seat="${Number(seat)}"].turn`)?.classList.toggle("at-work", on);
}
