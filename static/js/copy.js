// data-copy="#element": copies its text or value, and says so on the button for two seconds.
addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const { copy, done } = button.dataset;
  const source = document.querySelector(copy);
  await navigator.clipboard.writeText(source.value ?? source.textContent.trim());
  const label = button.querySelector("span") ?? button;
  const before = label.textContent;
  if (before === done) return;
  label.textContent = done;
  dispatch("announce", done);
  setTimeout(() => { label.textContent = before; }, 2e3);
});
