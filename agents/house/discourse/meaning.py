"""What somebody who speaks to a seat wants of it: each message taken apart into points, each of one kind.

A plain reading by the words that stand in it, in whatever order and however spelled, and not a grammar: a question is
found again in many wordings, and what holds none of the words that are looked for is not understood.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

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
_OPENING = frozenset("hey hi hello yo oi ok so and but well also then now please um uh hm hmm alright right".split())
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
    that it names; tone: 1 where it speaks well of whom it names, -1 where not; said: its words as they were read."""

    kind: str
    line: Line
    to: str
    asks: bool
    seats: tuple[int, ...] = ()
    number: int | None = None
    role: str | None = None
    tone: int = 0
    said: str = ""


class Rule(NamedTuple):
    """A kind of point and the words that it has: each of ``needs`` (one of several between bars), none of ``lacks``."""

    kind: str
    needs: tuple[frozenset[str], ...]
    lacks: frozenset[str]

    def fits(self, found: frozenset[str]) -> bool:
        return self.lacks.isdisjoint(found) and all(not some.isdisjoint(found) for some in self.needs)


def rules(text: str) -> tuple[Rule, ...]:
    """Rules, one a line: "kind: word other|another -not_this"."""
    made = []
    for row in text.strip().splitlines():
        kind, _, wanted = row.strip().partition(":")
        parts = wanted.split()
        needs = tuple(frozenset(part.split("|")) for part in parts if not part.startswith("-"))
        made.append(Rule(kind, needs, frozenset(part[1:] for part in parts if part.startswith("-"))))
    return tuple(made)


# "@": another seat that is named; "you": who is asked; "me": who asks; "#": a role; else groups of words, and words.
QUESTIONS = rules("""
    bot: you bot
    bot: bot -@ -who
    lady: lady
    did_fail: was|is it you fail
    did_fail: you fail card
    did_fail: did you fail -why -who -suspect -think -@
    who_failed: who fail -you
    who_failed: what fail quest -you -why
    did_fail: you fail -why -suspect -think -who -yes -vote -take -team -@
    who_is: who # -you
    who_is: who # think|guess|suspect
    who_is: @ #
    is_role: you # -@
    role: you role|card -why
    role: role -@ -quest -why -many
    role: what are you -think -do -going -vote -take -like -suspect -trust -say -plan -see -team
    role: who are you -take -trust -suspect -bad -clean -think -vote -see -send -with -going -yes -no -lead -like
    role: what|which side you
    role: you claim -@ -why
    will_vote: team wrong
    view_take: who want team|quest|next|it
    suspect_who: which bad|suspect -why
    why_me: why me -you -vote -yes -no -suspect -trust -clean -bad
    why_vote: what|how did you vote
    why_trust: why trust|clean -not -suspect -bad -yes -vote -take -you_object
    why_suspect: why suspect|bad|lie -yes -take -vote
    why_suspect: why not trust -yes -take -vote
    why_vote: why vote|yes|no -take
    why_vote: why not yes
    why_team: why take|team|lead|include|quest
    why_vote: how come vote|yes|no
    why_team: how come take|team
    trust_you: trust you_object -@
    trust_you: clean|bad|lie you -@ -who -think_of -me -vote -yes -team
    many: how many bad|clean|fail|quest|#|players
    votes: who vote|yes|no
    votes: how @ vote
    votes: did @ vote|yes|no -you
    aboard: who was|were quest|team
    leader: who lead
    leader: turn
    suspect_who: who take|go|team not -why
    suspect_who: who exclude|rule|avoid|leave
    suspect_who: who between|among
    view_take: who take|go|team|aboard|join|partner -fail -suspect -bad
    view_take: what|which team -think -like -vote -about
    view_take: you take -@ -vote -why
    suspect_who: who trust not|least
    suspect_who: who suspect|bad|lie|against|culprit
    suspect_who: any suspect|bad
    suspect_who: you suspect -@ -why
    trust_who: who trust|clean|clear|like
    trust_who: you trust -@ -why -me
    agree: agree
    opinion: without|with|want @ -agree
    opinion: think|trust|suspect|bad|clean|about|lie|like|take|view|of @
    opinion: think|trust|suspect|bad|clean|about|lie|take|of me -team -vote
    opinion: @ -vote -yes -no -team -quest
    will_vote: vote|yes|no
    will_vote: team think|like|clean|about|bad|of|opinion
    will_vote: you like team|this|it|that
    score: score
    score: what|which|where|how quest -why
    score: who win|winning|won|ahead
    leader: lead
    why: why
    why: how come
    view: think|plan
    view: what do|should|happened|next|say
    view: you tell
    sure: sure
    suspect_who: suspect|bad
    trust_who: trust
    view_take: take
""")

STATEMENTS = rules("""
    bot: you bot
    claim_lady: lady @
    claim_role: am|as|here|claim|claiming # -@ -think -you
    claim_role: me # -@ -think -suspect -trust
    claim_saw: me see @ bad|clean|#
    accused_role: you # -@
    denied_fail: me fail not
    denied_fail: was not me -@
    confessed: me fail|bad -not -you -@ -think -suspect -trust -see -against
    claim_good: me bad not -@ -you
    claim_good: me clean -@ -you -trust -think
    claim_good: me trust -you -@ -who -not
    urge_vote: if vote|yes
    accused: you bad|lie|fail|suspect
    accused: lie stop
    accused: you yes|no|vote often
    opinion: you wrong @
    differ: you wrong
    differ: me agree you
    denied_fail: me success
    accused: me not trust you
    praised: you clean|trust -not
    accused: you clean|trust not
    accused: you yes|no|vote|take fail|quest
    against: @ bad|lie|fail|suspect
    against: @ not trust|clean
    against: @ think|it -clean -trust -you
    for: @ clean|trust
    who_is: @ #
    urge_take: take me|@
    urge_vote: vote|yes|no|team
    agree: agree
    leader: lead
    claim_role: #
    suspect_who: suspect|bad
    view: think|plan
""")


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
            points.append(_point(clause, line, to, vocabulary))
    known = [point for point in points if point.kind]
    asks = any(point.asks for point in points)
    return _distinct(known) or [Point("", line, to, asks, said=" ".join(read))]


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
    calls = clause[0] == own and bool(after) and (after[0] in _STOPS or after[0] in _CALLING)
    ends = clause[-2:] == [",", own] or clause[-3:-1] == [",", own]
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
        elif word in _JOINING and len(part) > 1 and _begins(part, [following, *rest]):
            yield part
            part = []
        else:
            part.append(word)
    yield part


def _begins(part: list[str], rest: list[str]) -> bool:
    """Whether, after what stands in ``part``, something else begins with ``rest``."""
    if rest[0] in _BEGINNING:
        return rest[0] != "why" or rest[1:] not in ([], ["?"])
    return not _VERBS.isdisjoint(part) and bool(_OF_ANOTHER.match(" ".join(rest)))


def _point(clause: list[str], line: Line, to: str, vocabulary: Vocabulary) -> Point:
    said = " ".join(clause)
    bare = [word for word in clause if word not in _STOPS]
    while len(bare) > 1 and bare[0] in _OPENING:
        bare = bare[1:]
    asks = "?" in clause or bare[0] in _ASKING or not _WONDERING.isdisjoint([*bare[:3], bare[-1]])
    seats = tuple(dict.fromkeys(int(word[1:]) for word in bare if word.startswith("@")))
    number = next((int(b) for a, b in pairwise(bare) if a == "quest" and b.isdigit()), None)
    role = next((vocabulary.roles[word] for word in bare if word in vocabulary.roles), None)
    found = _found(bare, seats, role, vocabulary)
    ruled = vocabulary.questions if asks else vocabulary.statements
    kind = next((rule.kind for rule in ruled if rule.fits(found)), "")
    small = next((kind for kind, sounds in SMALL_TALK.items() if len(bare) < _SHORT and sounds.search(said)), "")
    if small and not (kind and small in _BESIDE and len(bare) > 3):
        return Point(small, line, to, asks, said=said)
    about = (*seats, line.seat) if "me" in found and kind in OF_ME and line.seat not in seats else seats
    return Point(kind, line, to, asks, about, number, role, _tone(bare, vocabulary), said)


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
