// A page refreshes itself while people press what is on it. A browser sends no click when the link or
// button under a finger was replaced before the finger left; this presses what replaced it, if it is
// the same link or button.
{
  let pressed, identity;
  const pressable = (item) => item?.closest("a[href], button");
  const identify = (item) => item?.getAttribute("href") ?? `${item?.form?.action} ${item?.textContent}`;

  addEventListener("pointerdown", ({ button, target }) => {
    pressed = button ? null : pressable(target);
    identity = identify(pressed);
  }, true);
  addEventListener("pointerup", ({ clientX, clientY }) => {
    if (!pressed || pressed.isConnected) return;
    const there = pressable(document.elementFromPoint(clientX, clientY));
    if (identify(there) === identity) there?.click();
  }, true);
}
