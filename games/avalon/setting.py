"""What a match of Avalon can be dealt: roles, sizes of teams, options, and why some of it cannot be played."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.rules.discussion import FREE, TalkOptions, length_option
from games.rules.options import option, polls_option
from games.rules.sentences import sentence
from games.rules.values import Impossible

MERLIN, PERCIVAL, SERVANT = "merlin", "percival", "servant"
MORGANA, MORDRED, OBERON, MINION = "morgana", "mordred", "oberon", "minion"
GOOD = (MERLIN, PERCIVAL, SERVANT)
EVIL = (MORGANA, MORDRED, OBERON, MINION)
UNIQUE = (MERLIN, PERCIVAL, MORGANA, MORDRED, OBERON)

EVIL_SEATS = {5: 2, 6: 2, 7: 3, 8: 3, 9: 3, 10: 4}
TEAM_SIZES = {5: (2, 3, 2, 3, 3), 6: (2, 3, 4, 3, 4), 7: (2, 3, 3, 4, 4)} | dict.fromkeys((8, 9, 10), (3, 4, 4, 5, 5))
TWO_FAILS_FROM = 7
REJECTIONS_LOSE = 5
LADY_FROM = 7
LADY_AFTER_QUESTS = (2, 3, 4)
USUAL_ROLES = {
    5: (MERLIN, PERCIVAL, SERVANT, MORGANA, MINION),
    6: (MERLIN, PERCIVAL, SERVANT, SERVANT, MORGANA, MINION),
    7: (MERLIN, PERCIVAL, SERVANT, SERVANT, MORGANA, OBERON, MINION),
    8: (MERLIN, PERCIVAL, SERVANT, SERVANT, SERVANT, MORGANA, MINION, MINION),
    9: (MERLIN, PERCIVAL, SERVANT, SERVANT, SERVANT, SERVANT, MORGANA, MORDRED, MINION),
    10: (MERLIN, PERCIVAL, SERVANT, SERVANT, SERVANT, SERVANT, MORGANA, MORDRED, OBERON, MINION),
}


def side_of(role: str) -> str:
    """'good' or 'evil'."""
    return "evil" if role in EVIL else "good"


SHOWN_TO = {
    MERLIN: (MORGANA, OBERON, MINION),
    PERCIVAL: (MERLIN, MORGANA),
    MORGANA: (MORDRED, MINION),
    MORDRED: (MORGANA, MINION),
    MINION: (MORGANA, MORDRED, MINION),
}
SEES_AS = {
    MERLIN: "evil",
    PERCIVAL: "merlin or morgana",
    MORGANA: "fellow evil",
    MORDRED: "fellow evil",
    MINION: "fellow evil",
}


def seen_by_role(roles: Sequence[str], seat: int) -> list[int]:
    """The seats that `seat` is shown before the first quest; `roles` is in seat order."""
    shown = SHOWN_TO.get(roles[seat - 1], ())
    return [other for other, held in enumerate(roles, 1) if held in shown and other != seat]


def filled_up(special: Sequence[str], seats: int) -> tuple[str, ...]:
    """These roles, and servants and minions on all other seats."""
    evil = sum(role in EVIL for role in special)
    minions = max(EVIL_SEATS[seats] - evil, 0)
    return (*special, *[SERVANT] * (seats - len(special) - minions), *[MINION] * minions)


@dataclass(frozen=True, kw_only=True)
class AvalonOptions(TalkOptions):
    """What a match of Avalon can choose. No roles stand for the usual ones at this size of table."""

    roles: tuple[str, ...] = option(
        (),
        sentence("Servants and minions take the other seats. None chosen: the usual roles."),
        label=sentence("Special roles"),
        choices={
            MERLIN: sentence("Merlin"),
            PERCIVAL: sentence("Percival"),
            SERVANT: "",
            MORGANA: sentence("Morgana"),
            MORDRED: sentence("Mordred"),
            OBERON: sentence("Oberon"),
            MINION: "",
        },
        fill=filled_up,
    )
    dagger: str = option(
        "evil",
        sentence("Who is the Assassin and names Merlin in the end."),
        label=sentence("The Assassin"),
        choices={
            "evil": sentence("Any evil player, by lot"),
            "minion": sentence("A minion"),
            "none": sentence("Nobody"),
        },
    )
    all_vote: bool = option(True, sentence("The leader votes too."))
    discussion: str = option(
        "none",
        sentence("Whether the table talks about a team before it votes."),
        label=sentence("Talk"),
        choices={
            "none": sentence("No talk"),
            "once": sentence("Each speaks once"),
            FREE: sentence("All talk until they are ready"),
        },
    )
    speech_limit: int = length_option(600)
    lady: bool = option(
        False,
        sentence(
            "The Lady of the Lake: after some quests one player learns another's side. From {lady_from} seats.",
            lady_from=LADY_FROM,
        ),
    )

    polls: str = polls_option(magic=sentence("As in MAgIC’s word games"))

    def resolve(self) -> AvalonOptions:
        return self if self.roles else dataclasses.replace(self, roles=USUAL_ROLES.get(self.seats, ()))

    def check(self) -> None:
        check_roles(self.roles, self.seats)
        if self.dagger == "minion" and MINION not in self.roles:
            raise Impossible(sentence("The Assassin is to be a minion, but no minion is in play."))
        if self.lady and self.seats < LADY_FROM:
            raise Impossible(
                sentence("The Lady of the Lake needs a table of {lady_from} seats or more.", lady_from=LADY_FROM)
            )


def check_roles(roles: Sequence[str], seats: int) -> None:
    """Raise `Impossible` if these roles cannot be dealt to a table of this size."""
    if len(roles) != seats:
        raise Impossible(
            sentence("{seats} seats need {seats} roles; there are {given}.", seats=seats, given=len(roles))
        )
    if unknown := [role for role in roles if role not in GOOD + EVIL]:
        raise Impossible(sentence("Avalon has no role '{unknown}'.", unknown=unknown[0]))
    if twice := [role for role in UNIQUE if roles.count(role) > 1]:
        raise Impossible(sentence("There can be only one {role}.", role=twice[0]))
    evil = sum(role in EVIL for role in roles)
    if evil != EVIL_SEATS[seats]:
        raise Impossible(
            sentence(
                "{seats} seats need {needed} evil roles; there are {evil}.",
                seats=seats,
                needed=EVIL_SEATS[seats],
                evil=evil,
            )
        )


def check_deal(options: AvalonOptions, setting: dict[str, Any]) -> None:
    """Raise `Impossible` if the deal that a setting fixes cannot be played with these options."""
    if unknown := [key for key in setting if key not in ("roles", "assassin", "first_leader", "openings")]:
        raise Impossible(sentence("A setting of Avalon has no '{unknown}'.", unknown=unknown[0]))
    roles = setting.get("roles")
    if roles is not None:
        if not isinstance(roles, list):
            raise Impossible(sentence("The roles in the setting are a list in seat order."))
        check_roles(roles, options.seats)
    for name in ("assassin", "first_leader"):
        seat = setting.get(name)
        if seat is not None and (type(seat) is not int or not 1 <= seat <= options.seats):
            raise Impossible(
                sentence("'{name}' in the setting is a seat from 1 to {seats}.", name=name, seats=options.seats)
            )
    assassin = setting.get("assassin")
    if assassin is None:
        return
    if roles is None:
        raise Impossible(sentence("A setting that names the Assassin must give the roles too."))
    if side_of(roles[assassin - 1]) == "good":
        raise Impossible(sentence("Seat {assassin} is good and cannot be the Assassin.", assassin=assassin))


def fails_needed(seats: int, quest: int) -> int:
    """How many fail cards lose a quest (1 to 5)."""
    return 2 if quest == 4 and seats >= TWO_FAILS_FROM else 1
