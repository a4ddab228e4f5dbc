// data-copy="#element": copies its text or value, and says so on the button for two seconds.
addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.querySelector(button.dataset.copy);
  await navigator.clipboard.writeText(source.value ?? source.textContent.trim());
  const label = button.querySelector("span") ?? button;
  const before = label.textContent;
  if (before === button.dataset.done) return;
  label.textContent = button.dataset.done;
  document.dispatchEvent(new CustomEvent("announce", { detail: button.dataset.done }));
  setTimeout(() => { label.textContent = before; }, 2000);
});
