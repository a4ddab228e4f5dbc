"""Long words of French and Spanish, and large numbers, in the width that a page has.

No page scrolls sideways, no text is cut or lies over another, and no number is broken in two lines.
"""

from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone
from playwright.sync_api import Page

from accounts.models import User
from insights.expected.models import ExpectedService
from insights.expected.testing import fill
from insights.expected.training import train_restaurant
from insights.models import BookingCount, Rating
from partner import testing as partner
from restaurants.models import Restaurant
from reviews.testing import make_comment

WIDTHS = {1440: 900, 1024: 768, 390: 844}
WEEKS = 5
MANY = 137  # times as many covers and reviews as are made here
PAGES = (
    *("/?zoom=pulse", "/?zoom=list", "/customers/", "/reservations/new/"),
    *("/calendar/", "/insights/", "/insights/expected/", "/reviews/", "/reviews/figures/"),
    *("/setup/", "/setup/connection/", "/setup/connection/{connection}/", "/setup/mirror/"),
    *("/setup/restaurants/", "/setup/restaurants/{quay}/", "/accounts/push/"),
)
# Every text of the page that is shown, and the lines that it takes. What scrolls aside in a frame
# may be longer than the frame; dots at the end of a line are meant.
LOOK = """() => {
  const faults = [], lines = [];
  const page = document.documentElement;
  // In the evening the pulse opens at the present hour, below the names that stand still.
  for (const frame of document.querySelectorAll(".table-frame__scroll")) frame.scrollLeft = 0;
  if (page.scrollWidth > innerWidth) faults.push(`the page is ${page.scrollWidth} px wide`);
  const seen = { opacityProperty: true, visibilityProperty: true };
  const isShown = (holder) => holder.checkVisibility(seen)
    && !holder.closest(".visually-hidden, option, textarea, :popover-open");
  const range = document.createRange();
  const walker = document.createTreeWalker(document.getElementById("main"), NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const holder = node.parentElement;
    if (!node.data.trim() || !isShown(holder)) continue;
    const text = node.data.trim().slice(0, 60);
    for (const found of node.data.matchAll(/\\d+([.,\\u00a0\\u202f]\\d+)*([\\u00a0\\u202f]?%)?/g)) {
      range.setStart(node, found.index);
      range.setEnd(node, found.index + found[0].length);
      const tops = [...range.getClientRects()].filter(({ width }) => width).map(({ top }) => top);
      if (Math.max(...tops) - Math.min(...tops) > 4) faults.push(`broken: ${found[0]} of ${text}`);
    }
    range.selectNodeContents(node);
    let own = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
    for (let box = holder; box !== page; box = box.parentElement) {
      const { overflowX, textOverflow } = getComputedStyle(box);
      if (overflowX === "visible") continue;
      const { left, right, width } = box.getBoundingClientRect();
      if (width < 2) own = []; // a word that only screen readers read
      const isOut = (line) => line.right > right + 1 || line.left < left - 1;
      if (["hidden", "clip"].includes(overflowX) && textOverflow !== "ellipsis" && own.some(isOut))
        faults.push(`cut: ${text}`);
      own = own.filter((line) => !isOut(line));
    }
    lines.push(...own.map((line) => ({ line, text, holder })));
  }
  for (const [at, one] of lines.entries()) for (const other of lines.slice(at + 1)) {
    if (one.holder === other.holder) continue;
    const [a, b] = [one.line, other.line];
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    if (wide > 2 && high > 0.4 * Math.min(a.height, b.height))
      faults.push(`over each other: ${one.text} / ${other.text}`);
  }
  return faults;
}"""


@pytest.fixture
def quay(tonight_cast) -> Restaurant:
    """A large place with a long name, a past, a forecast, reviews and a connection."""
    place: Restaurant = tonight_cast.quay
    Restaurant.objects.filter(pk=place.pk).update(name="L'Auberge de la Vieille Échauguette")
    fill(place, now=timezone.now(), weeks=WEEKS)
    train_restaurant(place, now=timezone.now())
    for rating in (1, 3, 4, 5):
        made_at = timezone.now() - timedelta(days=rating)
        make_comment(place, global_rating=rating, created_ts=made_at, meal_at=made_at)
    BookingCount.objects.update(covers=F("covers") * MANY, bookings=F("bookings") * MANY)
    Rating.objects.update(reviews=F("reviews") * MANY, rated=F("rated") * MANY)
    ExpectedService.objects.update(booked=F("booked") * MANY)
    return place


@pytest.mark.parametrize("language", ["fr", "es"])
def test_it_works(quay: Restaurant, visit, page: Page, live_cast, language: str):
    User.objects.filter(pk=live_cast.dora.pk).update(language=language)
    known = {"quay": quay.uuid, "connection": partner.connection().pk}
    faults: dict[str, list[str]] = {}
    for address in (one.format(**known) for one in PAGES):
        visit(address)
        for width, height in WIDTHS.items():
            page.set_viewport_size({"width": width, "height": height})
            if found := page.evaluate(LOOK):
                faults[f"{address} {width}"] = found

    assert faults == {}
