// Where there is no stream: poll every twenty seconds, every five while the server does not answer. Not while
// nobody looks. One poll without an answer is no outage: the server is slow, the device busy or between two
// networks. The next one, a second later, decides.
{
  const RESTS = [2e4, 1e3, 5e3]; // by the polls that had no answer
  const root = document.documentElement;
  const live = document.getElementById("live");
  let isOn = false;
  let lost = root.dataset.offlineSince ? 2 : 0; // of a page out of the offline copy it is known
  let timer;

  const publish = (detail) => dispatch("live-received", detail);

  // What the stream asks for, too: all since the last change, or since the page was made.
  self.liveSince = () => {
    const { liveCursor: at } = root.dataset;
    return at ? `since=${at}` : `age=${Math.round(performance.now())}`;
  };

  const hear = ({ cursor, complete, changes }) => {
    const mode = isOn && "polling"; // of one of its own it reports to no other tab
    changes.forEach((data) => publish({ type: "change", data, mode }));
    publish({ type: complete ? "beat" : "resync", cursor, mode });
  };

  const poll = async () => {
    let answer;
    try {
      // Whoever has been signed out is redirected, and must not be shown as up to date.
      const request = { cache: "no-cache", redirect: "manual", signal: AbortSignal.timeout(1e4) };
      answer = await fetch(`${live.dataset.changes}?${liveSince()}`, request);
      hear(await answer.json());
      lost = 0;
    } catch {
      lost = lost ? 2 : 1;
      // Below 502 (a proxy without its server) it has answered, if only that the session is over.
      const mode = lost < 2 || answer?.status < 502 ? "stale" : "offline";
      if (isOn) publish({ mode });
    }
  };

  const next = async () => {
    clearTimeout(timer);
    if (!isOn || document.hidden) return;
    await poll();
    clearTimeout(timer);
    timer = setTimeout(next, RESTS[lost]);
  };

  addEventListener("live-hello", poll);
  addEventListener("live-poll-on", () => {
    if (isOn) return;
    isOn = true;
    next();
  });
  addEventListener("live-poll-off", () => { isOn = false; });
  addEventListener("visibilitychange", next);
  addEventListener("online", next);
}
