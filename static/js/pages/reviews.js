// The inbox at the keyboard, and a draft that outlives its tab.
{
  const DWELL = 120; // whoever walks on faster does not want to read this one
  const wide = matchMedia("(min-width: 900px)");
  let dwelling = null;
  let typed = 0, saved = 0; // how often something was typed, and how often when what is saved was sent

  const editor = () => document.getElementById("reply-text");

  const mark = () => {
    for (const link of document.querySelectorAll("[data-open]")) {
      const isOpen = document.getElementById("review")?.dataset.review === link.id.slice(5);
      if (isOpen) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };

  // Whoever rests on a row with the keys wants to see it; a phone opens with Enter.
  document.addEventListener("focusin", ({ target }) => {
    clearTimeout(dwelling);
    if (!target.matches?.("[data-open]") || !wide.matches || !target.matches(":focus-visible")) return;
    if (target.hasAttribute("aria-current")) return;
    dwelling = setTimeout(() => target.click(), DWELL);
  });

  document.addEventListener("keydown", (event) => {
    if (event.target !== editor()) return;
    if (event.key === "Escape") {
      event.target.blur();
      document.querySelector("[data-open][aria-current]")?.focus();
    }
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    const wanted = event.shiftKey ? "[data-send-next]" : "[data-send]";
    document.querySelector(wanted)?.click();
  });

  // A saved reply goes to where the cursor is.
  document.addEventListener("click", (event) => {
    const entry = event.target.closest("[data-insert]");
    const area = editor();
    if (!entry || !area) return;
    event.preventDefault();
    entry.closest("[popover]")?.hidePopover();
    area.setRangeText(entry.dataset.insert, area.selectionStart, area.selectionEnd, "end");
    area.focus();
    area.dispatchEvent(new Event("input", { bubbles: true }));
  });
  // “;” at the beginning of a word opens them.
  document.addEventListener("beforeinput", (event) => {
    if (event.target !== editor() || event.data !== ";") return;
    const before = event.target.value.slice(0, event.target.selectionStart);
    if (!/(^|\s)$/.test(before)) return;
    event.preventDefault();
    document.getElementById("saved")?.showPopover();
  });

  // What was typed in the last second leaves with the page.
  document.addEventListener("input", ({ target }) => { if (target === editor()) typed += 1; });
  document.addEventListener("htmx:afterRequest", ({ detail: { successful, target, xhr } }) => {
    if (target?.id === "draft" && successful) saved = Math.max(saved, xhr.typed);
  });
  // Without a network the line below the text says so, and it is saved again: a message for every few
  // letters would be about nothing that was sent.
  const lost = () => {
    for (const words of document.querySelectorAll(".draft__saved")) words.hidden = !("lost" in words.dataset);
    setTimeout(() => { if (typed > saved && editor()) htmx.trigger(editor(), "change"); }, 5000);
  };
  document.addEventListener("htmx:beforeSend", (event) => {
    const { elt, xhr } = event.detail;
    xhr.typed = typed;
    const isSaved = elt.matches("#reply-form :is(textarea, select, .editor__field)");
    if (isSaved) event.stopPropagation();
    // A reply that was sent and had no answer is a draft again.
    if (elt !== editor() && elt.id !== "reply-form") return;
    for (const type of ["error", "timeout"]) xhr.addEventListener(type, () => { typed += 1; lost(); });
  });
  const flush = () => {
    const form = document.getElementById("reply-form");
    if (typed === saved || !form) return;
    navigator.sendBeacon(form.dataset.draft, new FormData(form));
    saved = typed;
  };
  addEventListener("pagehide", flush);
  document.addEventListener("visibilitychange", () => { if (document.hidden) flush(); });
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.target?.id === "review") flush();
  });
  // Given away in the drawer: it closes, and the cursor is back where it was opened.
  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    if (detail.target?.id !== "review" || !detail.requestConfig?.elt.matches(".give")) return;
    document.getElementById("drawer").close();
    document.getElementById("give")?.focus();
  });
  document.addEventListener("submit", () => { saved = typed; }, true);

  document.addEventListener("htmx:afterSettle", mark);
  mark();
}
