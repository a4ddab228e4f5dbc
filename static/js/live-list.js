// data-live-list="reservation" data-live-scope="<restaurant uuid> …" data-live-url="…": what is new in a list waits
// behind its button [data-live-more], because rows that push others down make people click on the wrong one. The list
// is fetched to count what it would show of this day and filter. An empty scope means every restaurant.
{
  const SOON = 400;
  const REST = 2e3; // between two looks: a backfill announces hundreds of changes a second
  const plans = new WeakMap();

  const lists = () => [...document.querySelectorAll("[data-live-list][data-live-url]")];
  const keysOf = (place) => [...place.querySelectorAll("[data-live]")].map((item) => item.dataset.live);
  const find = (place, key) => place.querySelector(`[data-live="${CSS.escape(key)}"]`);

  const read = async (list) => {
    const answer = await fetch(list.dataset.liveUrl, { headers: { "HX-Request": "true" }, redirect: "error" });
    if (!answer.ok) throw new Error(answer.status);
    const page = Object.assign(document.createElement("template"), { innerHTML: await answer.text() });
    const known = new Set(keysOf(list));
    return { shown: page.content.firstElementChild, fresh: keysOf(page.content).filter((key) => !known.has(key)) };
  };

  const look = async (list) => {
    plans.set(list, { until: performance.now() + REST });
    const { fresh } = await read(list).catch(() => ({}));
    if (!fresh) return setTimeout(lookSoon, 5 * REST, list); // there was no answer
    const button = list.querySelector("[data-live-more]");
    if (!button) return;
    button.hidden = fresh.length === 0;
    const words = fresh.length === 1 ? button.dataset.one : button.dataset.many;
    button.textContent = words.replace("{n}", fresh.length);
  };

  const lookSoon = (list) => {
    const plan = plans.get(list);
    if (plan?.timer) return;
    const wait = Math.max(SOON, (plan?.until ?? 0) - performance.now());
    plans.set(list, { timer: setTimeout(look, wait, list) });
  };

  const reveal = async (list) => {
    const { shown, fresh } = await read(list);
    const { scrollTop, scrollLeft } = list;
    list.replaceWith(shown); // htmx.swap would search the whole board for each of its ids
    htmx.process(shown);
    htmx.trigger(shown, "htmx:load");
    Object.assign(shown, { scrollTop, scrollLeft });
    find(shown, fresh[0] ?? "")?.focus({ preventScroll: true });
    fresh.forEach((key) => dispatch("live-shown", { key }));
  };

  document.body.addEventListener("live:change", ({ detail: { kind, uuid, restaurant } }) => {
    lists().filter((list) => list.dataset.liveList.split(" ").includes(kind))
      .filter((list) => !restaurant || !list.dataset.liveScope || list.dataset.liveScope.includes(restaurant))
      .filter((list) => !find(list, `${kind}:${uuid}`)).forEach(lookSoon);
  });
  document.body.addEventListener("live:resync", () => lists().forEach(lookSoon));
  addEventListener("click", ({ target }) => {
    const list = target.closest("[data-live-more]")?.closest("[data-live-list]");
    if (list) reveal(list).catch(() => {}); // the button stays
  });
}
