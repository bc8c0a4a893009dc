"""What somebody who speaks to a seat wants of it: each message taken apart into points, each of one kind.

A plain reading by the words that stand in it, in whatever order and however spelled, and not a grammar: a question is
found again in many wordings, and what holds none of the words that are looked for is not understood.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from .kinds import QUESTIONS, STATEMENTS, Rule
from .lines import Line
from .spelling import WORDS, Names, words

ME, ALL, OTHER = "me", "all", "other"
"""Who is spoken to: this seat, the table, somebody else."""

GROUPS: dict[str, str] = WORDS["groups"]
"""By what is meant, the words for it, in any game."""
BAD: str = WORDS["against"]
CLEAN: str = WORDS["for"]

_ASKING = frozenset(
    "why who whom what which how where when do does did are is am was were will would can could should have has tell "
    "explain say name any shall may prove between among".split()
)
_OPENING = frozenset(
    "hey hi hello yo oi ok so and but well also then now please um uh hm hmm alright right just".split()
)
_BEFORE_A_CALL = frozenset(", me us it that this ok please now then here there too though again".split())
"""Words after which a name at the end calls whoever has it."""
_CALLING = _ASKING - frozenset("did does has is was will would should can could".split())
"""Words that, after a name, begin a question to whoever has it, and none about them."""
_BEGINNING = _ASKING | {"i"}
_JOINING = frozenset((",", "and", "but", "or", ":"))
_VERBS = frozenset("am is are was were trust saw see know think suspect doubt".split())
_OF_ANOTHER = re.compile(r"@\d+(?: and @\d+)* (?:is|are|was|were)\b")
"""Where what is said of one ends and of another begins: "i am ..., and @3 is ..."."""
_THEM = frozenset("him her he she".split())
"""Words for who was named before."""
_STOPS = frozenset(",.:;!?")
_YOU = frozenset("you your yours yourself".split())
_EVERYBODY = frozenset("all everyone everybody guys folks team people friends anyone anybody others".split())

SMALL_TALK: dict[str, re.Pattern] = {
    kind: re.compile("|".join(phrases)) for kind, phrases in WORDS["small_talk"].items()
}
"""By kind, what small talk sounds like."""
_LAUGH = re.compile(WORDS["laugh"], re.IGNORECASE)
_SHORT = 9
"""What has fewer words than that may be small talk and nothing else."""


_BESIDE = frozenset(("greeting", "praise", "thanks", "sorry"))
"""Small talk that goes before a question."""
_WONDERING = frozenset(("why", "who", "whom"))
OF_ME = frozenset(("opinion", "agree", "why_me", "why_suspect", "why_trust", "why_team", "urge_take"))
"""Kinds of point that may be about whoever speaks."""


class Point(NamedTuple):
    """One thing that a message asks or says. kind: what it is, "" where it was not understood; seats: whom it names,
    this seat among them where it is spoken of; to: who is spoken to; number: of a round, as far as it names one; role:
    that it names; tone: 1 where it speaks well of whom it names, -1 where not; said: its words as they were read;
    together: seats that stand in one list in it, "me" and "you" among them."""

    kind: str
    line: Line
    to: str
    asks: bool
    seats: tuple[int, ...] = ()
    number: int | None = None
    role: str | None = None
    tone: int = 0
    said: str = ""
    together: tuple[int, ...] = ()


class Vocabulary:
    """The words of a game: what the bad and the clean are called there, its roles (word to role), more groups of
    words, and rules of its own, which go before those of all games."""

    def __init__(
        self,
        *,
        bad: str = BAD,
        clean: str = CLEAN,
        roles: Mapping[str, str] | None = None,
        groups: Mapping[str, str] | None = None,
        questions: Sequence[Rule] = (),
        statements: Sequence[Rule] = (),
    ):
        self.roles = dict(roles or {})
        by_group = {**GROUPS, **(groups or {}), "bad": bad, "clean": clean}
        self.group_of: dict[str, list[str]] = {}
        for group, held in by_group.items():
            for word in held.split():
                self.group_of.setdefault(word, []).append(group)
        self.questions = (*questions, *QUESTIONS)
        self.statements = (*statements, *STATEMENTS)
        needed = {word for rule in (*self.questions, *self.statements) for some in rule.needs for word in some}
        plain = {word for word in needed if word.isalpha()}
        self.known = frozenset({*self.group_of, *self.roles, *plain, *_ASKING, *_OPENING, *_EVERYBODY})


def understood(line: Line, me: int, names: Names, vocabulary: Vocabulary) -> list[Point]:
    """The points of a message, as the seat ``me`` takes them; at least one."""
    if _LAUGH.match(line.text):
        return [Point("laugh", line, ALL, asks=False, said=line.text)]
    read = words(line.text, names, vocabulary.known)
    own = f"@{me}"
    to = _spoken_to(read, own)
    points: list[Point] = []
    if not [word for word in read if word not in _STOPS and word not in _OPENING and word != own] and own in read:
        return [Point("called", line, to, asks=True, said=" ".join(read))]
    named = ""
    for clause in _clauses(read):
        clause = [named if named and word in _THEM else word for word in _without_call(clause, own)]
        named = next((word for word in reversed(clause) if word.startswith("@")), named)
        if any(word[0] not in "?!.,;:" for word in clause):
            points.append(_point(clause, line, to, me, vocabulary))
    known = _without_echo([point for point in points if point.kind])
    asks = any(point.asks for point in points)
    return _distinct(known) or [Point("", line, to, asks, said=" ".join(read))]


def _without_echo(points: list[Point]) -> list[Point]:
    """These points without those that another one says as well: "trust me" and "do you believe me?" beside a claim,
    "why not @3?" beside the question what @3 did, "what do you think?" beside anything that is asked."""
    kinds = {point.kind for point in points}
    echoes = set()
    if kinds & {"claim_role", "claim_saw", "claim_word"}:
        echoes |= {"claim_good"}
    if kinds & {"claim_role", "claim_saw", "claim_word", "claim_good"}:
        echoes |= {"opinion", "agree"}

    def echo(point: Point) -> bool:
        of_them = point.seats in ((), (point.line.seat,))
        beside = {"why_not": {"why_suspect"}, "view": kinds - {"view", *SMALL_TALK}}.get(point.kind, set())
        return (point.kind in echoes and of_them) or bool(kinds & beside)

    return [point for point in points if not echo(point)]


def _distinct(points: Iterable[Point]) -> list[Point]:
    found: dict[tuple, Point] = {}
    for point in points:
        found.setdefault((point.kind, point.seats, point.role, point.number), point)
    return list(found.values())


def _spoken_to(read: list[str], own: str) -> str:
    """To whom a message is said: somebody else only where it calls them at its beginning or its end."""
    if own in read:
        return ME
    rest = [word for word in read if word not in "!?." and (word not in _OPENING or word == ",")]
    first = bool(rest) and rest[0].startswith("@") and (rest[1:2] == [","] or bool(_CALLING & set(rest[1:2])))
    asked = rest[2:3] == ["you"] and not _ASKING.isdisjoint(rest[1:2])
    last = len(rest) > 1 and rest[-1].startswith("@") and rest[-2] == ","
    return OTHER if first or last or (asked and rest[0].startswith("@")) else ALL


def _without_call(clause: list[str], own: str) -> list[str]:
    """A clause without the own name, where it only calls the seat; "you" in its place where the seat is spoken of."""
    if own not in clause:
        return clause
    rest = [word for word in clause if word != own]
    after = clause[clause.index(own) + 1 :][:1]
    before = clause[max(0, clause.index(own) - 1) : clause.index(own)]
    if before and before[0] in ("and", "or", "of", "with"):
        return ["you" if word == own else word for word in clause]
    calls = clause[0] == own and bool(after) and (after[0] in _STOPS or after[0] in _CALLING)
    last = not after or (after[0] in "?!." and clause[-1] == after[0])
    ends = last and bool(before) and before[0] in _BEFORE_A_CALL
    spoken_to = not _YOU.isdisjoint(rest)
    return rest if spoken_to or calls or ends or not rest else ["you" if word == own else word for word in clause]


def _clauses(read: list[str]) -> Iterable[list[str]]:
    """Parts of a message that each ask or say one thing, each with the sign at its end."""
    part: list[str] = []
    for place, word in enumerate(read):
        following, rest = "".join(read[place + 1 : place + 2]), read[place + 2 :]
        if word in "?!.;":
            yield [*part, word]
            part = []
        elif word in _JOINING and len(part) > 1 and "if" not in part and _begins(part, [following, *rest]):
            yield part
            part = []
        else:
            part.append(word)
    yield part


def _begins(part: list[str], rest: list[str]) -> bool:
    """Whether, after what stands in ``part``, something else begins with ``rest``."""
    if rest[0] in _BEGINNING:
        if rest[0] == "i" and rest[1:] in ([], ["?"], ["."]):
            return False
        return rest[0] != "why" or rest[1:] not in ([], ["?"])
    return not _VERBS.isdisjoint(part) and bool(_OF_ANOTHER.match(" ".join(rest)))


def _point(clause: list[str], line: Line, to: str, me: int, vocabulary: Vocabulary) -> Point:
    said = " ".join(clause)
    bare = [word for word in clause if word not in _STOPS]
    if bare[:2] == ["come", "on"] and len(bare) > 2:
        bare = bare[2:]
    while len(bare) > 1 and bare[0] in _OPENING:
        bare = bare[1:]
    asks = "?" in clause or bare[0] in _ASKING or not _WONDERING.isdisjoint([*bare[:3], bare[-1]])
    asks = asks and bare[:2] != ["let", "us"]
    seats = tuple(dict.fromkeys(int(word[1:]) for word in bare if word.startswith("@")))
    number = next((int(b) for a, b in pairwise(bare) if a == "quest" and b.isdigit()), None)
    role = next((vocabulary.roles[word] for word in bare if word in vocabulary.roles), None)
    together = _together(said, line.seat, me)
    found = _found(bare, seats, role, vocabulary) | ({"@@"} if together else set())
    ruled = vocabulary.questions if asks else vocabulary.statements
    kind = next((rule.kind for rule in ruled if rule.fits(found)), "")
    small = next((kind for kind, sounds in SMALL_TALK.items() if len(bare) < _SHORT and sounds.search(said)), "")
    if small and not (kind and small in _BESIDE and len(bare) > 3):
        return Point(small, line, to, asks, said=said)
    about = (*seats, line.seat) if "me" in found and kind in OF_ME and line.seat not in seats else seats
    return Point(kind, line, to, asks, about, number, role, _tone(bare, vocabulary), said, together)


_ONE = r"(?:@\d+|me|myself|i|you|yourself)"
_LIST = re.compile(rf"(?<![\w@]){_ONE}(?: ?(?:,|and|or|with|plus)(?: and)? {_ONE})+(?!\w)")


def _together(said: str, speaker: int, me: int) -> tuple[int, ...]:
    """The seats of a list of two or more, such as "me, you and @3"; none where there is no such list."""
    found = _LIST.search(said)
    if not found or "@" not in found[0]:
        return ()
    seats = (
        int(word[1:]) if word[0] == "@" else me if word.startswith("you") else speaker
        for word in re.findall(_ONE, found[0])
    )
    return tuple(dict.fromkeys(seats))


_TRUST_YOU = re.compile(
    r"\b(?:i|we|us|me|one|anyone|everyone|people)\b.* (?:trust|believe|rely on|vouch for) (?:\w+ )?you\b"
)


def _found(bare: list[str], seats: tuple[int, ...], role: str | None, vocabulary: Vocabulary) -> frozenset[str]:
    """The words of a clause, and what they are words for."""
    found = set(bare) | {group for word in bare for group in vocabulary.group_of.get(word, ())}
    if seats:
        found.add("@")
    if role is not None:
        found.add("#")
    if _TRUST_YOU.search(" ".join(bare)):
        found.add("you_object")
    return frozenset(found)


_WELL = frozenset(("clean", "trust", "yes", "like"))
_ILL = frozenset(("bad", "suspect", "lie", "fail", "no"))
REACH = 4
"""How many words before a word of praise or blame a "not" still turns it round."""


def _tone(bare: list[str], vocabulary: Vocabulary) -> int:
    """1 where a clause speaks well of whom it names, -1 where it speaks ill, 0 for neither."""
    tone = 0
    for place, word in enumerate(bare):
        groups = frozenset(vocabulary.group_of.get(word, ()))
        leaning = (not _WELL.isdisjoint(groups)) - (not _ILL.isdisjoint(groups))
        if any("not" in vocabulary.group_of.get(one, ()) for one in bare[max(0, place - REACH) : place]):
            leaning = -leaning
        tone += leaning
    return (tone > 0) - (tone < 0)
