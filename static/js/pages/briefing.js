// The briefing: rings when a line comes that nobody has read.
{
  const WAITING = ".ticket:is([data-seen=open], [data-seen=changed])";
  const KEY = "couvert:kitchen-sound";
  const lines = () => new Set([...document.querySelectorAll(WAITING)].map((one) => one.dataset.line));
  let known = lines();
  let sound;
  let isOn = false;
  try {
    isOn = localStorage.getItem(KEY) === "on";
  } catch { /* A private window may keep nothing: the sound is then on for this page only. */ }

  const ring = () => {
    sound ??= new AudioContext();
    for (const [at, pitch] of [[0, 880], [0.25, 1175], [0.5, 880]]) {
      const tone = new OscillatorNode(sound, { frequency: pitch });
      const volume = new GainNode(sound, { gain: 0.4 });
      tone.connect(volume).connect(sound.destination);
      tone.start(sound.currentTime + at);
      tone.stop(sound.currentTime + at + 0.2);
    }
  };

  const show = () => {
    for (const button of document.querySelectorAll("[data-sound]")) button.setAttribute("aria-pressed", isOn);
  };

  // A browser plays nothing before somebody has touched the page: the press that turns it on is the test.
  addEventListener("click", (event) => {
    if (!event.target.closest("[data-sound]")) return;
    isOn = !isOn;
    if (isOn) ring();
    show();
    try {
      localStorage.setItem(KEY, isOn ? "on" : "off");
    } catch { /* as above */ }
  });

  document.addEventListener("htmx:afterSwap", () => {
    const now = lines();
    const added = [...now].filter((line) => !known.has(line));
    for (const line of added) document.querySelector(`[data-line="${CSS.escape(line)}"]`)?.classList.add("ticket--new");
    known = now;
    if (!added.length) return;
    document.body.dispatchEvent(new CustomEvent("kitchen:rings", { bubbles: true, detail: added.length }));
    if (isOn) ring();
  });

  show();
}
