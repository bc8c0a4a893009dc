/* What every page can do: change the theme, put text on the clipboard, and send each form once and with the token. */

const root = document.documentElement;

function isDark() {
  return root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

for (const button of document.querySelectorAll("[data-theme-switch]")) {
  const show = () => button.setAttribute("aria-pressed", String(isDark()));
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    localStorage.setItem("theme", root.dataset.theme);
    show();
  });
  show();
}

/* <button data-copy="#id" data-copied="Copied"> puts the value, address or text of #id on the clipboard and says so. */
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button || button.dataset.saying) return;
  const source = document.querySelector(button.dataset.copy);
  await navigator.clipboard.writeText(source.value ?? source.href ?? source.textContent.trim());
  const label = button.textContent;
  button.textContent = button.dataset.copied;
  button.dataset.saying = "it is done"; // fresh HTML leaves it alone meanwhile
  setTimeout(() => {
    button.textContent = label;
    delete button.dataset.saying;
  }, 2000);
});

/* What unfolds over the page closes with Escape, and focus goes back to what opened it. */
document.addEventListener("keydown", (event) => {
  const open = event.key === "Escape" && document.querySelector("[data-floats][open]");
  if (!open) return;
  open.open = false;
  open.querySelector("summary").focus();
});

/* HTML that came after the page, the same for several people, has no token in its forms: they are sent with the page's. */
document.addEventListener("submit", ({ target: form, defaultPrevented }) => {
  if (defaultPrevented || form.method !== "post" || form.elements.csrfmiddlewaretoken) return;
  const token = JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];
  form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "csrfmiddlewaretoken", value: token }));
});

/* A form marked data-once is sent once, however often its button is pressed. */
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!("once" in form.dataset)) return;
  if (form.dataset.once === "sent") event.preventDefault();
  form.dataset.once = "sent";
});
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("[data-once]")) form.dataset.once = "";
});
