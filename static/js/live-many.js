// live:reservations, after live:change: for what counts many. A tenth of a second behind, so that the one that changed is read
// first; in a burst ever more seldom, and once more at its end.
{
  const LEAST = 500;
  const MOST = 2e3;
  const plans = new Map(); // kind -> when the last such event was fired, and how long to wait after it

  document.body.addEventListener("live:change", ({ detail: { kind } }) => {
    const { at = -Infinity, gap = LEAST, timer } = plans.get(kind) ?? {};
    if (timer) return;
    const now = performance.now();
    const next = now - at > MOST ? LEAST : Math.min(2 * gap, MOST);
    plans.set(kind, {
      timer: setTimeout(() => {
        plans.set(kind, { at: performance.now(), gap: next });
        dispatch(`live:${kind}s`, undefined, document.body);
      }, Math.max(100, at + gap - now)),
    });
  });
}
