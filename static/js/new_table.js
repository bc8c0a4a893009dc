/* Says how many seats the numbers make together. */

function show() {
  const counts = document.querySelector("[data-counts]");
  const total = document.querySelector("[data-total]");
  const numbers = [...counts.querySelectorAll("input[type=number]")].map((input) => input.valueAsNumber || 0);
  const you = watches() ? 0 : 1;
  counts.querySelector(".you span").textContent = you;
  total.textContent = total.dataset.total.replace("#", you + numbers.reduce((sum, number) => sum + number, 0));
}

/* Who typed the table's words stays off it, unless they choose to play along. */
function watches() {
  const typed = document.querySelector("[name=own_words]")?.value.trim();
  return Boolean(typed) && document.querySelector("[name=own_role]:checked")?.value === "watch";
}

document.addEventListener("input", show);
document.addEventListener("htmx:afterSettle", show);
show();
