// A page refreshes itself while people press what is on it. A browser sends no click when the link or
// button under a finger was replaced before the finger left; this presses what replaced it, if it is
// the same link or button.
(() => {
  const PRESSABLE = "a[href], button";
  let pressed = null;

  const identity = (item) => JSON.stringify([
    item.localName, item.getAttribute("href") ?? item.textContent.trim(), item.name, item.value,
    item.form?.getAttribute("action"),
  ]);

  document.addEventListener("pointerdown", (event) => {
    const item = event.isPrimary && event.button === 0 && event.target.closest(PRESSABLE);
    pressed = item && { item, identity: identity(item) };
  }, true);
  document.addEventListener("pointercancel", () => { pressed = null; }, true);
  document.addEventListener("pointerup", ({ clientX, clientY }) => {
    const replaced = pressed?.item.isConnected ? null : pressed;
    pressed = null;
    const there = replaced && document.elementFromPoint(clientX, clientY)?.closest(PRESSABLE);
    if (there && identity(there) === replaced.identity) there.click();
  }, true);
})();
