/* What a person switches on and off for this browser: sound, vibration, pauses at big moments. */

const USUAL = {
  sound: () => false,
  vibration: () => "vibrate" in navigator,
  moments: () => matchMedia("(prefers-reduced-motion: no-preference)").matches,
};

export function isOn(name) {
  const chosen = localStorage.getItem(name);
  return chosen === null ? USUAL[name]() : chosen === "on";
}

/* Lets each button with data-switch turn what it names. tried: what to do when one is turned on, by its name. */
export function watchSwitches(tried) {
  for (const box of document.querySelectorAll("[data-signals]")) box.hidden = false;
  for (const button of document.querySelectorAll("[data-switch]")) {
    const name = button.dataset.switch;
    const show = () => button.setAttribute("aria-pressed", String(isOn(name)));
    button.hidden = name === "vibration" && !("vibrate" in navigator);
    button.addEventListener("click", () => {
      localStorage.setItem(name, isOn(name) ? "off" : "on");
      show();
      if (isOn(name)) tried[name]?.();
    });
    show();
  }
}
