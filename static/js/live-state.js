// <html data-live="live|polling|stale|offline">, and the same on the freshness dot: a screen that
// receives nothing must not show the freshness of the time when its page was made. The server sends
// something every three seconds (live/sse.py), so that nine without anything are not live.
(() => {
  const SILENCE = { live: 9e3, polling: 6e4 };
  const root = document.documentElement;
  const live = document.getElementById("live");
  let receivedAt, receivedTick, offlineAt;

  const describe = (state) =>
    live.dataset[state].replace("{time}", clockOf(receivedAt)).replace("{since}", clockOf(offlineAt));

  // Live means that the text from the server holds; it may name a worse state.
  const paint = (state) => {
    const dot = document.getElementById("freshness");
    const words = dot?.querySelector(".freshness__words");
    if (!words) return;
    dot.dataset.fromServer ??= dot.dataset.freshness;
    words.dataset.fromServer ??= words.innerHTML;
    dot.dataset.freshness = state === "live" ? dot.dataset.fromServer : state;
    if (state === "live") words.innerHTML = words.dataset.fromServer;
    else words.textContent = describe(state);
  };

  const become = (state) => {
    if (root.dataset.live === state) return;
    if (state === "offline") offlineAt = Number(root.dataset.offlineSince) || Date.now();
    root.dataset.live = state;
    paint(state);
  };

  const receive = () => { [receivedAt, receivedTick] = [Date.now(), performance.now()]; };
  // A device that sleeps stops the one clock, somebody who sets its time changes the other.
  const silence = () => Math.max(Date.now() - receivedAt, performance.now() - receivedTick);
  const check = () => { if (live && silence() > SILENCE[root.dataset.live ?? "live"]) become("stale"); };

  document.addEventListener("live-mode", ({ detail }) => {
    if (detail === "live" || detail === "polling") receive();
    become(detail);
  });
  addEventListener("visibilitychange", check);
  setInterval(check, 1e3);
  receive();
  // A page out of the offline copy is as old as the copy.
  receivedAt = Number(root.dataset.asOf) || receivedAt;
})();
