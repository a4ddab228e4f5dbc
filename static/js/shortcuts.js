// data-shortcut="g t": the keys press the link or button, or put the cursor into the field.
// Single keys stay out of the way while someone types, and can be switched off (WCAG 2.1.4).
{
  let typed = "", forget;

  self.isShortcut = ({ altKey, ctrlKey, key, metaKey, target }) => key.length === 1 && !altKey && !ctrlKey && !metaKey
    && document.documentElement.dataset.shortcuts !== "off" && !target.matches("input, textarea, select");

  const press = (selector) => {
    const found = [...document.querySelectorAll(selector)];
    const target = found.find((element) => element.checkVisibility()) ?? found[0];
    if (target?.matches("input, textarea, select")) target.focus();
    else target?.click();
    return target;
  };

  const remember = (keys) => {
    clearTimeout(forget);
    typed = keys;
    forget = setTimeout(() => { typed = ""; }, 1200);
  };

  const act = (keys) => {
    if (keys === "?") return press('[data-dialog="keys"]');
    if (keys === "p") return print() ?? true;
    return press(`[data-shortcut="${CSS.escape(keys)}"]`);
  };

  addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      press('[data-dialog="palette"]');
      return;
    }
    if (!isShortcut(event) || document.querySelector("dialog:modal, :popover-open")) return;
    const sequence = typed ? `${typed} ${event.key}` : event.key;
    if (act(sequence) || (typed && act(event.key))) {
      event.preventDefault();
      remember("");
    } else {
      remember(document.querySelector(`[data-shortcut^="${CSS.escape(event.key)} "]`) ? event.key : "");
    }
  });
}
