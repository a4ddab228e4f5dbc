"""Views of groups and restaurants, which the API does not list."""

from typing import cast
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from accounts.rights import Role
from lib.broker.worker_signals import notify_workers
from partner import factory
from partner.errors import PartnerError
from partner.models import Connection
from restaurants.access import can, require
from restaurants.models import Group, Membership, Restaurant
from restaurants.places.forms import GroupForm, RestaurantForm, ServicePeriods, periods_as_initial
from restaurants.places.pages import like_its_siblings, not_set_up
from restaurants.places.sync import find_restaurants
from restaurants.tasks import recompute_service_days

RIGHT = "restaurants.change_restaurant"
ADD_RIGHT = "restaurants.add_group"


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    user = cast(User, request.user)
    if not can(user, ADD_RIGHT):  # an owner comes here before there is a group to have a role in
        require(request, RIGHT)
    groups = Group.objects.visible_to(user, RIGHT).prefetch_related("restaurants")
    run = set(Group.objects.run_by(user, RIGHT).values_list("pk", flat=True))
    owned = user.owned_connection_ids
    may_move = len(owned) > 1 and Connection.objects.active().filter(pk__in=owned).count() > 1
    context = {"groups": groups, "run": run, "may_move": may_move}
    return render(request, "restaurants/index.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def add_group(request: HttpRequest) -> HttpResponse:
    """Add a group; its creator becomes its admin, to see it at all."""
    require(request, ADD_RIGHT)
    user = cast(User, request.user)
    form = GroupForm(request.POST or None)
    form.offer(user.owned_connections.exclude(state=Connection.State.RETIRED))
    if not form.is_valid():
        return render_form(request, "restaurants/add_group.html", form=form)
    with transaction.atomic():
        group = form.save()
        Membership.objects.create(user=user, group=group, role=Role.ADMIN)
    return redirect("restaurants:find", group.uuid)


@require_http_methods(["GET", "HEAD", "POST"])
def edit_group(request: HttpRequest, uuid: UUID) -> HttpResponse:
    group = run_group(request, uuid)
    form = GroupForm(request.POST or None, instance=group)
    if not form.is_valid():
        return render_form(request, "restaurants/edit_group.html", form=form, group=group)
    form.save()
    messages.success(request, _("%(place)s is saved.") % {"place": group})
    return redirect("restaurants:index")


@require_http_methods(["GET", "HEAD", "POST"])
def add(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Add a restaurant to a group; `uuid` in the address is one that was found."""
    group = run_group(request, uuid)
    return save_restaurant(request, restaurant=like_its_siblings(group, request.GET.get("uuid")))


@require_safe
def find(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Restaurants that the group's bookings name and that are not set up. Calls the service."""
    group = run_group(request, uuid)
    context: dict[str, object] = {"group": group}
    try:
        today = timezone.now().date()
        api = factory.client(group.connection_id)
        named = find_restaurants(group.uuid, api=api, today=today)
        context["found"] = not_set_up(group, named)
    except PartnerError as fault:
        context["fault"] = fault
    return render(request, "restaurants/find.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, uuid: UUID) -> HttpResponse:
    within_reach = Restaurant.objects.visible_to(cast(User, request.user))
    restaurant = get_object_or_404(within_reach.select_related("group"), uuid=uuid)
    require(request, RIGHT, restaurant)
    return save_restaurant(request, restaurant=restaurant)


def save_restaurant(request: HttpRequest, *, restaurant: Restaurant) -> HttpResponse:
    form = RestaurantForm(request.POST or None, instance=restaurant)
    is_known = restaurant.pk is not None
    stored = periods_as_initial(restaurant) if is_known else []
    periods = ServicePeriods(request.POST or None, initial=stored, prefix="periods")
    if not (form.is_valid() and periods.is_valid()):
        return render_form(
            request, "restaurants/edit.html", form=form, periods=periods, restaurant=restaurant
        )
    with transaction.atomic():
        form.save().set_service_periods(periods.periods())
    messages.success(request, _("%(place)s is saved.") % {"place": restaurant})
    if is_known and {"timezone", "day_start"} & set(form.changed_data):
        notify_workers(recompute_service_days)
        messages.info(request, _("Its bookings move to the days of its new clock now."))
    if not is_known and "uuid" in request.GET:
        return redirect("restaurants:find", restaurant.group.uuid)
    return redirect("restaurants:index")


def run_group(request: HttpRequest, uuid: UUID) -> Group:
    """The group, if the person may change it as a whole; a single restaurant is not enough."""
    user = cast(User, request.user)
    group = get_object_or_404(Group.objects.visible_to(user), uuid=uuid)
    if not Group.objects.run_by(user, RIGHT).filter(pk=group.pk).exists():
        raise PermissionDenied
    return group


def render_form(request: HttpRequest, template: str, **context: object) -> HttpResponse:
    """The page with its form; 422 when what was sent cannot be saved."""
    return render(request, template, context, status=422 if request.method == "POST" else 200)
