// <html data-live="live|polling|stale|offline">, and the same on the freshness dot: a screen that
// receives nothing must not show the freshness of the time when its page was made.
(() => {
  const STALE = 60_000;
  const root = document.documentElement;
  const live = document.getElementById("live");
  let receivedAt = Date.now();

  const dot = () => document.getElementById("freshness");
  const clock = () => new Date(receivedAt).toLocaleTimeString(root.lang, { hour: "2-digit", minute: "2-digit" });

  const storeServerText = (element, words) => {
    element.dataset.fromServer = element.dataset.freshness;
    words.dataset.fromServer = words.innerHTML;
  };

  // Live means that the text from the server holds; it may name a worse state.
  const paint = (state) => {
    const words = dot()?.querySelector(".freshness__words");
    if (!words) return;
    if (words.dataset.fromServer === undefined) storeServerText(dot(), words);
    dot().dataset.freshness = state === "live" ? dot().dataset.fromServer : state;
    if (state === "live") words.innerHTML = words.dataset.fromServer;
    else words.textContent = live.dataset[state].replace("{time}", clock());
  };

  const become = (state) => {
    if (root.dataset.live === state) return;
    root.dataset.live = state;
    paint(state);
  };

  document.addEventListener("live-mode", ({ detail }) => {
    if (detail === "live" || detail === "polling") receivedAt = Date.now();
    become(detail);
  });
  addEventListener("offline", () => { if (live) become("offline"); });
  setInterval(() => {
    if (live && Date.now() - receivedAt > STALE && root.dataset.live !== "offline") become("stale");
  }, 5_000);
})();
