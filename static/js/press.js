// A page refreshes itself while people press what is on it. A browser sends no click when the link or
// button under a finger was replaced before the finger left; this presses what replaced it, if it is
// the same link or button.
(() => {
  let pressed;
  const pressable = (item) => item?.closest("a[href], button");
  const identity = (item) => item?.getAttribute("href") ?? `${item?.form?.action} ${item?.textContent}`;

  addEventListener("pointerdown", ({ button, target }) => {
    const item = button ? null : pressable(target);
    pressed = { item, identity: identity(item) };
  }, true);
  addEventListener("pointerup", ({ clientX, clientY }) => {
    if (!pressed?.item || pressed.item.isConnected) return;
    const there = pressable(document.elementFromPoint(clientX, clientY));
    if (identity(there) === pressed.identity) there.click();
  }, true);
})();
