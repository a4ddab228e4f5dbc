// clockOf(at): its hours and minutes in the zone of the restaurants on the page (<html data-timezone>).
// Where they share none, or this device's clock differs, the zone is named.
self.clockOf = (at) => {
  const { lang, dataset } = document.documentElement;
  const zone = dataset.timezone || undefined;
  const show = (timeZone, timeZoneName) => new Date(+at).toLocaleTimeString(lang,
    { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone, timeZoneName });
  return show(zone, zone && show(zone) === show() ? undefined : "short");
};
