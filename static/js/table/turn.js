/* Says that it is my turn: in the tab's title, and with two soft notes if the person wants them. */

const title = document.title;
const button = document.querySelector("[data-sound]");
let announced = null;

if (button) {
  button.hidden = false;
  button.setAttribute("aria-pressed", String(localStorage.getItem("sound") === "on"));
  button.addEventListener("click", () => {
    const on = localStorage.getItem("sound") !== "on";
    localStorage.setItem("sound", on ? "on" : "off");
    button.setAttribute("aria-pressed", String(on));
    if (on) chime();
  });
}

export function announceTurn(table) {
  const form = document.querySelector("#act form.move[data-request]");
  const turn = form ? `${table.dataset.generation} ${form.dataset.request}` : "";
  document.title = form ? `${table.dataset.sayTurn} · ${title}` : title;
  if (announced !== null && turn && turn !== announced && localStorage.getItem("sound") === "on") chime();
  announced = turn;
}

function chime() {
  const context = new AudioContext();
  for (const [start, pitch] of [[0, 523], [0.16, 659]]) {
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.0001, context.currentTime + start);
    volume.gain.exponentialRampToValueAtTime(0.12, context.currentTime + start + 0.03);
    volume.gain.exponentialRampToValueAtTime(0.0001, context.currentTime + start + 0.5);
    tone.connect(volume).connect(context.destination);
    tone.start(context.currentTime + start);
    tone.stop(context.currentTime + start + 0.55);
  }
}
