// A page that the service worker answers with.
self.offlinePage = (html, policy) => new Response(html, {
  headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy, "Cache-Control": "no-store" },
});

// What the offline copy has instead of the answer of a server that gives none: a page, a drawer, or the
// style and scripts of both. Null where it has nothing.
self.offlinePages = (() => {
  const BOOKING = /^\/reservations\/[0-9a-f-]{36}\/$/;
  const WEIGHTS = { day: 4, scope: 2, zoom: 1 };
  const SHOWN = 60_000; // so long after a page its style and scripts come out of the copy too
  const copy = self.offlineCopy;
  let shownAt = -SHOWN;

  const sharedParams = (address, wanted) => {
    const { searchParams } = new URL(address, location.origin);
    return Object.entries(WEIGHTS).reduce((sum, [name, weight]) =>
      sum + (searchParams.get(name) === wanted.searchParams.get(name) ? weight : 0), 0);
  };

  // The first of the most alike: the list begins with today's.
  const nearest = (pages, wanted) => {
    const same = pages.filter((one) => new URL(one, location.origin).pathname === wanted.pathname);
    const most = Math.max(...same.map((one) => sharedParams(one, wanted)));
    return same.find((one) => sharedParams(one, wanted) === most);
  };

  const answer = ({ html, policy }, attributes = "") => self.offlinePage(html.replace("<html ", `<html ${attributes}`), policy);

  // The tablet's clock may be wrong: it was compared with the server's when the copy was stored.
  const times = async ({ at, storedAt }) =>
    `data-as-of="${at}" data-offline-since="${await copy.note(Date.now()) - storedAt + at}" `;

  const page = async (url) => {
    const about = await copy.about();
    if (!about) return null;
    const kept = nearest(about.pages, url);
    shownAt = Date.now();
    return kept ? answer(await copy.read(kept), await times(about)) : Response.redirect("/", 302);
  };

  const drawer = async ({ pathname }) => (await copy.about() ? answer(await copy.read(pathname)) : null);
  const asset = async (url) => await caches.match(url) ?? fetch(url);

  // Which of them an address has, if any.
  return ({ headers, method, mode, url }) => {
    const { origin, pathname } = new URL(url);
    if (method !== "GET" || origin !== location.origin) return null;
    if (mode === "navigate") return page;
    if (pathname.startsWith("/static/")) return Date.now() - shownAt < SHOWN ? asset : null;
    return BOOKING.test(pathname) && headers.has("HX-Request") ? drawer : null;
  };
})();
