// Messages leave by themselves after six seconds, unless someone points at them or they are errors.
// At most three at a time. A request that failed shows the message prepared in the page for its verb, and
// closes the drawer that it left empty: a phone would show neither board nor message.
(() => {
  const region = document.getElementById("toasts");
  const plans = {};
  let end = 0;
  if (!region) return;

  const leave = (toast) => setTimeout(
    () => (toast.matches(":hover, :focus-within") ? leave(toast) : toast.remove()),
    6e3,
  );

  // Into the dialog that is open over the page: it would cover them. The page ends above them, and stays
  // as long when they leave: it would move under the finger of whoever is at its end.
  const greet = () => {
    const place = document.querySelector("dialog:modal") ?? document.body;
    if (region.parentNode !== place) place.append(region);
    for (const old of [...region.querySelectorAll("[data-toast]")].slice(0, -3)) old.remove();
    for (const toast of region.querySelectorAll('[data-toast=""]:not([role])')) {
      toast.dataset.toast = "seen";
      leave(toast);
    }
    const { offsetHeight: over } = region;
    end = Math.max(end, over);
    document.documentElement.style.cssText = `--over: ${over}px; --end: ${end}px`;
  };

  new ResizeObserver(greet).observe(region);

  // Not of what a page reads by itself: it reads that again, and the dot shows an outage.
  const report = ({ requestConfig: { path, triggeringEvent: cause, verb }, xhr }) => {
    if (!cause) return;
    document.querySelector("#drawer:has(> :empty)")?.close();
    if (xhr.getResponseHeader("HX-Reswap")) return; // it brought its own message
    if (!cause.type.startsWith("live:")) {
      const { content } = document.querySelector(`[data-of=${xhr.status ? "refused" : "lost"}][data-verb*=${verb}]`);
      region.append(content.cloneNode(true));
      region.lastElementChild.about = verb + path;
    } else if (!/^4/.test(xhr.status)) {
      const { detail, type } = cause;
      clearTimeout(plans[type]);
      plans[type] = setTimeout(htmx.trigger, 1e4, document.body, type, detail);
    }
  };

  // By the request: a form that a refresh has replaced meanwhile reports no lost answer.
  addEventListener("htmx:beforeSend", ({ detail }) => {
    for (const type of ["error", "timeout"]) detail.xhr.addEventListener(type, () => report(detail));
  });
  // Sent again and answered: “perhaps saved, perhaps not” holds no more.
  addEventListener("htmx:afterRequest", ({ detail: { successful, requestConfig: { path, verb } } }) => {
    for (const one of [...region.children]) if (successful && one.about === verb + path) one.remove();
  });
  // Browsers of before 2025 report no toggle of a dialog.
  for (const type of ["toggle", "close"]) addEventListener(type, greet, true);
  addEventListener("htmx:responseError", ({ detail }) => report(detail));
  addEventListener("click", ({ target }) => target.closest("[data-dismiss]")?.parentNode.remove());
})();
