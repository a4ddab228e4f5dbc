// A new service worker waits until no page uses the old one, or until somebody presses the notice of
// pages/offline-version.js.
addEventListener("message", ({ data }) => {
  if (data === "upgrade") skipWaiting();
});
