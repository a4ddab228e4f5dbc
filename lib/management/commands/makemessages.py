"""Django's makemessages, which also reads the names that we import gettext under.

It guesses no translation from a sentence that reads alike: guesses were taken for words.
"""

from django.core.management.commands import makemessages

# A module that needs both kinds imports one of them as `_` and the other as one of these.
ALIASES = ("_lazy", "now", "now_")


class Command(makemessages.Command):
    xgettext_options = [
        *makemessages.Command.xgettext_options,
        *(f"--keyword={alias}" for alias in ALIASES),
    ]
    msgmerge_options = [*makemessages.Command.msgmerge_options, "--no-fuzzy-matching"]
