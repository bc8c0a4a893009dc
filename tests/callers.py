"""Who may call the API, each with a key that is good for all, and what stands there to be found."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import Group, User

from agents.models import AgentProfile
from games.models import Match
from games.room import accounts, api_keys
from tests.games.tables import match_at, play_out, room_of

ROLES = ("nobody", "guest", "chair", "account", "rater", "researcher", "admin")
OUTSIDE = "theirs"
GROUPS = {"rater": ("rater",), "researcher": ("researcher",), "admin": ("admin", "rater")}


@dataclass(frozen=True)
class World:
    """What there is. places: by the name that addresses have for it, what may stand there."""

    running: Match
    over: Match

    @property
    def places(self) -> dict[str, list[str]]:
        codes = [match.room.code for match in (self.running, self.over)]
        return {"code": codes, "match_id": [str(self.running.pk), str(self.over.pk)], "name": [OUTSIDE]}


def world() -> World:
    """A match that is played at a table that anybody finds, and one that is over; a researcher's agent from outside."""
    AgentProfile.objects.create(
        name=OUTSIDE, title="Theirs", provider="remote", method="remote", owner=user_of("researcher")
    )
    over = match_at(room_of(listed=True))
    play_out(over)
    return World(match_at(room_of(listed=True)), Match.objects.get(pk=over.pk))


def user_of(role: str) -> User:
    """The account of a role."""
    found, _made = User.objects.get_or_create(username=role)
    found.groups.set(Group.objects.filter(name__in=GROUPS.get(role, ())))
    return found


def key_for(role: str, there: World, *scopes: str) -> str:
    """The secret of a key of somebody in this role, good for these scopes, or all; "" of who has none. The guest sits
    at both tables, and the chair's key is good at one of them."""
    if role == "nobody":
        return ""
    if role == "chair":
        return api_keys.make_for_chair("key-2", there.running.room)
    wanted = scopes or tuple(api_keys.SCOPES)
    if role == "guest":
        return api_keys.make("key-1", None, "a test", wanted, 1)[1]
    user = user_of(role)
    return api_keys.make(accounts.person_of(user, None), user, "a test", wanted, 1)[1]
