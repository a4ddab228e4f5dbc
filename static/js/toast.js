// Messages leave by themselves after six seconds, unless someone points at them or they are errors.
// At most three at a time. A request that failed shows the message prepared in the page, and closes the
// drawer that it left empty: on a phone it would cover the board and the message.
(() => {
  const PATIENCE = 6000;
  const region = document.getElementById("toasts");
  const plans = {};
  if (!region) return;

  const leave = (toast) => setTimeout(() => {
    if (toast.matches(":hover, :focus-within")) leave(toast);
    else toast.remove();
  }, PATIENCE);

  const greet = () => {
    for (const old of [...region.querySelectorAll("[data-toast]")].slice(0, -3)) old.remove();
    for (const toast of region.querySelectorAll('[data-toast=""]:not([role="alert"])')) {
      toast.dataset.toast = "seen";
      leave(toast);
    }
  };

  const show = (id) => region.append(document.getElementById(id).content.cloneNode(true));

  greet();
  new MutationObserver(greet).observe(region, { childList: true });

  const readAgain = ({ type, detail }) => {
    clearTimeout(plans[type]);
    plans[type] = setTimeout(htmx.trigger, 1e4, document.body, type, detail);
  };

  // Not of what a page reads by itself: it reads that again, and the dot shows an outage.
  const report = (id) => ({ detail: { requestConfig: { triggeringEvent }, xhr } }) => {
    if (!triggeringEvent) return;
    document.querySelector("#drawer:has(> :empty)")?.close();
    if (!triggeringEvent.type.startsWith("live:")) show(id);
    else if (!/^4/.test(xhr.status)) readAgain(triggeringEvent);
  };

  addEventListener("htmx:sendError", report("toast-offline"));
  addEventListener("htmx:responseError", report("toast-refused"));
  addEventListener("click", (event) => {
    event.target.closest("[data-dismiss]")?.closest("[data-toast]")?.remove();
  });
})();
