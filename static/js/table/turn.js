/* Says that it is my turn, and how the match ended: in the tab's title and aloud; a turn also with two soft notes and a
   vibration, as far as the person wants them. */

import { isOn, watchSwitches } from "./switches.js";

const title = document.title;
const spoken = document.getElementById("announced");
let announced = null; // what was announced last; null: the page has just come, and shows it anyway

watchSwitches({ sound: chime, vibration: vibrate });

export function announce(table) {
  const form = document.querySelector("#act form.move[data-request]");
  const verdict = document.getElementById("over-title");
  const words = form ? table.dataset.sayTurn : (verdict?.textContent.trim() ?? "");
  const news = words && `${table.dataset.generation} ${form?.dataset.request ?? words}`;
  document.title = words ? `${words} · ${title}` : title;
  if (announced !== null && news && news !== announced) {
    sayAloud(form ? `${words}. ${form.querySelector("h2")?.textContent.trim() ?? ""}` : words);
    if (form) call();
  }
  announced = news;
}

export function sayAloud(words) {
  spoken.textContent = words;
}

function call() {
  if (isOn("sound")) chime();
  if (isOn("vibration")) vibrate();
}

function vibrate() {
  if (navigator.userActivation?.hasBeenActive ?? true) navigator.vibrate?.([120, 80, 120]);
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
