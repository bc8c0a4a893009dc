"""Django's command, which also collects the sentences of the rules (`games.rules.sentences`)."""

from django.core.management.commands import makemessages

MARKERS = ("sentence", "counted:1,2", "word")


class Command(makemessages.Command):
    help = f"{makemessages.Command.help} Sentences of the rules are among them."
    xgettext_options = [*makemessages.Command.xgettext_options, *(f"--keyword={marker}" for marker in MARKERS)]
