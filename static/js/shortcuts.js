// data-shortcut="g t": the keys press the link or button, or put the cursor into the field.
// Single keys stay out of the way while someone types, and can be switched off (WCAG 2.1.4).
(() => {
  const PATIENCE = 1200;
  let typed = "";
  let forget;

  // The keys of an open drawer come before those of the page: `x` cancels the booking, and filters the
  // board without one. Where the drawer covers the page it is modal, and the page's keys rest.
  const covered = () => document.querySelector("dialog:modal:not(#drawer), :popover-open");
  const inReach = () => document.querySelector("#drawer:modal") ?? document;

  const press = (selector, root = inReach()) => {
    const inDrawer = document.querySelectorAll(`#drawer[open] ${selector}`);
    const found = [...inDrawer, ...root.querySelectorAll(selector)];
    const target = found.find((element) => element.checkVisibility()) ?? found[0];
    if (target?.matches("input, textarea, select")) target.focus();
    else target?.click();
    return Boolean(target);
  };

  const remember = (keys) => {
    clearTimeout(forget);
    typed = keys;
    forget = setTimeout(() => { typed = ""; }, PATIENCE);
  };

  const act = (keys) => {
    if (keys === "?") return press('[data-dialog="keys"]', document);
    if (keys === "p") return print() ?? true;
    return press(`[data-shortcut="${CSS.escape(keys)}"]`);
  };

  addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      press('[data-dialog="palette"]');
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1) return;
    if (document.documentElement.dataset.shortcuts === "off") return;
    if (event.target.matches("input, textarea, select, [contenteditable]")) return;
    if (covered()) return;
    const sequence = typed ? `${typed} ${event.key}` : event.key;
    if (act(sequence) || (typed && act(event.key))) {
      event.preventDefault();
      remember("");
    } else {
      remember(inReach().querySelector(`[data-shortcut^="${CSS.escape(event.key)} "]`) ? event.key : "");
    }
  });
})();
