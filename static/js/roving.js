// data-roving: arrow keys (and j, k unless switched off) walk through its links (and elements with data-entry).
// With data-roving="main" j and k reach it from anywhere on the page: the list of a page.
{
  const STEPS = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 };
  const walk = (list, step) => {
    const all = [...list.querySelectorAll("a[href], [data-entry]")].filter((entry) => entry.checkVisibility());
    const here = all.indexOf(document.activeElement);
    if (here === 0 && step < 0) return list.querySelector("[data-filter]")?.focus();
    // From nowhere a step back leads to the last.
    all.at(Math.max(Math.min(here + step, all.length - 1), -1))?.focus();
  };

  addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    const isLetter = isShortcut(event);
    if (!isLetter && event.key.length === 1) return;
    if (event.target.matches("textarea, select, input[type=date], input[type=number]")) return;
    const list = event.target.closest("[data-roving]")
      ?? (isLetter && !document.querySelector("dialog:modal") && document.querySelector('[data-roving="main"]'));
    if (!list) return;
    event.preventDefault();
    walk(list, step);
  });
}
