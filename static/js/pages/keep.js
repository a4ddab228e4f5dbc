// [data-keep]: what is drawn anew while somebody works in it keeps the focus on the same link and its
// frame where it was scrolled to.
{
  const kept = new WeakMap(); // by the request: one that replaces nothing restores nothing
  const frameOf = (place) => place?.querySelector(".table-frame__scroll");

  document.addEventListener("htmx:beforeSwap", ({ detail: { target, xhr } }) => {
    if (!target.matches("[data-keep]")) return;
    const held = target.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    kept.set(xhr, { id: target.id, held, left: frameOf(target)?.scrollLeft, own: target.scrollLeft });
  });
  document.addEventListener("htmx:afterSwap", ({ detail: { xhr } }) => {
    if (!kept.has(xhr)) return;
    const { id, held, left, own } = kept.get(xhr);
    kept.delete(xhr);
    const place = document.getElementById(id);
    if (place && own) place.scrollLeft = own;
    const frame = frameOf(place);
    if (frame && left !== undefined) frame.scrollLeft = left;
    if (held) place?.querySelector(`a[href="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
  });
}

// What somebody has unfolded or filled in stays so when a page refreshes it by itself. What the server
// answers to a press is its own.
{
  const FIELDS = "input:not([type=hidden], [type=file]), textarea, select";
  const restores = new WeakMap(); // by the request: cards and the drawer are replaced without one

  const isFilled = (field) => (field.options
    ? [...field.options].some((option) => option.selected !== option.defaultSelected)
    : field.value !== field.defaultValue || field.checked !== field.defaultChecked);
  const identify = (item) => (item.matches("summary") ? item.textContent.trim()
    : [item.form?.getAttribute("action"), item.name, item.matches("[type=radio], [type=checkbox]") && item.value].join());
  const finder = (item) => {
    const { tagName } = item;
    const identity = identify(item);
    return (place) => [...place.getElementsByTagName(tagName)].find((one) => identify(one) === identity);
  };

  const unfold = (summary) => {
    const find = finder(summary);
    return (place) => find(place)?.parentElement.setAttribute("open", "");
  };

  const fill = (field) => {
    const [find, { checked, value }] = [finder(field), field];
    const isFocused = field === document.activeElement;
    return (place) => {
      const shown = find(place);
      if (!shown) return;
      Object.assign(shown, shown.matches("[type=radio], [type=checkbox]") ? { checked } : { value });
      if (isFocused) shown.focus({ preventScroll: true });
    };
  };

  // Before it is replaced; returns what restores it.
  self.keepWork = (place) => {
    const filled = [...place.querySelectorAll(FIELDS)].filter(isFilled).map(fill);
    const kept = [...place.querySelectorAll("details[open] > summary")].map(unfold).concat(filled);
    return (shown) => kept.forEach((restore) => restore(shown));
  };

  document.addEventListener("htmx:beforeSwap", ({ detail: { requestConfig, target, xhr } }) => {
    const cause = requestConfig.triggeringEvent?.type ?? "";
    if (cause && !cause.startsWith("live:")) return;
    const restore = keepWork(target);
    restores.set(xhr, () => restore(target.isConnected ? target : document));
  });
  // Of this swap alone: where none follows, what is typed later would be undone by another's.
  document.addEventListener("htmx:afterSwap", ({ detail: { xhr } }) => {
    const restore = restores.get(xhr);
    restores.delete(xhr);
    restore?.();
  });
}
