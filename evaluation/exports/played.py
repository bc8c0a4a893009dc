"""Flat files of what was played: what each has of a match, with every column's meaning and source."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

from evaluation.exports.declared import (
    JSON,
    MATCH,
    MOMENT,
    NUMBER,
    REQUEST,
    SEAT,
    TEXT,
    WHOLE,
    YES_NO,
    Column,
    Row,
    as_json,
    collection,
)
from evaluation.exports.told import Told
from evaluation.metrics.base import challenger
from games.registry import RULES


def _arm(told: Told) -> str:
    """Who is compared: the challenger of a competition's match, with the suite's arm where it has several; of another
    match all who play."""
    named = [str(told.log.labels[name]) for name in ("challenger", "arm") if told.log.labels.get(name)]
    return " · ".join(named) or ", ".join(sorted({seat.agent or seat.kind for seat in told.log.header.seats}))


def _deal(told: Told) -> str:
    """A mark of what was dealt, the same for all matches of one deal."""
    case = told.record.case if told.record is not None else told.id
    return blake2b(repr(case).encode(), digest_size=8).hexdigest()


@collection(
    "matches", "A row is a match.",
    MATCH,
    Column("game", TEXT, "The game.", "log: `match`"),
    Column("preset", TEXT, "The preset of its options.", "log: `match`"),
    Column("rules_version", WHOLE, "The version of its rules.", "log: `match`"),
    Column("origin", TEXT, "Where it comes from: played, fork, import, study, competition.", "log: `match`", "roles"),
    Column("competition", TEXT, "The competition that it was planned for.", "log: `labels`", "roles"),
    Column("suite", TEXT, "The suite of that competition.", "log: `labels`", "roles"),
    Column("deal", TEXT, "The same for matches of one deal: two arms are merged on it.", "the deal, hashed", "roles"),
    Column("arm", TEXT, "Who is compared: challenger and arm, or all who play.", "log: `labels`, `seats`", "roles"),
    Column("seats", WHOLE, "How many seats it has.", "log: `match`"),
    Column("status", TEXT, "running, finished, void or abandoned.", "log: `outcome`"),
    Column("result", TEXT, "How it ended; each game has its own list.", "log: `outcome`"),
    Column("winners", JSON, "The seats that won.", "log: `outcome`", "roles"),
    Column("began", MOMENT, "When its first event was.", "log: first `event`"),
    Column("ended", MOMENT, "When its last event was, if it is over.", "log: last `event`"),
    Column("events", WHOLE, "How many events of it are in this export.", "counted"),
    Column("cost", NUMBER, "US dollars for calls of models.", "log: `thought`, added up", "calls"),
    Column("forked_from", TEXT, "The match that it begins with, if it is a fork.", "log: `match`", "roles"),
    Column("seed", TEXT, "The seed of all draws, as a text: it has up to 19 digits.", "log: `match`", "roles"),
    Column("options", JSON, "The options, resolved.", "log: `match`"),
    Column("setting", JSON, "What was dealt from.", "log: `match`", "roles"),
    Column("labels", JSON, "What a competition planned it as.", "log: `match`", "roles"),
    key="match",
)  # fmt: skip
def matches(told: Told) -> Iterator[Row]:
    log, header = told.log, told.log.header
    outcome = told.outcome
    times = list(log.times.values())
    planned = log.labels
    yield [
        told.id,
        header.game,
        header.preset,
        header.rules_version,
        log.origin or None,
        planned.get("competition"),
        planned.get("suite"),
        _deal(told),
        _arm(told),
        len(header.seats),
        outcome.status,
        outcome.result,
        as_json(list(outcome.winners)),
        times[0] if times else None,
        times[-1] if times and outcome.status != "running" else None,
        len(log.events),
        sum(thought["cost"] for thought in told.thoughts),
        (header.forked_from or {}).get("match"),
        str(header.seed),
        as_json(header.options),
        as_json(header.setting),
        as_json(planned) if planned else None,
    ]


@collection(
    "seats", "A row is a seat of a match.",
    MATCH, SEAT,
    Column("name", TEXT, "How it is called: of a person a pseudonym, unless names were chosen.", "log: `match`"),
    Column("person", TEXT, "The pseudonym of a person, the same in all of this export.", "made for the export"),
    Column("kind", TEXT, "person or agent; empty where that is hidden.", "log: `match`"),
    Column("agent", TEXT, "The profile of an agent.", "log: `match`", "roles"),
    Column("method", TEXT, "How the agent thinks.", "log: `thought`", "thoughts"),
    Column("model", TEXT, "The names that APIs gave its models.", "log: `thought`", "calls"),
    Column("role", TEXT, "What the seat was.", "the rules' cast of the deal", "roles"),
    Column("side", TEXT, "Whose side it was on.", "the rules' cast of the deal", "roles"),
    Column("tested", YES_NO, "Whether it is this seat that a competition tests.", "log: `labels`", "roles"),
    Column("won", YES_NO, "Whether it is among the winners of a finished match.", "log: `outcome`", "roles"),
    Column("points", NUMBER, "Points in the end.", "log: `outcome`", "roles"),
    Column("own", YES_NO, "Whether all its moves were its own player's.", "log: `by` of its moves", "roles"),
    key="match seat",
)  # fmt: skip
def seats(told: Told) -> Iterator[Row]:
    outcome, record = told.outcome, told.record
    over = record is not None and outcome.status == "finished"
    planned = "challenger" in told.log.labels
    methods: dict[int, set[str]] = {}
    models: dict[int, set[str]] = {}
    for thought in told.thoughts:
        methods.setdefault(thought["seat"], set()).add(thought["method"])
        if thought["model"]:
            models.setdefault(thought["seat"], set()).add(thought["model"])
    for sitter in told.log.header.seats:
        seat = sitter.seat
        yield [
            told.id,
            seat,
            sitter.name,
            told.people.get(seat),
            sitter.kind or None,
            sitter.agent,
            ", ".join(sorted(methods.get(seat, ()))) or None,
            ", ".join(sorted(models.get(seat, ()))) or None,
            told.roles.get(seat),
            told.sides.get(seat),
            challenger(record, seat) is not None if planned and record is not None else None,
            seat in outcome.winners if over else None,
            outcome.returns.get(seat) if over else None,
            record.counts(seat) if record is not None else None,
        ]


@collection(
    "events", "A row is an event: a line of a log.",
    MATCH,
    Column("seq", WHOLE, "Its number in the log, from 1.", "log: `event`"),
    Column("at", MOMENT, "When it was.", "log: `event`"),
    Column("kind", TEXT, "What happened; the log's page has the kinds of each game.", "log: `event`"),
    Column("seat", WHOLE, "Who acted, or whom it is about.", "log: `event`"),
    Column("audience", JSON, "The seats that saw it; empty: everybody.", "log: `event`"),
    Column("by", TEXT, "person, agent:<profile>, default, opening, moderator; or only seat.", "log: `event`"),
    Column("request", TEXT, "The request that it answers.", "log: `event`"),
    Column("words", TEXT, "What a player said in words of their own.", "the fields of `data` that hold words"),
    Column("data", JSON, "All of it; empty where only is told that it happened.", "log: `event`"),
    key="match seq",
)  # fmt: skip
def events(told: Told) -> Iterator[Row]:
    rules, times = RULES.get(told.log.header.game), told.log.times
    for (seq, kind, seat, audience, data, by, request), text in zip(told.log.events, told.texts, strict=True):
        said = None
        if data and rules is not None:
            texts = [data.get(name) for name in rules.words_of(kind, data)]
            said = "\n".join(text for text in texts if isinstance(text, str)) or None
        seen = None if audience is None else as_json(list(audience))
        yield [told.id, seq, times.get(seq), kind, seat, seen, by, request, said, text]


@collection(
    "thoughts", "A row is a step of an agent's reasoning about a request.",
    MATCH, REQUEST,
    Column("n", WHOLE, "Its number among the thoughts about that request, from 1.", "log: `thought`"),
    SEAT,
    Column("method", TEXT, "How it thinks, or house.", "log: `thought`"),
    Column("stage", TEXT, "The step within the method.", "log: `thought`"),
    Column("prompt", TEXT, "What a model was told.", "log: `thought`, `text`", "prompts"),
    Column("reply", TEXT, "What it said.", "log: `thought`"),
    Column("data", JSON, "What was read from it.", "log: `thought`"),
    part="thoughts", key="match request n",
)  # fmt: skip
def thoughts(told: Told) -> Iterator[Row]:
    for one in told.log.thoughts:
        yield [
            told.id, one["request"], one["n"], one["seat"], one["method"], one["stage"], one.get("prompt"),
            one["reply"], one["data"],
        ]  # fmt: skip


@collection(
    "attempts", "A row is what did not count: a refused move, or a reply that could not be read.",
    MATCH, REQUEST, SEAT,
    Column("by", TEXT, "Who tried, as of an event.", "log: `attempt`"),
    Column("code", TEXT, "Why it does not count, for programs.", "log: `attempt`"),
    Column("sentence", TEXT, "Why, for people.", "log: `attempt`"),
    Column("action", JSON, "What was tried.", "log: `attempt`"),
    Column("instead", TEXT, "What was done then.", "log: `attempt`"),
    part="thoughts",
)  # fmt: skip
def attempts(told: Told) -> Iterator[Row]:
    for one in told.log.attempts:
        yield [
            told.id, one["request"], one["seat"], one["by"], one["code"], one["sentence"], as_json(one["action"]),
            one["instead"],
        ]  # fmt: skip


@collection(
    "calls", "A row is a question to a model, with its repetitions.",
    MATCH, REQUEST,
    Column("n", WHOLE, "The number of the thought that it belongs to.", "log: `thought`"),
    SEAT,
    Column("stage", TEXT, "The step within the method.", "log: `thought`"),
    Column("model", TEXT, "The name that the API gave the model.", "log: `thought`"),
    Column("calls", WHOLE, "How often the model was asked.", "log: `thought`, `attempts`"),
    Column("tokens_in", WHOLE, "Tokens read.", "log: `thought`"),
    Column("tokens_out", WHOLE, "Tokens written.", "log: `thought`"),
    Column("cached", WHOLE, "Of those read, how many came from the API's cache.", "log: `thought`"),
    Column("stored", WHOLE, "Of those read, how many went into it.", "log: `thought`"),
    Column("cost", NUMBER, "US dollars.", "log: `thought`"),
    Column("ms", WHOLE, "Time of the call, in milliseconds.", "log: `thought`"),
    part="calls", key="match request n",
)  # fmt: skip
def calls(told: Told) -> Iterator[Row]:
    for one in told.thoughts:
        if one["model"]:
            yield [
                told.id, one["request"], one["n"], one["seat"], one["stage"], one["model"], one["attempts"],
                one["tokens_in"], one["tokens_out"], one["cached"], one["stored"], one["cost"], one["ms"],
            ]  # fmt: skip


@collection(
    "polls", "A row is an answer to one question of a poll about beliefs.",
    MATCH,
    Column("seq", WHOLE, "The event of the answer.", "log: `event`"),
    Column("moment", TEXT, "When the poll was taken, as the game calls it.", "log: `polling`"),
    Column("poll", WHOLE, "Which poll of the match it was, from 1.", "log: `polling`, counted"),
    SEAT,
    Column("question", TEXT, "What was asked; the log's page has the questions of each game.", "log: `poll`"),
    Column("answer", JSON, "What was said.", "log: `poll`"),
    Column("own", YES_NO, "Whether the seat's own player said it.", "log: `by` of the event"),
    part="polls", key="match seq question",
)  # fmt: skip
def polls(told: Told) -> Iterator[Row]:
    moment, number = None, 0
    for event in told.events:
        if event.kind == "polling":
            moment, number = event.data["moment"], number + 1
        elif event.kind == "poll" and not event.data.get("skipped"):
            own = told.whole.own(event) if told.whole is not None else None
            for question, answer in sorted(event.data.items()):
                yield [told.id, event.seq, moment, number, event.seat, question, as_json(answer), own]


@collection(
    "votes", "A row is a vote of any sort.",
    MATCH,
    Column("seq", WHOLE, "The event of the vote.", "log: `event`"),
    Column("kind", TEXT, "Which vote it was: the kind of the event.", "log: `event`"),
    Column("round", WHOLE, "In which round, from 1; 0 before the first.", "counted"),
    SEAT,
    Column("target", WHOLE, "The seat that it is for, where it is for one; empty: an abstention.", "log: `event`"),
    Column("yes", YES_NO, "Whether it says yes, where that is asked.", "log: `event`"),
    Column("own", YES_NO, "Whether the seat's own player gave it.", "log: `by` of the event"),
    part="roles", key="match seq",
)  # fmt: skip
def votes(told: Told) -> Iterator[Row]:
    if told.whole is None:
        return
    for event in told.events:
        if event.request is not None and event.kind.rpartition("_")[2] == "vote":
            said = next((value for value in event.data.values() if isinstance(value, bool)), None)
            place = told.whole.round_of(event.seq)
            yield [
                told.id,
                event.seq,
                event.kind,
                place,
                event.seat,
                event.data.get("seat"),
                said,
                told.whole.own(event),
            ]
