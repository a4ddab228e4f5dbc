// Requests go to the server first. Where it is gone, or silent, the offline copy answers; where there is
// none, they go their ordinary way.
(() => {
  const GONE = [502, 503, 504];
  const SILENT = 4_000; // a server without power is silent for a minute, and nobody waits so long
  const SLOW = 60_000; // one that has just returned may be slow at first
  let patience = SILENT;

  const wait = () => new Promise((resolve) => { setTimeout(resolve, patience, null); });

  const ask = async (request, instead) => {
    const left = request.mode === "navigate" && await self.finishLeaving(request);
    if (left) return left;
    if (request.mode !== "navigate" && !request.headers.has("HX-Request")) return instead(new URL(request.url));
    const network = fetch(request);
    const first = await Promise.race([network.catch(() => null), wait()]);
    if (first && !GONE.includes(first.status)) return first;
    return await instead(new URL(request.url)).catch(() => null) ?? first ?? network;
  };

  addEventListener("fetch", (event) => {
    const instead = self.offlinePages(event.request);
    if (instead) event.respondWith(ask(event.request, instead));
  });

  addEventListener("message", ({ data }) => {
    if (data !== "returned") return;
    patience = SLOW;
    setTimeout(() => { patience = SILENT; }, SLOW);
  });
})();
