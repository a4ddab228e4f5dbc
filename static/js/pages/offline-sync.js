// Keeps the offline copy of this device as the server lists it, once a minute and in one tab only. Pages
// are fetched as a person fetches them: what they may not see is not in their copy.
(() => {
  const EVERY = 60_000;
  const RENEWED = 300_000; // pages change by the clock too
  const DRAWER = { "HX-Request": "true", "HX-Target": "drawer-body" };
  const root = document.documentElement;
  const words = document.getElementById("offline")?.dataset;
  const copy = self.offlineCopy;
  const over = Symbol("nobody may keep a copy here any more");
  if (!words || root.dataset.offlineSince) return;

  const show = (text) => document.querySelectorAll("[data-offline-state]").forEach((line) => { line.textContent = text; });

  const read = async (address, headers) => {
    const sent = { ...headers, "Offline-Copy": "true" }; // not something that a person did
    const answer = await fetch(address, { headers: sent, redirect: "manual", cache: "no-store" });
    if (answer.type === "opaqueredirect" || answer.status === 403) throw over;
    if (!answer.ok && answer.status !== 404) throw new Error(answer.status);
    return answer;
  };

  const keep = async (address, headers) => {
    const answer = await read(address, headers);
    if (answer.status === 404) return copy.remove(address);
    return copy.write(address, { html: await answer.text(), policy: answer.headers.get("Content-Security-Policy") });
  };

  // New ones come before the pages that need them; old ones go when no page does any more.
  const keepAssets = async (assets) => {
    const cache = await caches.open("couvert-offline");
    const isOld = ({ url }) => !assets.includes(new URL(url).pathname);
    for (const asset of assets) if (!await cache.match(asset)) await cache.add(asset);
    return async () => { for (const request of await cache.keys()) if (isOld(request)) await cache.delete(request); };
  };

  // Without it a reload shows nothing while the server is gone. A private window may have none, and browsers drop it with the rest.
  const needWorker = async () => {
    const worker = await navigator.serviceWorker?.register("/service-worker.js", { updateViaCache: "none" }).catch(() => null);
    if (!worker) throw new DOMException("no service worker", "NotSupportedError");
  };

  const round = async () => {
    await needWorker();
    if (await copy.get("leaving")) return location.reload(); // signed out here: what reads pages finishes that
    const { seconds, ...list } = await (await read(words.index)).json();
    let old = await copy.about();
    if (old?.owner !== list.owner) old = await copy.start();
    const [now, known] = [Date.now(), old?.bookings ?? {}];
    const isSame = JSON.stringify([known, old?.pages, old?.assets]) === JSON.stringify([list.bookings, list.pages, list.assets]);
    const renewedAt = isSame && now - old.renewedAt < RENEWED ? old.renewedAt : now;
    const dropOldAssets = await keepAssets(list.assets);
    if (renewedAt === now) for (const page of list.pages) await keep(page);
    for (const booking of Object.keys(list.bookings)) if (known[booking] !== list.bookings[booking]) await keep(booking, DRAWER);
    const gone = [...old?.pages ?? [], ...Object.keys(known)].filter((one) => !list.pages.includes(one) && !(one in list.bookings));
    for (const one of gone) await copy.remove(one);
    await copy.put("about", { ...list, storedAt: now, ends: now + seconds * 1000, renewedAt, words: { ...words } });
    await dropOldAssets();
    show(words.kept.replace("{time}", clockOf(list.at)));
  };

  // A full or closed storage: half a copy must not be taken for a whole one.
  const fail = async (fault) => {
    if (fault !== over && !(fault instanceof DOMException)) return;
    await copy.wipe();
    show(fault === over ? "" : words.none);
  };

  if (!navigator.locks) return show(words.none); // not a secure context: nothing can be kept
  const work = () => navigator.locks.request("couvert-offline", { ifAvailable: true }, (lock) => lock && round().catch(fail));

  const isKept = async () => await navigator.serviceWorker.getRegistration() && copy.about();

  // What the browser has dropped meanwhile is not claimed any longer.
  const lose = async () => (await isKept().catch(() => null) ? copy.note(Date.now()) : show(words.none));

  document.addEventListener("live-mode", ({ detail }) => {
    if (detail === "offline") lose().catch(() => {});
    else if (detail !== "stale") copy.remove("since").catch(() => {}); // it has answered
  });
  setInterval(() => { if (!document.hidden) work(); }, EVERY);
  work();
})();
