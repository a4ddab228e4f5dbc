"""What the page of push messages shows."""

from functools import cached_property

from accounts.models import PushDevice, PushPreferences, User
from live.push.forms import PushPreferencesForm, SubscriptionForm
from live.push.kinds import PUSH_KINDS


class PushPage:
    """The person's devices, the one that is looked at among them, and what they want to hear."""

    def __init__(
        self,
        user: User,
        *,
        here: PushDevice | None,
        is_shared: bool,
        form: PushPreferencesForm | None = None,
        subscription: SubscriptionForm | None = None,
    ) -> None:
        self.user = user
        self.here = here
        self.is_shared = is_shared
        self.form = form or PushPreferencesForm(instance=preferences_of(user), user=user)
        self.subscription = subscription or SubscriptionForm()

    @cached_property
    def devices(self) -> list[PushDevice]:
        """One query."""
        return list(self.user.push_devices.all())

    @property
    def is_refused(self) -> bool:
        """Whether a form on the page was sent and is not right."""
        return bool(self.form.errors or self.subscription.errors)


def preferences_of(user: User) -> PushPreferences:
    """The stored ones, or those that a person begins with: every kind, and no quiet hours."""
    found = PushPreferences.objects.filter(user=user).first()
    return found or PushPreferences(user=user, kinds=[kind.name for kind in PUSH_KINDS])
