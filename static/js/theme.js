/* Loaded before the first paint, so that a chosen theme never flashes. Without a choice the system's theme counts. */
(() => {
  const chosen = localStorage.getItem("theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
})();
