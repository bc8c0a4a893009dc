/* Counts down to the server's deadlines: <span data-clock="2026-01-01T00:00:00Z" data-label="left">. */

let ahead = 0; // how far the server's clock is ahead of this one, in ms, less the way of what told it

export function setServerTime(now) {
  ahead = now - Date.now();
}

export function keepTime() {
  const tick = () => {
    for (const clock of document.querySelectorAll("[data-clock]")) show(clock);
  };
  tick();
  setInterval(tick, 500);
  document.addEventListener("table:settled", tick);
}

function show(clock) {
  const left = Math.max(0, Math.round((Date.parse(clock.dataset.clock) - Date.now() - ahead) / 1000));
  const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  if (clock.textContent === text) return;
  clock.textContent = text;
  clock.classList.toggle("soon", left <= 10);
  clock.setAttribute("aria-label", `${text} ${clock.dataset.label}`);
}
