// Registers the service worker. A private window may have none, and a page without HTTPS has none. A page
// whose reader keeps no offline copy deletes the one that somebody else has left here.
navigator.serviceWorker?.register("/service-worker.js", { updateViaCache: "none" }).catch(() => {});
if (document.documentElement.dataset.offlineOwner === "") {
  try { indexedDB.deleteDatabase("couvert-offline"); } catch { /* A private window may refuse: then it has none. */ }
}

// Whoever has to sign in is signed in nowhere in this browser: its other pages show no guests any more.
{
  const pages = new BroadcastChannel("couvert-sign-in");
  if (location.pathname === "/accounts/login/") pages.postMessage(0);
  else pages.onmessage = () => location.reload();
}
