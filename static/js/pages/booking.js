// data-open="reservation:<uuid>" data-version="3" data-open-url="…": what somebody has opened to read
// fetches itself when a newer version is announced. Unlike a card it may have the pointer and the focus
// in it: the focus stays and what is unfolded stays so. It waits only while somebody types in it or has
// marked text. data-outdated="reservation:<uuid>" data-version="3": the facts above a form, which follow
// while the form stays as it is.
{
  const AGAIN = 1e4;
  const newest = new Map(); // "reservation:<uuid>" -> the newest version announced, and when
  let isFetching = false;

  const opened = () => document.querySelector("[data-open-url]");
  const isInUse = (item) => {
    const field = document.activeElement;
    const marked = getSelection();
    return document.hidden || (marked.type === "Range" && item.contains(marked.anchorNode))
      || (item.contains(field) && field.matches("input:not([type=hidden]), textarea, select"));
  };

  // The same link or button in the new version; another of its kind is not it.
  const identify = (item) => item.id || item.getAttribute("href") || item.textContent.trim();
  const finder = (item) => {
    const { tagName } = item;
    const identity = identify(item);
    return (shown) => [...shown.getElementsByTagName(tagName)].find((one) => identify(one) === identity);
  };

  const replace = (item, html) => {
    const focused = item.contains(document.activeElement) && finder(document.activeElement);
    const restore = keepWork(item);
    htmx.swap(item, html, { swapStyle: "outerHTML", swapDelay: 0, settleDelay: 0 });
    const shown = opened();
    restore(shown);
    if (focused) (focused(shown) ?? shown.querySelector("[tabindex='-1']"))?.focus({ preventScroll: true });
  };

  const read = async (item) => {
    const { open: key, openUrl } = item.dataset;
    const html = await fetchPart(openUrl);
    if (!item.isConnected) return; // another one was opened meanwhile, or an answer has replaced it
    if (isInUse(item)) return later(item);
    replace(item, html);
    if (document.querySelector(`[data-live="${CSS.escape(key)}"]`)) return true; // its card is counted
    return dispatch("live-shown", { key, ...newest.get(key) });
  };

  const later = (item) => { item.dataset.stale = ""; };
  const isOld = (item) => item && ("stale" in item.dataset
    || Number(item.dataset.version) < (newest.get(item.dataset.open)?.version ?? 0));

  const follow = () => {
    const item = opened();
    if (isFetching || !isOld(item)) return;
    if (isInUse(item)) return later(item);
    isFetching = true;
    const seen = newest.get(item.dataset.open)?.version;
    read(item)
      .catch(({ message }) => (message === "404"
        ? item.removeAttribute("data-open") // no longer ours to see
        : setTimeout(follow, AGAIN)))
      .then((isShown) => {
        isFetching = false;
        if (!isShown || newest.get(item.dataset.open)?.version !== seen) follow();
      });
  };

  const warn = () => document.querySelectorAll("[data-outdated]").forEach((one) => {
    const version = newest.get(one.dataset.outdated)?.version;
    if (!(version > Number(one.dataset.version))) return;
    one.dataset.version = version;
    one.querySelector(".notice")?.removeAttribute("hidden"); // at once, and with its facts when they are here
    document.body.dispatchEvent(new CustomEvent("live:outdated"));
  });

  document.body.addEventListener("live:change", ({ detail: { kind, uuid, version } }) => {
    const key = `${kind}:${uuid}`;
    if (version <= newest.get(key)?.version) return;
    newest.set(key, { version, at: performance.now() });
    warn();
    follow();
  });
  document.body.addEventListener("live:resync", () => { if (opened()) { later(opened()); follow(); } });
  const flush = () => setTimeout(() => { if ("stale" in (opened()?.dataset ?? {})) follow(); });
  for (const left of ["focusout", "pointerup", "visibilitychange"]) document.addEventListener(left, flush);
  // A form that was left awaits no answer about its booking any more.
  addEventListener("htmx:beforeCleanupElement", ({ target }) => {
    if (target.dataset?.outdated) htmx.trigger(target, "htmx:abort");
  });
  addEventListener("htmx:load", warn);
  addEventListener("htmx:load", follow); // one that was opened while its newer version was announced
}

// What was opened last stays: the answer to an earlier press that comes after it closes no form and shows no
// other booking. What that press changed is read again, and a form that was refused is reported.
{
  const orders = new WeakMap(); // a request -> its number; a place -> the number of what it shows
  let count = 0;

  const report = () => {
    const { content } = document.querySelector("[data-of=refused][data-verb*=post]");
    document.getElementById("toasts").append(content.cloneNode(true));
  };

  document.addEventListener("htmx:beforeSend", ({ detail: { xhr } }) => { orders.set(xhr, count += 1); });
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const { requestConfig: { verb }, shouldSwap, target, xhr } = detail;
    const isLate = orders.get(xhr) < orders.get(target);
    if (shouldSwap && !isLate) orders.set(target, orders.get(xhr));
    if (!shouldSwap || !isLate) return;
    detail.shouldSwap = false;
    if (verb === "get") return;
    if (xhr.status === 422) report();
    document.body.dispatchEvent(new CustomEvent("live:resync"));
  });
}

// The keys of an open drawer come before those of the board: `x` cancels the booking, and filters the
// board without one. A drawer that covers the board is modal, so that static/js/shortcuts.js rests.
{
  const PATIENCE = 1200; // `g c` leads to the calls and reveals no contact
  let typed = "";

  const isSequence = (key) => document.querySelector(`[data-shortcut="${CSS.escape(`${typed} ${key}`)}"]`);
  const find = (key) => (key === "?"
    ? document.querySelector("#drawer:modal") && document.querySelector('[data-dialog="keys"]')
    : document.querySelector(`#drawer[open] [data-shortcut="${CSS.escape(key)}"]`));

  const isForPage = (event) => !isShortcut(event)
    || document.querySelector("dialog:modal:not(#drawer), :popover-open");

  addEventListener("keydown", (event) => {
    const target = !isForPage(event) && !isSequence(event.key) && find(event.key);
    typed = event.key;
    setTimeout(() => { typed = ""; }, PATIENCE);
    if (!target) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    target.click();
  }, true);
}

// <small data-zone="Europe/Paris" hidden>: the zone of the moments beside it. It is shown where this
// device's clock differs, today or at the moment that `datetime` of a <time> in the same block names.
{
  const offset = (timeZone, at) => new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" })
    .formatToParts(at).find(({ type }) => type === "timeZoneName").value;

  const differs = (zone, moments) => moments.some((at) => offset(zone, at) !== offset(undefined, at));

  const name = (mark) => {
    const time = mark.parentElement.querySelector("time[datetime]")?.dateTime;
    const moments = [Date.now(), Date.parse(time ?? "")].filter(Number.isFinite);
    mark.hidden = !differs(mark.dataset.zone, moments);
  };

  const nameAll = (root) => root.querySelectorAll("[data-zone]").forEach(name);

  addEventListener("htmx:load", ({ target }) => nameAll(target));
  nameAll(document);
}

// A textarea with data-counted and maxlength says below itself how many characters are used.
{
  const output = (area) => {
    const made = Object.assign(document.createElement("output"), { className: "field__count" });
    made.htmlFor = area.id;
    area.after(made);
    return made;
  };

  const count = (area) => {
    const figures = [[...area.value].length, area.maxLength];
    const [used, most] = figures.map((n) => n.toLocaleString(document.documentElement.lang));
    const found = area.parentElement.querySelector(".field__count") ?? output(area);
    found.textContent = `${used} / ${most}`;
  };

  const countAll = () => document.querySelectorAll("textarea[data-counted]").forEach(count);

  for (const changed of ["input", "htmx:load"]) addEventListener(changed, countAll);
  countAll();
}
