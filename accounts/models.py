"""People who sign in, and the devices that several of them share."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import cache, cached_property
from typing import Any, Self

from allauth.usersessions.models import UserSession
from auditlog.registry import auditlog
from django.contrib.auth import get_backends
from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models, transaction
from django.db.models import Exists, F, OuterRef
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_lazy as _

from accounts.rights import ALL_RIGHTS, SHAREABLE, Role
from lib.encryption import EncryptedTextField
from partner.models import Connection

# After this many wrong PINs in a row even the right one is refused until the lock ends.
MOST_FAILURES = 5
LOCK = timedelta(minutes=15)


@cache
def backends_of_roles() -> list[Any]:
    """The backends that know the roles of people. Made once: a page asks for dozens of rights."""
    return [backend for backend in get_backends() if hasattr(backend, "get_roles")]


class UserManager(BaseUserManager["User"]):
    def owners(self) -> "models.QuerySet[User]":
        """The owners of the installation."""
        return self.filter(is_owner=True, is_active=True)

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """The first one owns an installation that nobody owns yet."""
        is_owner = fields.pop("is_owner", not self.owners().exists())
        rank = {"is_staff": True, "is_superuser": True, "is_owner": is_owner}
        return self.create_user(email, password, **rank, **fields)

    def get_by_natural_key(self, email: str | None) -> "User":
        return self.get(email__iexact=email)


class User(AbstractBaseUser, PermissionsMixin):
    """A person, known by e-mail address. Memberships define what they may see."""

    class Theme(models.TextChoices):
        AUTO = "auto", _("As the device")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    class Density(models.TextChoices):
        COMFORTABLE = "comfortable", _("Comfortable")
        COMPACT = "compact", _("Compact")

    email = models.EmailField(_("e-mail address"), unique=True)
    name = models.CharField(_("name"), max_length=120, blank=True)
    is_active = models.BooleanField(_("may sign in"), default=True)
    is_staff = models.BooleanField(_("may open the database admin"), default=False)
    date_joined = models.DateTimeField(_("added"), auto_now_add=True)

    theme = models.CharField(_("theme"), max_length=8, choices=Theme, default=Theme.AUTO)
    density = models.CharField(
        _("density"), max_length=12, choices=Density, default=Density.COMFORTABLE
    )
    # An empty language follows the browser.
    language = models.CharField(_("language"), max_length=10, blank=True, default="")
    # WCAG 2.1.4: single-key shortcuts can be switched off.
    shortcuts = models.BooleanField(_("single-key shortcuts"), default=True)
    rail_pinned = models.BooleanField(_("keep the menu open"), default=False)
    weekly_digest = models.BooleanField(_("mail about the week"), default=False)
    # Beside the roles, which end at a group: see `rights.OWNER`.
    is_owner = models.BooleanField(_("owner of the installation"), default=False)
    owned_connections = models.ManyToManyField(
        "partner.Connection", related_name="owners", blank=True, verbose_name=_("owned connections")
    )

    objects = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS = []

    class Meta:
        ordering = ["name", "email"]

    def __str__(self) -> str:
        return self.name or self.email

    def get_full_name(self) -> str:
        return self.name

    def get_short_name(self) -> str:
        return self.name.split(" ")[0] or self.email.split("@")[0]

    # Queries

    # Set for one request by the middleware while a person uses a shared device.
    is_on_shared_device = False

    @cached_property
    def held(self) -> dict[str, Any]:
        """What the authentication backends have read about this person during one request."""
        return {}

    @property
    def roles(self) -> set[str]:
        """The names of all roles held anywhere. May run one query."""
        held = {role for backend in backends_of_roles() for role in backend.get_roles(self)}
        # What is required of admins is required of owners, who enter credentials, and of whoever
        # opens the database admin.
        return held | {Role.ADMIN.value} if self.is_superuser or self.is_owner else held

    @property
    def roles_by_connection(self) -> set[tuple[str, int | None]]:
        """The roles held, each with the connection of its place. Two queries at most."""
        backends = backends_of_roles()
        held = {pair for one in backends for pair in one.get_roles_by_connection(self)}
        # As above: an admin of the own connections, or of every one.
        everywhere = Connection.objects.values_list("pk", flat=True)
        within = everywhere if self.is_superuser else self.owned_connection_ids
        return held | {(Role.ADMIN.value, pk) for pk in within}

    @property
    def owns_installation(self) -> bool:
        """Whether the person owns every connection, and with them what belongs to none."""
        return all(self._ownership.values()) if self.is_active and self.is_owner else False

    @property
    def owned_connection_ids(self) -> frozenset[int]:
        return frozenset(pk for pk, is_own in self._ownership.items() if is_own)

    @property
    def _ownership(self) -> dict[int, bool]:
        """Every connection, and whether it is the person's. One query for owners, none for others.

        Before the first connection owners own the installation; it becomes theirs.
        """
        if not (self.is_active and self.is_owner):
            return {}
        if "ownership" not in self.held:
            mine = User.owned_connections.through.objects.filter(user=self.pk)
            owned = Exists(mine.filter(connection=OuterRef("pk")))
            self.held["ownership"] = dict(Connection.objects.values_list("pk", owned))
        found: dict[int, bool] = self.held["ownership"]
        return found

    @property
    def runs_instance(self) -> bool:
        """Whether the person keeps the installation running. They see its health and no guest."""
        return self.is_active and self.is_superuser

    def has_session_hash(self, stored: str) -> bool:
        """Return whether a stored session hash is one of the present password."""
        hashes = [self.get_session_auth_hash(), *self.get_session_auth_fallback_hash()]
        return any(constant_time_compare(stored, known) for known in hashes)

    def is_barred_from(self, permission: str) -> bool:
        return self.is_on_shared_device and permission not in SHAREABLE

    def has_perm(self, perm: str, obj: Any = None) -> bool:
        """Return whether the person holds a right. For those of `rights.py` a superuser needs
        a role or an ownership as everybody does; Django's own rights are of the database admin."""
        if self.is_barred_from(perm):
            return False
        if perm not in ALL_RIGHTS:
            return super().has_perm(perm, obj)
        backends = backends_of_roles()
        return any(perm in backend.get_all_permissions(self, obj) for backend in backends)

    # Actions

    def make_owner(self, connections: Iterable[int] = ()) -> None:
        """Make the person an owner of these connections, or of the only one."""
        self.is_owner = True
        self.save(update_fields=["is_owner"])
        self.owned_connections.add(*connections)
        self.held.pop("ownership", None)

    def end_ownership(self, connections: Iterable[int] | None = None) -> bool:
        """Remove the ownership of these connections, or of all; of the installation before it has
        one.

        False if the person is the last owner of any, and keeps them all. A deactivated person has
        no right by them, and would have it again once reactivated.
        """
        mine = frozenset(self.owned_connections.values_list("pk", flat=True))
        if connections is not None:
            mine &= frozenset(connections)
        with transaction.atomic():
            owners = User.objects.owners().exclude(pk=self.pk)
            locked = list(User.objects.owners().select_for_update())
            kept = [owners.filter(owned_connections=pk).exists() for pk in mine] or [
                any(one.pk != self.pk for one in locked)
            ]
            if not all(kept):
                return False
            self.owned_connections.remove(*mine)
            self.is_owner = self.owned_connections.exists()
            self.save(update_fields=["is_owner"])
        self.held.pop("ownership", None)
        return True

    def deactivate(self) -> None:
        """Deactivate the person at once: no sign-in, no session, no PIN, no push message."""
        self.is_active = False
        self.save(update_fields=["is_active"])
        self.pins.all().delete()
        self.shared_devices.all().delete()
        self.push_devices.all().delete()
        for session in UserSession.objects.filter(user=self):
            session.end()

    def reactivate(self) -> None:
        self.is_active = True
        self.save(update_fields=["is_active"])


class SharedDeviceQuerySet(models.QuerySet["SharedDevice"]):
    def live(self) -> Self:
        """Devices that have not expired. `has_owners_sign_in` checks the owner's password."""
        return self.filter(expires_at__gt=timezone.now(), owner__is_active=True)


class SharedDevice(models.Model):
    """A signed-in device that its owner lets others use. It expires with the owner's sign-in."""

    name = models.CharField(_("name of the device"), max_length=60)
    owner = models.ForeignKey(User, models.CASCADE, related_name="shared_devices")
    # The owner's session hash when the device was shared: a new password changes it.
    owner_session_hash = models.CharField(max_length=64, default="", editable=False)
    expires_at = models.DateTimeField(_("ends"))

    objects = SharedDeviceQuerySet.as_manager()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def has_owners_sign_in(self) -> bool:
        """Return whether the owner's password is still the one of the sign-in that was shared."""
        return self.owner.has_session_hash(self.owner_session_hash)

    def people(self) -> list[User]:
        """The people who can take over this device: those whose PIN on it holds. One query."""
        pins = self.pins.filter(person__is_active=True).select_related("person")
        in_order = pins.order_by("person__name", "person__email")
        return [pin.person for pin in in_order if pin.has_persons_password]

    def set_pin(self, person: User, digits: str) -> None:
        Pin.objects.update_or_create(
            device=self,
            person=person,
            defaults={
                "secret": make_password(digits),
                "person_session_hash": person.get_session_auth_hash(),
                "failures": 0,
                "locked_until": None,
            },
        )


class Pin(models.Model):
    """A person's PIN on one device. The throttle protects it, not the hash."""

    device = models.ForeignKey(SharedDevice, models.CASCADE, related_name="pins")
    person = models.ForeignKey(User, models.CASCADE, related_name="pins")
    secret = models.CharField(max_length=128)
    # The person's session hash when the PIN was set: a new password changes it.
    person_session_hash = models.CharField(max_length=64, db_default="", editable=False)
    failures = models.PositiveSmallIntegerField(default=0)
    locked_until = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["device", "person"], name="one_pin_per_person_and_device"
            ),
        ]

    def __str__(self) -> str:
        return f"PIN of {self.person_id} on {self.device_id}"

    @property
    def has_persons_password(self) -> bool:
        """Return whether the person's password is still the one with which the PIN was set."""
        return self.person.has_session_hash(self.person_session_hash)

    def is_locked(self, *, now: datetime) -> bool:
        return self.locked_until is not None and now < self.locked_until

    def opens_with(self, digits: str, *, now: datetime) -> bool:
        """Return whether these digits are the PIN. Each try is counted before it is checked.

        Otherwise a hundred tries sent at once would all be checked before the first one locked
        the PIN.
        """
        mine = Pin.objects.filter(pk=self.pk)
        mine.filter(locked_until__lte=now).update(failures=0, locked_until=None)
        counted = mine.filter(failures__lt=MOST_FAILURES).update(failures=F("failures") + 1)
        mine.filter(failures=MOST_FAILURES, locked_until=None).update(locked_until=now + LOCK)
        self.refresh_from_db()
        if not (counted and self.has_persons_password and check_password(digits, self.secret)):
            return False
        mine.update(failures=0, locked_until=None)
        return True


class PasswordResetRequest(models.Model):
    """A requested password reset of an address, known or not, until the worker has handled it.

    The worker looks the address up, so that the page takes as long for an unknown one.
    """

    email = EncryptedTextField()
    language = models.CharField(max_length=10)
    requested_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"password reset of {self.requested_at:%Y-%m-%d %H:%M}"


class QueuedMail(models.Model):
    """A mail to one person until the mail server has accepted it. Its text may contain a link."""

    recipient = models.EmailField()
    subject = models.CharField(max_length=200)
    body = EncryptedTextField()
    created_at = models.DateTimeField(default=timezone.now)
    not_before = models.DateTimeField(default=timezone.now, db_index=True)
    attempts = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        return f"mail of {self.created_at:%Y-%m-%d %H:%M}"


# The password's hash is a secret; the other fields change with ordinary use.
auditlog.register(
    User,
    exclude_fields=[
        "password",
        "last_login",
        "theme",
        "density",
        "language",
        "shortcuts",
        "rail_pinned",
        "weekly_digest",
    ],
)
auditlog.register(SharedDevice, exclude_fields=["owner_session_hash"])

# Models of this app that stand in the package of their feature.
from accounts.password_links.models import FirstAdminLink as FirstAdminLink  # noqa: E402
from accounts.push.models import PushDevice as PushDevice  # noqa: E402
from accounts.push.models import PushPreferences as PushPreferences  # noqa: E402
from accounts.push.models import VapidKey as VapidKey  # noqa: E402
from accounts.sign_in.models import SecondFactorRule as SecondFactorRule  # noqa: E402
