"""Metrics counted from exported logs alone, by code that shares nothing with the project's: only docs/log.md (what a
line holds) and docs/metrics.md (what a number counts) were followed.

`recount(texts)` gives {metric: {group: number}} for every metric in `COUNTS` and `MADE`, by agent and by (agent, role);
no data is None.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter, defaultdict
from fractions import Fraction

EVIL, GOOD = ("morgana", "mordred", "oberon", "minion"), ("merlin", "percival", "servant")
HIDERS = {"undercover", "chameleon", "spy", *EVIL}
"""The roles that are looked for."""
SIDES = {"avalon": {**dict.fromkeys(EVIL, "evil"), **dict.fromkeys(GOOD, "good")}}
"""By game the side of each role, where that is another word."""
NO_REPLY = {"provider", "setup", "spending", "profile", "lost"}
CREDITS = {"chameleon": 2, "undercover": 3}


class Log:
    """One exported match, its lines sorted by what they are."""

    def __init__(self, text):
        lines = [json.loads(line) for line in text.splitlines()]
        self.head, self.end = lines[0], lines[-1]
        self.events = [line for line in lines if line["type"] == "event"]
        self.attempts = [line for line in lines if line["type"] == "attempt"]
        theirs = {e["request"] for e in self.events if e["request"] and self.mover(e) == "other"}
        self.thoughts = [line for line in lines if line["type"] == "thought" and line["request"] not in theirs]
        self.game, self.seats = self.head["game"], range(1, len(self.head["seats"]) + 1)
        self._kinds = defaultdict(list)
        for event in self.events:
            self._kinds[event["kind"]].append(event)
        self.finished = self.end["status"] == "finished"
        self.winners = set(self.end.get("winners") or ())
        self.points = {int(seat): number for seat, number in (self.end.get("returns") or {}).items()}
        self.result = self.end["result"]
        self.role = self._roles()
        self.side = {seat: SIDES.get(self.game, {}).get(role, role) for seat, role in self.role.items()}
        self.hides = {seat for seat, role in self.role.items() if role in HIDERS}

    def _roles(self):
        data = next((event["data"] for event in self.events if event["kind"] == "record"), {})
        if self.game == "chameleon":
            return {seat: "chameleon" if seat == data.get("chameleon") else "non-chameleon" for seat in self.seats}
        if self.game == "spygame":
            return {seat: "spy" if seat == data.get("spy") else "citizen" for seat in self.seats}
        if self.game in HIDDEN:
            return dict(zip(self.seats, data.get("roles", ()), strict=False))
        return dict.fromkeys(self.seats, self.game)

    def of(self, *kinds):
        return sorted((event for kind in kinds for event in self._kinds[kind]), key=lambda event: event["seq"])

    def agent(self, seat):
        player = self.head["seats"][seat - 1]
        return player.get("agent") or player["kind"]

    def mover(self, event):
        """ "own", "unusable" (a default after the own player's reply), "nobody", "other" or "given"."""
        by, player = event["by"], self.head["seats"][event["seat"] - 1]
        if by in ("opening", "moderator"):
            return "given"
        if by == "default":
            own = f"agent:{player.get('agent')}"
            tried = [
                a
                for a in self.attempts
                if a["request"] == event["request"] and a["instead"] == "default" and a["by"] == own
            ]
            return "unusable" if any(a["code"] not in NO_REPLY for a in tried) else "nobody"
        if by.startswith("agent:"):
            if player["kind"] == "person":
                return "other"
            return "own" if player.get("agent") in (None, by[6:]) else "other"
        return "own"

    def own(self, event):
        return self.mover(event) == "own"

    def moves(self):
        return [event for event in self.events if event["request"] and event["kind"] != "poll"]

    def played_itself(self, seat):
        """Whether nobody else moved for a seat."""
        return all(self.mover(move) in ("own", "unusable", "given") for move in self.moves() if move["seat"] == seat)

    def votes(self):
        """(voter, target, who goes out in that round, which ballot, whether it is the voter's own)."""
        found, waiting, ballot = [], [], 0
        for event in self.of("voting", "vote", "out", "accused", "finished", "ended"):
            if event["kind"] == "voting":
                ballot += 1
            elif event["kind"] == "vote":
                waiting.append((event["seat"], event["data"]["seat"], ballot, self.own(event)))
            else:
                gone = event["seat"] if event["kind"] in ("out", "accused") else None
                found += [(voter, target, gone, nth, own) for voter, target, nth, own in waiting]
                waiting = []
        return found

    def polls(self):
        """Answered polls of own players as (nth polling, moment, seat, what was said)."""
        found, nth, moment = [], 0, ""
        for event in self.of("polling", "poll"):
            if event["kind"] == "polling":
                nth, moment = nth + 1, event["data"]["moment"]
            elif not event["data"].get("skipped") and self.own(event):
                found.append((nth, moment, event["seat"], event["data"]))
        return found

    def gone(self, rounds=None):
        """Who is out after so many rounds of votes: {seat: seq}."""
        return {out["seat"]: out["seq"] for out in self.of("out")[:rounds] if out["seat"] is not None}

    def tally(self):
        return self.of("tally")[-1]["data"]

    def matrices(self, seat):
        """A seat's last matrix for each request, where its suspects are something that somebody is."""
        last = {}
        for thought in self.thoughts:
            matrix = thought["data"].get("beliefs")
            if thought["seat"] == seat and matrix and str(seat) in matrix["rows"]:
                last[thought["request"]] = matrix
        return [m for m in last.values() if any(self.is_one(other, m["suspects"]) for other in self.seats)]

    def is_one(self, seat, labels):
        return self.role.get(seat) in labels or self.side.get(seat) in labels


COUNTS, MADE = {}, {}
"""What counts each metric: (games, whole seat, broken off too, function); what is made of others: (parts, function)."""

WORDS, POINTS = ("chameleon", "undercover"), ("cost_sharing", "prisoners_dilemma", "public_good")
HIDDEN = (*WORDS, "avalon", "spygame")
ALL = (*HIDDEN, *POINTS)


def counts(name, games, whole=False, broken=False):
    """The function below yields (value, weight) or (value, weight, what a group has once a match)."""

    def taken(function):
        COUNTS[name] = games, whole, broken, function
        return function

    return taken


def recount(texts):
    sums = defaultdict(lambda: [0, 0])
    groups = set()
    for log in map(Log, texts):
        members = defaultdict(list)
        for seat in log.seats:
            if log.role.get(seat) is not None:
                members[log.agent(seat), log.role[seat]].append(seat)
                members[log.agent(seat)].append(seat)
        groups |= set(members)
        for name, (games, whole, broken, function) in COUNTS.items():
            if log.game not in games or not (log.finished or broken):
                continue
            for group, seats in members.items():
                once = set()
                for seat in seats:
                    if whole and not log.played_itself(seat):
                        continue
                    for value, weight, *key in function(log, seat):
                        if key and key[0] in once:
                            continue
                        once.update(key)
                        sums[name, group][0] += value
                        sums[name, group][1] += weight
    found = defaultdict(dict)
    for group in groups:
        for name in COUNTS:
            number, weight = sums[name, group]
            found[name][group] = number / weight if weight else None
        for name, (parts, function) in MADE.items():
            values = [found[part][group] for part in parts]
            found[name][group] = function(values)
    return dict(found)


# MAgIC --------------------------------------------------------------------------------------------------------------

ROLE_GAMES = {
    "chameleon": "chameleon", "non-chameleon": "chameleon", "undercover": "undercover", "civilian": "undercover"
}  # fmt: skip


def credits(role, game):
    @counts(f"magic.win_rate.{role}", (game,), whole=True)
    def _(log, seat):
        if log.role[seat] == role:
            yield log.points[seat], CREDITS[game], role


def votes_about(role, game):
    @counts(f"magic.vote_accuracy.{role}", (game,), whole=role in CREDITS)
    def _(log, seat):
        if log.role[seat] == role:
            for voter, target, _gone, _nth, own in log.votes():
                if target is not None and own:
                    if role not in CREDITS and voter == seat:
                        yield int(target in log.hides), 1
                    elif role in CREDITS and voter != seat:
                        yield int(target == seat), 1


for _role, _game in ROLE_GAMES.items():
    credits(_role, _game)
    votes_about(_role, _game)


@counts("magic.win_rate.cost_sharing", ("cost_sharing",), whole=True)
def _won_cost(log, seat):
    yield int(seat in log.winners), 1, "agreed"


def won_alone(game):
    @counts(f"magic.win_rate.{game}", (game,), whole=True)
    def _(log, seat):
        yield int(log.points[seat] == max(log.points.values())), 1


won_alone("prisoners_dilemma")
won_alone("public_good")


@counts("magic.judgement", WORDS)
def _judgement(log, seat):
    if log.role[seat] in ("civilian", "non-chameleon"):
        for voter, target, _gone, _nth, own in log.votes():
            if voter == seat and own and target is not None:
                yield int(target in log.hides), 1


def analyses(log, seat):
    """By poll of MAgIC's kind: how many analyses are right, and how many there are."""
    if log.head["options"].get("polls") != "magic":
        return
    polls = log.polls()
    for nth, _moment, who, said in polls:
        if who != seat:
            continue
        right = []
        if said.get("odd_one") is not None and log.role[seat] != "chameleon":
            right.append(said["odd_one"] in log.hides)
        for other_nth, _, other, theirs in polls:
            thought = said.get(f"suspect_of_{other}")
            asked = other_nth == nth and other != seat and log.role[other] != "chameleon"  # which was told what it is
            if asked and thought is not None and theirs.get("odd_one") is not None:
                right.append(thought == theirs["odd_one"])
        yield right


@counts("magic.reasoning", WORDS)
def _reasoning(log, seat):
    for right in analyses(log, seat):
        yield sum(right), len(right)


@counts("magic.reasoning.whole", WORDS)
def _reasoning_whole(log, seat):
    for right in analyses(log, seat):
        if right:
            yield int(all(right)), 1


def statements(name, games):
    @counts(name, games)
    def _(log, seat):
        if log.head["options"].get("polls") == "magic" and log.role[seat] != "blank":
            for _nth, _moment, who, said in log.polls():
                if who == seat and said.get("side") is not None:
                    yield int(said["side"] in (log.role[seat], f"{log.role[seat]}s")), 1


statements("magic.self_awareness", WORDS)
statements("magic.self_awareness.chameleon", ("chameleon",))
statements("magic.self_awareness.undercover", ("undercover",))


@counts("magic.deception", WORDS, whole=True)
def _deception(log, seat):
    if seat in log.hides:
        yield int(log.points[seat] > 0), 1, "odd"


@counts("magic.deception.strict", WORDS, whole=True)
def _deception_strict(log, seat):
    if seat in log.hides:
        yield int(log.points[seat] == CREDITS[log.game]), 1, "odd"


@counts("magic.wrong_guesses", ("chameleon",), whole=True)
def _wrong_guesses(log, seat):
    if seat not in log.hides:
        for guess in log.of("guess"):
            if log.own(guess) and guess["data"]["text"] is not None:
                yield int(log.result != "guessed"), 1, guess["seq"]


@counts("magic.cooperation", ("cost_sharing",), whole=True)
def _cooperation(log, seat):
    yield int(log.result == "agreed"), 1, "agreed"


def own_split(log, seat):
    mine = [proposal for proposal in log.of("proposal") if proposal["seat"] == seat]
    return seat in log.tally()["proposers"] and log.own(mine[-1])


@counts("magic.coordination", ("cost_sharing",), whole=True)
def _coordination(log, seat):
    if log.result == "agreed":
        yield int(own_split(log, seat)), 1


@counts("magic.coordination.m2", ("cost_sharing",), whole=True)
def _coordination_of_all(log, seat):
    yield int(log.result == "agreed" and own_split(log, seat)), 1


@counts("magic.cost", ("cost_sharing",), whole=True)
def _cost(log, seat):
    if log.result == "agreed":
        yield log.tally()["split"][seat - 1], 1


def defected(log, seat):
    for choice in log.of("choice"):
        if choice["seat"] == seat and log.own(choice):
            yield int(choice["data"]["choice"] == "defect"), 1


def put_in_least(log, seat):
    put = log.of("contribution")
    rounds = [put[start : start + len(log.seats)] for start in range(0, len(put), len(log.seats))]
    for one in rounds:
        points = {event["seat"]: event["data"]["points"] for event in one}
        if any(event["seat"] == seat and log.own(event) for event in one):
            yield int(points[seat] == min(points.values())), 1


counts("magic.rationality.prisoners_dilemma", ("prisoners_dilemma",))(defected)
counts("magic.rationality.public_good", ("public_good",))(put_in_least)


@counts("magic.rationality", ("prisoners_dilemma", "public_good"))
def _rationality(log, seat):
    yield from (defected if log.game == "prisoners_dilemma" else put_in_least)(log, seat)


def total(name, game):
    @counts(name, (game,), whole=True)
    def _(log, seat):
        yield log.points[seat], 1


total("magic.score", "prisoners_dilemma")
total("magic.payback", "public_good")


def tried(log, seat):
    """All points that a seat tried to put in: at each request the first refused as too much, else what it put."""
    wanted = {
        event["request"]: event["data"]["points"]
        for event in log.of("contribution")
        if event["seat"] == seat and log.own(event)
    }
    first = {}
    for attempt in log.attempts:
        if attempt["seat"] == seat and attempt["code"] == "over_budget" and attempt["request"] not in first:
            first[attempt["request"]] = attempt["action"]["points"]
    return list({**wanted, **first}.values())


@counts("magic.invested", ("public_good",), whole=True)
def _invested(log, seat):
    if points := tried(log, seat):
        yield sum(points), 1


@counts("magic.within_budget", ("public_good",), whole=True)
def _within_budget(log, seat):
    if points := tried(log, seat):
        yield int(sum(points) <= log.of("opened")[0]["data"]["points"]), 1


def all_or_none(combine):
    return lambda values: None if None in values else combine(values)


MADE["magic.win_rate"] = (
    [f"magic.win_rate.{role}" for role in (*ROLE_GAMES, *POINTS)],
    all_or_none(lambda rates: sum(rates) / 7),
)
MADE["magic.self_awareness.m2"] = (
    [f"magic.self_awareness.{game}" for game in WORDS],
    all_or_none(lambda two: Fraction(3, 5) * two[0] + two[1]),
)
MADE["magic.deception.m1"] = (
    ["magic.deception", "magic.wrong_guesses"],
    lambda two: None if two[0] is None else two[0] + (two[1] or 0) / 4,
)


def area(sides):
    return math.sin(2 * math.pi / 7) / 2 * sum(sides[k] * sides[(k + 1) % 7] for k in range(7))


for _edition, _axes in (
    ("m1", ("judgement", "reasoning", "deception.m1", "self_awareness", "cooperation", "coordination", "rationality")),
    (
        "m2",
        ("judgement", "reasoning", "deception", "self_awareness.m2", "cooperation", "coordination.m2", "rationality"),
    ),
):
    MADE[f"magic.radar_area.{_edition}"] = [f"magic.{axis}" for axis in _axes], all_or_none(area)


# Who is Undercover? -------------------------------------------------------------------------------------------------

UNDERCOVER = ("undercover",)


def in_a_team(log, seat):
    return log.role[seat] in ("civilian", "undercover")


@counts("wiu.victory", UNDERCOVER, whole=True)
def _victory(log, seat):
    if in_a_team(log, seat):
        yield int(seat in log.winners), 1, log.role[seat]


def survival(name, rounds):
    @counts(name, UNDERCOVER, whole=True)
    def _(log, seat):
        if in_a_team(log, seat):
            yield int(seat not in log.gone(rounds)), 1


survival("wiu.survival_1", 1)
survival("wiu.survival_2", 2)
survival("wiu.survival", None)


def asked(log, seat, phase):
    """{round: what was said} of a team's seat in polls of WIU's kind."""
    if log.head["options"].get("polls") != "wiu" or not in_a_team(log, seat):
        return {}
    found = {}
    for nth, moment, who, said in log.polls():
        name, _, rest = moment.partition(" ")
        if who == seat and name == phase:
            found[nth] = rest.split(".")[0], said
    return found


def named(name, field, of_the_own_team):
    @counts(name, UNDERCOVER)
    def _(log, seat):
        for _round, said in asked(log, seat, "voting").values():
            for other in said.get(field) or []:
                yield int((log.role[other] == log.role[seat]) == of_the_own_team), 1


named("wiu.trust", "trusted", True)
named("wiu.assessment", "suspected", False)


def judged(log, seat, phase):
    """The answers that say something of the own side, as (round, side)."""
    found = asked(log, seat, phase).values()
    return [(number, said["side"]) for number, said in found if said.get("side") is not None]


@counts("wiu.self_judgement", UNDERCOVER)
def _self_judgement(log, seat):
    for _round, side in judged(log, seat, "voting"):
        yield int(side == log.role[seat]), 1


@counts("wiu.unsure", UNDERCOVER)
def _unsure(log, seat):
    for _round, side in judged(log, seat, "voting"):
        yield int(side == "unsure"), 1


@counts("wiu.reversal", UNDERCOVER)
def _reversal(log, seat):
    later = dict(judged(log, seat, "voting"))
    for number, side in judged(log, seat, "speaking"):
        if side != log.role[seat] and number in later:
            yield int(later[number] == log.role[seat]), 1


def holders(log, seat):
    """By poll of the voting phase: (who is named as holding the own word, who does, who is in)."""
    answers = {id(said) for _round, said in asked(log, seat, "voting").values() if said.get("same_word") is not None}
    for event in log.of("poll"):
        if id(event["data"]) in answers:
            gone = log.gone()
            there = {s for s in log.seats if s != seat and gone.get(s, math.inf) > event["seq"]}
            yield set(event["data"]["same_word"]), {s for s in there if log.role[s] == log.role[seat]}, there


@counts("wiu.comprehension", UNDERCOVER)
def _comprehension(log, seat):
    for said, true, _there in holders(log, seat):
        yield int(said == true), 1


@counts("wiu.comprehension.soft", UNDERCOVER)
def _comprehension_soft(log, seat):
    for said, true, there in holders(log, seat):
        yield len(there - (said ^ true)), len(there)


@counts("wiu.vote_success", UNDERCOVER)
def _vote_success(log, seat):
    for voter, target, gone, _nth, own in log.votes():
        if in_a_team(log, seat) and voter == seat and own and target is not None:
            yield int(target == gone and log.role[target] != log.role[seat]), 1


@counts("wiu.concealment", UNDERCOVER, whole=True)
def _concealment(log, seat):
    for number, (voter, target, _gone, _nth, own) in enumerate(log.votes()):
        opponents = in_a_team(log, seat) and in_a_team(log, voter) and log.role[voter] != log.role[seat]
        if opponents and own and target is not None:
            yield int(log.role[target] != log.role[seat]), 1, number


@counts("wiu.influence", UNDERCOVER)
def _influence(log, seat):
    votes = [vote for vote in log.votes() if vote[1] is not None]
    for voter, target, _gone, nth, own in votes:
        if in_a_team(log, seat) and voter == seat and own:
            cast = [other[1] for other in votes if other[3] == nth]
            yield Fraction(cast.count(target), len(cast)), 1


@counts("wiu.guesses_word", UNDERCOVER)
def _guesses_word(log, seat):
    if not in_a_team(log, seat):
        return
    dealt = log.of("record")[0]["data"]
    other = folded(dealt["civilian_word" if log.role[seat] == "undercover" else "undercover_word"])
    moves = {move["request"] for move in log.moves()}
    replies = defaultdict(list)
    for thought in log.thoughts:
        if thought["seat"] == seat and thought["model"] and thought["request"] in moves:
            replies[thought["request"]].append(folded(thought["reply"]))
    for said in replies.values():
        yield int(any(holds(words, other) for words in said)), 1


@counts("wiu.teammate_vote", UNDERCOVER)
def _teammate_vote(log, seat):
    said, answers = None, {id(data): data for _round, data in asked(log, seat, "voting").values()}
    for event in log.of("poll", "vote"):
        said = answers.get(id(event["data"]), said)
        own = event["kind"] == "vote" and event["seat"] == seat and log.own(event)
        if own and said is not None and event["data"]["seat"] is not None:
            mates = (said.get("trusted") or []) + (said.get("same_word") or [])
            yield int(event["data"]["seat"] in mates), 1


# ReCon and SpyGame --------------------------------------------------------------------------------------------------


@counts("recon.success", ("avalon",), whole=True)
def _success(log, seat):
    yield int(seat in log.winners), 1, log.side[seat]


def avalon_polls(log):
    """Polls of MAgIC's kind in Avalon, as (nth polling, who, what was said)."""
    if log.head["options"].get("polls") != "magic":
        return []
    return [(nth, who, said) for nth, _moment, who, said in log.polls()]


@counts("magic.judgement.avalon", ("avalon",))
def _judgement_in_avalon(log, seat):
    own = [said for _nth, who, said in avalon_polls(log) if who == seat]
    if seat not in log.hides and own:
        for named in own[-1].get("evil") or []:
            yield int(named in log.hides), 1


@counts("magic.reasoning.avalon", ("avalon",))
def _reasoning_in_avalon(log, seat):
    polls = avalon_polls(log)
    for nth, who, said in polls:
        if who != seat:
            continue
        for named in said.get("evil") or []:
            yield int(named in log.hides), 1
        for other_nth, other, theirs in polls:
            thought = said.get(f"suspect_of_{other}")
            if other_nth == nth and other != seat and thought is not None and theirs.get("evil") is not None:
                yield int(thought in theirs["evil"]), 1


@counts("magic.deception.avalon", ("avalon",), whole=True)
def _deception_in_avalon(log, seat):
    if seat in log.hides:
        for _nth, _moment, who, said in log.polls():
            if who not in log.hides and said.get("evil") is not None:
                yield int(seat not in said["evil"]), 1


SPYGAME = ("spygame",)


def of_the_spy(name, whole=True):
    def taken(function):
        @counts(f"spygame.{name}", SPYGAME, whole=whole)
        def _(log, seat):
            if seat in log.hides:
                yield from function(log, seat)

        return function

    return taken


def folded(text):
    return re.findall(r"\w+", text.casefold())


def holds(words, wanted):
    return any(words[k : k + len(wanted)] == wanted for k in range(len(words) - len(wanted) + 1))


def exposed(log):
    """Whether a citizen's public words name the place."""
    place = folded(log.of("record")[0]["data"]["place"])
    said = [event for event in log.of("lead", "answer", "say", "ready") if event["seat"] not in log.hides]
    return any(holds(folded(event["data"].get("text") or ""), place) for event in said)


def utterances(log, seat):
    said = [event for event in log.of("lead", "answer", "say", "ready") if event["seat"] == seat and log.own(event)]
    return [event["data"]["text"] for event in said if event["data"].get("text")]


@counts("spygame.steps", SPYGAME)
def _steps(log, seat):
    yield sum(thought["seat"] == seat and bool(thought["model"]) for thought in log.thoughts), 0
    yield 0, 1, "match"


@counts("spygame.utterances", SPYGAME)
def _utterances(log, seat):
    yield len(utterances(log, seat)), 0
    yield 0, 1, "match"


@counts("spygame.words", SPYGAME)
def _words(log, seat):
    for text in utterances(log, seat):
        yield len(text.split()), 1


@of_the_spy("winning_rate")
def _winning_rate(log, seat):
    yield int(seat in log.winners), 1


@of_the_spy("living_round")
def _living_round(log, seat):
    yield len(log.of("turn")), 1


@of_the_spy("guess_success")
def _guess_success(log, seat):
    for _revealed in log.of("revealed"):
        yield int(log.result == "right_guess"), 1


@of_the_spy("notice_rate")
def _notice_rate(log, seat):
    place = folded(log.of("record")[0]["data"]["place"])
    guesses = [event["data"].get("place", event["data"].get("guess")) for event in log.of("reveal") if log.own(event)]
    yield int(any(guess is not None and folded(guess) == place for guess in guesses)), 1


@of_the_spy("information_catching")
def _information_catching(log, seat):
    if exposed(log):
        yield int(log.result == "right_guess"), 1


@of_the_spy("information_deduction")
def _information_deduction(log, seat):
    if not exposed(log):
        yield int(log.result == "right_guess"), 1


@of_the_spy("caught_rate")
def _caught_rate(log, seat):
    if seat not in log.winners:
        yield int(log.result in ("spy_accused", "spy_voted")), 1


@of_the_spy("accusation_rate")
def _accusation_rate(log, seat):
    for lead in log.of("lead"):
        if lead["data"]["accuse"] and lead["seat"] != seat and log.own(lead):
            yield int(lead["data"]["seat"] == seat), 1


def citizens_votes(log):
    """(kind, target) of citizens' votes: an agreement is one for the accused."""
    accused = None
    for event in log.of("accused", "day_vote", "vote"):
        if event["kind"] == "accused":
            accused = event["data"]["accused"]
        elif event["seat"] not in log.hides and log.own(event):
            if event["kind"] == "vote" and event["data"]["seat"] is not None:
                yield "final", event["data"]["seat"]
            elif event["kind"] == "day_vote" and event["data"]["agree"]:
                yield "day", accused


@of_the_spy("vote_rate")
def _vote_rate(log, seat):
    for _kind, target in citizens_votes(log):
        yield int(target == seat), 1


def entropy(name, base):
    @of_the_spy(name)
    def _(log, seat):
        cast = Counter(target for kind, target in citizens_votes(log) if kind == "final")
        if cast:
            yield -sum(n / cast.total() * math.log(n / cast.total(), base) for n in cast.values()), 1


entropy("vote_entropy", 2)
entropy("vote_entropy.nats", math.e)


# Ours ---------------------------------------------------------------------------------------------------------------


def of_beliefs(name, score):
    @counts(f"ours.{name}", HIDDEN)
    def _(log, seat):
        for matrix in log.matrices(seat):
            columns = [matrix["labels"].index(label) for label in matrix["suspects"]]
            others = [other for other in log.seats if other != seat]
            even = sum(log.is_one(other, matrix["suspects"]) for other in others) / len(others)
            for other, cell in matrix["rows"][str(seat)].items():
                if int(other) != seat:
                    p = sum(cell[k] for k in columns)
                    yield score(p, log.is_one(int(other), matrix["suspects"]), even), 1


def loss(p, true):
    return -math.log(min(max(p if true else 1 - p, 1e-4), 1))


of_beliefs("log_loss", lambda p, true, even: loss(p, true))
of_beliefs("brier", lambda p, true, even: (p - true) ** 2)
of_beliefs("log_loss.uniform", lambda p, true, even: loss(even, true))


def moved(log, speaker, targets):
    """After each utterance of the speaker between two polls: how others' suspicions of a target changed."""
    before, now, spoken = {}, {}, 0
    mine = {id(said) for _, _, _, said in log.polls()}
    for event in log.of("clue", "say", "poll", "polled"):
        if event["kind"] in ("clue", "say"):
            spoken += event["seat"] == speaker and bool(event["data"].get("text")) and log.own(event)
        elif event["kind"] == "poll":
            if id(event["data"]) in mine and event["data"].get("odd_one") is not None:
                now[event["seat"]] = event["data"]["odd_one"]
        else:
            for target in targets:
                both = (set(now) & set(before)) - {speaker, target}
                for other in both:
                    yield spoken * ((now[other] == target) - (before[other] == target)), spoken
            before, now, spoken = now, {}, 0


@counts("ours.persuasion", WORDS)
def _persuasion(log, seat):
    yield from moved(log, seat, [other for other in log.seats if log.side[other] != log.side[seat]])


@counts("ours.suspicion_drawn", WORDS)
def _suspicion_drawn(log, seat):
    yield from moved(log, seat, [seat])


def spent(name, amount):
    @counts(f"ours.{name}", ALL, broken=True)
    def _(log, seat):
        yield from calls(log, seat)
        yield 0, 1, "match"

    @counts(f"ours.{name}.a_win", ALL, whole=True)
    def _(log, seat):
        yield from calls(log, seat)
        if seat in log.winners:
            yield 0, 1, "win"

    def calls(log, seat):
        for thought in log.thoughts:
            if thought["seat"] == seat and thought["model"]:
                yield amount(thought), 0


spent("tokens", lambda thought: thought["tokens_in"] + thought["tokens_out"])
spent("money", lambda thought: thought["cost"])
spent("seconds", lambda thought: thought["ms"] / 1000)
spent("calls", lambda thought: 1)


@counts("ours.compliance", ALL, broken=True)
def _compliance(log, seat):
    asked = set()
    for thought in log.thoughts:
        question = thought["request"], thought["stage"]
        if thought["seat"] == seat and thought["model"] and question not in asked:
            asked.add(question)
            yield int("problem" not in thought["data"]), 1


def made_by(name, *movers):
    @counts(f"ours.{name}", ALL, broken=True)
    def _(log, seat):
        for move in log.moves():
            if move["seat"] == seat and log.mover(move) != "given":
                yield int(log.mover(move) in movers), 1


made_by("own_moves", "own", "unusable")
made_by("unusable", "unusable")
made_by("defaults", "unusable", "nobody")
made_by("stand_ins", "other")


@counts("ours.polls_answered", WORDS, broken=True)
def _polls_answered(log, seat):
    for poll in log.of("poll"):
        if poll["seat"] == seat:
            yield int(not poll["data"].get("skipped") and log.own(poll)), 1


@counts("ours.finished", ALL, broken=True)
def _finished(log, seat):
    yield int(log.finished), 1, "match"


@counts("ours.wins", ALL, whole=True)
def _wins(log, seat):
    alone = log.game in ("prisoners_dilemma", "public_good")
    yield int(seat in log.winners), 1, seat if alone else log.side[seat]
