// Says a sentence to screen readers: `dispatch("announce", text)`.
// At most one sentence per ten seconds, so that a busy service does not talk without end.
{
  const PAUSE = 1e4;
  let last = -PAUSE, waiting;

  const speak = (text) => {
    last = performance.now();
    document.getElementById("announcer").textContent = text;
  };

  addEventListener("announce", ({ detail }) => {
    clearTimeout(waiting);
    waiting = setTimeout(speak, last + PAUSE - performance.now(), detail);
  });
}
