"""What an Avalon house agent answers about quests, teams and votes, others' and its own."""

from __future__ import annotations

import re
from typing import Any

from agents.house.discourse import Point, listed
from agents.house.discourse.reasons import AGAINST, FOR
from games.avalon.house import answer_ways as ways
from games.avalon.house import table_ways
from games.avalon.house.hearing import remarks
from games.avalon.house.judging import approval_as_servant, servant_likes
from games.avalon.house.opinions import Opinions
from games.avalon.house.reasons import reasons
from games.avalon.house.record import Record, Tabled
from games.avalon.posterior.exact import EVIL


class TableAnswers(Opinions):
    """What happened and why it did what it did."""

    def on_did_fail(self, point: Point) -> str:
        lost = [team for team in self.record.lost if point.number in (None, team.quest)]
        if not lost:
            return self._no_such_fail(point)
        mine = [team for team in lost if self.seat in team.team]
        if mine:
            return self.say(point, table_ways.PLAYED_SUCCESS, quest=mine[-1].quest)
        return self.say(point, table_ways.NOT_ABOARD, quest=lost[-1].quest)

    def on_who_failed(self, point: Point) -> str:
        lost = [team for team in self.record.lost if point.number in (None, team.quest)]
        if not lost:
            return self._no_such_fail(point)
        team = lost[-1]
        others = listed([self.names[seat] for seat in sorted(team.team - {self.seat})], "or")
        if self.seat in team.team:
            first = self.say(point, table_ways.ONE_OF_NOT_ME, those=others, quest=team.quest)
        else:
            first = self.say(point, table_ways.ONE_OF, those=others, quest=team.quest)
        ranked = sorted(team.team - {self.seat}, key=lambda seat: -self.doubt[seat])
        ahead = len(ranked) > 1 and self.doubt[ranked[0]] > self.doubt[ranked[1]] + 0.05
        return f"{first} {self.say(point, ways.SUSPECT_BARE, name=self.names[ranked[0]])}" if ahead else first

    def _no_such_fail(self, point: Point) -> str:
        quest = point.number
        if quest is None or not self.record.went:
            return self.say(point, table_ways.NO_FAIL_YET)
        played = any(team.quest == quest for team in self.record.went)
        return self.say(point, table_ways.QUEST_DID_NOT_FAIL if played else table_ways.QUEST_NOT_PLAYED, quest=quest)

    def on_why_vote(self, point: Point) -> str:
        others = [seat for seat in point.seats if seat != self.seat]
        if others and "you" not in point.said.split():
            return self.on_votes(point)
        teams = [team for team in self.record.voted if point.number in (None, team.quest)]
        if not teams:
            return self.say(point, table_ways.NO_VOTE_YET)
        asked = vote_named(point)
        team = next((one for one in reversed(teams) if asked is not None and one.by(self.seat) is asked), teams[-1])
        vote = team.by(self.seat)
        if vote is not None and asked not in (None, vote):
            return self.say(point, ways.RECORD_DIFFERS, quest=team.quest, voted=voted(vote))
        if vote is None:
            return self.say(point, table_ways.LED_NO_VOTE, quest=team.quest)
        why = self.why(team, vote)
        return self.say(
            point, table_ways.APPROVED_SINCE if vote else table_ways.REJECTED_SINCE, quest=team.quest, why=why
        )

    def why(self, team: Tabled, vote: bool) -> str:
        """A clause that says why it voted so, from what was known then."""
        before = Record([one for one in self.record if one.seq < team.seq])
        if vote and team.attempt >= 5:
            return self._clause("fifth")
        if vote and team.leader == self.seat:
            return self._clause("led")
        return self._judged(before, team.team, vote)

    def _judged(self, before: Record, team: frozenset[int], vote: bool, tense: str = "") -> str:
        """A clause that says why a team pleases or does not, by the record before it. tense: `would_` for a team that
        is only thought of."""
        others = sorted(team - {self.seat})
        if vote:
            for one in reversed(before.won):
                if who := [seat for seat in others if seat in one.team and seat not in before.stained]:
                    return self._clause(f"{tense}won", who=self.named(who), other=one.quest)
            return self._clause(
                f"{tense}aboard" if self.seat in team else f"{tense}fair" if before.went else "no_better"
            )
        for one in reversed(before.lost):
            if (who := [seat for seat in others if seat in one.team]) and self.seat not in one.team:
                return self._clause(f"{tense}lost", who=self.named(who), other=one.quest)
        return self._clause(f"{tense}better" if self.seat in team else f"{tense}not_me")

    def _clause(self, kind: str, **parts: Any) -> str:
        return table_ways.WHY[kind].drawn(self.temper, self.chance).format(**parts)

    def on_alike(self, point: Point) -> str:
        """How often two voted alike: it and whoever is named, or the two that are named."""
        others = [seat for seat in point.seats if seat != self.seat] or [self._likest()]
        first, second = (*others, self.seat)[:2]
        pairs = [(team.by(first), team.by(second)) for team in self.record.voted]
        votes = [(one, other) for one, other in pairs if one is not None and other is not None]
        parts = {"same": sum(one is other for one, other in votes), "both": len(votes), "name": self.names[first]}
        if not votes:
            return self.say(point, table_ways.NOT_VOTED_BOTH)
        if second == self.seat and len(votes) == 1:
            (theirs, mine), name = votes[0], self.names[first]
            return self.say(point, table_ways.ONE_VOTE_BOTH, name=name, voted=voted(theirs), mine=voted(mine))
        if second != self.seat:
            return self.say(point, table_ways.TWO_ALIKE, other=self.names[second], **parts)
        return self.say(point, table_ways.BOTH_ALIKE if parts["same"] else table_ways.NEVER_ALIKE, **parts)

    def _likest(self) -> int:
        """The seat that voted as it did most often."""

        def alike(seat: int) -> int:
            return sum(team.by(seat) is team.by(self.seat) for team in self.record.voted if team.by(seat) is not None)

        return max(self.position.others, key=alike)

    def on_why_team(self, point: Point) -> str:
        led = [team for team in self.record if team.leader == self.seat and point.number in (None, team.quest)]
        if not led:
            tabled = self.tabled
            return self.say(point, table_ways.NOT_LED) if tabled is None else self._not_mine(point, tabled)
        team = led[-1]
        asked = [seat for seat in point.seats if seat != self.seat]
        if asked and asked[0] not in team.team:
            return self.say(
                point, table_ways.DID_NOT_TAKE, name=self.names[asked[0]], quest=team.quest, size=len(team.team)
            )
        if asked:
            parts = {"name": self.names[asked[0]], "quest": team.quest}
            return self.say(point, table_ways.TOOK_ONE, why=self._why_taken(team, asked[:1]), **parts)
        why = self._why_taken(team, sorted(team.team - {self.seat}))
        return self.say(point, table_ways.TOOK_SINCE, team=self.named(team.team), quest=team.quest, why=why)

    def _not_mine(self, point: Point, team: Tabled) -> str:
        return self.say(point, table_ways.NOT_MY_TEAM, leader=self.names[team.leader])

    def _why_taken(self, team: Tabled, seats: list[int]) -> str:
        before = Record([one for one in self.record if one.seq < team.seq])
        for one in reversed(before.won):
            if who := [seat for seat in seats if seat in one.team and seat not in before.stained]:
                return self._clause("won", who=self.named(who), other=one.quest)
        return self._clause("fair" if before.went else "no_better")

    def on_view_take(self, point: Point) -> str:
        position = self.position
        teams = position.teams(self.seat)
        chances = position.success(teams, position.face)
        return self.say(point, table_ways.WOULD_TAKE, team=self.named(teams[int(chances.argmax())]))

    def on_would_team(self, point: Point) -> str:
        """Whether it would vote for a team that is only spoken of."""
        team, size = frozenset(point.together), self.position.size
        of_a_team = any("team" in self.vocabulary.group_of.get(word, ()) for word in point.said.split())
        if len(team) != size and not of_a_team:
            return self.on_opinion(point)
        if len(team) != size:
            return self.say(point, table_ways.WRONG_SIZE, quest=self.position.quest, size=size, count=len(team))
        likes = servant_likes(self.position, team) >= 0.5
        why = self._judged(self.record, team, likes, "would_")
        return self.say(
            point, table_ways.WOULD_YES if likes else table_ways.WOULD_NO, team=self.named(team, "me"), why=why
        )

    def on_will_vote(self, point: Point) -> str:
        team = self.tabled
        if team is None:
            return self.say(point, table_ways.NO_TEAM)
        parts = {"leader": self.names[team.leader], "team": self.named(team.team, "me")}
        if team.leader == self.seat:
            return self.say(point, table_ways.MY_TEAM, **parts)
        spoken = next(
            (one.data["approves"] for one in reversed(self.situation.thoughts) if self._of_this(one, team)), None
        )
        approves = approval_as_servant(self.position) >= 0.5 if spoken is None else spoken
        return self.say(
            point, table_ways.TEAM_YES if approves else table_ways.TEAM_NO, why=self.why_now(team, approves), **parts
        )

    on_urge_vote = on_will_vote

    @staticmethod
    def _of_this(thought: Any, team: Tabled) -> bool:
        return "approves" in thought.data and int(thought.request.partition(":")[0]) >= team.seq

    def why_now(self, team: Tabled, approves: bool) -> str:
        if approves and self.seat in team.team and team.attempt < 5:
            return "I would be on it"
        said = self.why(team, approves)
        return {"I was not on it": "I am not on it", "it was the last try": "it is the last try"}.get(said, said)

    # Facts ---------------------------------------------------------------------------------------------------------

    def standing(self) -> dict[str, Any]:
        position, quest = self.position, min(self.position.quest, 5)
        return {
            "won": position.successes, "lost": position.failures, "quest": quest, "attempt": position.attempt,
            "evil": sum(role in EVIL for role in position.cast), "seats": len(position.cast), "size": position.size,
            "fails": "1 fail" if position.needed == 1 else f"{position.needed} fails",
            "leader": self.names[position.leader],
        }  # fmt: skip

    def on_score(self, point: Point) -> str:
        return self.say(point, table_ways.SCORE, **self.standing())

    def on_many(self, point: Point) -> str:
        return self.say(point, table_ways.COUNT, **self.standing())

    def on_needed(self, point: Point) -> str:
        return self.say(point, table_ways.NEEDED, **self.standing())

    def on_evils(self, point: Point) -> str:
        return self.say(point, table_ways.EVILS, **self.standing())

    def on_size(self, point: Point) -> str:
        return self.say(point, table_ways.SIZE, **self.standing())

    def on_leader(self, point: Point) -> str:
        return self.say(
            point, table_ways.I_LEAD_NOW if self.to_lead[0] == self.seat else table_ways.LEADER, **self.standing()
        )

    @property
    def to_lead(self) -> list[int]:
        """The seats in the order in which they lead, from the one that leads now."""
        seats, now = list(self.position.seats), self.position.leader
        return seats[now - 1 :] + seats[: now - 1]

    def on_next_leader(self, point: Point) -> str:
        now, following, *_ = self.to_lead
        some = table_ways.I_LEAD_NEXT if following == self.seat else table_ways.NEXT_LEADER
        return self.say(point, some, leader=self.named([now], "me"), following=self.names[following])

    def on_my_turn(self, point: Point) -> str:
        before = self.to_lead[: self.to_lead.index(self.seat)]
        if not before:
            return self.say(point, table_ways.I_LEAD_NOW)
        return self.say(point, table_ways.MY_TURN, between=listed([self.names[seat] for seat in before]))

    def on_votes(self, point: Point) -> str:
        teams = [team for team in self.record.voted if point.number in (None, team.quest)]
        if not teams:
            return self.say(point, table_ways.NO_VOTES)
        team, others = teams[-1], [seat for seat in point.seats if seat != self.seat]
        parts = {"quest": team.quest, "whose": self._whose(team)}
        if others and (vote := team.by(others[0])) is not None:
            some = table_ways.OTHERS_VOTE if point.kind == "why_vote" else table_ways.VOTE_OF
            parts |= {"whose": self._whose(team, others[0]), "leader": self.names[team.leader]}
            return self.say(point, some, name=self.names[others[0]], voted=voted(vote), **parts)
        yes, no = ([seat for seat in team.votes or {} if (team.votes or {})[seat] is way] for way in (True, False))
        return self.say(
            point, table_ways.VOTES, yes=self.named(yes, "me") or "nobody", no=self.named(no, "me") or "nobody", **parts
        )

    def _whose(self, team: Tabled, voter: int = 0) -> str:
        own = "my team" if team.leader == self.seat else f"the team of {self.names[team.leader]}"
        return "their own team" if team.leader == voter else own

    def on_view_vote(self, point: Point) -> str:
        """What it makes of somebody's last vote that was told."""
        teams = [team for team in self.record.voted if point.number in (None, team.quest)]
        seat = next((seat for seat in point.seats if seat != self.seat), None)
        asked = vote_named(point)
        team = next((one for one in reversed(teams) if asked is not None and one.by(seat or 0) is asked), None)
        team = team or (teams[-1] if teams else None)
        if seat is None or team is None or (vote := team.by(seat)) is None:
            return self.on_votes(point)
        parts = {"name": self.names[seat], "voted": voted(vote), "whose": self._whose(team, seat)}
        told = self.say(
            point,
            table_ways.VOTED_AS_I_DID if team.by(self.seat) is vote else table_ways.VOTE_OF,
            quest=team.quest,
            **parts,
        )
        found = [
            reason
            for tone in (AGAINST, FOR)
            for reason in reasons(self.record, seat, self.seat, tone)
            if reason.kind in OF_VOTES and team.seq in reason.events
        ]
        said = (
            self.since(point, table_ways.VOTE_SAYS, found[0], seat)
            if found
            else self.say(point, table_ways.VOTE_SAYS_LITTLE)
        )
        return f"{told} {said}"

    def on_proposer(self, point: Point) -> str:
        teams = [team for team in self.record if point.number in (None, team.quest)]
        if not teams:
            return self.say(point, table_ways.NO_VOTES)
        return self.say(point, table_ways.PROPOSED, quest=teams[-1].quest, leader=self.names[teams[-1].leader])

    def on_result(self, point: Point) -> str:
        went = [team for team in self.record.went if point.number in (None, team.quest)]
        if not went:
            return self.say(point, table_ways.QUEST_NOT_PLAYED, quest=point.number or min(self.position.quest, 5))
        team = went[-1]
        fails = {0: "no fail", 1: "1 fail"}.get(team.fails or 0, f"{team.fails} fails")
        return self.say(
            point, table_ways.WENT, quest=team.quest, fails=fails, ended="succeeded" if team.won else "failed"
        )

    on_fails = on_result

    def on_join(self, point: Point) -> str:
        return self.say(point, table_ways.JOIN)

    def on_goal(self, point: Point) -> str:
        return self.say(point, table_ways.GOAL)

    def on_aboard(self, point: Point) -> str:
        went = [team for team in self.record.went if point.number in (None, team.quest)]
        if not went:
            return self.say(point, table_ways.QUEST_NOT_PLAYED, quest=point.number or min(self.position.quest, 5))
        return self.say(point, table_ways.TEAM_OF, quest=went[-1].quest, those=self.named(went[-1].team, "I"))

    def on_view(self, point: Point) -> str:
        if not self.record.went and self.tabled is None:
            return self.say(point, table_ways.EARLY)
        asked = set(point.said.split())
        if "quest" in asked and self.record.went:
            return self.on_who_failed(point) if self.record.went[-1].lost else self.on_result(point)
        if self.tabled is not None and self.tabled.leader != self.seat and not asked.isdisjoint(_OF_THE_TEAM):
            return self.on_will_vote(point)
        if not self.record.went:
            return self.say(point, table_ways.EARLY)
        return f"{self.on_suspect_who(point)} {self.on_trust_who(point)}"

    def on_why_not(self, point: Point) -> str:
        """Why it left somebody out of the team that it led last; else what it holds against them."""
        led = [team for team in self.record if team.leader == self.seat]
        left_out = bool(led) and any(seat not in led[-1].team for seat in point.seats if seat != self.seat)
        return self.on_why_team(point) if left_out else self.on_why_suspect(point)

    def on_why_me(self, point: Point) -> str:
        team = self.tabled
        mine = team is not None and team.leader == self.seat and point.line.seat in team.team
        return self.on_why_team(point) if mine else self.on_why_suspect(point)

    def on_why(self, point: Point) -> str:
        """Why it said or did what it did last."""
        last = next((line for line in reversed(self.heard) if line.seat == self.seat), None)
        said = remarks(self.seat, last.text, self.position.names) if last is not None and last.kind == "chat" else ()
        if said:
            about = point._replace(seats=(said[-1].subject,))
            return self.on_why_suspect(about) if said[-1].doubts else self.on_why_trust(about)
        if self.tabled is not None and self.tabled.leader == self.seat:
            return self.on_why_team(point)
        return self.on_why_vote(point)

    def on_sure(self, point: Point) -> str:
        return self.say(point, table_ways.SURE)


OF_VOTES = frozenset(("Approved", "Opposed", "Alone", "Turned", "Warned", "Backed"))
"""Kinds of reasons that rest on how somebody voted."""

_FOR = re.compile(r"\b(?:approv|accept|support|back)\w*|\bvoted? for\b|\byes\b")
_AGAINST = re.compile(r"\b(?:reject|refus|declin|den[iy])\w*|\bagainst\b|\bno\b|\bnot (?:approve|vote for|support)\b")


def vote_named(point: Point) -> bool | None:
    """Which vote a point speaks of; None where it names none."""
    if _AGAINST.search(point.said):
        return False
    return True if _FOR.search(point.said) else None


_OF_THE_TEAM = frozenset("team teams proposal this vote it".split())
OFTEN = frozenset("always never everything every all".split())


def voted(vote: bool) -> str:
    return "approved" if vote else "rejected"
