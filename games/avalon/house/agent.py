"""The house agent for Avalon: an exact posterior over the deals, and a plain way to play from it at any seat.

A good seat proposes and approves the teams that are most probably clean. Merlin does the same from what it knows, mixed
with what it could know as a servant, so that its certainty does not show. An evil seat wants its own side on the team,
behind a team that a servant would find plausible; one seat plays the fail card for all; the dagger goes to the seat
that is most probably Merlin.

What anybody says, and the first team where there is talk, is what a servant at that seat would say and propose
(`Position.face`): so words alone tell no role.

How well it plays is its strength (`skill.py`).
"""

import math
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, NamedTuple

import numpy as np

from agents.beliefs import Beliefs
from agents.house.equals import one_of_highest
from agents.house.strength import strength_of
from agents.situation import Decision, Situation
from games.avalon.house.answers import AvalonAnswers
from games.avalon.house.judging import approval_as_servant, approval_of_the_good, measured
from games.avalon.house.position import Position, innocent
from games.avalon.house.skill import SKILLS
from games.avalon.posterior.exact import EVIL, ROLES
from games.rules.fields import SomeSeats

SECOND_THOUGHTS = 0.1
"""How often anybody thinks again after speaking. Where a quest may end the match, some vote against their words because
they know more; it must not tell them from those who do not."""


class Choice(NamedTuple):
    """An action, the agent's reason for it in one sentence, and what else its thought is to keep."""

    action: dict[str, Any]
    why: str
    kept: dict[str, Any] = {}


def decide(situation: Situation, chance: Random, switches: Mapping[str, Any]) -> Decision:
    """A legal action for any request of Avalon, with what the seat believes and why it acts so.

    Switch ``strength``: see `skill`. Switch ``hops`` (2): with 1 the thought leaves out what each other seat is thought
    to believe, with 0 also what it believes itself.
    """
    skill = SKILLS[strength_of(switches)]
    position = Position.of(situation.seat, situation.log, situation.names, skill)
    choice = _CHOOSE[situation.request.kind](position, situation, chance)
    hops = switches.get("hops", 2)
    data: dict[str, Any] = {"why": choice.why}
    if hops:
        data |= {"beliefs": side_beliefs(position, hops).to_json(), "roles": role_beliefs(position).to_json()}
    return Decision(choice.action, (situation.thought_of_house(data | choice.kept),))


# Beliefs ---------------------------------------------------------------------------------------------------------


def side_beliefs(position: Position, hops: int = 2) -> Beliefs:
    """Who is evil: what the seat believes and, with 2 hops, what it thinks that each other seat believes.

    Of another seat it supposes a servant's mind; fellow evil know what it knows itself.
    """
    fellows = position.known_evil if position.is_evil else frozenset((position.seat,))
    rows = {}
    for viewer in position.seats if hops == 2 else [position.seat]:
        view = position.mind if viewer in fellows else innocent(position.record, viewer)
        evil = np.clip(view.evil(), 0, 1)
        rows[viewer] = {seat: (1 - evil[seat - 1], evil[seat - 1]) for seat in position.seats if seat != viewer}
    return Beliefs.normalised(position.seat, ("good", "evil"), ("evil",), rows)


def role_beliefs(position: Position) -> Beliefs:
    """Who has which role, as the seat believes."""
    cast = [role for role in ROLES if role in position.cast]
    chances = position.mind.roles()[:, [ROLES.index(role) for role in cast]]
    row = {seat: chances[seat - 1].tolist() for seat in position.others}
    return Beliefs.normalised(position.seat, cast, [role for role in cast if role in EVIL], {position.seat: row})


# Teams and votes -------------------------------------------------------------------------------------------------


def choose_team(position: Position, situation: Situation, chance: Random) -> Choice:
    """The team to propose."""
    if not position.proposals and situation.options.discussion != "none":
        teams = position.teams(position.seat)
        chances = position.success(teams, position.face)
        why = "Nobody has shown anything yet: I take what a servant would, clean enough to one with {percent}%."
    elif position.is_evil:
        teams = position.teams(None if chance.random() < position.skill.stay_off else position.seat)
        aboard = [len(team & position.known_evil) for team in teams]
        enough = min((count for count in aboard if count >= position.needed), default=max(aboard))
        teams = [team for team, count in zip(teams, aboard, strict=True) if count == enough]
        chances = position.success(teams, position.face)
        if position.skill.courts:
            chances = approval_of_the_good(position, teams) / len(position.cast)
        why = "Of the teams that evil can fail this looks best to a servant, who would find it clean with {percent}%."
    else:
        teams = position.teams(position.seat)
        chances = merit(position, teams)
        why = "I hold this for the best team: clean enough with {percent}%."
    near = np.flatnonzero(chances >= chances.max() - position.skill.near_best)
    picked = int(chance.choice(near.tolist()))
    return Choice({"seats": sorted(teams[picked])}, why.format(percent=round(100 * chances[picked])))


def merit(position: Position, teams: list[frozenset[int]]) -> np.ndarray:
    """``[team]``: how good the team is to a good seat: the chance that it is clean enough; Merlin's is mixed with that
    of a servant, except where one more lost quest ends the match."""
    chances = position.success(teams, position.mind)
    if position.role == "merlin" and position.failures < 2:
        cover = position.skill.cover[position.quest - 1]
        chances = (1 - cover) * chances + cover * position.success(teams, position.face)
    return chances


def approval(position: Position) -> float:
    """The probability with which the seat approves the team on the table."""
    if position.seat == position.leader:
        return 1.0
    if position.is_evil:
        return _evil_approval(position)
    return measured(position, lambda teams: merit(position, teams))


def _evil_approval(position: Position) -> float:
    as_servant = approval_as_servant(position)
    if len(position.team & position.known_evil) >= position.needed:
        return 1.0 if position.decisive else as_servant + position.skill.bold[position.quest - 1] * (1 - as_servant)
    return 0.0 if position.successes == 2 else as_servant


def choose_vote(position: Position, situation: Situation, chance: Random) -> Choice:
    """Approve or reject the team on the table: as it was spoken of, unless the match may end with it."""
    said = _said(position, situation)
    resolve = chance.random()
    if said is not None and chance.random() >= SECOND_THOUGHTS:
        resolve = said
    as_spoken = said is not None and not position.decisive
    approve = resolve < (approval_as_servant(position) if as_spoken else approval(position))
    if position.last_attempt and approve:
        why = "One more rejection loses the match for good; nobody good can vote against this."
    elif position.is_evil:
        aboard = len(position.team & position.known_evil)
        why = f"Evil seats aboard that I know of: {aboard}. I {'approve' if approve else 'reject'}."
    else:
        clean = round(100 * position.success([position.team], position.mind)[0])
        why = f"To me this team is clean with {clean}%; {'good' if approve else 'not good'} enough at this point."
    return Choice({"approve": approve}, why)


def _said(position: Position, situation: Situation) -> float | None:
    """The draw by which this seat spoke for or against the team on the table; None if it said nothing."""
    for thought in reversed(situation.thoughts):
        if int(thought.request.partition(":")[0]) < position.tabled_at:
            break
        if "resolve" in thought.data:
            return thought.data["resolve"]
    return None


# Quests, lady, dagger --------------------------------------------------------------------------------------------


def choose_card(position: Position, situation: Situation, chance: Random) -> Choice:
    """The quest card. Of several evil seats that know one another, those next from the leader's left play the fails."""
    if not position.is_evil:
        return Choice({"success": True}, "A good seat has only the success card.")
    aboard = sorted(position.team & position.known_evil, key=lambda seat: (seat - position.leader) % len(position.cast))
    if len(aboard) < position.needed:
        return Choice({"success": True}, f"My fail alone would not lose this quest: it needs {position.needed}.")
    if position.decisive:
        return Choice({"success": False}, "This quest decides the match: I fail it.")
    if position.seat not in aboard[: position.needed]:
        return Choice({"success": True}, "A fellow is to play the fail; two of them would only tell more.")
    if chance.random() < position.skill.hide[position.quest - 1]:
        return Choice({"success": True}, "I let this quest succeed, to be trusted with a later one.")
    return Choice({"success": False}, "I fail this quest.")


def choose_lady(position: Position, situation: Situation, chance: Random) -> Choice:
    """Whom to look at with the Lady of the Lake."""
    candidates = situation.request.candidates
    view = position.face if position.role == "merlin" else position.mind
    evil = view.evil()
    if position.is_evil:
        fellows = [seat for seat in candidates if seat in position.known_evil] or candidates
        target = one_of_highest({seat: -evil[seat - 1] for seat in fellows}, chance)
        return Choice({"seat": target}, "I learn nothing new; I keep the Lady where she does us least harm.")
    target = one_of_highest({seat: -abs(evil[seat - 1] - 0.5) for seat in candidates}, chance)
    why = f"I am least sure of {situation.names[target]}: {round(100 * evil[target - 1])}% evil."
    return Choice({"seat": target}, why)


def choose_victim(position: Position, situation: Situation, chance: Random) -> Choice:
    """Whom to name as Merlin."""
    merlin = position.mind.roles()[:, ROLES.index("merlin")]
    targets = [seat for seat in situation.request.candidates if seat not in position.known_evil]
    target = one_of_highest({seat: merlin[seat - 1] for seat in targets}, chance)
    why = f"{situation.names[target]} acted most like Merlin: {round(100 * merlin[target - 1])}%."
    return Choice({"seat": target}, why)


# Speech ----------------------------------------------------------------------------------------------------------


def choose_words(position: Position, situation: Situation, chance: Random) -> Choice:
    """What to say about the team on the table: what a servant would say who saw only what everybody saw."""
    resolve = chance.random()
    approves = resolve < approval_as_servant(position)
    text = AvalonAnswers(situation, chance, position).speech(approves)
    why = "I say what a servant at my seat would say, so that my words tell nobody what I know."
    return Choice({"text": text}, why, {"approves": approves, "resolve": resolve})


# Polls -----------------------------------------------------------------------------------------------------------


def answer_poll(position: Position, situation: Situation, chance: Random) -> Choice:
    """Who is evil, and whom each other seat suspects, out of the beliefs; a tie is no opinion."""
    believed = side_beliefs(position)
    answers: dict[str, Any] = {}
    for item in situation.request.fields:
        if isinstance(item, SomeSeats) and item.count is not None:
            answers[item.name] = _ahead(believed, position.seat, item.count)
        else:
            viewer = int(item.name.removeprefix("suspect_of_"))
            top = _ahead(believed, viewer, 1)
            answers[item.name] = top and top[0]
    return Choice(answers, "This is what I believe just now.")


def _ahead(beliefs: Beliefs, viewer: int, count: int) -> list[int] | None:
    """The so many seats that a viewer suspects most; None where another is suspected as much as the last."""
    order = beliefs.ranked(viewer)
    last, next_one = (beliefs.suspicion(seat, viewer) for seat in order[count - 1 : count + 1])
    return None if math.isclose(last, next_one, abs_tol=1e-9) else sorted(order[:count])


_CHOOSE: dict[str, Callable[[Position, Situation, Random], Choice]] = {
    "team": choose_team,
    "team_vote": choose_vote,
    "quest": choose_card,
    "lady": choose_lady,
    "assassinate": choose_victim,
    "speech": choose_words,
    "ready": choose_words,
    "poll": answer_poll,
}
