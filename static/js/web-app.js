{
  const { offlineOwner, user } = document.documentElement.dataset;
  // Not `couvert-sign-in`: a page of the version before, perhaps with a form half filled in, is loaded anew by each message.
  const pages = new BroadcastChannel("couvert-user");

  // A private window may have no service worker, and a page without HTTPS has none.
  navigator.serviceWorker?.register("/service-worker.js", { updateViaCache: "none" }).catch(() => {});
  // A page whose reader keeps no offline copy deletes the one that somebody else has left here.
  try {
    if (offlineOwner === "") indexedDB.deleteDatabase("couvert-offline");
  } catch { /* A private window may refuse: then it has none. */ }

  // A browser has one sign-in: when somebody else has it, or nobody, its other pages show their guests no more.
  // A page about a fault knows nobody: it neither moves the others nor is sent again.
  pages.postMessage(user);
  pages.onmessage = ({ data = user }) => (user ?? data) === data || location.reload();
}
