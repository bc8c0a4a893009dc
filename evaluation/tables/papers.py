"""The papers' tables as rows from records: who is measured, by which columns, beside what the paper prints.

A table is declared once (`SPECS`), and `filling` fills any number of them in one pass. Everything is pure: pages draw,
cache and filter.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from evaluation import metrics
from evaluation.metrics import METRICS
from evaluation.metrics.base import Key
from evaluation.metrics.magic import AXES, EDITIONS, ROLES
from evaluation.records.record import Record
from games.rules.sentences import declared


@dataclass(frozen=True)
class Spec:
    """What a table is. counts: which matches go in, in a sentence, as `keep` says; measured: its columns, beside which
    stands who made the moves; by: who its rows are; printed: the papers' tables that are shown beside it; totals: a row
    more has all of them together."""

    name: str
    title: str
    about: str
    counts: str
    measured: tuple[str, ...]
    by: Key
    keep: Callable[[Record], bool]
    printed: tuple[str, ...] = ()
    totals: bool = False

    def __post_init__(self) -> None:
        for name in ("title", "about", "counts"):
            object.__setattr__(self, name, declared(getattr(self, name)))

    def together(self, record: Record, seat: int) -> Hashable:
        """The one group of all rows."""
        return None if self.by(record, seat) is None else TOTAL

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns."""
        return (*self.measured, *WHO_MOVED)

    @property
    def played_as(self) -> tuple[str, ...]:
        """The names of the games in which something of it can be counted."""
        return tuple({game: None for name in self.measured for game in METRICS[name].played_as})


# What the tables are ------------------------------------------------------------------------------------------------


WHO_MOVED = ("ours.own_moves", "ours.unusable")
"""In every table: how much of the play is the player's own, and how much of that were replies of no use."""

TOTAL = "Total"
"""The key and label of the row that has all others together."""

IN_MAGIC = (
    "Counted are all matches with the preset “magic” or “magic_m1” of {}: those of the suites MAgIC, of competitions "
    "of one’s own and of tables. Choose a suite to see it alone."
)


def _magic(record: Record) -> bool:
    return record.preset in ("magic", "magic_m1") and record.family in ROLES.values()


def _agents_only(record: Record) -> bool:
    return record.family == "undercover" and record.preset == "wiu" and not record.has_person


def _against(citizens: str) -> Callable[[Record], bool]:
    def keep(record: Record) -> bool:
        return record.family == "spygame" and record.labels.get("citizens", "strong") == citizens

    return keep


def _of_team(team: str) -> Key:
    def by(record: Record, seat: int) -> Hashable:
        return metrics.agent(record, seat) if record.sides.get(seat) == team else None

    return by


def _spy(record: Record, seat: int) -> Hashable:
    return metrics.agent(record, seat) if seat in record.odd else None


def _side_against(record: Record, seat: int) -> Hashable:
    """(side, who plays it here, whom the other side is played by, or "mixed")."""
    others = {metrics.agent(record, s) for s in record.numbers if record.sides[s] != record.sides[seat]}
    return record.sides[seat], metrics.agent(record, seat), others.pop() if len(others) == 1 else "mixed"


def _part(record: Record, seat: int) -> Hashable:
    """(part of the word network, team, who plays)."""
    part, team = record.labels.get("part") or record.setting.get("part"), record.sides.get(seat)
    return (part, team, metrics.agent(record, seat)) if part and team in TEAMS else None


def _team(record: Record, seat: int) -> Hashable:
    team = record.sides.get(seat)
    return (team, metrics.agent(record, seat)) if team in TEAMS else None


def _citizens(record: Record, seat: int) -> Hashable:
    return record.labels.get("citizens")


def _role(record: Record, seat: int) -> Hashable:
    """(role, side where that is another word, who plays), of models alone."""
    if not any(note.model for note in record.notes_of(seat)):
        return None
    parts = dict.fromkeys((record.roles.get(seat, ""), record.rules.one_of(record.sides.get(seat, ""))))
    return (*parts, metrics.agent(record, seat))


def _game_and_role(record: Record, seat: int) -> Hashable:
    """(game as people call it, role where there are some, who plays)."""
    role = record.roles.get(seat, "")
    parts = (record.rules.title,) if role == record.rules.family else (record.rules.title, role)
    return (*parts, metrics.agent(record, seat))


def _by_payoffs(record: Record, seat: int) -> Hashable:
    who, opened = metrics.challenger(record, seat), record.first("opened")
    if who is None or opened is None:
        return None
    payoffs = opened.data["payoffs"]
    # As figure 4b writes a setting: all defect, one alone defects, two defect.
    return who, f"{payoffs['defect']}-{payoffs['one_defect']}-{payoffs['two_defect']}"


def _by_multiplier(record: Record, seat: int) -> Hashable:
    who, opened = metrics.challenger(record, seat), record.first("opened")
    return None if who is None or opened is None else (who, f"{opened.data['multiplier']:g}")


def _leaderboard(edition: str) -> Spec:
    axes = tuple(f"magic.{axis}{form}" for axis, form in zip(AXES, EDITIONS[edition], strict=True))
    return Spec(
        f"leaderboard.{edition}",
        f"MAgIC, abilities ({edition.upper()})",
        "Challengers against a fixed defender: win rate over seven roles, seven abilities, and their radar's area.",
        IN_MAGIC.format("the five games"),
        ("magic.win_rate", *axes, f"magic.radar_area.{edition}"),
        metrics.challenger,
        _magic,
        (f"magic.{edition}",),
    )


WIU_1 = ("wiu.survival_1", "wiu.survival_2", "wiu.victory", "wiu.trust", "wiu.assessment")
WIU_2 = ("wiu.reversal", "wiu.comprehension", "wiu.concealment", "wiu.influence", "wiu.vote_success")
TEAMS = ("civilian", "undercover")
AGAINST = {
    "strong": (
        "This table counts matches of the suite SpyGame with strong citizens, and all matches of SpyGame "
        "outside of that suite."
    ),
    "weak": "This table counts matches of the suite SpyGame with weak citizens.",
}

SPECS: dict[str, Spec] = {
    spec.name: spec
    for spec in (
        _leaderboard("m1"),
        _leaderboard("m2"),
        Spec(
            "roles",
            "MAgIC, roles",
            "Win rate in each of the seven roles, and how votes went.",
            IN_MAGIC.format("the five games"),
            (
                *(f"magic.win_rate.{role}" for role in ROLES),
                *(f"magic.vote_accuracy.{role}" for role in ("chameleon", "non-chameleon", "undercover", "civilian")),
            ),
            metrics.challenger,
            _magic,
            ("magic.chameleon", "magic.undercover"),
        ),
        Spec(
            "game_theory",
            "Games of points",
            "Cost Sharing, the Prisoner’s Dilemma and Public Good: how often it was won, and for how much.",
            IN_MAGIC.format("these three games"),
            (
                "magic.cooperation",
                "magic.coordination",
                "magic.cost",
                "magic.win_rate.prisoners_dilemma",
                "magic.rationality.prisoners_dilemma",
                "magic.score",
                "magic.win_rate.public_good",
                "magic.rationality.public_good",
                "magic.payback",
            ),
            metrics.challenger,
            _magic,
            ("magic.cost_sharing", "magic.prisoners_dilemma", "magic.public_good"),
        ),
        Spec(
            "tendency",
            "Defections by payoffs",
            "How often a challenger defects, by its points when all defect, when it alone defects, and when "
            "two defect.",
            IN_MAGIC.format("the Prisoner’s Dilemma"),
            ("magic.rationality.prisoners_dilemma", "magic.score"),
            _by_payoffs,
            lambda record: _magic(record) and record.family == "prisoners_dilemma",
        ),
        Spec(
            "investment",
            "Investment by multiplier",
            "How much a challenger tries to put into the pool, and how often it has enough points for that.",
            IN_MAGIC.format("Public Good"),
            ("magic.invested", "magic.within_budget", "magic.payback"),
            _by_multiplier,
            lambda record: _magic(record) and record.family == "public_good",
        ),
        *(
            Spec(
                f"wiu.{team}",
                f"Who is Undercover?, {team}s",
                f"One profile plays all seats; this table counts its {team}s.",
                "This table counts all matches of Undercover with the preset “wiu” in which no person plays.",
                (*WIU_1, *WIU_2),
                _of_team(team),
                _agents_only,
                (f"wiu.{team}", f"wiu.{team}.capabilities"),
            )
            for team in TEAMS
        ),
        Spec(
            "wiu.parts",
            "Who is Undercover?, by part of the word network",
            "How each team does with similar words, different words, words with several meanings, and words "
            "of one field.",
            "Counted are matches of Undercover with the preset “wiu” whose words come from a part of the word network, "
            "and in which no person plays.",
            (*WIU_1, *WIU_2),
            _part,
            _agents_only,
        ),
        Spec(
            "wiu.tactics",
            "Who is Undercover?, tactics",
            "How often a player names the other word in its thoughts, and votes for somebody it takes for a teammate.",
            "This table counts all matches of Undercover with the preset “wiu” in which no person plays.",
            ("wiu.guesses_word", "wiu.teammate_vote"),
            _team,
            _agents_only,
        ),
        *(
            Spec(
                f"spygame.{citizens}",
                f"SpyGame, {citizens} citizens",
                f"The spy's side, against {citizens} citizens.",
                counts,
                (
                    "spygame.winning_rate",
                    "spygame.living_round",
                    "spygame.guess_success",
                    "spygame.information_deduction",
                    "spygame.information_catching",
                    "spygame.exposure.people",
                    "spygame.notice_rate",
                    "spygame.caught_rate",
                    "spygame.accusation_rate",
                    "spygame.vote_rate",
                    "spygame.vote_entropy",
                ),
                _spy,
                _against(citizens),
                (f"spygame.{citizens}",),
                totals=True,
            )
            for citizens, counts in AGAINST.items()
        ),
        Spec(
            "spygame.logs",
            "SpyGame, how matches went",
            "Turns, calls of models, utterances and their length on average, over all players.",
            "This table counts matches of the suite SpyGame.",
            ("spygame.living_round", "spygame.steps", "spygame.utterances", "spygame.words"),
            _citizens,
            lambda record: record.family == "spygame",
            ("spygame.logs",),
            totals=True,
        ),
        Spec(
            "recon",
            "Avalon, success by side",
            "How often each side wins, by who plays it and who plays the other one.",
            "Counted are matches of Avalon with the preset “recon” in which no person plays, as the suite ReCon has "
            "them; those with the preset “official” are not.",
            ("recon.success", "recon.role_exposure", "recon.role_exposure.people", "ours.compliance"),
            _side_against,
            lambda record: record.family == "avalon" and record.preset == "recon" and not record.has_person,
            ("recon.good", "recon.evil"),
        ),
        Spec(
            "wins",
            "Every game, by role",
            "How often each wins in each game, by role.",
            "This table counts all matches of every game.",
            ("ours.wins",),
            _game_and_role,
            lambda record: True,
        ),
        Spec(
            "refusals",
            "Refusals by role and side",
            "How often a model refuses to play: its API withholds the answer, or its first words refuse.",
            "This table counts all matches of every game in which a model plays.",
            ("ours.refusals", "ours.compliance"),
            _role,
            lambda record: any(note.model for note in record.notes),
        ),
    )
}
