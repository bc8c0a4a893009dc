"""What the API takes and tells of competitions and labs, as serializers (see `games.web.api.shapes`)."""

from rest_framework import serializers

from evaluation.lab.arms import MOST_ARMS
from evaluation.lab.labs import MOST_ROLLOUTS
from evaluation.models import Bout, Competition
from evaluation.suites import SUITES
from evaluation.suites.base import MOST_MATCHES
from evaluation.suites.own import MODES
from evaluation.web.api.shapes import StandingShape
from games.web.api.shapes import PageShape, Sent

# Competitions -------------------------------------------------------------------------------------------------------


class SuiteShape(serializers.Serializer):
    """A plan of matches. parts: those that defenders play, with who plays them if nobody else is named; matches: how
    many a challenger plays if nothing else is said, 0 where the suite fixes it; games: empty for any."""

    name = serializers.CharField()
    title = serializers.CharField()
    about = serializers.CharField()
    parts = serializers.DictField(child=serializers.CharField())
    matches = serializers.IntegerField()
    games = serializers.ListField(child=serializers.CharField())


class NewCompetitionShape(Sent):
    """A competition to be made. challengers: the profiles under test; defenders: by part the profile that plays it;
    take: only so many of the planned matches, from the first. game, preset, seats, mode: of the suite `own`; source (a
    competition of `wiu`), topics: of `human_study`. begin: whether it begins at once."""

    suite = serializers.ChoiceField(list(SUITES))
    name = serializers.CharField(max_length=120, required=False)
    challengers = serializers.ListField(child=serializers.CharField(max_length=80), max_length=50)
    defenders = serializers.DictField(child=serializers.CharField(max_length=80), required=False, default=dict)
    matches = serializers.IntegerField(min_value=1, max_value=MOST_MATCHES, required=False)
    take = serializers.IntegerField(min_value=1, max_value=MOST_MATCHES, required=False)
    seed = serializers.IntegerField(min_value=0, max_value=2**53, required=False)
    at_once = serializers.IntegerField(min_value=1, max_value=64, required=False)
    game = serializers.CharField(max_length=40, required=False)
    preset = serializers.CharField(max_length=40, required=False)
    seats = serializers.IntegerField(min_value=2, max_value=12, required=False)
    mode = serializers.ChoiceField(list(MODES), required=False)
    source = serializers.UUIDField(required=False)  # type: ignore[assignment]  # as a field it is no attribute
    topics = serializers.IntegerField(min_value=1, max_value=100, required=False)
    begin = serializers.BooleanField(required=False, default=True)


class CompetitionShape(serializers.Serializer):
    """A competition. paused_because: why, where nobody asked for it."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    suite = serializers.CharField()
    status = serializers.ChoiceField(Competition.Status.choices)
    at_once = serializers.IntegerField()
    paused_because = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)


class ProgressShape(serializers.Serializer):
    """How many matches there are in each state, and what is left; what is not known yet is null."""

    total = serializers.IntegerField()
    done = serializers.IntegerField()
    failed = serializers.IntegerField()
    playing = serializers.IntegerField()
    waiting = serializers.IntegerField()
    dropped = serializers.IntegerField()
    share = serializers.FloatField()
    cost = serializers.FloatField()
    calls = serializers.IntegerField()
    seconds_left = serializers.FloatField(allow_null=True)
    cost_left = serializers.FloatField(allow_null=True)


class OneCompetitionShape(CompetitionShape):
    """entry: what was asked for."""

    entry = serializers.DictField()
    progress = ProgressShape()


class CompetitionsShape(PageShape):
    results = CompetitionShape(many=True)


class BoutShape(serializers.Serializer):
    """A planned match. agents: the profile at each seat; match: once it has begun to be stored."""

    number = serializers.IntegerField()
    game = serializers.CharField()
    preset = serializers.CharField()
    agents = serializers.ListField(child=serializers.CharField())
    seed = serializers.IntegerField()
    labels = serializers.DictField()
    status = serializers.ChoiceField(Bout.Status.choices)
    match = serializers.UUIDField(allow_null=True)
    seconds = serializers.FloatField(allow_null=True)
    cost = serializers.FloatField()
    calls = serializers.IntegerField()
    error = serializers.CharField(allow_blank=True)


class BoutsShape(PageShape):
    results = BoutShape(many=True)


# The lab ------------------------------------------------------------------------------------------------------------


class ArmShape(Sent):
    """What is changed: another move, or by seat the profile that plays it from there on."""

    action = serializers.DictField(required=False, allow_null=True, default=None)
    agents = serializers.DictField(child=serializers.CharField(max_length=80), required=False, default=dict)


class NewLabShape(Sent):
    """A move of a match (seq: its event), and how it is changed; an arm that changes nothing is always played beside.
    house: house agents play on at all seats; talk: they talk as well."""

    match = serializers.UUIDField()
    seq = serializers.IntegerField(min_value=1, max_value=10**9)
    arms = serializers.ListField(child=ArmShape(), max_length=MOST_ARMS, required=False, default=list)
    rollouts = serializers.IntegerField(min_value=2, max_value=MOST_ROLLOUTS, required=False, default=64)
    house = serializers.BooleanField(required=False, default=False)
    talk = serializers.BooleanField(required=False, default=False)


class ExpectedShape(serializers.Serializer):
    """seconds of work, calls of models, US dollars; unpriced: models of which no price is known."""

    seconds = serializers.FloatField()
    calls = serializers.IntegerField()
    dollars = serializers.FloatField()
    unpriced = serializers.ListField(child=serializers.CharField())


class DifferenceShape(serializers.Serializer):
    """By how much an arm differs from the unchanged one, in pairs. interval: of 95%; factor: how many times as large
    its variance would be without common random numbers."""

    value = serializers.FloatField()
    interval = serializers.ListField(child=serializers.FloatField(), allow_null=True)
    factor = serializers.FloatField(allow_null=True)


class LabRowShape(serializers.Serializer):
    """What one side (or seat) had in an arm: the share of matches won with its interval of 95%, or the mean of its
    points, whose interval is null; n: of so many matches."""

    name = serializers.CharField()
    value = serializers.FloatField()
    interval = serializers.ListField(child=serializers.FloatField(), allow_null=True)
    n = serializers.IntegerField()
    difference = DifferenceShape(allow_null=True)


class LabArmShape(serializers.Serializer):
    """arm: what is changed, {} for the unchanged one, which is the first."""

    arm = serializers.DictField()
    rows = LabRowShape(many=True)


class ListedLabShape(serializers.Serializer):
    """A lab as lists have it. played: how many of the rollouts."""

    id = serializers.UUIDField()
    match = serializers.UUIDField()
    seq = serializers.IntegerField()
    rollouts = serializers.IntegerField()
    house = serializers.BooleanField()
    talk = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    played = serializers.IntegerField()


class LabsShape(PageShape):
    results = ListedLabShape(many=True)


class LabShape(ListedLabShape):
    """A lab. cost: in US dollars; shares: rows tell who won, and not points; really: how the match itself ended, by
    side 1 or 0, or by seat its points; null if it was not finished."""

    cost = serializers.FloatField()
    shares = serializers.BooleanField()
    really = serializers.DictField(child=serializers.FloatField(), allow_null=True)
    arms = LabArmShape(many=True)
    standing = StandingShape(allow_null=True)
