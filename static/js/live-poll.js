// Where there is no stream: poll every twenty seconds, every five while the server does not answer. Not while
// nobody looks.
(() => {
  const EVERY = 2e4;
  const DOWN = 5e3;
  const live = document.getElementById("live");
  let isOn = false;
  let wait = EVERY;
  let timer;

  const publish = (detail) => document.dispatchEvent(new CustomEvent("live-received", { detail }));

  const question = () => {
    const cursor = document.documentElement.dataset.liveCursor;
    return cursor ? `since=${cursor}` : `age=${Math.round(performance.now())}`;
  };

  const hear = ({ cursor, complete, changes }) => {
    const mode = isOn ? "polling" : undefined;
    changes.forEach((data) => publish({ type: "change", data }));
    publish({ type: complete ? "beat" : "resync", cursor, mode, data: { late: 0 } });
  };

  const poll = async () => {
    try {
      // Whoever has been signed out is redirected, and must not be shown as up to date.
      const request = { cache: "no-cache", redirect: "error", signal: AbortSignal.timeout(DOWN) };
      const answer = await fetch(`${live.dataset.changes}?${question()}`, request);
      if (!answer.ok) throw new Error(answer.status);
      hear(await answer.json());
      wait = EVERY;
    } catch {
      wait = DOWN;
      if (isOn) publish({ type: "silence", mode: "offline" });
    }
  };

  const next = async () => {
    clearTimeout(timer);
    if (!isOn || document.hidden) return;
    await poll();
    clearTimeout(timer);
    timer = setTimeout(next, wait);
  };

  document.addEventListener("live-hello", poll);
  document.addEventListener("live-poll-on", () => {
    if (isOn) return;
    isOn = true;
    next();
  });
  document.addEventListener("live-poll-off", () => { isOn = false; });
  addEventListener("visibilitychange", next);
  addEventListener("online", next);
})();
