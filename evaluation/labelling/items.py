"""Which things a round labels: those that the task's selection and filter leave, drawn by the task's seed."""

import hashlib
import heapq
from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

from evaluation.desk.selection import Selection
from evaluation.labelling.models import NONE, Final, Item, Round, Scheme, Task, digest_of
from evaluation.labelling.premarks import marks
from games.match import view
from games.models import Match
from games.registry import RULES
from games.rules.core import Rules
from games.rules.values import Event

CHUNK = 500
MOST = 5000
"""Items of a round."""

SPARE = 3
"""So many times as many are drawn as are wanted: some hold no words."""


class Place(NamedTuple):
    """Where an item is. anchor: as in a log file."""

    match: UUID
    anchor: dict[str, Any]

    @property
    def known(self) -> tuple:
        return self.match, *sorted(self.anchor.items())


def matches_of(task: Task) -> Any:
    """The matches of a task that are over: nobody labels what is still played, or begins with what is."""
    chosen = Selection.of(task.selection, task.created_by).matches()
    return chosen.exclude(status="running").exclude(parent__status="running")


def draw(task: Task, scheme: Scheme, many: int, without: Iterable[Place] = ()) -> list[tuple[Place, str]]:
    """So many places, each with its words, in an order that depends on the task's seed and on what they are alone."""
    taken = {place.known for place in without}
    fresh = (place for place in _candidates(task, scheme) if place.known not in taken)
    drawn = heapq.nsmallest(SPARE * many + SPARE, fresh, key=lambda place: _lot(task.seed, place))
    worded = ((place, words) for place in drawn if (words := words_at(place)) is not None)
    return list(islice(worded, many))


def marked(scheme: Scheme, places: Collection[tuple[Place, str]]) -> list[list[str]]:
    """The labels that the rule of a scheme gives to each of these."""
    if not scheme.rule:
        return [[] for _place in places]
    said = marks(scheme.rule, {place.match for place, _words in places})
    return [said.get((place.match, place.anchor.get("event", 0))) or [NONE] for place, _words in places]


def add(part: Round, places: Collection[tuple[Place, str]], marks_of: Iterable[list[str]]) -> list[Item]:
    """Put these into a round, in this order, with what marks them beforehand."""
    return Item.objects.bulk_create(
        Item(
            round=part,
            number=number,
            match_id=place.match,
            anchor=place.anchor,
            marked=labels,
            digest=digest_of(words),
        )
        for number, ((place, words), labels) in enumerate(zip(places, marks_of, strict=True), 1)
    )


def _lot(seed: int, place: Place) -> bytes:
    return hashlib.sha256(f"{seed} {place.known}".encode()).digest()


def _candidates(task: Task, scheme: Scheme) -> Iterator[Place]:
    games = scheme.applies.get("games") or list(RULES)
    found = matches_of(task).filter(game__in=games).order_by().values_list("pk", "game")
    keys = iter(found.iterator(chunk_size=CHUNK))
    while chunk := dict(islice(keys, CHUNK)):
        yield from _with_members(task, chunk, _PLACES[scheme.what](task, scheme, chunk))


def _with_members(task: Task, chunk: dict[UUID, str], places: Iterator[tuple[Place, int]]) -> Iterator[Place]:
    """Those at whose seat there is one of the wanted roles and sides."""
    roles, sides = set(task.items.get("roles", ())), set(task.items.get("sides", ()))
    members = view.members_of(list(chunk)) if roles or sides else {}
    for place, seat in places:
        role, side = members.get((place.match, seat), ("", ""))
        if (not roles or role in roles) and (not sides or side in sides):
            yield place


def _events(task: Task, scheme: Scheme, chunk: dict[UUID, str]) -> Iterator[tuple[Place, int]]:
    kinds = set(task.items.get("kinds") or scheme.applies.get("kinds") or spoken(set(chunk.values())))
    for match, seq, seat, public in view.moves_of(list(chunk), kinds):
        if public or task.sees.get("roles"):
            yield Place(match, {"event": seq}), seat


def _thoughts(task: Task, scheme: Scheme, chunk: dict[UUID, str]) -> Iterator[tuple[Place, int]]:
    stages = task.items.get("stages") or scheme.applies.get("stages")
    rows = view.thoughts_of(list(chunk)).order_by()
    rows = rows.filter(stage__in=stages) if stages else rows
    for match, request, n, seat in rows.values_list("match_id", "request", "n", "seat").iterator():
        yield Place(match, {"request": request, "thought": n}), seat


def _seats(task: Task, scheme: Scheme, chunk: dict[UUID, str]) -> Iterator[tuple[Place, int]]:
    for match, seat in view.members_of(list(chunk)):
        yield Place(match, {"seat": seat}), seat


def _matches(task: Task, scheme: Scheme, chunk: dict[UUID, str]) -> Iterator[tuple[Place, int]]:
    return ((Place(match, {}), 0) for match in chunk)


_PLACES = {"events": _events, "thoughts": _thoughts, "seats": _seats, "matches": _matches}


def forget_parts(match: Match) -> None:
    """After an erasure: of items whose words are not the same any more no part is marked; their labels stay."""
    for item in Item.objects.filter(match=match).exclude(digest=""):
        now = digest_of(words_at(Place(match.pk, item.anchor)) or "")
        if now != item.digest:
            item.digest = now
            item.save(update_fields=["digest"])
            item.given.update(spans=[])
            Final.objects.filter(item=item).update(spans=[])


# Words ----------------------------------------------------------------------------------------------------------------


def spoken(games: Iterable[str]) -> list[str]:
    """The kinds of event of these games that hold words of players."""
    kinds = {kind for game in games if game in RULES for kind, about in RULES[game].all_kinds.items() if about.words}
    return sorted(kinds)


def words_at(place: Place) -> str | None:
    """What is said or thought there; "" where what was done is no matter of words, None where there is nothing."""
    match, anchor = place
    if "event" in anchor:
        game = Match.objects.values_list("game", flat=True).get(pk=match)
        event = view.event_of(match, anchor["event"])
        return None if event is None else words_of_event(RULES[game], event)
    if "thought" in anchor:
        row = view.thoughts_of([match]).filter(request=anchor["request"], n=anchor["thought"])
        said = row.values_list("reply", "data").first()
        return None if said is None else words_of_thought(*said) or None
    return ""


def words_of_event(rules: Rules, event: Event) -> str | None:
    """A player's own words in an event, one field a line; None where they said nothing."""
    fields = rules.words_of(event.kind, event.data)
    texts = [text for name in fields if isinstance(text := event.data.get(name), str) and text]
    return ("\n".join(texts) or None) if fields else ""


def words_of_thought(reply: str, data: dict[str, Any]) -> str:
    """What an agent thought in a step: a model's reply; of a house agent, which has none, its reason."""
    why = data.get("why")
    return reply or (why if isinstance(why, str) else "")
