// [data-push]: whether this browser can get push messages, switched on by its form. The page holds
// a sentence for every state (data-push-state); the script shows the one that is true.
addEventListener("DOMContentLoaded", async () => {
  const panel = document.querySelector("[data-push]");
  if (!panel) return;
  const { push: here, pushKey } = panel.dataset;
  const form = panel.querySelector("[data-push-form]");

  const show = (state) => {
    for (const part of panel.querySelectorAll("[data-push-state]")) {
      part.hidden = !part.dataset.pushState.split(" ").includes(state);
    }
  };

  const isApple = /iPhone|iPad/.test(navigator.userAgent)
    || (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1);

  const stateNow = async () => {
    if (!isSecureContext) return "insecure";
    if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) {
      return isApple ? "install" : "unsupported";
    }
    if (Notification.permission === "denied") return "denied";
    const worker = await navigator.serviceWorker.getRegistration();
    const known = await worker?.pushManager.getSubscription();
    if (here === "on") return known ? "on" : "lost";
    return "off";
  };

  const bytes = (text) => Uint8Array.from(
    atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

  // A service worker that is not there by then could not be installed.
  const soon = () => new Promise((_done, fail) => setTimeout(fail, 10_000));

  // Anew each time: an address from before may belong to another person or another key.
  const subscribe = async (key) => {
    const worker = await Promise.race([navigator.serviceWorker.ready, soon()]);
    await (await worker.pushManager.getSubscription())?.unsubscribe();
    return worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
  };

  const fetchKey = async () => {
    const headers = { "X-CSRFToken": form.elements.csrfmiddlewaretoken.value };
    return (await fetch(pushKey, { method: "POST", headers })).text();
  };

  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    show("working");
    try {
      if (await Notification.requestPermission() !== "granted") return show(await stateNow());
      const key = await fetchKey();
      if (!key) return show("unavailable");
      const { endpoint, keys } = (await subscribe(key)).toJSON();
      Object.entries({ endpoint, ...keys }).forEach(([name, value]) => {
        if (form.elements[name]) form.elements[name].value = value;
      });
      form.submit();
    } catch {
      show("failed");
    }
  });

  panel.querySelector("[data-push-off]")?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const worker = await navigator.serviceWorker.getRegistration();
    await (await worker?.pushManager.getSubscription())?.unsubscribe().catch(() => {});
    event.target.submit();
  });

  show(await stateNow());
});
