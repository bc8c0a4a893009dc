"""What the record may hold for a seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agents.house.discourse.reasons import FOR
from agents.house.discourse.wording import Ways
from games.avalon.house.kinds_of_reason import OfRecord, Several
from games.avalon.house.record import Record, Tabled


class Won(OfRecord):
    tone, weight = FOR, 2.0
    ways = Ways(
        "quest {quest} succeeded with them aboard",
        "they were on the team that won quest {quest}",
        "they helped to win quest {quest}",
        "quest {quest} came through with them",
        "they went on quest {quest} and nobody failed it",
        careful=("nothing went wrong on quest {quest}, where they were aboard",),
        warm=("they helped us win quest {quest}",),
    )
    tales = Ways(
        "{name} helped to win quest {quest}.",
        "(I believe|I trust) {name} after quest {quest}.",
        "Quest {quest} speaks for {name}.",
        "{name} was on the team that won quest {quest}.",
        "Quest {quest} was won with {name} aboard.",
        careful=("{name} looks good to me so far, since nobody failed quest {quest}.",),
        warm=("I like how {name} helped us win quest {quest}.",),
    )

    @classmethod
    def borne(cls, record: Record, teams: Sequence[Tabled], subject: int) -> bool:
        return teams[0].won and not teams[0].fails and subject in teams[0].team and subject not in record.stained


class WonTwice(Several):
    tone, weight = FOR, 3.0
    ways = Ways(
        "quests {quest} and {second} both succeeded with them",
        "they were on two teams that won, at quests {quest} and {second}",
        "twice they were aboard and nobody played a fail, at {quest} and {second}",
    )
    tales = Ways(
        "{name} helped to win quest {quest} and quest {second}.",
        "I trust {name}, who was on two teams that won, {quest} and {second}.",
    )

    @classmethod
    def sort(cls, record: Record, subject: int) -> Sequence[Tabled]:
        return [team for team in record.won if subject in team.team and not team.fails]

    @classmethod
    def borne(cls, record: Record, teams: Sequence[Tabled], subject: int) -> bool:
        clean = all(team.won and not team.fails and subject in team.team for team in teams)
        return len(teams) == 2 and clean and subject not in record.stained

    @classmethod
    def told(cls, record: Record, teams: Sequence[Tabled], subject: int) -> dict[str, Any]:
        return {"quest": teams[0].quest, "second": teams[1].quest}


class Warned(OfRecord):
    tone, weight = FOR, 1.5
    ways = Ways(
        "they were against the team that failed quest {quest}",
        "they rejected the team that failed quest {quest}",
        "they did not want the team that failed quest {quest}",
        "they voted no before quest {quest} failed",
        careful=("they saw the fail of quest {quest} coming",),
    )
    tales = Ways(
        "{name} was against the team that failed quest {quest}.",
        "{name} rejected the team that failed quest {quest}.",
        "I trust {name} more, who rejected the team of quest {quest}.",
    )

    @classmethod
    def borne(cls, record: Record, teams: Sequence[Tabled], subject: int) -> bool:
        team = teams[0]
        return team.lost and team.by(subject) is False and subject not in team.team


class LedWon(OfRecord):
    tone, weight = FOR, 1.6
    ways = Ways(
        "they (proposed|picked) the team that won quest {quest}",
        "the team that won quest {quest} was (theirs|their choice)",
        "they led us to win quest {quest}",
    )
    tales = Ways(
        "{name} picked a good team for quest {quest}, and it won.",
        "I like that {name} led the team that won quest {quest}.",
    )

    @classmethod
    def borne(cls, record: Record, teams: Sequence[Tabled], subject: int) -> bool:
        return teams[0].won and teams[0].leader == subject


class Backed(OfRecord):
    tone, weight = FOR, 0.8
    ways = Ways(
        "they approved the team that won quest {quest}",
        "they were for the team that won quest {quest}",
        "the team that won quest {quest} had their vote",
    )
    tales = Ways(
        "{name} approved the team that won quest {quest}.",
        "{name} was for the team that won quest {quest}.",
    )

    @classmethod
    def borne(cls, record: Record, teams: Sequence[Tabled], subject: int) -> bool:
        return teams[0].won and teams[0].by(subject) is True and subject != teams[0].leader
