"""What the record may hold against a seat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from agents.house.discourse.reasons import AGAINST
from agents.house.discourse.wording import Ways
from games.avalon.house.kinds_of_reason import OfRecord, Several
from games.avalon.house.record import Record, Tabled


class Aboard(OfRecord):
    tone, weight = AGAINST, 3.0
    ways = Ways(
        "quest {quest} (failed|was lost|went wrong) with them aboard",
        "they were (on|part of) the team that failed quest {quest}",
        "they were (aboard|there) when quest {quest} failed",
        "the fail of quest {quest} came out of a team with them",
        "of quest {quest}, which failed, they were a part",
        "they went on quest {quest}, (and it failed|which failed)",
        blunt=("quest {quest} failed, and they were on it",),
        careful=("quest {quest} failed, and they are one of few who can have done it",),
        warm=("quest {quest} failed on us while they were aboard",),
    )
    tales = Ways(
        "Quest {quest} (failed|was lost) with {name} aboard.",
        "{name} was on the team that failed quest {quest}.",
        "{name} was aboard when quest {quest} failed.",
        "We lost quest {quest} with {name} on the team.",
        blunt=("Quest {quest} failed with {name} on it.",),
    )

    @classmethod
    def borne(cls, record: Record, teams: Sequence[Tabled], subject: int) -> bool:
        return teams[0].lost and subject in teams[0].team

    @classmethod
    def barred(cls, record: Record, teams: Sequence[Tabled], speaker: int) -> bool:
        return speaker in teams[0].team


class Beside(Aboard):
    weight = 3.2
    ways = Ways(
        "I was with them on quest {quest} when it failed, and I know my own card",
        "quest {quest} failed with us both aboard, and (the fail was not mine|it was not me)",
        "I know what I played on quest {quest}, and it failed with the two of us aboard",
        "I sat beside them when quest {quest} failed, and my card was a success",
        careful=("quest {quest} failed with us both aboard, and I can speak only for my own card",),
    )
    tales = Ways(
        "{name} and I were both on quest {quest}, and the fail was not mine.",
        "I was on quest {quest} with {name}, and it failed, though not by me.",
    )

    @classmethod
    def barred(cls, record: Record, teams: Sequence[Tabled], speaker: int) -> bool:
        return speaker not in teams[0].team


class Doubled(Aboard):
    weight = 3.6
    ways = Ways(
        "{fails} fails came out of quest {quest} with them aboard",
        "quest {quest} had {fails} fail cards in a team of {size}, and they were on it",
        "{fails} of {size} cards on quest {quest} were fails, with them aboard",
        careful=(
            "with {fails} fails among {size} cards on quest {quest}, hardly anybody aboard is clear, and they were",
        ),
    )
    tales = Ways("{name} was aboard when quest {quest} had {fails} fails among {size} cards.")

    @classmethod
    def borne(cls, record: Record, teams: Sequence[Tabled], subject: int) -> bool:
        return super().borne(record, teams, subject) and (teams[0].fails or 0) > 1

    @classmethod
    def told(cls, record: Record, teams: Sequence[Tabled], subject: int) -> dict[str, Any]:
        return {"quest": teams[0].quest, "fails": teams[0].fails, "size": len(teams[0].team)}


class AboardTwice(Several):
    tone, weight = AGAINST, 4.0
    ways = Ways(
        "quests {quest} and {second} both failed with them aboard",
        "they were on both quests that failed, {quest} and {second}",
        "(two|both) failed quests, {quest} and {second}, had them aboard",
        "quest {quest} failed with them, and so did quest {second}",
        "twice they were aboard when a quest failed, at {quest} and at {second}",
        blunt=("two quests failed, {quest} and {second}, and they were on both",),
        careful=("being aboard on quest {quest} might be bad luck, but on quest {second} as well",),
    )
    tales = Ways(
        "{name} was on quest {quest} and on quest {second}, and both failed.",
        "Both failed quests had {name} aboard, {quest} and {second}.",
    )

    @classmethod
    def sort(cls, record: Record, subject: int) -> Sequence[Tabled]:
        return record.lost

    @classmethod
    def borne(cls, record: Record, teams: Sequence[Tabled], subject: int) -> bool:
        return len(teams) == 2 and all(team.lost and subject in team.team for team in teams)

    @classmethod
    def barred(cls, record: Record, teams: Sequence[Tabled], speaker: int) -> bool:
        return any(speaker in team.team for team in teams)

    @classmethod
    def told(cls, record: Record, teams: Sequence[Tabled], subject: int) -> dict[str, Any]:
        return {"quest": teams[0].quest, "second": teams[1].quest}


class Led(OfRecord):
    tone, weight = AGAINST, 2.5
    ways = Ways(
        "they (proposed|picked|put together) the team that failed quest {quest}",
        "the team that failed quest {quest} was (theirs|their choice|their idea)",
        "they led quest {quest} when it failed",
        "it was their team that lost quest {quest}",
        "quest {quest} failed with a team of their choosing",
        blunt=("they sent the team that failed quest {quest}",),
        careful=("quest {quest} failed, and it was they who chose that team",),
    )
    tales = Ways(
        "{name} (proposed|picked) the team that failed quest {quest}.",
        "It was {name} who led the team that failed quest {quest}.",
    )

    @classmethod
    def borne(cls, record: Record, teams: Sequence[Tabled], subject: int) -> bool:
        return teams[0].lost and teams[0].leader == subject

    @classmethod
    def barred(cls, record: Record, teams: Sequence[Tabled], speaker: int) -> bool:
        return speaker in teams[0].team or teams[0].stood_for(speaker)


class Approved(OfRecord):
    tone, weight = AGAINST, 1.5
    ways = Ways(
        "they (approved|voted for|backed|supported) the team that failed quest {quest}",
        "they said yes to the team that failed quest {quest}",
        "the team that failed quest {quest} had their vote",
        "I voted against the team of quest {quest}, they for it, and it failed",
        "they wanted the team that lost us quest {quest}",
        careful=("they saw nothing wrong with the team that then failed quest {quest}",),
        blunt=("they voted yes on quest {quest}, and it failed",),
    )
    tales = Ways(
        "{name} (approved|backed|supported) the team that failed quest {quest}.",
        "{name} voted for the team that failed quest {quest}.",
    )

    @classmethod
    def borne(cls, record: Record, teams: Sequence[Tabled], subject: int) -> bool:
        return teams[0].lost and teams[0].by(subject) is True

    @classmethod
    def barred(cls, record: Record, teams: Sequence[Tabled], speaker: int) -> bool:
        return teams[0].by(speaker) is not False or speaker in teams[0].team


class Opposed(OfRecord):
    tone, weight = AGAINST, 1.2
    ways = Ways(
        "they (were|voted) against the team that won quest {quest}",
        "they rejected the team that won quest {quest}",
        "they (turned down|did not want) the team that won quest {quest}",
        "quest {quest} succeeded against their vote",
        "they said no to the team that brought us quest {quest}",
        careful=("they tried to stop the team that then won quest {quest}",),
        blunt=("they voted no on the team that won quest {quest}",),
    )
    tales = Ways(
        "{name} was against the team that won quest {quest}.",
        "{name} rejected the team that won quest {quest}.",
    )

    @classmethod
    def borne(cls, record: Record, teams: Sequence[Tabled], subject: int) -> bool:
        return teams[0].won and teams[0].by(subject) is False

    @classmethod
    def barred(cls, record: Record, teams: Sequence[Tabled], speaker: int) -> bool:
        return teams[0].by(speaker) is False


class Alone(OfRecord):
    tone, weight = AGAINST, 1.0
    ways = Ways(
        "they approved a team for quest {quest} that most of us turned down",
        "most of us rejected a team for quest {quest} that they wanted",
        "only {count} of us were for a team on quest {quest}, and they were among them",
        "they voted for a team that was turned down, at quest {quest}",
        careful=("they liked a team for quest {quest} that found (few friends|little support)",),
        blunt=("they voted yes when most of us said no, on quest {quest}",),
    )
    tales = Ways("{name} wanted a bad team for quest {quest}, which most of us turned down.")

    @classmethod
    def borne(cls, record: Record, teams: Sequence[Tabled], subject: int) -> bool:
        team = teams[0]
        return team.turned_down and team.by(subject) is True and team.leader != subject and team.votes is not None

    @classmethod
    def barred(cls, record: Record, teams: Sequence[Tabled], speaker: int) -> bool:
        return teams[0].by(speaker) is not False

    @classmethod
    def told(cls, record: Record, teams: Sequence[Tabled], subject: int) -> dict[str, Any]:
        return {"quest": teams[0].quest, "count": sum((teams[0].votes or {}).values())}


class TookAgain(OfRecord):
    tone, weight = AGAINST, 2.0
    ways = Ways(
        "for quest {later} they took somebody who had been on the failed quest {quest}",
        "they led with a member of the team that had failed quest {quest}",
        "after quest {quest} had failed, they took one of its team along again",
        "their team for quest {later} had somebody from the failed quest {quest} on it",
    )
    tales = Ways("{name} led a suspicious team for quest {later}, with somebody from the failed quest {quest} on it.")

    @classmethod
    def choices(cls, record: Record, subject: int) -> Iterable[Sequence[Tabled]]:
        return ([lost, team] for lost in record.lost for team in record if team.seq > lost.seq)

    @classmethod
    def borne(cls, record: Record, teams: Sequence[Tabled], subject: int) -> bool:
        lost, team = teams
        return lost.lost and team.seq > lost.seq and team.leader == subject and bool(lost.team & team.team - {subject})

    @classmethod
    def barred(cls, record: Record, teams: Sequence[Tabled], speaker: int) -> bool:
        lost, team = teams
        others = lost.team & team.team - {team.leader}
        own = (led for led in record if led.leader == speaker and led.seq > lost.seq)
        return speaker in others or team.stood_for(speaker) or any(lost.team & led.team - {speaker} for led in own)

    @classmethod
    def told(cls, record: Record, teams: Sequence[Tabled], subject: int) -> dict[str, Any]:
        return {"quest": teams[0].quest, "later": teams[1].quest}


class LeftOut(OfRecord):
    tone, weight = AGAINST, 0.9
    ways = Ways(
        "they left themselves out of their own team for quest {quest}",
        "they led a team for quest {quest} and did not go themselves",
        "they proposed a team for quest {quest} without themselves",
        careful=("who is good would want to go along, and they stayed off their own team for quest {quest}",),
    )
    tales = Ways("It is odd that {name} stayed off their own team for quest {quest}.")

    @classmethod
    def borne(cls, record: Record, teams: Sequence[Tabled], subject: int) -> bool:
        return teams[0].leader == subject and subject not in teams[0].team

    @classmethod
    def barred(cls, record: Record, teams: Sequence[Tabled], speaker: int) -> bool:
        return any(team.leader == speaker and speaker not in team.team for team in record)


class Turned(OfRecord):
    tone, weight = AGAINST, 0.9
    ways = Ways(
        "they voted one way and then the other on the very same team, at quest {quest}",
        "they changed their vote on the same team for quest {quest}",
        "the same team was on the table twice for quest {quest}, and they did not vote the same",
    )
    tales = Ways("It is odd that {name} voted both ways on the same team for quest {quest}.")

    @classmethod
    def choices(cls, record: Record, subject: int) -> Iterable[Sequence[Tabled]]:
        voted = record.voted
        return ([one, other] for place, one in enumerate(voted) for other in voted[place + 1 :])

    @classmethod
    def borne(cls, record: Record, teams: Sequence[Tabled], subject: int) -> bool:
        one, other = teams
        same = one.team == other.team and one.quest == other.quest and subject not in (one.leader, other.leader)
        return same and {one.by(subject), other.by(subject)} == {True, False}

    @classmethod
    def barred(cls, record: Record, teams: Sequence[Tabled], speaker: int) -> bool:
        return cls.borne(record, teams, speaker)


class Rejects(Several):
    tone, weight = AGAINST, 0.8
    ways = Ways(
        "they rejected {count} of the {votes} teams (so far|that we voted on)",
        "they turned down {count} of {votes} teams",
        "{count} of their {votes} votes were a no",
        "they are against nearly every team: {count} of {votes}",
    )
    tales = Ways("It is suspicious that {name} rejected {count} of {votes} teams.")
    share: ClassVar[float] = 0.75

    @classmethod
    def sort(cls, record: Record, subject: int) -> Sequence[Tabled]:
        return [team for team in record.voted if team.by(subject) is not None]

    @classmethod
    def _no(cls, teams: Iterable[Tabled], seat: int) -> int:
        return sum(team.by(seat) is False for team in teams)

    @classmethod
    def borne(cls, record: Record, teams: Sequence[Tabled], subject: int) -> bool:
        return len(teams) > 3 and cls._no(teams, subject) >= cls.share * len(teams)

    @classmethod
    def barred(cls, record: Record, teams: Sequence[Tabled], speaker: int) -> bool:
        return 2 * cls._no(record.voted, speaker) > len(record.voted)

    @classmethod
    def told(cls, record: Record, teams: Sequence[Tabled], subject: int) -> dict[str, Any]:
        return {"count": cls._no(teams, subject), "votes": len(teams)}


class Approves(Rejects):
    ways = Ways(
        "they approved {count} of the {votes} teams (so far|that we voted on), whatever was on the table",
        "they said yes to {count} of {votes} teams",
        "{count} of their {votes} votes were a yes, the failed team included",
        "hardly any team is turned down by them: {count} yes of {votes}",
    )
    tales = Ways("It is odd that {name} voted yes on {count} of {votes} teams.")

    @classmethod
    def _yes(cls, teams: Iterable[Tabled], seat: int) -> int:
        return sum(team.by(seat) is True for team in teams)

    @classmethod
    def borne(cls, record: Record, teams: Sequence[Tabled], subject: int) -> bool:
        enough = len(teams) > 3 and cls._yes(teams, subject) >= cls.share * len(teams)
        return enough and any(team.lost and team.by(subject) is True for team in teams)

    @classmethod
    def barred(cls, record: Record, teams: Sequence[Tabled], speaker: int) -> bool:
        return 2 * cls._yes(record.voted, speaker) > len(record.voted)

    @classmethod
    def told(cls, record: Record, teams: Sequence[Tabled], subject: int) -> dict[str, Any]:
        return {"count": cls._yes(teams, subject), "votes": len(teams)}
