// What the leader receives is sent to every tab, and dispatched there as events on <body>:
//   live:reservation            something happened to a reservation (detail: uuid, version, …)
//   live:reservation:<uuid>     … to this one
//   live:reservations           … to some of them: for what counts many, and costs more to read
//   live:change                 … to anything
//   live:resync                 too much was missed to say what: read everything again
// So `hx-trigger="live:reservations from:body, live:resync from:body"` is all that a page needs.
{
  const root = document.documentElement;
  const channel = new BroadcastChannel("couvert-live");
  const LATE = 5; // seconds since the server itself saw its database
  const BEHIND = 100; // the one that changed is read first
  const LEAST = 500; // in a burst they are notified ever more seldom, and once more at its end
  const MOST = 2e3;
  const plans = new Map(); // kind -> when the last such event was fired, and how long to wait after it

  const fire = (name, detail) => document.body.dispatchEvent(new CustomEvent(name, { detail }));

  const notifyMany = (kind) => {
    const { at = -Infinity, gap = LEAST, timer } = plans.get(kind) ?? {};
    if (timer) return;
    const now = performance.now();
    const next = now - at > MOST ? LEAST : Math.min(2 * gap, MOST);
    plans.set(kind, {
      timer: setTimeout(() => {
        plans.set(kind, { at: performance.now(), gap: next });
        fire(`live:${kind}s`);
      }, Math.max(BEHIND, at + gap - now)),
    });
  };

  const change = (data) => {
    fire("live:change", data);
    fire(`live:${data.kind}`, data);
    fire(`live:${data.kind}:${data.uuid}`, data);
    notifyMany(data.kind);
  };

  const deliver = ({ type, cursor, mode, data }) => {
    dispatch("live-alive");
    if (type === "change") change(data);
    if (type === "resync") fire("live:resync");
    if (cursor !== undefined) root.dataset.liveCursor = cursor;
    const isLate = data?.late > LATE;
    if (mode) dispatch("live-mode", isLate ? "stale" : mode);
  };

  addEventListener("live-received", ({ detail }) => {
    deliver(detail);
    channel.postMessage(detail);
  });
  channel.addEventListener("message", ({ data }) => {
    if (data.type !== "hello") deliver(data);
    else if (root.dataset.live) channel.postMessage({ type: "mode", mode: root.dataset.live });
  });
  addEventListener("live-hello", () => channel.postMessage({ type: "hello" }));
  // A page that comes out of the browser's own cache is as old as when it was left.
  const [navigation] = performance.getEntriesByType("navigation");
  if (navigation?.type === "back_forward") setTimeout(() => fire("live:resync"));
}
