// data-filter="selector" on an input hides the entries that do not contain what is typed.
{
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

  addEventListener("input", (event) => {
    const { filter } = event.target.dataset;
    if (!filter) return;
    const words = plain(event.target.value).split(/\s+/);
    for (const entry of document.querySelectorAll(filter)) {
      const text = plain(entry.textContent);
      entry.hidden = !words.every((word) => text.includes(word));
    }
  });
}
