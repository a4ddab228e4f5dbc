// <html data-live="live|polling|stale|offline">, and the same on the freshness dot: a screen that
// hears nothing must not claim what the server said when it made the page.
(() => {
  const STALE = 60_000;
  const root = document.documentElement;
  const live = document.getElementById("live");
  let heard = Date.now();

  const dot = () => document.getElementById("freshness");

  const clock = () => new Date(heard).toLocaleTimeString(root.lang, { hour: "2-digit", minute: "2-digit" });

  const keep = (element, words) => {
    element.dataset.told = element.dataset.freshness;
    words.dataset.told = words.innerHTML;
  };

  // Live means that the server's own words hold; they may be worse.
  const paint = (state) => {
    const words = dot()?.querySelector(".freshness__words");
    if (!words) return;
    if (words.dataset.told === undefined) keep(dot(), words);
    dot().dataset.freshness = state === "live" ? dot().dataset.told : state;
    if (state === "live") words.innerHTML = words.dataset.told;
    else words.textContent = live.dataset[state].replace("{time}", clock());
  };

  const become = (state) => {
    if (root.dataset.live === state) return;
    root.dataset.live = state;
    paint(state);
  };

  document.addEventListener("live-mode", ({ detail }) => {
    if (detail === "live" || detail === "polling") heard = Date.now();
    become(detail);
  });
  addEventListener("offline", () => { if (live) become("offline"); });
  setInterval(() => {
    if (live && Date.now() - heard > STALE && root.dataset.live !== "offline") become("stale");
  }, 5_000);
})();
