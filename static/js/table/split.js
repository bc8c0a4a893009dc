/* Shares that must sum to a whole: the sum is said while typing; once a share is set, the others make room, those
   first that were set longest ago. Without this file the server says what the sum is. */

const touched = new WeakMap();
let moment = 0;

export function linkShares() {
  document.addEventListener("input", (event) => withShares(event, say));
  document.addEventListener("change", (event) => withShares(event, fit));
  document.addEventListener("table:settled", sayAll);
  sayAll();
}

function sayAll() {
  for (const shares of document.querySelectorAll("[data-split]")) say(shares);
}

function withShares(event, act) {
  const shares = event.target.closest?.("[data-split]");
  if (shares) act(shares, event.target);
}

function inputs(shares) {
  return [...shares.querySelectorAll("input[type=number]")];
}

function left(shares) {
  return Number(shares.dataset.split) - inputs(shares).reduce((sum, input) => sum + (Number(input.value) || 0), 0);
}

function fit(shares, changed) {
  touched.set(changed, ++moment);
  const whole = Number(shares.dataset.split);
  const step = Number(shares.dataset.step);
  const wanted = Math.round((Number(changed.value) || 0) / step) * step;
  changed.value = Math.min(Math.max(wanted, 0), whole);
  const others = inputs(shares).filter((input) => input !== changed);
  others.sort((a, b) => (touched.get(a) ?? 0) - (touched.get(b) ?? 0));
  for (const other of others) other.value = Math.max(0, (Number(other.value) || 0) + left(shares));
  say(shares);
}

function say(shares) {
  const rest = left(shares);
  const words = rest === 0 ? shares.dataset.fits : rest > 0 ? shares.dataset.left : shares.dataset.over;
  const output = shares.querySelector("[data-sum]");
  output.value = words.replace("{sum}", Number(shares.dataset.split) - rest).replace("{left}", Math.abs(rest));
}
