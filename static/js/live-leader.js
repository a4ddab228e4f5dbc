// One tab of the browser leads: it has the stream and sends what it receives to the others. The browser hands the lock
// on when that tab closes; a tab that someone looks at takes it from one that has fallen silent.
// Without locks (a page that is not served securely) every tab leads itself.
(() => {
  const SILENCE = 12e3;
  let isLeading = false, receivedAt = Date.now(), queued, release;

  if (!document.getElementById("live")) return;

  const hold = () => new Promise((done) => {
    isLeading = true;
    release = done;
    dispatch("live-lead");
  });

  const lose = () => {
    if (!isLeading) return;
    isLeading = false;
    dispatch("live-follow");
    stand();
  };

  const request = (how) => navigator.locks.request("couvert-live", how, hold).catch(lose);

  const stand = () => {
    queued = new AbortController();
    request({ signal: queued.signal });
  };

  const takeOver = () => {
    if (isLeading || document.hidden || Date.now() - receivedAt < SILENCE) return;
    receivedAt = Date.now();
    queued.abort();
    request({ steal: true });
  };

  const start = () => {
    if (!navigator.locks) return hold();
    stand();
    // What came while this page was being made went to the other tabs: ask them once.
    return setTimeout(() => { if (!isLeading) dispatch("live-hello"); }, 500);
  };

  addEventListener("live-mode", () => { receivedAt = Date.now(); });
  addEventListener("visibilitychange", takeOver);
  setInterval(takeOver, 5e3);
  addEventListener("pagehide", () => {
    isLeading = false;
    dispatch("live-follow");
    queued?.abort();
    release?.();
  });
  addEventListener("pageshow", ({ persisted }) => persisted && start());
  start();
})();
