"""What the API of what is evaluated takes and tells, as serializers (see `games.web.api.shapes`)."""

from rest_framework import serializers

from evaluation.exports.content import PARTS
from evaluation.exports.formats import FORMATS
from evaluation.exports.models import Export
from evaluation.labelling.models import Final, Scheme
from games.audit import Audited
from games.web.api.shapes import PageShape, Sent


class StandingShape(serializers.Serializer):
    """How far a job is. late: no worker has taken it up; left: seconds until its end, as far as that is known; error:
    why the last one failed."""

    title = serializers.CharField()
    waiting = serializers.IntegerField()
    running = serializers.IntegerField()
    late = serializers.BooleanField()
    done = serializers.IntegerField()
    of = serializers.IntegerField()
    message = serializers.CharField(allow_blank=True)
    left = serializers.FloatField(allow_null=True)
    error = serializers.CharField(allow_blank=True)


# Numbers ------------------------------------------------------------------------------------------------------------


class ColumnShape(serializers.Serializer):
    """A metric. unit: "share", or what it is counted in. lower: less is better."""

    name = serializers.CharField()
    title = serializers.CharField()
    about = serializers.CharField()
    source = serializers.CharField(allow_blank=True)  # type: ignore[assignment]  # as a field it is no attribute
    unit = serializers.CharField(allow_blank=True)
    lower = serializers.BooleanField()


class BoardShape(serializers.Serializer):
    """A table of numbers. counts: which matches go in."""

    name = serializers.CharField()
    title = serializers.CharField()
    about = serializers.CharField(allow_blank=True)
    counts = serializers.CharField(allow_blank=True)
    columns = ColumnShape(many=True)


class NumberShape(serializers.Serializer):
    """A number. low, high: its interval of 95%; n: how many items it counts, and from how many matches; numerator,
    denominator: null of one that is made of others, and of a printed one; behind: where its events are told, "" where
    there are none."""

    metric = serializers.CharField()
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    numerator = serializers.FloatField(allow_null=True)
    denominator = serializers.FloatField(allow_null=True)
    n = serializers.IntegerField(allow_null=True)
    matches = serializers.IntegerField(allow_null=True)
    behind = serializers.CharField(allow_blank=True)


class RowShape(serializers.Serializer):
    """Who was measured. source: the paper that printed the row, "" of what was counted here."""

    title = serializers.CharField()
    source = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    notes = serializers.ListField(child=serializers.CharField())
    numbers = NumberShape(many=True)


class NumbersShape(BoardShape):
    """A table with its rows. choice: which matches were asked for; fresh: nothing has been stored since it was
    counted."""

    choice = serializers.DictField(child=serializers.CharField())
    fresh = serializers.BooleanField()
    matches = serializers.IntegerField()
    left_out = serializers.IntegerField()
    rows = RowShape(many=True)


class CountingShape(serializers.Serializer):
    """It is being counted for the first time: ask again."""

    counting = StandingShape(allow_null=True)


class CountedShape(serializers.Serializer):
    """An event that a number counts. seq: 0 for what stands in no single one; by: "people" or "rule", where it may be
    either."""

    match = serializers.CharField()
    game = serializers.CharField()
    seat = serializers.IntegerField()
    who = serializers.CharField()
    metric = serializers.CharField()
    seq = serializers.IntegerField(allow_null=True)
    value = serializers.FloatField(allow_null=True)
    weight = serializers.FloatField(allow_null=True)
    by = serializers.CharField(allow_blank=True)


class BehindShape(serializers.Serializer):
    """next: what ?from= is for the events after these; null where there are none."""

    events = CountedShape(many=True)
    next = serializers.IntegerField(allow_null=True)


# Labels -------------------------------------------------------------------------------------------------------------


class TaskShape(serializers.Serializer):
    """A task. rates: you are one of its raters; runs: you may see all of it. round: the newest one."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    scheme = serializers.CharField(help_text="name:version")
    closed = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    rates = serializers.BooleanField()
    runs = serializers.BooleanField()


class TasksShape(PageShape):
    results = TaskShape(many=True)


class SchemeLabelShape(serializers.Serializer):
    name = serializers.CharField()
    title = serializers.CharField()
    definition = serializers.CharField(allow_blank=True)


class SchemeShape(serializers.Serializer):
    """By what is labelled. kind: "single" and "ordinal" take one label an item; "span" takes parts of its words."""

    name = serializers.CharField()
    version = serializers.IntegerField()
    title = serializers.CharField()
    about = serializers.CharField(allow_blank=True)
    kind = serializers.ChoiceField(Scheme.Kind.values)
    labels = SchemeLabelShape(many=True)


class RaterShape(serializers.Serializer):
    """How far a rater is. pace: items a minute."""

    rater = serializers.CharField(help_text="a pseudonym, as the matrix has it")
    given = serializers.IntegerField()
    total = serializers.IntegerField()
    pace = serializers.FloatField(allow_null=True)


class RoundShape(serializers.Serializer):
    """raters: for who runs the task; empty for others."""

    number = serializers.IntegerField()
    closed = serializers.BooleanField()
    scheme = SchemeShape()
    items = serializers.IntegerField()
    raters = RaterShape(many=True)


class OneTaskShape(TaskShape):
    rounds = RoundShape(many=True)


class ItemShape(serializers.Serializer):
    """A thing to be labelled, as its rater may see it. words: what spans count characters of; before, after: what
    stands around it; marked: what a rule says of it."""

    id = serializers.IntegerField()
    game = serializers.CharField()
    facts = serializers.ListField(child=serializers.CharField(allow_blank=True))
    before = serializers.ListField(child=serializers.CharField(allow_blank=True))
    words = serializers.CharField(allow_blank=True)
    after = serializers.ListField(child=serializers.CharField(allow_blank=True))
    marked = serializers.ListField(child=serializers.CharField())


class NextShape(serializers.Serializer):
    """The next items that wait for you, and how many you have done of how many. round: null where none is open."""

    round = serializers.IntegerField(allow_null=True)
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    items = ItemShape(many=True)


class GivenShape(Sent):
    """What you give an item. spans: for each label [from, to], which characters of the words it is on, or null for all
    of them; none where the scheme has none. seconds: how long it took."""

    labels = serializers.ListField(child=serializers.CharField(max_length=60), max_length=40)
    spans = serializers.ListField(
        child=serializers.ListField(
            child=serializers.IntegerField(min_value=0, max_value=10**9), min_length=2, max_length=2, allow_null=True
        ),
        required=False,
        default=list,
        max_length=40,
    )
    note = serializers.CharField(required=False, default="", allow_blank=True, max_length=2000)
    seconds = serializers.FloatField(required=False, default=0, min_value=0, max_value=10**6)


class MeasureShape(serializers.Serializer):
    """n: of how many items; low, high: the interval of 95%, null with few."""

    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    n = serializers.IntegerField()


class PairShape(MeasureShape):
    raters = serializers.ListField(child=serializers.CharField())


class AgreeingShape(serializers.Serializer):
    """How far raters agree on a label, or on all together (null). given: how many times it was."""

    label = serializers.CharField(allow_null=True)  # type: ignore[assignment]
    given = serializers.IntegerField()
    percent = MeasureShape()
    cohen = PairShape(many=True)
    fleiss = MeasureShape()
    alpha = MeasureShape()
    ordinal = MeasureShape(allow_null=True)


class MatrixRowShape(serializers.Serializer):
    """An item: what each rater gave it, how far they agree, and what holds."""

    item = serializers.IntegerField()
    match = serializers.UUIDField()
    on = serializers.DictField()
    given = serializers.DictField(child=serializers.ListField(child=serializers.CharField()))
    share = serializers.FloatField(allow_null=True)
    final = serializers.ListField(child=serializers.CharField(), allow_null=True)
    how = serializers.ChoiceField(["", *Final.How.values])


class MatrixShape(serializers.Serializer):
    raters = serializers.ListField(child=serializers.CharField())
    items = MatrixRowShape(many=True)


# Exports and imports ------------------------------------------------------------------------------------------------


class OrderShape(Sent):
    """An export to be made. selection: which matches, by the names that addresses of the list of logs have; content:
    what is in it besides what everybody at the table could know. names, reason: for who may name people."""

    selection = serializers.DictField(
        child=serializers.CharField(max_length=40_000, allow_blank=True), required=False, default=dict
    )
    content = serializers.ListField(child=serializers.ChoiceField(list(PARTS)), required=False, default=list(PARTS))
    formats = serializers.ListField(child=serializers.ChoiceField(list(FORMATS)))
    excel = serializers.BooleanField(required=False, default=False)
    licence = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    names = serializers.BooleanField(required=False, default=False)
    reason = serializers.CharField(required=False, default="", allow_blank=True, max_length=500)


class ListedExportShape(serializers.Serializer):
    """An export. gone: why its file is no more, before its time. rows: how many each collection has. What is counted is
    null for who still plays a match in it."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    selection = serializers.DictField(child=serializers.CharField(allow_blank=True))
    content = serializers.ListField(child=serializers.CharField())
    formats = serializers.ListField(child=serializers.CharField())
    created_at = serializers.DateTimeField()
    made_at = serializers.DateTimeField(allow_null=True)
    matches = serializers.IntegerField(allow_null=True)
    rows = serializers.DictField(child=serializers.IntegerField(), allow_null=True)
    size = serializers.IntegerField(allow_null=True)
    sha256 = serializers.CharField(allow_blank=True, allow_null=True)
    gone = serializers.ChoiceField(["", *Export.Gone.values])


class ExportShape(ListedExportShape):
    """An export with its file. file: where it is; "" while it is made, when it is gone, and for who may not have it."""

    file = serializers.CharField(allow_blank=True)
    standing = StandingShape(allow_null=True)


class ExportsShape(PageShape):
    results = ListedExportShape(many=True)


class BringShape(Sent):
    """A file that is about to come. unfinished: logs that end before their matches do are taken too."""

    name = serializers.CharField(max_length=200)
    size = serializers.IntegerField(min_value=1, max_value=10**12, help_text="in bytes")
    unfinished = serializers.BooleanField(required=False, default=False)


class FaultShape(serializers.Serializer):
    file = serializers.CharField(allow_blank=True)
    line = serializers.IntegerField(allow_null=True)
    sentence = serializers.CharField()


class ListedImportShape(serializers.Serializer):
    """A file of logs. received: all of it is here. matches: how many it holds; new: how many came of it; here: how many
    were here before; erased: how many came without the words of somebody who was erased here; wrong: how many things
    are."""

    id = serializers.UUIDField()
    name = serializers.CharField(allow_blank=True)
    size = serializers.IntegerField()
    received = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    published_at = serializers.DateTimeField(allow_null=True)
    sha256 = serializers.CharField(allow_blank=True)
    matches = serializers.IntegerField()
    new = serializers.IntegerField()
    here = serializers.IntegerField()
    erased = serializers.IntegerField()
    wrong = serializers.IntegerField()


class ImportShape(ListedImportShape):
    """A file of logs with what is told of it. piece: how many bytes a piece has, of which the last may be shorter;
    pieces: how many are here; faults: the first things that are wrong; aside: its files that hold no logs; came: the
    first matches that came of it."""

    piece = serializers.IntegerField()
    pieces = serializers.IntegerField()
    faults = FaultShape(many=True)
    aside = serializers.ListField(child=serializers.CharField())
    came = serializers.ListField(child=serializers.UUIDField())
    standing = StandingShape(allow_null=True)


class ImportsShape(PageShape):
    results = ListedImportShape(many=True)


# The audit ----------------------------------------------------------------------------------------------------------


class NotedShape(serializers.Serializer):
    """Something that somebody did. who, whom: names of accounts, or what else did it."""

    number = serializers.IntegerField()
    at = serializers.DateTimeField()
    what = serializers.ChoiceField(Audited.What.values)
    who = serializers.CharField(allow_blank=True)
    whom = serializers.CharField(allow_blank=True)
    match = serializers.UUIDField(allow_null=True)
    about = serializers.CharField(allow_blank=True)
    details = serializers.DictField()


class AuditShape(PageShape):
    results = NotedShape(many=True)
