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
  let gap;

  const fire = (name, detail) => dispatch(name, detail, document.body);

  const change = (data) => {
    fire("live:change", data);
    fire(`live:${data.kind}`, data);
    fire(`live:${data.kind}:${data.uuid}`, data);
  };

  const deliver = ({ type, cursor, mode, data }) => {
    if (type === "change") change(data);
    if (type === "resync") fire("live:resync");
    if (cursor !== undefined) root.dataset.liveCursor = cursor;
    // The server itself saw its database so many seconds ago.
    if (mode) dispatch("live-mode", data?.late > 5 ? "stale" : mode);
  };

  addEventListener("live-received", ({ detail }) => {
    const { liveCursor: since } = root.dataset;
    deliver(detail);
    if (detail.mode !== false) channel.postMessage({ ...detail, since });
  });
  channel.addEventListener("message", ({ data }) => {
    if (data === "hello") return channel.postMessage({ mode: root.dataset.live });
    // The cursor is each tab's own: what came between it and this message is missing here, and is polled for.
    // A leader of the version before does not name it.
    const isNext = !("since" in data) || root.dataset.liveCursor >= +data.since;
    if (data.cursor && !isNext) gap ??= setTimeout(() => { gap = null; dispatch("live-hello"); }, 500);
    return deliver(isNext ? data : { ...data, cursor: undefined });
  });
  addEventListener("live-hello", () => channel.postMessage("hello"));
  // A page that comes out of the browser's own cache is as old as when it was left.
  const [navigation] = performance.getEntriesByType("navigation");
  if (navigation?.type === "back_forward") setTimeout(() => fire("live:resync"));
}
