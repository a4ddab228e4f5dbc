"""Which device a request comes from, and whose copy it may keep."""

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.crypto import salted_hmac

from accounts.models import User
from restaurants.access import can, rights_of_roles, within_reach
from restaurants.models import Restaurant
from restaurants.offline_devices.models import OfflineDevice

SALT = "restaurants.offline_devices"
LIFETIME_SECONDS = 400 * 24 * 3600  # browsers keep no cookie for longer
# A copy is deleted after this time, or with the sign-in, whichever comes first.
MOST_SECONDS = 18 * 3600
RIGHT = "reservations.view_reservation"


def mark(response: HttpResponseBase, device: OfflineDevice) -> None:
    """Make the browser that gets this answer the device."""
    response.set_signed_cookie(
        settings.OFFLINE_DEVICE_COOKIE_NAME,
        device.uuid.hex,
        salt=SALT,
        max_age=LIFETIME_SECONDS,
        httponly=True,
        secure=settings.HTTPS_ONLY,
        samesite="Lax",
    )


def device_of(request: HttpRequest) -> OfflineDevice | None:
    """The device behind a request. One query, and none in other browsers."""
    uuid = request.get_signed_cookie(
        settings.OFFLINE_DEVICE_COOKIE_NAME, "", salt=SALT, max_age=LIFETIME_SECONDS
    )
    return OfflineDevice.objects.filter(uuid=uuid).first() if uuid else None


def restaurants_of(device: OfflineDevice, user: User) -> list[Restaurant]:
    """The restaurants of the device whose bookings the person may see. One query."""
    allowed = set(device.restaurants.values_list("pk", flat=True))
    mine = [one for one in within_reach(user) if one.pk in allowed]
    return [one for one in mine if can(user, RIGHT, one)]


def owner_of(request: HttpRequest) -> str:
    """A name for this person in this sign-in with these rights on this device; "" keeps nothing.

    A copy that bears another name is deleted: the name changes with the person, the sign-in, each
    role, and what the device is allowed.
    """
    user = getattr(request, "user", None)  # none where a middleware has refused the request
    device = device_of(request) if isinstance(user, User) else None
    if device is None or not isinstance(user, User):
        return ""
    places = sorted(one.pk for one in restaurants_of(device, user))
    rights = sorted((role, *sorted(held)) for role, held in rights_of_roles(user).items())
    roles = sorted(map(str, user.held["rights"].places))
    facts = (request.session.session_key, user.pk, device.pk, places, rights, roles, user.language)
    return salted_hmac(SALT, repr(facts)).hexdigest() if places else ""
