// data-live-list="reservation" data-live-scope="<restaurant uuid> …" data-live-url="…": what is new in a list waits
// behind its button [data-live-more], because rows that push others down make people click on the wrong one. The list
// is fetched to count what it would show of this day and filter. An empty scope means every restaurant.
{
  const SOON = 400;
  const REST = 2e3; // between two looks: a backfill announces hundreds of changes a second
  const plans = new Map(); // by the id of the list, which a refresh of its board replaces

  const lists = (of = "") => [...document.querySelectorAll(`[data-live-list${of}][data-live-url]`)];
  const keysOf = (place) => [...place.querySelectorAll("[data-live]")].map((item) => item.dataset.live);
  const find = (place, key) => place.querySelector(`[data-live="${key}"]`);

  const read = async (list) => {
    const innerHTML = await fetchPart(list.dataset.liveUrl);
    const { content } = Object.assign(document.createElement("template"), { innerHTML });
    const known = new Set(keysOf(list));
    return { shown: content.firstElementChild, fresh: keysOf(content).filter((key) => !known.has(key)) };
  };

  const look = async (id) => {
    plans.set(id, { until: performance.now() + REST });
    const list = document.getElementById(id);
    const { fresh } = await read(list).catch(() => ({}));
    if (!fresh) return list && setTimeout(lookSoon, 5 * REST, list); // there was no answer
    const button = list.querySelector("[data-live-more]");
    const { length: n } = fresh;
    const textContent = button?.dataset[n === 1 ? "one" : "many"].replace("{n}", n);
    if (button) Object.assign(button, { hidden: !n, textContent });
  };

  const lookSoon = ({ id }) => {
    const { timer, until = 0 } = plans.get(id) ?? {};
    if (timer) return;
    plans.set(id, { timer: setTimeout(look, Math.max(SOON, until - performance.now()), id) });
  };

  const reveal = async (list) => {
    const { shown, fresh } = await read(list);
    const { scrollTop, scrollLeft } = list;
    list.replaceWith(shown); // htmx.swap would search the whole board for each of its ids
    htmx.process(Object.assign(shown, { scrollTop, scrollLeft }));
    htmx.trigger(shown, "htmx:load");
    find(shown, fresh[0] ?? "")?.focus({ preventScroll: true });
    fresh.forEach((key) => dispatch("live-shown", { key }));
  };
  document.body.addEventListener("live:change", ({ detail: { kind, uuid, restaurant } }) => {
    lists(`~="${kind}"`)
      .filter(({ dataset: { liveScope } }) => !restaurant || !liveScope || liveScope.includes(restaurant))
      .filter((list) => !find(list, `${kind}:${uuid}`)).forEach(lookSoon);
  });
  document.body.addEventListener("live:resync", () => lists().forEach(lookSoon));
  // A board that comes soon after a look may have been read before it.
  const recheck = ({ target }) => performance.now() < plans.get(target.id)?.until + 15 * REST && lookSoon(target);
  addEventListener("htmx:load", recheck);
  addEventListener("click", ({ target }) => {
    const list = target.closest("[data-live-more]")?.closest("[data-live-list]");
    if (list) reveal(list).catch(() => {}); // the button stays
  });
}
