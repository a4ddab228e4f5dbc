"""Views of a restaurant's calendar feed, and the page that makes and revokes its address."""

from uuid import UUID

from allauth.core.internal.httpkit import get_client_ip
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseForbidden
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts import audit
from accounts.requests import SignedInRequest
from reservations.calendar_feed import feed as feeds
from reservations.models import Feed
from restaurants import exports
from restaurants.access import require
from restaurants.models import Restaurant
from restaurants.shell import shell_of

LONGEST_TOKEN = 512


@login_not_required
@require_safe
def show(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The feed for calendar programs, by the token of the address; 404 without it, and once its
    maker may export no more.
    """
    if settings.SECURE_SSL_REDIRECT and not request.is_secure():
        return HttpResponseForbidden()
    now = timezone.now()
    who = get_client_ip(request) or "unknown"
    if not feeds.may_ask(who, limit=feeds.OF_ADDRESS, seconds=feeds.MINUTE, now=now):
        return too_many(feeds.MINUTE)
    rows = Feed.objects.select_related("restaurant", "made_by")
    found = rows.filter(restaurant__uuid=uuid).first()
    token = request.GET.get("token", "")
    # The same work for an unknown feed and a wrong token.
    if not (found or Feed()).accepts(token if len(token) <= LONGEST_TOKEN else "") or not found:
        raise Http404
    if not feeds.can_be_read(found.made_by, found.restaurant, now=now):
        raise Http404
    if not feeds.may_ask(str(uuid), limit=feeds.OF_FEED, seconds=feeds.HOUR, now=now):
        return too_many(feeds.HOUR)
    found.note_use(now=now)
    answer = HttpResponse(feeds.write(found, now=now), "text/calendar; charset=utf-8")
    answer["Content-Disposition"] = 'inline; filename="bookings.ics"'
    answer["X-Robots-Tag"] = "noindex"
    return answer


def too_many(seconds: int) -> HttpResponse:
    return HttpResponse(status=429, headers={"Retry-After": str(seconds)})


@require_safe
def index(request: SignedInRequest) -> HttpResponse:
    """The restaurants in scope whose bookings the person may export, their feeds, and whether
    each can still be read.
    """
    now = timezone.now()
    restaurants = exports.exportable_restaurants(request)
    held = Feed.objects.filter(restaurant__in=restaurants).select_related("made_by")
    known = {feed.restaurant_id: feed for feed in held}
    # One object for each person, which keeps the rights that were read.
    makers = {feed.made_by_id: feed.made_by for feed in known.values()}
    places = []
    for restaurant in restaurants:
        feed = known.get(restaurant.pk)
        maker = makers[feed.made_by_id] if feed else None
        places.append((restaurant, feed, feeds.can_be_read(maker, restaurant, now=now)))
    return render(request, "reservations/feeds.html", {"places": places})


@require_POST
def make(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Create the address of a restaurant's feed, or replace it; the former one ends at once."""
    restaurant = exportable(request, uuid)
    Feed.make(restaurant, by=request.user, now=timezone.now())
    audit.record(request.user, "reservations.make_feed", restaurant)
    messages.success(request, _("The new address of %(place)s is ready.") % {"place": restaurant})
    return back(request)


@require_POST
def revoke(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    restaurant = exportable(request, uuid)
    Feed.objects.filter(restaurant=restaurant).delete()
    audit.record(request.user, "reservations.revoke_feed", restaurant)
    messages.success(request, _("The address of %(place)s is over.") % {"place": restaurant})
    return back(request)


def exportable(request: SignedInRequest, uuid: UUID) -> Restaurant:
    restaurant = get_object_or_404(Restaurant.objects.visible_to(request.user), uuid=uuid)
    require(request, exports.EXPORT, restaurant)
    return restaurant


def back(request: SignedInRequest) -> HttpResponse:
    answer = redirect("reservations:feeds")
    answer["Location"] += shell_of(request).query
    return answer
