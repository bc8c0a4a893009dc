"""What the players of an Avalon table say of one another, read from their words: whom they doubt and whom they trust.

A plain reading, for people as for agents. A sentence is taken apart into clauses. A clause with a word of doubt or of
trust speaks of the seats that it names; a "not" turns it round; names in a list share what is said of the list; what
follows without a name is the reason. No statement of the speaker's own are questions, conditions ("if Ben is evil"),
what somebody else is said to think, and the one with whom the speaker agrees.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from games.avalon.posterior.exact import Remark

_DOUBT = frozenset(
    "accuse against avoid bad betray betrayed distrust dangerous dirty doubt doubts evil exclude eye fail failed "
    "fails fishy guilty leave liar lie lied lies lost lying minion mistrust mordred morgana oberon odd reject "
    "sabotage sabotaged scum shady spy strange suspect suspecting suspects suspicious suspicion traitor uneasy "
    "untrustworthy villain weird worried worries worry wrong".split()
)
_TRUST = frozenset(
    "add believe believes clean clear confirmed decent fine good helped honest innocent like loyal ok okay percival "
    "reliable safe sense servant sound support sure trust trusts trusted trustworthy vouch win won".split()
)
_NEGATION = frozenset(
    "not no never nobody neither nor cannot can't cant don't dont doesn't doesnt isn't isnt wasn't wasnt aren't arent "
    "won't wont wouldn't wouldnt shouldn't shouldnt hardly less without".split()
)
_REACH = 4
"""How many words before a word of doubt or trust a negation still turns it round."""

_VOTED = {"approved": 1, "backed": 1, "supported": 1, "rejected": -1, "opposed": -1, "against": -1, "for": 1}
_ENDED = {"won": 1, "succeeded": 1, "failed": -1, "lost": -1, "turned": -1}
"""Who was for a team that ended badly, or against one that did well, is doubted for it."""

_FIRST = 0xE000
_SEAT = f"[{chr(_FIRST)}-{chr(_FIRST + 99)}]"
_SEATS = rf"{_SEAT}(?:[\s,&]+(?:and |or )?{_SEAT})*"
_WORD = re.compile(r"[\w']+")
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
_CLAUSE = re.compile(r"([:;,()–—]+|\b(?:and|but|or|since|because|while|whereas|although|though)\b|&)", re.IGNORECASE)
_LISTING = frozenset(("and", "or", "&", ","))
_CONCEDING = frozenset(("although", "though", "while", "whereas"))
_AS_WELL = frozenset("also so too".split())
_FILLERS = _NEGATION | _AS_WELL | frozenset("aboard about are both even is then with".split())
_CONDITION = re.compile(r"\b(?:if|unless|whether|suppose|assuming)\b", re.IGNORECASE)
_ASKING = re.compile(
    rf"^\s*(?:(?:hey|hi|ok|so|and|but) )?(?:(?:{_SEAT}\s+)?(?:whos?|who's|whom|why|whats?|what's|how|which)"
    r"|is|are|do|did|does|can|could|will|would)\b",
    re.IGNORECASE,
)
"""Where a question begins, even if no sign at its end says so."""
_REPORT = re.compile(
    rf"{_SEATS}\s+(?:just |also |all |both )?(?:says?|said|thinks?|thought|claims?|claimed|believes?|believed|doubts?"
    r"|doubted|suspects?|suspected|trusts?|trusted|accuses?|accused|agrees?|agreed|likes?|liked|blames?|blamed"
    r"|forgets?|forgot|overlooks?|wonders?)"
    r"\b.*",
    re.IGNORECASE,
)
_AGREEING = re.compile(
    rf"\b(?P<dis>dis)?agree (?:with )?(?P<with>{_SEATS})|(?P<right>{_SEATS}) (?:is|are|was|were) (?:quite |so )?right\b"
    rf"|\b(?:like|as) (?P<like>{_SEATS})(?: (?:says?|said)\b|,)|\bi(?:'m| am) with (?P<beside>{_SEATS})"
    rf"|(?P<wrong>{_SEATS}) (?:is|was|are|were) (?:quite |so )?(?:wrong|mistaken) about\b",
    re.IGNORECASE,
)
_MEANS_NOTHING = re.compile(
    rf"\b(?:every|any|no)(?:body|one)? (?:one )?(?:but|except(?: for)?|besides) {_SEATS}.*|\bthan {_SEATS}"
    r"|\bwould (?:rather )?like to\b|\b(?:no|without a|without any|beyond) doubt\b|\bwrong (?:about|one|person|to)\b"
    r"|\bgood (?:idea|point|question|luck)\b|\b(?:after|in|on|during) (?:quest|mission) \d\b"
    rf"|^\s*(?:well, )?{_SEAT}, (?=(?:you|look|remember|think|please|i would (?:choose|rather))\b)"
    rf"|\bsay this to {_SEAT}",
    re.IGNORECASE,
)
_PHRASES = (
    (re.compile(rf"\b(?:it is|it's|it must be|it has to be) {_SEAT}", re.IGNORECASE), -1),
    (re.compile(rf"\b(?:it is not|it isn't|it's not) {_SEAT}", re.IGNORECASE), 1),
    (re.compile(rf"\bspeaks? for {_SEAT}", re.IGNORECASE), 1),
    (re.compile(r"\b(?:should|must|may)(?: not|n't) (?:be|go|come|stay)\b", re.IGNORECASE), -1),
    (re.compile(r"\bshould (?:be|go|come|stay)\b", re.IGNORECASE), 1),
)

Names = tuple[tuple[int, str], ...]


class _Clause(NamedTuple):
    """seats: whom it names, tone: 1 for trust, -1 for doubt, 0 for neither; after: what stands before it; open: its
    last name comes after its tone, so that a list may go on; bare: names and no more; turned: it says "not";
    as_well: it says "too"."""

    seats: tuple[int, ...]
    tone: int
    after: str
    open: bool
    bare: bool
    turned: bool
    as_well: bool


@lru_cache(maxsize=1024)
def remarks(speaker: int, text: str, names: Names, before: tuple[Remark, ...] = ()) -> tuple[Remark, ...]:
    """What ``speaker`` says of others in ``text``: one remark for each seat of which it says doubt or trust.

    A seat is named by its name, where no other seat has the same, or by its number: "seat 3", "players 2 and 5".
    ``before``: what was said earlier, to which one who agrees with somebody adds a voice.
    """
    earlier = {(remark.speaker, remark.subject): -1 if remark.doubts else 1 for remark in before}
    found: dict[int, int] = {}
    for sentence in _SENTENCE.findall(_marked(text, names).replace("’", "'")):
        if "?" not in sentence and not _ASKING.search(sentence) and not _CONDITION.search(sentence):
            found |= {seat: tone for seat, tone in _heard(sentence, earlier) if seat != speaker}
    return tuple(Remark(speaker, seat, doubts=tone < 0) for seat, tone in found.items())


# Names ---------------------------------------------------------------------------------------------------------------


def _mark(seat: int) -> str:
    """A character for a seat that no player can type: the table takes private ones out of what is said."""
    return chr(_FIRST + seat)


def _marked(text: str, names: Names) -> str:
    """The text with a mark in place of whatever names a seat."""
    for seat, pattern in _patterns(names):
        text = pattern.sub(_mark(seat), text)
    seats = {seat for seat, _ in names}

    def marks(numbers: re.Match) -> str:
        return re.sub(r"\d+", lambda n: _mark(int(n[0])) if int(n[0]) in seats else n[0], numbers[1])

    return _NUMBERS.sub(marks, text)


_NUMBERS = re.compile(
    r"(?<!\w)(?:seats|players|numbers)\s+(\d{1,2}(?:(?:\s*(?:,|&)\s*(?:and\s+|or\s+)?|\s+and\s+|\s+or\s+)\d{1,2})*)(?!\w)",
    re.IGNORECASE,
)


@lru_cache(maxsize=64)
def _patterns(names: Names) -> tuple[tuple[int, re.Pattern], ...]:
    """Each seat with what it may be called; the longest names first, so that none is read as a part of another."""
    called = [name.casefold() for _, name in names]
    patterns = []
    for seat, name in sorted(names, key=lambda entry: -len(entry[1])):
        ways = [rf"(?:seat|player) {seat}"]
        if called.count(name.casefold()) == 1:
            ways.append(re.escape(name))
        patterns.append((seat, re.compile(rf"(?<!\w)(?:{'|'.join(ways)})(?!\w)", re.IGNORECASE)))
    return tuple(patterns)


# Sentences -----------------------------------------------------------------------------------------------------------


def _heard(sentence: str, earlier: dict[tuple[int, int], int]) -> Iterator[tuple[int, int]]:
    """(seat, tone) for each seat of which a sentence says doubt or trust."""
    others, sign = _agreed_with(sentence)
    sentence = _MEANS_NOTHING.sub(" ", _AGREEING.sub(" ", sentence))
    topic: tuple[int, ...] = ()  # who was named, and nothing said of them yet
    last = None  # the clause of which the tone was heard last
    for clause in _clauses(sentence):
        if clause.after in _CONCEDING:
            topic = topic or clause.seats
        elif clause.tone and clause.seats:
            listed = topic if clause.after in _LISTING - {","} and not clause.open else ()
            yield from ((seat, clause.tone) for seat in (*listed, *clause.seats))
            topic, last = (), clause
        elif clause.tone:
            if topic:
                yield from ((seat, clause.tone) for seat in topic)
                topic, last = (), clause
        elif clause.bare and last is not None and (last.open or clause.as_well):
            yield from ((seat, -last.tone if clause.turned else last.tone) for seat in clause.seats)
        elif clause.seats:
            topic = (*topic, *clause.seats) if clause.bare and clause.after in _LISTING else clause.seats
    for seat in topic:  # "I agree with Ann about Ben", and no more: as Ann said
        said = next((earlier[other, seat] for other in others if (other, seat) in earlier), 0)
        if said:
            yield seat, sign * said


def _agreed_with(sentence: str) -> tuple[tuple[int, ...], int]:
    """With whom the speaker agrees, or disagrees (-1)."""
    found = _AGREEING.search(sentence)
    if found is None:
        return (), 1
    others = (found[name] for name in ("with", "right", "like", "beside", "wrong") if found[name])
    return _seats(next(others)), -1 if found["dis"] or found["wrong"] else 1


def _clauses(sentence: str) -> Iterator[_Clause]:
    parts = ["", *_CLAUSE.split(sentence)]
    for after, text in zip(parts[::2], parts[1::2], strict=True):
        text = _REPORT.sub(" ", text)
        words = _WORD.findall(text.casefold())
        places, tones = [text.rfind(_mark(seat)) for seat in _seats(text)], _tone_places(text)
        yield _Clause(
            _seats(text),
            _tone(text),
            after.strip().casefold(),
            open=bool(places) and bool(tones) and max(places) > max(tones),
            bare=_FILLERS.issuperset(words),
            turned=not _NEGATION.isdisjoint(words),
            as_well=not _AS_WELL.isdisjoint(words),
        )


def _seats(text: str) -> tuple[int, ...]:
    return tuple(ord(sign) - _FIRST for sign in re.findall(_SEAT, text))


def _tone_places(text: str) -> list[int]:
    words = [word.start() for word in _WORD.finditer(text) if word[0].casefold() in _DOUBT | _TRUST]
    return words + [found.start() for phrase, _ in _PHRASES for found in phrase.finditer(text)]


def _tone(text: str) -> int:
    """1 for trust, -1 for doubt, 0 for neither or both alike."""
    for phrase, tone in _PHRASES:
        if phrase.search(text):
            return tone
    words = _WORD.findall(text.casefold())
    voted = _first(_VOTED, words)
    ended = _first(_ENDED, words[voted[0] + 1 :]) if voted else None
    if voted and ended:
        return voted[1] * ended[1]
    tone = 0
    for place, word in enumerate(words):
        leaning = (word in _TRUST) - (word in _DOUBT)
        if leaning and not _NEGATION.isdisjoint(words[max(0, place - _REACH) : place]):
            leaning = -leaning
        tone += leaning
    return (tone > 0) - (tone < 0)


def _first(values: dict[str, int], words: Iterable[str]) -> tuple[int, int] | None:
    """The place of the first word that has a value, and the value."""
    return next(((place, values[word]) for place, word in enumerate(words) if word in values), None)
