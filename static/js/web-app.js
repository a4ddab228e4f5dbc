// Registers the service worker. A private window may have none, and a page without HTTPS has none.
navigator.serviceWorker?.register("/service-worker.js", { updateViaCache: "none" }).catch(() => {});
