// <small data-zone="Europe/Paris" hidden>: the zone of the moments beside it. It is shown where this
// device's clock differs, today or at the moment that `datetime` of a <time> in the same block names.
(() => {
  const offset = (timeZone, at) => new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" })
    .formatToParts(at).find(({ type }) => type === "timeZoneName").value;

  const differs = (zone, moments) => moments.some((at) => offset(zone, at) !== offset(undefined, at));

  const name = (mark) => {
    const time = mark.parentElement.querySelector("time[datetime]")?.dateTime;
    const moments = [Date.now(), Date.parse(time ?? "")].filter(Number.isFinite);
    mark.hidden = !differs(mark.dataset.zone, moments);
  };

  const nameAll = (root) => root.querySelectorAll("[data-zone]").forEach(name);

  addEventListener("htmx:load", ({ target }) => nameAll(target));
  nameAll(document);
})();
