// After a newer version was put on the page: a ring around it, and a sentence for those who cannot
// see the ring, at most one in ten seconds however much happens.
{
  const PAUSE = 1e4;
  const live = document.getElementById("live");
  let count = 0, timer, announcedAt = -PAUSE;

  const ring = (key) => {
    for (const item of document.querySelectorAll(`[data-live="${key}"]`)) {
      item.classList.add("changed");
      setTimeout(() => item.classList.remove("changed"), 2e3);
    }
  };

  const announce = () => {
    const words = live.dataset[count === 1 ? "one" : "many"];
    dispatch("announce", words.replace("{n}", count));
    announcedAt = performance.now();
    timer = null;
    count = 0;
  };

  addEventListener("live-shown", ({ detail: { key } }) => {
    ring(key);
    count += 1;
    timer ??= setTimeout(announce, Math.max(500, announcedAt + PAUSE - performance.now()));
  });
}
