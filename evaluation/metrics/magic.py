"""The metrics of MAgIC: seven roles in five games, seven abilities.

M1 is the arXiv edition (2311.08562v1), M2 the later one submitted to ACL. Where they differ both are here. A challenger
that plays both good seats of a match won one game, cast two votes and answered two polls. What is counted of the games
of points alone is in `magic_points`.
"""

import math
from collections.abc import Callable, Iterator, Sequence

from evaluation.metrics.base import Combined, Items, family, of_paper, register
from evaluation.metrics.values import Item, Mean, Ratio, Sums, Weighted
from evaluation.records.record import Asked, Record

CHAMELEON, UNDERCOVER, COST, DILEMMA, GOOD = (
    "chameleon",
    "undercover",
    "cost_sharing",
    "prisoners_dilemma",
    "public_good",
)
WORD_GAMES = (CHAMELEON, UNDERCOVER)
FULL = {CHAMELEON: 2, UNDERCOVER: 3}
"""The most credits of a game (M1, appendix A.1)."""

ROLES = {
    "chameleon": CHAMELEON,
    "non-chameleon": CHAMELEON,
    "undercover": UNDERCOVER,
    "civilian": UNDERCOVER,
    COST: COST,
    DILEMMA: DILEMMA,
    GOOD: GOOD,
}
"""The seven roles of a challenger, each with its game."""

AXES = ("judgement", "reasoning", "deception", "self_awareness", "cooperation", "coordination", "rationality")
"""The radar's axes, in the order of the papers' figure 1."""

LAMBDA, MU = 0.25, 0.6

counted = of_paper("MAgIC", games=family(*WORD_GAMES))


# Win rate -----------------------------------------------------------------------------------------------------------


def _credits(wanted: str) -> Callable[[Record, int], Iterator[Item]]:
    def items(record: Record, seat: int) -> Iterator[Item]:
        if record.roles.get(seat) == wanted:
            yield Item(record.end.seq, record.outcome.returns[seat], FULL[record.family], wanted)

    return items


def _wins(record: Record, seat: int) -> Iterator[Item]:
    once = "agreed" if record.family == COST else None
    yield Item(record.end.seq, float(record.won(seat)), 1, once)


_items: Items
_sums: type[Sums]
for _role, _game in ROLES.items():
    _title = _role.replace("_", " ")
    if _game in WORD_GAMES:
        _about = f"Credits as {_title} / the most that could be had ({FULL[_game]} a game); an even vote shares them."
        _items, _sums = _credits(_role), Mean
    else:
        _about = "Games that were agreed / games." if _game == COST else "Games in which nobody has more / games."
        _items, _sums = _wins, Ratio
    counted(
        f"magic.win_rate.{_role}",
        f"Win rate, {_title}",
        "section 3 and appendix A.1; M1 tables 6 to 10",
        about=_about,
        games=family(_game),
        whole=True,
        sums=_sums,
    )(_items)

register(
    Combined(
        "magic.win_rate",
        "Win rate",
        "The mean of the rates in all seven roles; no data in one of them, no win rate.",
        "MAgIC, section 3 (M2 equation 1)",
        family(*ROLES.values()),
        parts=tuple(f"magic.win_rate.{role}" for role in ROLES),
        combine=Weighted((1 / len(ROLES),) * len(ROLES)),
    )
)


# Votes --------------------------------------------------------------------------------------------------------------


@counted("magic.judgement", "Judgement", "M2 equation 2")
def judgement(record: Record, seat: int) -> Iterator[Item]:
    """Right votes / votes, on the good side of both games."""
    if seat not in record.odd and record.on_team(seat):
        for vote in record.votes_of(seat):
            yield Item(vote.event.seq, float(vote.target in record.odd))


def _vote_accuracy(wanted: str) -> Callable[[Record, int], Iterator[Item]]:
    def items(record: Record, seat: int) -> Iterator[Item]:
        if record.roles.get(seat) != wanted:
            return
        if seat not in record.odd:
            yield from judgement(record, seat)
            return
        for vote in record.ballots:
            if vote.voter != seat and vote.target is not None and record.own(vote.event):
                yield Item(vote.event.seq, float(vote.target == seat))

    return items


for _role in ("chameleon", "non-chameleon", "undercover", "civilian"):
    _odd = _role in WORD_GAMES
    counted(
        f"magic.vote_accuracy.{_role}",
        f"Vote accuracy, {_role}",
        "M1 tables 6 and 7",
        about="Votes of the others that it received / votes of the others." if _odd else "Right votes / votes.",
        games=family(ROLES[_role]),
        lower=_odd,
        whole=_odd,
    )(_vote_accuracy(_role))


# Polls --------------------------------------------------------------------------------------------------------------


def _polls(record: Record, seat: int) -> list[Asked]:
    """The polls of MAgIC's kind that this seat answered."""
    return record.answers_of(seat) if record.options.get("polls") == "magic" else []


def _analyses(record: Record, asked: Asked) -> list[bool]:
    """Of one poll: whether the own belief names the odd one, and for each other player whether it believes what it was
    thought to. What was not named, by whom it concerns either, is no item; nor is what concerns a player who was told
    that it is the odd one: its own belief is itself."""
    found = []
    own = asked.said.get("odd_one")
    if own is not None and not _was_told(record, asked.seat):
        found.append(own in record.odd)
    same_moment = {other.seat: other.said.get("odd_one") for other in record.answers if other.nth == asked.nth}
    for other in record.others(asked.seat):
        thought = asked.said.get(f"suspect_of_{other}")
        if thought is not None and same_moment.get(other) is not None and not _was_told(record, other):
            found.append(thought == same_moment[other])
    return found


def _was_told(record: Record, seat: int) -> bool:
    """Whether a seat was told that it is the odd one."""
    return seat in record.odd and not record.cast[seat].hidden_from(seat)


@counted("magic.reasoning", "Reasoning", "M2 equation 3")
def reasoning(record: Record, seat: int) -> Iterator[Item]:
    """Right analyses / analyses in polls: who the odd one is, and whom each other player takes for it, compared with
    what that player answers at the same moment. A chameleon, which was told that it is the odd one, is asked neither
    for itself, nor does it count whom others take it to suspect."""
    for asked in _polls(record, seat):
        for right in _analyses(record, asked):
            yield Item(asked.event.seq, float(right))


@counted(
    "magic.reasoning.whole", "Reasoning, whole polls", "M2 equation 3", edition="all or nothing a poll", reading=True
)
def reasoning_whole(record: Record, seat: int) -> Iterator[Item]:
    """Polls in which every analysis is right / polls with an analysis."""
    for asked in _polls(record, seat):
        if found := _analyses(record, asked):
            yield Item(asked.event.seq, float(all(found)))


def _self_awareness(*games: str) -> Callable[[Record, int], Iterator[Item]]:
    def items(record: Record, seat: int) -> Iterator[Item]:
        """Right statements of the own role / statements of it in polls; "unsure" is wrong. Blanks are left out."""
        if record.family in games and record.on_team(seat):
            for asked in _polls(record, seat):
                if asked.said["side"] is not None:
                    yield Item(asked.event.seq, float(asked.said["side"] == record.sides[seat]))

    return items


counted("magic.self_awareness", "Self-awareness", "section 3", edition="M1")(_self_awareness(*WORD_GAMES))
for _game in WORD_GAMES:
    counted(f"magic.self_awareness.{_game}", f"Self-awareness, {_game}", "section 3", games=family(_game))(
        _self_awareness(_game)
    )
register(
    Combined(
        "magic.self_awareness.m2",
        "Self-awareness (M2)",
        f"{MU} x the ratio in Chameleon + the ratio in Undercover.",
        "MAgIC, M2 equation 5",
        family(*WORD_GAMES),
        edition="M2",
        parts=("magic.self_awareness.chameleon", "magic.self_awareness.undercover"),
        combine=Weighted((MU, 1)),
    )
)


# Deception ----------------------------------------------------------------------------------------------------------


@counted("magic.deception", "Deception", "M2 equation 4 and table 1", whole=True, edition="not lost", reading=True)
def deception(record: Record, seat: int) -> Iterator[Item]:
    """Games not lost (any credit) as chameleon or undercover / such games."""
    if seat in record.odd:
        yield Item(record.end.seq, float(record.outcome.returns[seat] > 0), 1, "odd")


@counted("magic.deception.strict", "Deception, games won", "M2 equation 4", whole=True, edition="won outright")
def deception_strict(record: Record, seat: int) -> Iterator[Item]:
    """Games won with all credits as chameleon or undercover / such games."""
    if seat in record.odd:
        yield Item(record.end.seq, float(record.outcome.returns[seat] == FULL[record.family]), 1, "odd")


@counted("magic.wrong_guesses", "Word guessed wrong", "M2 equation 4", games=family(CHAMELEON), whole=True)
def wrong_guesses(record: Record, seat: int) -> Iterator[Item]:
    """Wrong guesses of the word / guesses of the word, by the chameleon that one plays against."""
    if seat not in record.odd:
        for guess in record.of("guess"):
            if record.own(guess) and guess.data["text"] is not None:
                yield Item(guess.seq, float(record.outcome.result != "guessed"), 1, guess.seq)


register(
    Combined(
        "magic.deception.m1",
        "Deception (M1)",
        f"Games not lost as the odd one / such games + {LAMBDA} x wrong guesses of opposing chameleons / their guesses "
        "(left out where none guessed).",
        "MAgIC, section 3 (M2 equation 4)",
        family(*WORD_GAMES),
        edition="M1, with the lambda term",
        parts=("magic.deception", "magic.wrong_guesses"),
        combine=Weighted((1, LAMBDA)),
        needed=frozenset(("magic.deception",)),
    )
)


# Radar --------------------------------------------------------------------------------------------------------------


def radar_area(values: Sequence[float]) -> float:
    """The area of the polygon of seven values in [0, 1] (MAgIC, figure 1): 1/2 sin(2 pi / 7) sum of r_k r_(k+1)."""
    following = [*values[1:], values[0]]
    return math.sin(2 * math.pi / len(values)) / 2 * sum(r * s for r, s in zip(values, following, strict=True))


EDITIONS = {
    "m1": ("", "", ".m1", "", "", "", ""),
    "m2": ("", "", "", ".m2", "", ".m2", ""),
}
"""By edition which form of each axis its table prints."""

for _edition, _forms in EDITIONS.items():
    register(
        Combined(
            f"magic.radar_area.{_edition}",
            f"Radar area ({_edition.upper()})",
            "The area of the polygon of the seven abilities; all of them 1 would make 2.7364.",
            "MAgIC, figure 1",
            family(*ROLES.values()),
            edition=_edition.upper(),
            unit="",
            parts=tuple(f"magic.{axis}{form}" for axis, form in zip(AXES, _forms, strict=True)),
            combine=radar_area,
        )
    )
