"""What the API takes and tells, as serializers: they check what is sent, and OpenAPI is made from them."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from games.models import Room
from games.registry import RULES
from games.web.api.problems import IN_PLAIN_WORDS


class Sent(serializers.Serializer):
    """What a program sends. A name that stands for nothing here is refused, and the nearest one is told."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, Mapping):
            raise serializers.ValidationError({"non_field_errors": [IN_PLAIN_WORDS["not_a_dict"]]})
        if unknown := [str(name) for name in data if name not in self.fields]:
            raise serializers.ValidationError({name: [self._instead(name)] for name in unknown})
        return super().to_internal_value(data)

    def _instead(self, name: str) -> str:
        if near := get_close_matches(name, self.fields, 1):
            return _("There is no such field. Did you mean %(name)s?") % {"name": near[0]}
        if self.fields:
            return _("There is no such field. There are: %(names)s.") % {"names": ", ".join(self.fields)}
        return _("There is no such field: nothing is to be said here.")


class IndexShape(serializers.Serializer):
    """openapi: where the OpenAPI document is; addresses: by address the methods that it takes."""

    openapi = serializers.CharField()
    addresses = serializers.DictField(child=serializers.ListField(child=serializers.CharField()))


class ProblemShape(serializers.Serializer):
    """Something that cannot be done: a sentence for people (`detail`) and a word for programs (`code`)."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField()
    detail = serializers.CharField()


class PresetShape(serializers.Serializer):
    """A way of playing a game. options: the JSON schema of what may be chosen; the defaults are this preset's."""

    name = serializers.CharField()
    title = serializers.CharField(allow_blank=True)
    about = serializers.CharField(allow_blank=True)
    low = serializers.IntegerField()
    high = serializers.IntegerField()
    options = serializers.DictField()


class AgentShape(serializers.Serializer):
    name = serializers.CharField()
    title = serializers.CharField()


class GameShape(serializers.Serializer):
    """A game, its ways of playing, and the agents that can be asked to it."""

    name = serializers.CharField()
    title = serializers.CharField()
    about = serializers.CharField()
    usual = serializers.CharField(help_text="the preset that is taken if none is named")
    presets = PresetShape(many=True)
    agents = AgentShape(many=True)


class ChairShape(serializers.Serializer):
    """A place at a table. kind: person, agent, outside, or free; name: "" where nobody has one yet."""

    number = serializers.IntegerField()
    kind = serializers.ChoiceField(["person", "agent", "outside", "free"])
    name = serializers.CharField(allow_blank=True)


class TableShape(serializers.Serializer):
    """A table. chairs: empty where nobody may tell who sits where before the match. match: the one that is played here
    or was last. link: for who may hand it on."""

    code = serializers.CharField()
    game = serializers.CharField()
    preset = serializers.CharField()
    options = serializers.DictField()
    seats = serializers.IntegerField()
    free = serializers.IntegerField()
    chairs = ChairShape(many=True)
    chair = serializers.IntegerField(allow_null=True, help_text="your own")
    hosts = serializers.BooleanField(help_text="whether you are the host")
    match = serializers.UUIDField(allow_null=True)
    status = serializers.ChoiceField(["waiting", "running", "finished", "void", "abandoned"])
    link = serializers.CharField()


class OpenShape(Sent):
    """A table to be opened."""

    game = serializers.ChoiceField(list(RULES))
    preset = serializers.CharField(required=False, default="", allow_blank=True)
    seats = serializers.IntegerField(required=False, min_value=1, max_value=12)
    name = serializers.CharField(max_length=80, help_text="what you are called there")
    options = serializers.DictField(required=False, default=dict)
    agents = serializers.IntegerField(
        required=False,
        default=0,
        min_value=0,
        max_value=12,
        help_text="how many agents sit down at once; when they take all seats but yours, the match begins",
    )
    agent = serializers.CharField(required=False, default="", allow_blank=True, max_length=80)
    move_seconds = serializers.IntegerField(
        required=False, min_value=0, max_value=3600, help_text="seconds that people have for a move; 0: no limit"
    )
    absence = serializers.ChoiceField(
        Room.Absence.values, required=False, help_text="what is done for who does not move in time"
    )
    pace = serializers.FloatField(
        required=False,
        min_value=0,
        max_value=5,
        help_text="how slowly agents move; 1: like people, 0: at once",
    )
    agents_named = serializers.BooleanField(required=False, help_text="whether it is told who is an agent")
    pseudonyms = serializers.BooleanField(required=False, help_text="whether names are hidden and drawn anew")
    listed = serializers.BooleanField(required=False, default=False, help_text="whether the lobby shows the table")
    watching = serializers.ChoiceField(
        Room.Watching.values, required=False, help_text="what those see who do not play while a match is played"
    )
    afterwards = serializers.ChoiceField(
        Room.Afterwards.values, required=False, help_text="who may see everything after the end"
    )


class SitShape(Sent):
    name = serializers.CharField(max_length=80, required=False, default="", allow_blank=True)
    seat = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=1, max_value=12)
    key = serializers.CharField(
        max_length=80, required=False, default="", allow_blank=True, help_text="what the table's link has after ?key="
    )


class FillShape(Sent):
    agent = serializers.CharField(required=False, default="", allow_blank=True, max_length=80)


class ActShape(Sent):
    """An answer to a request. skip: leave a poll unanswered. why, beliefs: what an agent from outside declares of its
    reasoning, kept with the match as thoughts."""

    match = serializers.UUIDField()
    request = serializers.CharField(max_length=80)
    action = serializers.DictField(required=False, default=dict)
    skip = serializers.BooleanField(required=False, default=False)
    why = serializers.CharField(required=False, default="", allow_blank=True, max_length=4000)
    beliefs = serializers.DictField(required=False, allow_null=True, default=None)


class ActedShape(serializers.Serializer):
    """events: how many this has added to the log; 0 where it was there already, or waits for its time."""

    events = serializers.IntegerField()


class SeatShape(serializers.Serializer):
    seat = serializers.IntegerField()
    name = serializers.CharField()
    kind = serializers.CharField(allow_blank=True)
    outside = serializers.BooleanField()
    stand_in = serializers.BooleanField()


class EventShape(serializers.Serializer):
    """data: null where this viewer sees only that it happened."""

    seq = serializers.IntegerField()
    kind = serializers.CharField()
    seat = serializers.IntegerField(allow_null=True)
    data = serializers.DictField(allow_null=True)  # type: ignore[assignment]  # as a field it is no attribute


class RequestShape(serializers.Serializer):
    """What the seat is asked. schema: the JSON schema of the action. waits: the match stands still until this is
    answered, or until its deadline; what does not wait may be left, such as something to say in free talk."""

    id = serializers.CharField()
    kind = serializers.CharField()
    waits = serializers.BooleanField()
    deadline = serializers.DateTimeField(allow_null=True)
    schema = serializers.DictField()


class ThoughtShape(serializers.Serializer):
    """A step of an agent's reasoning. request: what it is about; prompt, reply: what a model was told and said; data:
    what was read from the reply, `beliefs` in it as docs/log.md has them; cached, stored: of the tokens read, how many
    came from the cache and how many went into it; cost: in US dollars; ms: time of the call; attempts: calls, 0 where
    no model was asked; n: its number among the thoughts about its request, from 1."""

    request = serializers.CharField()
    seat = serializers.IntegerField()
    method = serializers.CharField()
    stage = serializers.CharField()
    prompt = serializers.CharField(allow_blank=True)
    reply = serializers.CharField(allow_blank=True)
    data = serializers.DictField()  # type: ignore[assignment]  # as a field it is no attribute
    model = serializers.CharField(allow_blank=True)
    tokens_in = serializers.IntegerField()
    tokens_out = serializers.IntegerField()
    cached = serializers.IntegerField()
    stored = serializers.IntegerField()
    cost = serializers.FloatField()
    ms = serializers.IntegerField()
    attempts = serializers.IntegerField()
    n = serializers.IntegerField()


class ThoughtsShape(serializers.Serializer):
    """What agents thought in a match, oldest first."""

    thoughts = ThoughtShape(many=True)


class WaitShape(serializers.Serializer):
    seat = serializers.IntegerField()
    kind = serializers.CharField()


class OutcomeShape(serializers.Serializer):
    result = serializers.CharField(allow_null=True)
    winners = serializers.ListField(child=serializers.IntegerField())
    returns = serializers.DictField(child=serializers.FloatField())


class ObservationShape(serializers.Serializer):
    """A match as one viewer sees it (`games.match.contract.observe`)."""

    match = serializers.UUIDField()
    number = serializers.IntegerField()
    game = serializers.CharField()
    preset = serializers.CharField()
    rules_version = serializers.IntegerField()
    options = serializers.DictField()
    status = serializers.ChoiceField(["running", "finished", "void", "abandoned"])
    outcome = OutcomeShape(allow_null=True)
    paused = serializers.BooleanField()
    seat = serializers.IntegerField(allow_null=True)
    seats = SeatShape(many=True)
    seq = serializers.IntegerField()
    events = EventShape(many=True)
    public = serializers.DictField()
    card = serializers.DictField()
    requests = RequestShape(many=True)
    waits_for = WaitShape(many=True)


class AtTableShape(serializers.Serializer):
    """What the caller sees at a table: match is null before the first one, and where it may not be seen."""

    code = serializers.CharField()
    chair = serializers.IntegerField(allow_null=True)
    match = ObservationShape(allow_null=True)


class MatchShape(serializers.Serializer):
    """A match as lists have it."""

    id = serializers.UUIDField()
    game = serializers.CharField()
    preset = serializers.CharField()
    status = serializers.CharField()
    result = serializers.CharField(allow_blank=True)
    seats = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    views = serializers.ListField(child=serializers.CharField(), help_text="as whom you may see it")


class ForkShape(MatchShape):
    """A match of a tree. parent: the match with which it begins, null of the first one; seq: up to which event."""

    parent = serializers.UUIDField(allow_null=True)  # type: ignore[assignment]  # as a field it is no attribute
    seq = serializers.IntegerField()


class MomentShape(Sent):
    """A moment of a match: after its event `seq`, or the end of the deal if that is later."""

    seq = serializers.IntegerField(min_value=1, max_value=10**9)


class PlayOnShape(MomentShape):
    """A table that goes on from a moment of a match. seat: where you sit; null: nowhere, or by lot where seats are
    drawn."""

    name = serializers.CharField(max_length=80, help_text="what you are called there")
    seat = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=1, max_value=12)


class PageShape(serializers.Serializer):
    """older, newer: what ?at= is for the pages beside this one; empty where there is none."""

    older = serializers.CharField(allow_blank=True)
    newer = serializers.CharField(allow_blank=True)


class MatchesShape(PageShape):
    results = MatchShape(many=True)


def read_nothing(data: Any) -> None:
    """Check that nothing was sent to what takes no body; raises `ValidationError`."""
    read(Sent, data)


def read(shape: type[serializers.Serializer], data: Any) -> dict[str, Any]:
    """What was sent, checked; raises `ValidationError`."""
    checked = shape(data=data)
    checked.is_valid(raise_exception=True)
    return checked.validated_data
