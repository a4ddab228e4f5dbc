// A new service worker waits until no page uses the old one, or until somebody presses “New version”.
addEventListener("message", ({ data }) => {
  if (data === "upgrade") skipWaiting();
});
