// data-grid: arrow keys walk through its links as they stand on the screen, Home and End go to the
// first and the last. j and k walk through the board from anywhere on the page, and take an open
// drawer along.
{
  const SIDES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const LETTERS = { j: 1, k: -1 };
  const ASIDE = 3; // a step to the side counts as so many ahead

  // The cards, where there are cards; else everything that leads on.
  const links = (grid) => [...grid.querySelectorAll(grid.querySelector("[data-drawer]") ? "a[data-drawer]" : "a[href]")]
    .filter((link) => link.checkVisibility());
  const middle = (link) => {
    const { left, top, width, height } = link.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };

  const nearest = (from, all, [x, y]) => {
    const [fromX, fromY] = middle(from);
    let best = null;
    let least = Infinity;
    for (const link of all) {
      const [toX, toY] = middle(link);
      const ahead = (toX - fromX) * x + (toY - fromY) * y;
      const aside = Math.abs((toX - fromX) * y) + Math.abs((toY - fromY) * x);
      const far = ahead + aside * ASIDE;
      if (link !== from && ahead > 2 && far < least) [best, least] = [link, far];
    }
    return best;
  };

  const typing = (target) => target.matches("input, textarea, select");
  const isPlain = (event) => !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;

  const walk = (event, grid) => {
    const all = links(grid);
    const here = event.target.closest("a[href]");
    if (event.key === "Home") return all[0];
    if (event.key === "End") return all.at(-1);
    return SIDES[event.key] ? nearest(here, all, SIDES[event.key]) : null;
  };

  const step = (by) => {
    const all = [...document.querySelectorAll("#board a[data-drawer]")].filter((link) => link.checkVisibility());
    const open = document.getElementById("drawer")?.open && new URL(location).searchParams.get("r");
    const here = all.findIndex((link) => link === document.activeElement || (open && link.getAttribute("href").includes(open)));
    const next = all[Math.min(Math.max(here + by, 0), all.length - 1)];
    if (open) next?.click();
    else next?.focus();
    return next;
  };

  document.addEventListener("keydown", (event) => {
    if (!isPlain(event) || typing(event.target)) return;
    if (LETTERS[event.key]) {
      if (document.documentElement.dataset.shortcuts === "off") return;
      if (document.querySelector(":popover-open, dialog:modal:not(#drawer)")) return;
      if (step(LETTERS[event.key])) event.preventDefault();
      return;
    }
    const grid = event.target.closest("a[href]") && event.target.closest("[data-grid]");
    if (!grid) return;
    const next = walk(event, grid);
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
}

// The booking in the drawer stands in the address (?r=<uuid>): it can be shared, and Back closes it.
{
  const BOOKING = /\/reservations\/([0-9a-f-]{36})\/$/;

  const drawer = () => document.getElementById("drawer");
  const shown = () => new URL(location).searchParams.get("r");
  const linkTo = (uuid) => document.querySelector(`a[data-drawer][href$="/reservations/${CSS.escape(uuid)}/"]`);

  const address = (uuid) => {
    const url = new URL(location);
    if (uuid) url.searchParams.set("r", uuid);
    else url.searchParams.delete("r");
    return url;
  };

  document.addEventListener("htmx:beforeRequest", (event) => {
    const uuid = event.target.closest?.("[data-drawer]")?.getAttribute("href")?.match(BOOKING)?.[1];
    if (!uuid || uuid === shown()) return;
    if (shown()) history.replaceState(history.state, "", address(uuid));
    else history.pushState({ drawer: true }, "", address(uuid));
  });

  document.addEventListener("close", (event) => {
    const uuid = shown();
    if (event.target.id !== "drawer" || !uuid) return;
    if (history.state?.drawer) history.back();
    else history.replaceState(null, "", address(null));
    // The page may have opened it by itself: then no link has the focus to give back.
    setTimeout(() => { if (document.activeElement === document.body) linkTo(uuid)?.focus(); });
  }, true);

  addEventListener("popstate", () => {
    if (shown()) linkTo(shown())?.click();
    else if (drawer()?.open) drawer().close();
  });
}

// A row of the list by urgency whose section has changed: the board is fetched again at once.
{
  const BY_TIME = ["soon", "unanswered", "later", "now"]; // sections of which the phase decides none

  const belongs = (own, stands) => (own ? own === stands : BY_TIME.includes(stands));

  document.addEventListener("live-shown", ({ detail: { key } }) => {
    const row = document.querySelector(`#board tbody[data-section] > [data-live="${CSS.escape(key ?? "")}"]`);
    if (row && !belongs(row.dataset.section, row.parentElement.dataset.section)) htmx.trigger(document.body, "board:moved");
  });
}
