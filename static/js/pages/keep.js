// [data-keep]: what is drawn anew while somebody works in it keeps the focus on the same link and its
// frame where it was scrolled to.
{
  const kept = new Map();
  const frameOf = (place) => place?.querySelector(".table-frame__scroll");

  document.addEventListener("htmx:beforeSwap", ({ detail: { target } }) => {
    if (!target.matches("[data-keep]")) return;
    const held = target.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    kept.set(target.id, { held, left: frameOf(target)?.scrollLeft, own: target.scrollLeft });
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const [id, { held, left, own }] of kept) {
      const place = document.getElementById(id);
      if (place && own) place.scrollLeft = own;
      const frame = frameOf(place);
      if (frame && left !== undefined) frame.scrollLeft = left;
      if (held) place?.querySelector(`a[href="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
    }
    kept.clear();
  });
}
