// data-live="reservation:<uuid>" data-version="3" data-live-url="…": the element fetches itself
// when a newer version is announced; an empty answer takes it away. Never while the pointer or the
// focus is in it: then it is marked data-stale, and waits until they have left. What somebody has opened to
// read (data-live-open) waits only while they type in it or have marked text; it keeps the focus and
// what is unfolded.
(() => {
  const AT_ONCE = 4;
  const AGAIN = 1e4;
  const newest = new Map(); // "reservation:<uuid>" -> the newest version announced, and when
  const waiting = new Set();
  const hovers = matchMedia("(hover: hover)");
  let running = 0;

  const isTypedIn = (item) => {
    const field = document.activeElement;
    const marked = getSelection();
    return (item.contains(field) && field.matches("input:not([type=hidden]), textarea, select"))
      || (marked.type === "Range" && item.contains(marked.anchorNode));
  };
  const isInUse = (item) => document.hidden || ("liveOpen" in item.dataset ? isTypedIn(item)
    : item.contains(document.activeElement) || (hovers.matches && item.matches(":hover")));

  // The same link or button in the new version; another of its kind is not it.
  const identify = (item) => item.id || item.getAttribute("href") || item.textContent.trim();
  const findAgain = (item) => {
    const { tagName } = item;
    const identity = identify(item);
    return (shown) => [...shown.getElementsByTagName(tagName)].find((one) => identify(one) === identity);
  };

  // Returns what gives the focus back and unfolds what was unfolded.
  const remember = (item) => {
    const focused = item.contains(document.activeElement) && findAgain(document.activeElement);
    const unfolded = [...item.querySelectorAll("details[open] > summary")].map(findAgain);
    return (shown) => {
      unfolded.map((find) => find(shown)).forEach((summary) => summary?.parentElement.setAttribute("open", ""));
      if (focused) (focused(shown) ?? shown.querySelector("[tabindex='-1']"))?.focus({ preventScroll: true });
    };
  };

  const show = (key, html, item) => {
    const { id } = item;
    const restore = "liveOpen" in item.dataset && remember(item);
    htmx.swap(item, html, { swapStyle: "outerHTML", swapDelay: 0, settleDelay: 0 });
    if (restore) restore(document.getElementById(id));
    document.dispatchEvent(new CustomEvent("live-shown", { detail: { key, ...newest.get(key) } }));
  };

  const fetchItem = async (item) => {
    const key = item.dataset.live;
    const version = newest.get(key)?.version;
    const answer = await fetch(item.dataset.liveUrl, { headers: { "HX-Request": "true" }, redirect: "error" });
    if (answer.status === 404) return item.removeAttribute("data-live-url"); // no longer ours to see
    if (!answer.ok) throw new Error(answer.status);
    const html = await answer.text();
    if (isInUse(item)) return later(item);
    show(key, html, item);
    if (newest.get(key)?.version !== version) refresh(key);
  };

  const work = () => {
    for (const item of [...waiting].slice(0, AT_ONCE - running)) {
      waiting.delete(item);
      if (!item.isConnected) continue;
      if (isInUse(item)) { later(item); continue; }
      running += 1;
      fetchItem(item)
        .catch(() => setTimeout(add, AGAIN, [item]))
        .finally(() => { running -= 1; work(); });
    }
  };

  const later = (item) => { item.dataset.stale = ""; };
  const add = (items) => { items.forEach((item) => waiting.add(item)); work(); };
  const items = (more = "") => [...document.querySelectorAll(`[data-live][data-live-url]${more}`)];

  const refresh = (key) => add(items().filter((item) =>
    item.dataset.live === key && Number(item.dataset.version) < newest.get(key).version));

  document.body.addEventListener("live:change", ({ detail: { kind, uuid, version } }) => {
    const key = `${kind}:${uuid}`;
    if (version <= newest.get(key)?.version) return;
    newest.set(key, { version, at: performance.now() });
    refresh(key);
  });
  document.body.addEventListener("live:resync", () => add(items()));
  const flush = () => setTimeout(() => add(items("[data-stale]")));
  for (const left of ["focusout", "pointerout", "visibilitychange"]) addEventListener(left, flush);
})();
