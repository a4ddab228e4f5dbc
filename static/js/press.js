// A page refreshes itself while people press what is on it. A browser sends no click when the link or
// button under a finger was replaced before the finger left; this presses what replaced it, if it is
// the same link or button.
{
  let pressed, identity, plan;
  const pressable = (item) => item?.closest("a[href], button");
  const identify = (item) => item?.getAttribute("href") ?? `${item?.form?.action} ${item?.textContent}`;

  addEventListener("pointerdown", ({ button, target }) => {
    pressed = button ? null : pressable(target);
    identity = identify(pressed);
  }, true);
  // Of a finger some browsers send it all the same, to what is there now: that one counts. One that is sent to
  // what lies around both presses nothing.
  addEventListener("click", ({ target }) => pressable(target) && clearTimeout(plan), true);
  addEventListener("pointerup", ({ clientX, clientY }) => {
    if (!pressed || pressed.isConnected) return;
    const there = pressable(document.elementFromPoint(clientX, clientY));
    if (identify(there) === identity) plan = setTimeout(() => there.click(), 150);
  }, true);
}
