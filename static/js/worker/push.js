// Shows push messages. Their address opens behind the sign-in; they name no person.
{
  // A repeat (a worker died between sending and noting it) takes the place of the first, silently.
  const show = async ({ title, body, tag, url, event }) => {
    const shown = await registration.getNotifications({ tag });
    const renotify = !shown.some((one) => one.data?.event === event);
    const icon = "/static/icons/couvert-192.png";
    await registration.showNotification(title, { body, tag, renotify, icon, data: { url, event } });
  };

  // A page that shows it already comes to the front; no other is led away from what is typed there.
  const open = async (url) => {
    const address = new URL(url, location.origin);
    if (address.origin !== location.origin) return;
    const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
    const page = pages.find((one) => one.url === address.href);
    await (page ? page.focus() : clients.openWindow(address.href));
  };

  // The browser has changed the address of this device: the server learns the new one, also while nobody is signed in.
  const renew = async ({ newSubscription, oldSubscription }) => {
    const options = oldSubscription?.options;
    const subscription = newSubscription ?? (options && await registration.pushManager.subscribe(options));
    if (!subscription) return;
    const { endpoint, keys } = subscription.toJSON();
    await fetch("/accounts/push/renew/", { method: "POST", body: new URLSearchParams({ endpoint, ...keys }) });
  };

  addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));
  addEventListener("push", (event) => event.waitUntil(show(event.data.json())));
  addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(open(event.notification.data?.url ?? "/"));
  });
}
