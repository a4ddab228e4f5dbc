// One tab of the browser leads: it has the stream and tells the others. The browser hands the lock
// on when that tab closes; a tab that someone looks at takes it from one that has fallen silent.
// Without locks (a page that is not served securely) every tab leads itself.
(() => {
  const NAME = "couvert-live";
  const SILENCE = 25_000;
  let isLeading = false;
  let heard = Date.now();
  let queued = null;
  let release = null;

  if (!document.getElementById("live")) return;
  const say = (name) => document.dispatchEvent(new CustomEvent(name));

  const hold = () => new Promise((done) => {
    isLeading = true;
    release = done;
    say("live-lead");
  });

  const lose = () => {
    if (!isLeading) return;
    isLeading = false;
    say("live-follow");
    stand();
  };

  const stand = () => {
    queued = new AbortController();
    navigator.locks.request(NAME, { signal: queued.signal }, hold).catch(lose);
  };

  const takeOver = () => {
    if (isLeading || document.hidden || Date.now() - heard < SILENCE) return;
    heard = Date.now();
    queued.abort();
    navigator.locks.request(NAME, { steal: true }, hold).catch(lose);
  };

  const start = () => {
    if (!navigator.locks) return hold();
    stand();
    // What was told while this page was being made went to the other tabs: ask once.
    return setTimeout(() => { if (!isLeading) say("live-ask"); }, 500);
  };

  document.addEventListener("live-heard", () => { heard = Date.now(); });
  document.addEventListener("visibilitychange", takeOver);
  setInterval(takeOver, 5_000);
  addEventListener("pagehide", () => {
    isLeading = false;
    say("live-follow");
    queued?.abort();
    release?.();
  });
  addEventListener("pageshow", (event) => { if (event.persisted) start(); });
  start();
})();
