"""What an Avalon house agent answers about quests, teams and votes, others' and its own."""

from __future__ import annotations

import re
from typing import Any

from agents.house.discourse import Point, listed
from games.avalon.house import answer_ways as ways
from games.avalon.house.hearing import remarks
from games.avalon.house.judging import approval_as_servant
from games.avalon.house.opinions import Opinions
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
            return self.say(point, ways.PLAYED_SUCCESS, quest=mine[-1].quest)
        return self.say(point, ways.NOT_ABOARD, quest=lost[-1].quest)

    def on_who_failed(self, point: Point) -> str:
        lost = [team for team in self.record.lost if point.number in (None, team.quest)]
        if not lost:
            return self._no_such_fail(point)
        team = lost[-1]
        others = listed([self.names[seat] for seat in sorted(team.team - {self.seat})], "or")
        if self.seat in team.team:
            first = self.say(point, ways.ONE_OF_NOT_ME, those=others, quest=team.quest)
        else:
            first = self.say(point, ways.ONE_OF, those=others, quest=team.quest)
        ranked = sorted(team.team - {self.seat}, key=lambda seat: -self.doubt[seat])
        ahead = len(ranked) > 1 and self.doubt[ranked[0]] > self.doubt[ranked[1]] + 0.05
        return f"{first} {self.say(point, ways.SUSPECT_BARE, name=self.names[ranked[0]])}" if ahead else first

    def _no_such_fail(self, point: Point) -> str:
        quest = point.number
        if quest is None or not self.record.went:
            return self.say(point, ways.NO_FAIL_YET)
        played = any(team.quest == quest for team in self.record.went)
        return self.say(point, ways.QUEST_DID_NOT_FAIL if played else ways.QUEST_NOT_PLAYED, quest=quest)

    def on_why_vote(self, point: Point) -> str:
        others = [seat for seat in point.seats if seat != self.seat]
        if others and "you" not in point.said.split():
            return self.on_votes(point)
        teams = [team for team in self.record.voted if point.number in (None, team.quest)]
        if not teams:
            return self.say(point, ways.NO_VOTE_YET)
        asked = vote_named(point)
        team = next((one for one in reversed(teams) if asked is not None and one.by(self.seat) is asked), teams[-1])
        vote = team.by(self.seat)
        if vote is not None and asked not in (None, vote):
            return self.say(point, ways.RECORD_DIFFERS, quest=team.quest, voted=voted(vote))
        if vote is None:
            return self.say(point, ways.LED_NO_VOTE, quest=team.quest)
        why = self.why(team, vote)
        return self.say(point, ways.APPROVED_SINCE if vote else ways.REJECTED_SINCE, quest=team.quest, why=why)

    def why(self, team: Tabled, vote: bool) -> str:
        """A clause that says why it voted so, from what was known then."""
        before = Record([one for one in self.record if one.seq < team.seq])
        others = sorted(team.team - {self.seat})
        if vote and team.attempt >= 5:
            return self._clause("fifth")
        if vote and team.leader == self.seat:
            return self._clause("led")
        if vote:
            for one in reversed(before.won):
                if who := [seat for seat in others if seat in one.team and seat not in before.stained]:
                    return self._clause("won", who=self.named(who), other=one.quest)
            return self._clause("aboard" if self.seat in team.team else "fair" if before.went else "no_better")
        for one in reversed(before.lost):
            if (who := [seat for seat in others if seat in one.team]) and self.seat not in one.team:
                return self._clause("lost", who=self.named(who), other=one.quest)
        return self._clause("better" if self.seat in team.team else "not_me")

    def _clause(self, kind: str, **parts: Any) -> str:
        return ways.WHY[kind].drawn(self.temper, self.chance).format(**parts)

    def on_why_team(self, point: Point) -> str:
        led = [team for team in self.record if team.leader == self.seat and point.number in (None, team.quest)]
        if not led:
            tabled = self.tabled
            return self.say(point, ways.NOT_LED) if tabled is None else self._not_mine(point, tabled)
        team = led[-1]
        asked = [seat for seat in point.seats if seat != self.seat]
        if asked and asked[0] not in team.team:
            return self.say(point, ways.DID_NOT_TAKE, name=self.names[asked[0]], quest=team.quest, size=len(team.team))
        if asked:
            parts = {"name": self.names[asked[0]], "quest": team.quest}
            return self.say(point, ways.TOOK_ONE, why=self._why_taken(team, asked[:1]), **parts)
        why = self._why_taken(team, sorted(team.team - {self.seat}))
        return self.say(point, ways.TOOK_SINCE, team=self.named(team.team), quest=team.quest, why=why)

    def _not_mine(self, point: Point, team: Tabled) -> str:
        return self.say(point, ways.NOT_MY_TEAM, leader=self.names[team.leader])

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
        return self.say(point, ways.WOULD_TAKE, team=self.named(teams[int(chances.argmax())]))

    def on_will_vote(self, point: Point) -> str:
        team = self.tabled
        if team is None:
            return self.say(point, ways.NO_TEAM)
        parts = {"leader": self.names[team.leader], "team": self.named(team.team, "me")}
        if team.leader == self.seat:
            return self.say(point, ways.MY_TEAM, **parts)
        spoken = next(
            (one.data["approves"] for one in reversed(self.situation.thoughts) if self._of_this(one, team)), None
        )
        approves = approval_as_servant(self.position) >= 0.5 if spoken is None else spoken
        return self.say(point, ways.TEAM_YES if approves else ways.TEAM_NO, why=self.why_now(team, approves), **parts)

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
        return self.say(point, ways.SCORE, **self.standing())

    def on_many(self, point: Point) -> str:
        return self.say(point, ways.COUNT, **self.standing())

    def on_leader(self, point: Point) -> str:
        return self.say(point, ways.LEADER, **self.standing())

    def on_votes(self, point: Point) -> str:
        teams = [team for team in self.record.voted if point.number in (None, team.quest)]
        if not teams:
            return self.say(point, ways.NO_VOTES)
        team, others = teams[-1], [seat for seat in point.seats if seat != self.seat]
        parts = {"quest": team.quest, "leader": self.names[team.leader]}
        if others and (vote := team.by(others[0])) is not None:
            some = ways.OTHERS_VOTE if point.kind == "why_vote" else ways.VOTE_OF
            return self.say(point, some, name=self.names[others[0]], voted=voted(vote), **parts)
        yes, no = ([seat for seat in team.votes or {} if (team.votes or {})[seat] is way] for way in (True, False))
        return self.say(
            point, ways.VOTES, yes=self.named(yes, "me") or "nobody", no=self.named(no, "me") or "nobody", **parts
        )

    def on_proposer(self, point: Point) -> str:
        teams = [team for team in self.record if point.number in (None, team.quest)]
        if not teams:
            return self.say(point, ways.NO_VOTES)
        return self.say(point, ways.PROPOSED, quest=teams[-1].quest, leader=self.names[teams[-1].leader])

    def on_result(self, point: Point) -> str:
        went = [team for team in self.record.went if point.number in (None, team.quest)]
        if not went:
            return self.say(point, ways.QUEST_NOT_PLAYED, quest=point.number or min(self.position.quest, 5))
        team = went[-1]
        fails = {0: "no fail", 1: "1 fail"}.get(team.fails or 0, f"{team.fails} fails")
        return self.say(point, ways.WENT, quest=team.quest, fails=fails, ended="succeeded" if team.won else "failed")

    on_fails = on_result

    def on_join(self, point: Point) -> str:
        return self.say(point, ways.JOIN)

    def on_goal(self, point: Point) -> str:
        return self.say(point, ways.GOAL)

    def on_aboard(self, point: Point) -> str:
        went = [team for team in self.record.went if point.number in (None, team.quest)]
        if not went:
            return self.say(point, ways.QUEST_NOT_PLAYED, quest=point.number or min(self.position.quest, 5))
        return self.say(point, ways.TEAM_OF, quest=went[-1].quest, those=self.named(went[-1].team, "I"))

    def on_view(self, point: Point) -> str:
        if not self.record.went and self.tabled is None:
            return self.say(point, ways.EARLY)
        asked = set(point.said.split())
        if "quest" in asked and self.record.went:
            return self.on_who_failed(point) if self.record.went[-1].lost else self.on_result(point)
        if self.tabled is not None and self.tabled.leader != self.seat and not asked.isdisjoint(_OF_THE_TEAM):
            return self.on_will_vote(point)
        if not self.record.went:
            return self.say(point, ways.EARLY)
        return f"{self.on_suspect_who(point)} {self.on_trust_who(point)}"

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
        return self.say(point, ways.SURE)


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
