/* Says how many seats the numbers make together. */

function show() {
  const counts = document.querySelector("[data-counts]");
  const total = document.querySelector("[data-total]");
  const numbers = [...counts.querySelectorAll("input[type=number]")].map((input) => input.valueAsNumber || 0);
  total.textContent = total.dataset.total.replace("#", 1 + numbers.reduce((sum, number) => sum + number, 0));
}

document.addEventListener("input", show);
document.addEventListener("htmx:afterSettle", show);
show();
