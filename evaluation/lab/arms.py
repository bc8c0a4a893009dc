"""The arms of a lab: what is changed at a move of a match, read strictly."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from agents.models import AgentProfile
from agents.reviews.rollouts import Forked, is_said
from evaluation.studies.trials import why_not
from games.match import store
from games.models import Match
from games.refused import Unfit
from games.rules.values import Event, LogError, Refusal
from games.translation import translated
from magic_site.numbers import number_in

MOST_ARMS = 8
WORDS = "words"


class LabError(Unfit, ValueError):
    """It cannot be played so; the text is a sentence."""


class Arm(NamedTuple):
    """What is changed: another move, or the profiles that play these seats from there on. Neither: nothing is."""

    action: Mapping[str, Any] | None = None
    agents: Mapping[int, str] = {}

    @property
    def plain(self) -> dict[str, Any]:
        """As JSON, without what is not changed."""
        found: dict[str, Any] = {} if self.action is None else {"action": dict(self.action)}
        return found | ({"agents": {str(seat): name for seat, name in self.agents.items()}} if self.agents else {})

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Arm:
        """The arm that `plain` made."""
        return cls(plain.get("action"), {int(seat): name for seat, name in plain.get("agents", {}).items()})


UNCHANGED = Arm()


def forked(match: Match, seq: int) -> Forked:
    """A match before the move that is event `seq`. Raises `LabError` where there is no such move to take back."""
    try:
        play = store.load(match)
    except LogError as error:
        raise LabError(_("These rules do not come to this match, so nothing can be played on from it.")) from error
    move = play.log[seq - 1] if 1 <= seq <= len(play.log) else None
    if move is None or not can_change(move):
        raise LabError(_("Event %(seq)d is no move. Choose an event by which a player moved.") % {"seq": seq})
    try:
        return Forked(play, move)
    except KeyError:
        raise LabError(
            _("The move of event %(seq)d was set beforehand and cannot be changed.") % {"seq": seq}
        ) from None


def can_change(event: Event) -> bool:
    """Whether an event is a move that a lab can take back."""
    return event.request is not None and event.kind != "poll" and event.by != "opening"


def checked(at: Forked, arm: Arm) -> Arm:
    """The arm as it is played. Raises `LabError` where the move is not legal, a seat or a profile not there, or nothing
    would be another."""
    if arm.action is not None:
        action = at.check(arm.action)
        if isinstance(action, Refusal):
            raise LabError(_("That move cannot be made there: %(why)s") % {"why": translated(action.sentence)})
        if action == at.own:
            raise LabError(_("That is the move that was made."))
        return Arm(action, arm.agents)
    if not arm.agents:
        raise LabError(_("Say what is to be another."))
    for seat, name in arm.agents.items():
        if seat not in at.play.header.names:
            raise LabError(_("There is no seat %(seat)d.") % {"seat": seat})
        profile(name, at.play.rules.name)
    return arm


def profile(name: str, game: str) -> AgentProfile:
    """The profile of this name. Raises `LabError` where it cannot be asked in that game."""
    found = AgentProfile.objects.select_related("second").filter(name=name).first()
    if found is None:
        raise LabError(_("There is no agent called %(name)s.") % {"name": name})
    if trouble := why_not(found, game):
        raise LabError(trouble)
    return found


def read(at: Forked, text: str) -> Arm:
    """An arm as a command is told it: a move as JSON, `words=` with another wording of what was said, or a seat with
    who plays it from there on, such as `3=house`. Raises `LabError`."""
    if text.lstrip().startswith("{"):
        try:
            action = json.loads(text)
        except ValueError as error:
            raise LabError(_("This is no move as JSON: %(text)s") % {"text": text}) from error
        return checked(at, Arm(action))
    left, equals, right = text.partition("=")
    if equals and left == WORDS:
        return checked(at, Arm(reworded(at, right)))
    if equals and (seat := number_in(left, 3)) is not None:
        return checked(at, Arm(agents={seat: right}))
    raise LabError(_("An arm is a move as JSON, words=TEXT, or SEAT=AGENT, and not: %(text)s") % {"text": text})


def reworded(at: Forked, words: str) -> dict[str, Any]:
    """The move with other words. Raises `LabError` where nothing was said by it."""
    if not is_said(at.play.rules, at.move):
        raise LabError(_("Nothing was said by this move, so it has no other wording."))
    return at.move.data | {at.play.rules.all_kinds[at.move.kind].words[0]: words}
