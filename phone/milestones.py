"""The steps of a telephone system's onboarding, in the contract's order, in words."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from lib import labels
from partner.wording.vocabulary import MILESTONES

LABELS: dict[str, "str | Promise"] = {
    "LeadReceived": _("Lead received"),
    "DiscoveryOngoing": _("Discovery under way"),
    "QuestionnaireSent": _("Questionnaire sent"),
    "FailedDiscovery": _("Discovery failed"),
    "HardwareInTransit": _("Hardware on its way"),
    "FailedDelivery": _("Delivery failed"),
    "HardwareToBeInstalled": _("Hardware to be installed"),
    "FailedInstallation": _("Installation failed"),
    "InstallationCompleted": _("Installation completed"),
}
# It also gives the telephone partner access to the whole group.
FINAL = MILESTONES[-1]


def label_of(word: str) -> str:
    return labels.label_of(word, LABELS)
