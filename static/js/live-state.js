// <html data-live="live|polling|stale|offline">, and the same on the freshness dot: a screen that
// receives nothing must not show the freshness of the time when its page was made. The server sends
// something every three seconds (live/sse.py), so that nine without anything are not live.
{
  const SILENCE = { live: 9e3, polling: 6e4 };
  const root = document.documentElement;
  const live = document.getElementById("live");
  let receivedAt, receivedTick, offlineAt;

  const describe = (state) =>
    live.dataset[state].replace("{time}", clockOf(receivedAt)).replace("{since}", clockOf(offlineAt));

  // Live means that the text from the server holds; it may name a worse state, and changes by the minute.
  const paint = () => {
    const dot = document.getElementById("freshness");
    if (!dot) return;
    const words = dot.firstElementChild;
    const here = root.dataset.live ?? "live";
    dot.served ??= [dot.dataset.freshness, words.innerHTML];
    const [state, text] = here === "live" ? dot.served : [here, describe(here)];
    dot.dataset.freshness = state;
    if (words.innerHTML !== text) words.innerHTML = text;
  };

  const become = (state) => {
    if (root.dataset.live === state) return;
    if (state === "offline") offlineAt = Number(root.dataset.offlineSince) || Date.now();
    root.dataset.live = state;
    paint();
  };

  const receive = () => { [receivedAt, receivedTick] = [Date.now(), performance.now()]; };
  // A device that sleeps stops the one clock, somebody who sets its time changes the other.
  const silence = () => Math.max(Date.now() - receivedAt, performance.now() - receivedTick);
  const check = () => { if (live && silence() > SILENCE[root.dataset.live ?? "live"]) become("stale"); };

  addEventListener("live-mode", ({ detail }) => {
    if (detail === "live" || detail === "polling") receive();
    become(detail);
  });
  addEventListener("htmx:load", paint);
  addEventListener("visibilitychange", check);
  setInterval(check, 1e3);
  receive();
  // A page out of the offline copy is as old as the copy.
  receivedAt = Number(root.dataset.asOf) || receivedAt;
}
