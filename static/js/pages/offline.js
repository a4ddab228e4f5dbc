// A page out of the offline copy: it says so, and what would need the server is disabled and says why.
// When the server answers again, the page is fetched anew.
(() => {
  const KEEPS = "[popovertarget], [data-close], [data-filter], [data-dialog=keys], #sign-out-form button, [type=hidden]";
  const CHECK = 20_000;
  const root = document.documentElement;
  const { offlineSince, asOf } = root.dataset;
  const words = document.getElementById("offline")?.dataset;
  const copy = self.offlineCopy;
  if (!words || !offlineSince) return;
  let about;

  const isKept = (link) => {
    const url = new URL(link.href, location.href);
    if (link.getAttribute("href").startsWith("#") || url.protocol === "tel:") return true;
    return url.pathname in about.bookings || about.pages.map((one) => new URL(one, location.origin)).some((one) =>
      one.pathname === url.pathname && [...url.searchParams].every(([name, value]) => one.searchParams.get(name) === value));
  };

  const disable = (control) => {
    if (control.matches("a")) control.removeAttribute("href");
    if (control.matches("a")) Object.assign(control, { role: "link", tabIndex: 0 });
    for (const name of ["hx-get", "hx-post", "data-dialog", "data-shortcut"]) control.removeAttribute(name);
    control.disabled = true;
    control.title = words.why;
    control.setAttribute("aria-disabled", "true");
    control.setAttribute("aria-describedby", "offline-why");
  };

  const disableAll = (place) => {
    for (const link of place.querySelectorAll("a[href]")) if (!isKept(link)) disable(link);
    for (const control of place.querySelectorAll("button, input, select, textarea")) if (!control.matches(KEEPS)) disable(control);
  };

  const announce = () => {
    const banner = document.getElementById("offline-banner").content.cloneNode(true);
    banner.querySelector("[data-offline-words]").textContent =
      words.words.replace("{since}", clockOf(offlineSince)).replace("{time}", clockOf(asOf));
    const wanted = new URLSearchParams(location.search).get("day");
    const shown = document.querySelector(".topbar__day time").dateTime;
    banner.querySelector("[data-offline-instead]").hidden = !wanted || wanted === shown;
    document.getElementById("alerts").after(banner);
    dispatch("live-mode", "offline");
  };

  // htmx has read what a link does before it was disabled.
  const refuse = (event) => {
    if (!event.target.closest("[aria-disabled=true]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    dispatch("announce", words.why);
  };

  const check = async () => { if (!await copy.about().catch(() => null)) location.reload(); };

  // Before htmx begins: nothing here refreshes itself.
  for (const place of document.querySelectorAll("[hx-trigger*='live:'], [hx-trigger*=every]")) place.removeAttribute("hx-get");
  announce();
  copy.about().then((found) => { about = found; disableAll(document); });
  addEventListener("htmx:load", ({ target }) => { if (about) disableAll(target); });
  addEventListener("click", refuse, true);
  setInterval(check, CHECK);
  document.addEventListener("live-mode", ({ detail }) => {
    if (detail !== "live" && detail !== "polling") return;
    navigator.serviceWorker.controller?.postMessage("returned");
    location.reload();
  });
})();
