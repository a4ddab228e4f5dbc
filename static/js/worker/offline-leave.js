// Signing out, signing in and handing a shared tablet over: the copy is deleted before the server hears
// of it. A sign-out without the server is made up for before any page is shown again; those that are open are loaded anew.
(() => {
  const SIGN_OUT = "/accounts/logout/";
  const copy = self.offlineCopy;

  const say = (text) => self.offlinePage(`<!doctype html><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Couvert</title><h1>Couvert</h1><p>${text}</p>`, "default-src 'none'");

  const leave = async (request) => {
    const about = await copy.get("about").catch(() => null);
    const form = await request.clone().formData().catch(() => new FormData());
    await copy.wipe();
    return fetch(request).catch(async (fault) => {
      if (!about || new URL(request.url).pathname !== SIGN_OUT) throw fault;
      await copy.put("leaving", { csrfmiddlewaretoken: form.get("csrfmiddlewaretoken"), text: about.words.left });
      new BroadcastChannel("couvert-user").postMessage(0);
      return say(about.words.left);
    });
  };

  const finish = async (request, { csrfmiddlewaretoken, text }) => {
    const body = new URLSearchParams({ csrfmiddlewaretoken });
    const answer = await fetch(SIGN_OUT, { method: "POST", body, redirect: "manual" }).catch(() => null);
    if (!answer || answer.status >= 500) return say(text);
    await copy.remove("leaving").catch(() => {});
    // Refused, if the token is from before another sign-in: then the page of the sign-out asks.
    return answer.type === "opaqueredirect" || answer.ok ? fetch(request) : Response.redirect(SIGN_OUT, 302);
  };

  addEventListener("fetch", (event) => {
    const { method, mode, url } = event.request;
    const { origin, pathname } = new URL(url);
    if (mode !== "navigate" || origin !== location.origin) return;
    if (method === "POST" && pathname.startsWith("/accounts/")) event.respondWith(leave(event.request));
  });

  self.finishLeaving = async (request) => {
    const leaving = await copy.get("leaving").catch(() => null);
    return leaving ? finish(request, leaving) : null;
  };
})();
