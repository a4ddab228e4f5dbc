// data-copy="#element": copies its text or value, and says so on the button for two seconds.
// Selected and copied as by hand: without HTTPS scripts have no other clipboard.
addEventListener("click", ({ target }) => {
  const button = target.closest("[data-copy]");
  if (!button) return;
  const { copy, done } = button.dataset;
  const source = document.querySelector(copy);
  getSelection().selectAllChildren(source);
  source.select?.();
  if (!document.execCommand("copy")) return;
  const label = button.querySelector("span") ?? button;
  const before = label.textContent;
  if (before === done) return;
  label.textContent = done;
  dispatch("announce", done);
  setTimeout(() => { label.textContent = before; }, 2e3);
});
