// Registers the service worker. A private window may have none, and a page without HTTPS has none. A page
// whose reader keeps no offline copy deletes the one that somebody else has left here.
navigator.serviceWorker?.register("/service-worker.js", { updateViaCache: "none" }).catch(() => {});
if (document.documentElement.dataset.offlineOwner === "") window.indexedDB?.deleteDatabase("couvert-offline");
