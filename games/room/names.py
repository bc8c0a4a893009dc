"""Names at a table are identity: each can be seen, none looks like another one's, and none speaks for the table."""

import re
from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _

from games.rules.fields import plain
from games.rules.skeleton import skeletons, visible

NAME_LIMIT = 24
RESERVED = re.compile(
    "(the)?(you|everybody|everyone|somebody|someone|nobody|noone|none|"
    "(house)?(moderator|system|admin|administrator|host|agent|bot|player|seat)s?(no)?"
    "([0-9oil]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))"
)
"""What a table calls seats and voices, however it is written; a nought or a one may look like a letter."""
_PAIRS = (("rn", "m"), ("vv", "w"))


def looks(name: str) -> frozenset[str]:
    """How a name looks, in one or two ways; of two names that share one, each may be taken for the other."""
    found = set()
    for look in skeletons(name):
        for pair, one in _PAIRS:
            look = look.replace(pair, one)
        found.add("".join(look.split()))
    return frozenset(found - {""})


def objection(name: str, others: Iterable[str] = ()) -> str:
    """Why a person may not be called so beside these others, in a sentence; '' if they may."""
    shown = plain(name)
    if not shown:
        return _("Please tell us a name.")
    if len(shown) > NAME_LIMIT:
        return _("That name is too long; %(limit)d characters are enough.") % {"limit": NAME_LIMIT}
    if not visible(shown).strip():
        return _("That name cannot be seen. Take one with letters.")
    if _reserved(shown):
        return _("The table itself has that name. Take another name.")
    if any(looks(name) & looks(other) for other in others):
        return _("Somebody here has that name, or one that looks like it. Take another one.")
    return ""


def told_apart(names: Sequence[str]) -> list[str]:
    """Names in seat order, each as it is if it can be told from all before it; else by the number of its seat."""
    kept: list[str] = []
    for seat, name in enumerate(names, 1):
        numbered = re.fullmatch(r"(?:agent|player|seat) ?0*(\d+)", name.casefold())
        own = numbered is not None and int(numbered[1]) == seat
        unclear = not visible(name).strip() or len(name.splitlines()) > 1 or (_reserved(name) and not own)
        kept.append(f"Seat {seat}" if unclear or any(looks(name) & looks(other) for other in kept) else name)
    return kept


def _reserved(name: str) -> bool:
    return any(RESERVED.fullmatch("".join(filter(str.isalnum, look))) for look in looks(name))
