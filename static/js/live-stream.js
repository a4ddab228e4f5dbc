// The leader's stream. A screen that receives nothing has no stream, whatever the browser thinks of
// the connection: after sleep, or behind a proxy, a dead one looks open for minutes.
(() => {
  const SILENCE = 40_000;
  const GRACE = 3_000; // a stream that ends in the ordinary way is back by then
  const AGAIN = 60_000;
  const live = document.getElementById("live");
  let isLeading = false;
  let source = null;
  let receivedAt = 0;
  let plan = null;

  const dispatch = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));

  const cancel = () => { clearTimeout(plan); plan = null; };

  const hear = ({ type, data, lastEventId }) => {
    receivedAt = Date.now();
    cancel();
    dispatch("live-poll-off");
    const cursor = type === "change" ? undefined : lastEventId;
    dispatch("live-received", { type, cursor, mode: "live", data: JSON.parse(data) });
  };

  const close = () => {
    cancel();
    source?.close();
    source = null;
  };

  const doWithout = () => {
    close();
    dispatch("live-poll-on");
    plan = setTimeout(open, AGAIN * (1 + Math.random() / 2));
  };

  const open = () => {
    close();
    receivedAt = Date.now();
    const cursor = document.documentElement.dataset.liveCursor;
    const from = cursor ? `since=${cursor}` : `age=${Math.round(performance.now())}`;
    source = new EventSource(`${live.dataset.stream}?${from}`);
    for (const type of ["change", "beat", "resync"]) source.addEventListener(type, hear);
    source.addEventListener("superseded", doWithout);
    source.addEventListener("signed-out", doWithout);
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) doWithout();
      else plan ??= setTimeout(dispatch, GRACE, "live-poll-on");
    });
  };

  const wake = () => { if (source && Date.now() - receivedAt > SILENCE) open(); };

  document.addEventListener("live-lead", () => { isLeading = true; open(); });
  document.addEventListener("live-follow", () => { isLeading = false; close(); dispatch("live-poll-off"); });
  addEventListener("visibilitychange", wake);
  addEventListener("online", () => { if (isLeading) open(); });
  setInterval(wake, 5_000);
})();
