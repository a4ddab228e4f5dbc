// Messages leave by themselves after six seconds, unless someone points at them or they are errors.
// At most three at a time. A request that failed shows the message prepared in the page.
(() => {
  const PATIENCE = 6000;
  const MOST = 3;
  const region = document.getElementById("toasts");
  if (!region) return;

  const leave = (toast) => setTimeout(() => {
    if (toast.matches(":hover, :focus-within")) leave(toast);
    else toast.remove();
  }, PATIENCE);

  const greet = () => {
    const toasts = [...region.querySelectorAll("[data-toast]")];
    for (const old of toasts.slice(0, -MOST)) old.remove();
    for (const toast of toasts) {
      if (toast.dataset.toast || toast.getAttribute("role") === "alert") continue;
      toast.dataset.toast = "seen";
      leave(toast);
    }
  };

  const show = (id) => region.append(document.getElementById(id).content.cloneNode(true));

  greet();
  new MutationObserver(greet).observe(region, { childList: true });
  // Not of what a page fetches every minute by itself: the dot shows an outage.
  const report = (id) => ({ detail }) => { if (detail.requestConfig.triggeringEvent) show(id); };
  addEventListener("htmx:sendError", report("toast-offline"));
  addEventListener("htmx:responseError", report("toast-refused"));
  addEventListener("click", (event) => {
    event.target.closest("[data-dismiss]")?.closest("[data-toast]")?.remove();
  });
})();
