// On a device with an offline copy pages stay open for weeks: a new service worker is offered, and takes over
// when somebody presses, so that nothing that is being typed is lost.
{
  const worker = navigator.serviceWorker;
  const template = document.getElementById("new-version");

  const take = (waiting) => {
    worker.addEventListener("controllerchange", () => location.reload());
    waiting.postMessage("upgrade");
  };

  const offer = (waiting) => {
    if (!waiting || !worker.controller || document.querySelector("[data-upgrade]")) return;
    document.getElementById("alerts").after(template.content.cloneNode(true));
    document.querySelector("[data-upgrade]").addEventListener("click", () => take(waiting));
  };

  const watch = (fresh) => fresh?.addEventListener("statechange", () => { if (fresh.state === "installed") offer(fresh); });

  const follow = (registration) => {
    offer(registration.waiting);
    watch(registration.installing);
    registration.addEventListener("updatefound", () => watch(registration.installing));
  };

  if (template) worker?.ready.then(follow);
}
