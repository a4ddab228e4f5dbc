// data-live="reservation:<uuid>" data-version="3" data-live-url="…": the element fetches itself
// when a newer version is announced; an empty answer takes it away. Never while the pointer or a focus that
// is seen is in it: then it is marked data-stale, and waits until they have left.
{
  const AT_ONCE = 4;
  const AGAIN = 1e4;
  const newest = new Map(); // "reservation:<uuid>" -> the newest version announced, and when
  const waiting = new Set();
  const hovers = matchMedia("(hover: hover)");
  let running = 0;

  const isInUse = (item) => document.hidden || item.matches(":focus-visible, :has(:focus-visible)")
    || (hovers.matches && item.matches(":hover"));

  const fetchItem = async (item) => {
    const key = item.dataset.live;
    const version = newest.get(key)?.version;
    const html = await fetchPart(item.dataset.liveUrl);
    if (isInUse(item)) return later(item);
    htmx.swap(item, html, { swapStyle: "outerHTML", swapDelay: 0, settleDelay: 0 });
    dispatch("live-shown", { key, ...newest.get(key) });
    if (newest.get(key)?.version !== version) refresh(key);
  };

  const work = () => {
    for (const item of [...waiting].slice(0, AT_ONCE - running)) {
      waiting.delete(item);
      if (!item.isConnected) continue;
      if (isInUse(item)) { later(item); continue; }
      running += 1;
      fetchItem(item)
        .catch(({ message }) => (message === "404"
          ? item.removeAttribute("data-live-url") // no longer ours to see
          : setTimeout(add, AGAIN, [item])))
        .finally(() => { running -= 1; work(); });
    }
  };

  const later = (item) => { item.dataset.stale = ""; };
  const add = (items) => { items.forEach((item) => waiting.add(item)); work(); };
  const items = (more = "", place = document) => [...place.querySelectorAll(`[data-live][data-live-url]${more}`)];
  const refresh = (key, place) => add(items("", place).filter(({ dataset: { live, version } }) =>
    (!key || live === key) && version < newest.get(live)?.version));

  document.body.addEventListener("live:change", ({ detail: { kind, uuid, version } }) => {
    const key = `${kind}:${uuid}`;
    if (version <= newest.get(key)?.version) return;
    newest.set(key, { version, at: performance.now() });
    refresh(key);
  });
  // A board may have been read before a card of it changed.
  addEventListener("htmx:load", ({ target }) => refresh("", target));
  document.body.addEventListener("live:resync", () => add(items()));
  const flush = () => setTimeout(() => add(items("[data-stale]")));
  for (const left of ["focusout", "pointerout", "visibilitychange"]) addEventListener(left, flush);
}
