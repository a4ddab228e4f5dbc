"""View of the list that a device keeps its offline copy by."""

from django.conf import settings
from django.http import HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.requests import SignedInRequest
from reservations.offline_copy.pages import OfflineList, assets
from restaurants.offline_devices import devices


@require_safe
def index(request: SignedInRequest) -> HttpResponse:
    """What the copy of this person on this device consists of; 403 where none is allowed.

    The pages themselves are fetched as people fetch them, so that only their views decide what the
    person may see.
    """
    device = devices.device_of(request)
    owner = devices.owner_of(request)
    if device is None or not owner:
        return JsonResponse({}, status=403)
    now = timezone.now()
    listed = OfflineList(devices.restaurants_of(device, request.user), now=now)
    ends = request.session.get_expiry_date()
    lasts = [devices.MOST_SECONDS, int((ends - now).total_seconds())]
    idle = settings.SESSION_IDLE_MINUTES * 60
    kept = {
        "owner": owner,
        "at": int(now.timestamp() * 1000),
        "seconds": min([*lasts, idle] if idle else lasts),
        "pages": listed.pages,
        "bookings": listed.bookings,
        "assets": assets(),
    }
    return JsonResponse(kept)
