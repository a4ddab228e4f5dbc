// The leader's stream. A screen that receives nothing has none: a dead connection looks open for minutes.
{
  const SILENCE = 8e3;
  const MOST = 4e4; // between two connections to a server that is slow or full
  const GRACE = 3e3; // a stream that ends in the ordinary way is back by then
  const live = document.getElementById("live");
  let [isLeading, receivedAt, patience] = [false, 0, SILENCE];
  let source, plan;

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
  const slower = () => { patience = Math.min(2 * patience, MOST); };

  const doWithout = ({ type }) => {
    close();
    dispatch("live-poll-on");
    plan = setTimeout(open, (type === "error" ? patience / 2 : MOST) * (1 + Math.random() / 2));
    slower(); // one that refuses may not be ready yet
  };

  const open = () => {
    close();
    receivedAt = Date.now();
    source = new EventSource(`${live.dataset.stream}?${liveSince()}`);
    for (const type of ["change", "beat", "resync"]) source.addEventListener(type, hear);
    for (const type of ["superseded", "signed-out"]) source.addEventListener(type, doWithout);
    source.addEventListener("error", (event) => {
      if (source.readyState === EventSource.CLOSED) doWithout(event);
      else plan ??= setTimeout(dispatch, GRACE, "live-poll-on");
    });
  };

  const reopen = () => { open(); dispatch("live-poll-on"); };

  const wake = () => {
    if (!source || Math.abs(Date.now() - receivedAt) < patience) return;
    slower();
    reopen();
  };

  addEventListener("live-lead", () => { isLeading = true; open(); });
  addEventListener("live-follow", () => { isLeading = false; close(); dispatch("live-poll-off"); });
  addEventListener("visibilitychange", wake);
  // An open stream proves nothing then, a new one does: a server may be beside a device without a network.
  for (const name of ["online", "offline"]) addEventListener(name, () => { if (isLeading) reopen(); });
  setInterval(wake, 1e3);
}
