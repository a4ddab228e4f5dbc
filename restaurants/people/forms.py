"""Forms of roles and of invitations."""

from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import SecondFactorRule, User
from accounts.rights import Role
from accounts.sign_in.models import CHOSEN
from partner.models import Connection
from restaurants.invitations.offers import RoleOffer
from restaurants.invitations.sending import invite, invite_to_all
from restaurants.models import Group, Membership, Restaurant
from restaurants.people.giving import give_role
from restaurants.people.reach import groups_staffed_by, restaurants_staffed_by


class MembershipForm(forms.Form):
    """A role in one of the places of an admin or an owner."""

    place = forms.ChoiceField(label=_("Place"))
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices)

    def __init__(self, *args: Any, admin: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.places: dict[str, Group | Restaurant] = {}
        for group in groups_staffed_by(admin):
            self.places[str(group.uuid)] = group
        for restaurant in restaurants_staffed_by(admin):
            self.places[str(restaurant.uuid)] = restaurant
        self.fields["place"].choices = [  # type: ignore[attr-defined]  # a ChoiceField
            (uuid, label_of(place)) for uuid, place in self.places.items()
        ]

    @property
    def chosen_place(self) -> Group | Restaurant:
        return self.places[self.cleaned_data["place"]]

    def offer_to(self, email: str, *, name: str, invited_by: User) -> RoleOffer:
        role, place = Role(self.cleaned_data["role"]), self.chosen_place
        return RoleOffer([invite(email, name=name, place=place, role=role, invited_by=invited_by)])

    def give_to(self, person: User) -> Membership:
        place = self.chosen_place
        return give_role(
            person,
            role=self.cleaned_data["role"],
            group=place if isinstance(place, Group) else None,
            restaurant=place if isinstance(place, Restaurant) else None,
        )


class OwnershipForm(forms.Form):
    """Connections of an owner, of which another person becomes an owner or is one no more."""

    connections = forms.ModelMultipleChoiceField(Connection.objects.none(), required=False)

    def __init__(self, data: Any, *, owner: User) -> None:
        super().__init__(data)
        self.owned = owner.owned_connection_ids
        offered = Connection.objects.filter(pk__in=self.owned)
        self.fields["connections"].queryset = offered  # type: ignore[attr-defined]  # a model's choices

    def clean_connections(self) -> list[Connection]:
        """A single connection needs no choice."""
        found = list(self.cleaned_data["connections"])
        if not found and len(self.owned) > 1:
            raise ValidationError(_("Choose the connections first."))
        return found

    @property
    def chosen(self) -> frozenset[int]:
        return frozenset(one.pk for one in self.cleaned_data["connections"]) or self.owned

    def owned_by(self, person: User) -> list[Connection]:
        """Those of the chosen ones that the person owns."""
        return list(person.owned_connections.filter(pk__in=self.chosen))


class SecondFactorForm(forms.Form):
    """The roles that must have a second factor at places of a connection.

    Those that the server's settings name stay.
    """

    roles = forms.MultipleChoiceField(
        label=_("Required of"),
        choices=Role.choices,
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )

    def __init__(self, data: Any = None, *, connection: Connection | None) -> None:
        self.connection = connection
        self.pk = connection.pk if connection else None
        chosen = sorted(role for role, pk in CHOSEN.value() if pk == self.pk)
        super().__init__(data, initial={"roles": chosen}, auto_id=f"id_{self.pk or 0}_%s")
        if settings.MFA_REQUIRED_ROLES:
            named = [str(Role(role).label) for role in settings.MFA_REQUIRED_ROLES]
            self.fields["roles"].help_text = gettext(
                "The server's settings require it of these in any case: %(roles)s."
            ) % {"roles": ", ".join(named)}

    @property
    def query(self) -> str:
        """What the address of the form names."""
        return f"?connection={self.pk}" if self.pk else ""

    def save(self) -> None:
        SecondFactorRule.objects.require_of(self.cleaned_data["roles"], connection=self.pk)


class InvitationForm(MembershipForm):
    """The same role at one or several places: all of them are places of the inviter, or none."""

    email = forms.EmailField(label=_("E-mail address"))
    name = forms.CharField(label=_("Name"), max_length=120)
    place = forms.MultipleChoiceField(label=_("Places"), widget=forms.CheckboxSelectMultiple)
    field_order = ["email", "name", "place", "role"]

    def __init__(self, *args: Any, admin: User, **kwargs: Any) -> None:
        super().__init__(*args, admin=admin, **kwargs)
        if len(self.places) == 1:
            self.initial["place"] = list(self.places)

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"]).lower()

    @property
    def chosen_places(self) -> list[Group | Restaurant]:
        """Without the restaurants of a chosen group, which includes them."""
        chosen = [self.places[uuid] for uuid in dict.fromkeys(self.cleaned_data["place"])]
        groups = {one.pk for one in chosen if isinstance(one, Group)}
        return [one for one in chosen if isinstance(one, Group) or one.group_id not in groups]

    def invite(self, *, invited_by: User) -> RoleOffer:
        name, email = self.cleaned_data["name"], self.cleaned_data["email"]
        role, places = Role(self.cleaned_data["role"]), self.chosen_places
        return invite_to_all(email, name=name, places=places, role=role, invited_by=invited_by)


def label_of(place: Group | Restaurant) -> str:
    if isinstance(place, Group):
        return gettext("%(group)s (whole group)") % {"group": place}
    return str(place)
