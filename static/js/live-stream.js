// The leader's stream. A screen that receives nothing has none: a dead connection looks open for minutes.
(() => {
  const SILENCE = 8_000;
  const MOST = 40_000; // between two connections to a server that is slow to answer
  const GRACE = 3_000; // a stream that ends in the ordinary way is back by then
  const AGAIN = 60_000;
  const live = document.getElementById("live");
  let isLeading = false;
  let receivedAt = 0;
  let patience = SILENCE;
  let source, plan;

  const dispatch = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));

  const cancel = () => { plan = clearTimeout(plan); };

  const hear = ({ type, data, lastEventId }) => {
    receivedAt = Date.now();
    patience = SILENCE;
    cancel();
    dispatch("live-poll-off");
    const cursor = type === "change" ? undefined : lastEventId;
    dispatch("live-received", { type, cursor, mode: "live", data: JSON.parse(data) });
  };

  const close = () => { cancel(); source = source?.close(); };

  const doWithout = () => {
    close();
    dispatch("live-poll-on");
    plan = setTimeout(open, AGAIN * (1 + Math.random() / 2));
  };

  const open = () => {
    close();
    receivedAt = Date.now();
    const { liveCursor } = document.documentElement.dataset;
    const from = liveCursor ? `since=${liveCursor}` : `age=${Math.round(performance.now())}`;
    source = new EventSource(`${live.dataset.stream}?${from}`);
    for (const type of ["change", "beat", "resync"]) source.addEventListener(type, hear);
    for (const type of ["superseded", "signed-out"]) source.addEventListener(type, doWithout);
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) doWithout();
      else plan ??= setTimeout(dispatch, GRACE, "live-poll-on");
    });
  };

  const wake = () => {
    if (!source || Math.abs(Date.now() - receivedAt) < patience) return;
    patience = Math.min(2 * patience, MOST);
    open();
    dispatch("live-poll-on");
  };

  document.addEventListener("live-lead", () => { isLeading = true; open(); });
  document.addEventListener("live-follow", () => { isLeading = false; close(); dispatch("live-poll-off"); });
  addEventListener("visibilitychange", wake);
  addEventListener("online", () => { if (isLeading) open(); });
  setInterval(wake, 1_000);
})();
