"""Avalon: good seats want three quests, evil ones want three to fail, or Merlin found in the end.

Presets: `recon` as ReCon (Recursive Contemplation, section 4.1) plays it; `official`, the published game for 5 to 10.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, ClassVar

from games.avalon.cast import AvalonCast
from games.avalon.setting import (
    EVIL,
    EVIL_SEATS,
    GOOD,
    LADY_AFTER_QUESTS,
    MERLIN,
    MINION,
    MORDRED,
    MORGANA,
    OBERON,
    REJECTIONS_LOSE,
    SEES_AS,
    TEAM_SIZES,
    AvalonOptions,
    check_deal,
    fails_needed,
    seen_by_role,
    side_of,
)
from games.rules.chance import Chance
from games.rules.core import Poll
from games.rules.discussion import FREE, KINDS, UNLIMITED, Discussion, TalkState, said
from games.rules.fields import Field, Flag, OneSeat, SomeSeats, narrowed
from games.rules.options import Preset
from games.rules.polls import others, suspect_of
from games.rules.sentences import sentence
from games.rules.values import Draft, Event, Kind, MaybeNone, Outcome, Refusal, Request, Seen

ASSASSIN = sentence("Assassin")
"""What people call who has the dagger."""
ROLE_AND_ASSASSIN = {
    MINION: sentence("minion, Assassin"),
    MORGANA: sentence("morgana, Assassin"),
    MORDRED: sentence("mordred, Assassin"),
    OBERON: sentence("oberon, Assassin"),
}
VOTE_FIELDS = (Flag("approve", label=sentence("Shall this team go on the quest?")),)
CARD_FIELDS = (Flag("success", label=sentence("Do you play success?")),)
GOOD_CARD_FIELDS = narrowed(CARD_FIELDS, success={"only": True})


class AvalonState(TalkState[AvalonOptions]):
    """The table as a fold knows it. `roles`, `dagger` and `cards` hold what the viewer may know.

    `step` is what the moderator does next once nobody is waited for; it follows from public events alone.
    """

    def __init__(self, options: AvalonOptions):
        super().__init__(options)
        self.step = "proposing"
        self.phase = "team"
        self.everyone = tuple(range(1, options.seats + 1))
        self.roles: dict[int, str] = {}
        self.sees: dict[int, list[int]] = {}
        self.in_play: list[str] = []
        self.dagger: int | None = None
        self.has_dagger = False
        self.first_leader: int | None = None
        self.leader: int | MaybeNone = None
        self.quest = 1
        self.rejections = 0
        self.successes = 0
        self.failures = 0
        self.team: list[int] = []
        self.votes: dict[int, bool] = {}
        self.cards: dict[int, bool] = {}
        self.speeches: list[dict[str, Any]] = []
        self.proposals: list[dict[str, Any]] = []
        self.quests: list[dict[str, Any]] = []
        self.lady_held: list[int] = []
        self.shown: dict[int, list[dict[str, Any]]] = {}
        self.assassinated: int | None = None

    @property
    def team_size(self) -> int:
        """How many go on this quest; after the fifth as many as went on it."""
        return TEAM_SIZES[self.options.seats][min(self.quest, 5) - 1]

    @property
    def lady_holder(self) -> int | MaybeNone:
        """Who has the Lady of the Lake now."""
        return self.lady_held[-1] if self.lady_held else None

    @property
    def lady_candidates(self) -> tuple[int, ...]:
        """Who never had the Lady of the Lake."""
        return tuple(seat for seat in self.everyone if seat not in self.lady_held)

    def left_of(self, seat: int) -> int:
        """The seat to the left."""
        return seat % self.options.seats + 1


class Avalon(AvalonCast, Discussion[AvalonState, AvalonOptions]):
    name: ClassVar[str] = "avalon"
    title: ClassVar[str] = sentence("Avalon")
    about: ClassVar[str] = sentence("Send teams on quests. Some at the table want them to fail, and some know who.")
    results: ClassVar[tuple[str, ...]] = ("good", "evil_quests", "evil_rejections", "evil_assassination")
    presets: ClassVar[dict[str, Preset]] = {
        "recon": Preset(
            AvalonOptions(dagger="minion", all_vote=False, discussion="once", speech_limit=UNLIMITED),
            sentence(
                "Six seats. Each speaks once about a team, and all but the leader vote. As in the ReCon paper. It sets "
                "no limit on rejections; here the fifth in a row wins for evil."
            ),
            6,
            6,
        ),
        "official": Preset(
            AvalonOptions(discussion=FREE),
            sentence("The rules of the published game; all talk about each team until they are ready."),
            5,
            10,
        ),
        "classic": Preset(
            AvalonOptions(discussion=FREE),
            sentence("All talk before each vote, and all vote. For 5 to 10."),
            5,
            10,
            sentence("Classic"),
        ),
    }
    players: ClassVar[tuple[str, int]] = ("classic", 6)
    quick: ClassVar[tuple[str, int]] = ("recon", 6)
    kinds: ClassVar[dict[str, Kind]] = {
        "opened": Kind(
            sentence("The match begins."),
            (
                "seats",
                "roles",
                "dagger",
                "first_leader",
                "sizes",
                "fails_needed",
                "lady",
                "all_vote",
                "discussion",
            ),
        ),
        "dealt": Kind(
            sentence("A seat's role, whom it is shown, and whether it has the dagger, which makes it the Assassin."),
            ("role", "sees", "dagger"),
            "seat",
            "shell",
        ),
        "record": Kind(
            sentence("What was dealt, for the record."), ("roles", "assassin", "first_leader"), "nobody", "nothing"
        ),
        "proposing": Kind(sentence("A leader is asked for a team."), ("quest", "attempt", "leader", "size")),
        "team": Kind(sentence("The proposed team."), ("seats",)),
        "speech": Kind(sentence("What a seat says on the team; null: nothing."), ("text",), words=("text",)),
        "team_vote": Kind(sentence("A vote on the team."), ("approve",), "seat", "shell"),
        "voted": Kind(
            sentence("All votes on the team."),
            ("votes", "approved", "rejections"),
            turning=lambda event: event.data["rejections"] == REJECTIONS_LOSE,
            beats=1,
        ),
        "questing": Kind(sentence("The team goes on the quest."), ("team",)),
        "quest": Kind(sentence("A quest card."), ("success",), "seat", "nothing"),
        "quested": Kind(
            sentence("How the quest went."),
            ("quest", "team", "fails", "success", "successes", "failures"),
            ends_round=True,
            turning=lambda event: not event.data["success"],
            beats=1,
        ),
        "lady": Kind(sentence("Whose side the Lady of the Lake shows."), ("seat",)),
        "shown": Kind(sentence("The side, for the holder alone."), ("seat", "side"), "seat", "shell"),
        "assassinating": Kind(sentence("The Assassin is asked for Merlin.")),
        "assassinate": Kind(
            sentence("Who is named as Merlin; null: nobody."), ("seat",), turning=lambda event: True, beats=2
        ),
    } | KINDS

    # The deal ------------------------------------------------------------------------------------------------------

    def start(self, options: AvalonOptions) -> AvalonState:
        return AvalonState(options)

    def check_setting(self, options: AvalonOptions, setting: dict[str, Any]) -> None:
        check_deal(options, setting)
        super().check_setting(options, setting)

    def check_opening(self, options: AvalonOptions, setting: dict[str, Any], seat: int, move: Any) -> None:
        first_moves = team_fields(options.seats, TEAM_SIZES[options.seats][0]), said(options), VOTE_FIELDS
        fitting = [fields for fields in first_moves if isinstance(move, dict) and fields[0].name in move]
        Request("", "", seat, (fitting or first_moves)[0], 0).read(move)

    def setup(self, options: AvalonOptions, setting: dict[str, Any], chance: Chance) -> Iterator[Draft]:
        seats = range(1, options.seats + 1)
        roles = setting.get("roles") or chance.shuffle("record.roles", options.roles)
        assassin = setting["assassin"] if "assassin" in setting else self._dagger(options, roles, chance)
        first_leader = setting.get("first_leader") or chance.pick("opened.first_leader", seats)
        public = {
            "seats": options.seats,
            "roles": sorted(roles, key=(GOOD + EVIL).index),
            "dagger": assassin is not None,
            "first_leader": first_leader,
            "sizes": list(TEAM_SIZES[options.seats]),
            "fails_needed": [fails_needed(options.seats, quest) for quest in range(1, 6)],
            "lady": options.lady,
            "all_vote": options.all_vote,
            "discussion": options.discussion,
        }
        yield Draft("opened", None, public)
        for seat in seats:
            dealt = {"role": roles[seat - 1], "sees": seen_by_role(roles, seat), "dagger": seat == assassin}
            yield Draft("dealt", seat, dealt, (seat,))
        yield Draft("record", None, {"roles": roles, "assassin": assassin, "first_leader": first_leader}, ())

    def _dagger(self, options: AvalonOptions, roles: Sequence[str], chance: Chance) -> int | None:
        if options.dagger == "none":
            return None
        fit = EVIL if options.dagger == "evil" else (MINION,)
        return chance.pick("record.assassin", [seat for seat, role in enumerate(roles, 1) if role in fit])

    def deal(self, state: AvalonState) -> dict[str, Any]:
        return {
            "roles": [state.roles[seat] for seat in sorted(state.roles)],
            "assassin": state.dagger,
            "first_leader": state.first_leader,
        }

    # The moderator -------------------------------------------------------------------------------------------------

    def proceed(self, state: AvalonState, chance: Chance) -> list[Draft]:
        return getattr(self, f"_{state.step}")(state)

    def _proposing(self, state: AvalonState) -> list[Draft]:
        data = {
            "quest": state.quest,
            "attempt": state.rejections + 1,
            "leader": state.leader,
            "size": state.team_size,
        }
        return [Draft("proposing", None, data)]

    def _discussing(self, state: AvalonState) -> list[Draft]:
        return [Draft("discussing", None, {"round": len(state.proposals), "seats": list(state.everyone)})]

    def _voted(self, state: AvalonState) -> list[Draft]:
        votes = state.votes
        approved = 2 * sum(votes.values()) > len(votes)
        data = {
            "votes": {str(seat): votes[seat] for seat in sorted(votes)},
            "approved": approved,
            "rejections": 0 if approved else state.rejections + 1,
        }
        return [Draft("voted", None, data)]

    def _questing(self, state: AvalonState) -> list[Draft]:
        return [Draft("questing", None, {"team": state.team})]

    def _quested(self, state: AvalonState) -> list[Draft]:
        fails = sum(not success for success in state.cards.values())
        success = fails < fails_needed(state.options.seats, state.quest)
        data = {
            "quest": state.quest,
            "team": state.team,
            "fails": fails,
            "success": success,
            "successes": state.successes + success,
            "failures": state.failures + (not success),
        }
        return [Draft("quested", None, data)]

    def _shown(self, state: AvalonState) -> list[Draft]:
        holder, target = state.lady_held[-2:]
        return [Draft("shown", holder, {"seat": target, "side": side_of(state.roles[target])}, (holder,))]

    def _assassinating(self, state: AvalonState) -> list[Draft]:
        return [Draft("assassinating", None, {})]

    def _over(self, state: AvalonState) -> list[Draft]:
        return []

    # Folding -------------------------------------------------------------------------------------------------------

    def on_opened(self, state: AvalonState, event: Event) -> None:
        data = event.data
        state.in_play, state.has_dagger = data["roles"], data["dagger"]
        state.leader = state.first_leader = data["first_leader"]
        if data["lady"]:
            state.lady_held = [(state.leader - 2) % state.options.seats + 1]

    def on_dealt(self, state: AvalonState, event: Seen) -> None:
        if isinstance(event, Event):
            state.roles[event.seat] = event.data["role"]
            state.sees[event.seat] = event.data["sees"]
            if event.data["dagger"]:
                state.dagger = event.seat

    def on_record(self, state: AvalonState, event: Event) -> None:
        pass

    def on_proposing(self, state: AvalonState, event: Event) -> None:
        state.phase, state.team = "team", []
        state.ask(event, "team", state.leader, team_fields(state.options.seats, event.data["size"]))

    def on_team(self, state: AvalonState, event: Event) -> None:
        state.team = event.data["seats"]
        state.proposals.append(
            {
                "quest": state.quest,
                "attempt": state.rejections + 1,
                "leader": event.seat,
                "team": state.team,
                "votes": None,
                "approved": None,
                "fails": None,
            }
        )
        if state.options.discussion == "once":
            state.phase = "speech"
            state.ask(event, "speech", event.seat, said(state.options))
        elif state.options.discussion == FREE:
            state.step = "discussing"
        else:
            self._before_votes(state, event)

    def on_speech(self, state: AvalonState, event: Event) -> None:
        state.speeches.append({"proposal": len(state.proposals), "seat": event.seat, "text": event.data["text"]})
        following = state.left_of(event.seat)
        if following == state.leader:
            self._before_votes(state, event)
        else:
            state.ask(event, "speech", following, said(state.options))

    def on_discussing(self, state: AvalonState, event: Event) -> None:
        super().on_discussing(state, event)
        state.phase = "talk"

    def on_say(self, state: AvalonState, event: Event) -> None:
        super().on_say(state, event)
        self._note_speech(state, event)

    def on_ready(self, state: AvalonState, event: Event) -> None:
        super().on_ready(state, event)
        self._note_speech(state, event)
        if not state.talking:
            self._before_votes(state, event)

    def _note_speech(self, state: AvalonState, event: Event) -> None:
        if event.data["text"] is not None:
            state.speeches.append({"proposal": len(state.proposals), "seat": event.seat, "text": event.data["text"]})

    def _before_votes(self, state: AvalonState, event: Event) -> None:
        """Where beliefs are asked for, the votes wait until these are in."""
        if state.options.polls == "none":
            self._ask_votes(state, event)
        else:
            state.phase, state.step = "vote", "polling"

    def on_polled(self, state: AvalonState, event: Event) -> None:
        super().on_polled(state, event)
        self._ask_votes(state, event)

    def _ask_votes(self, state: AvalonState, event: Event) -> None:
        state.phase, state.step, state.votes = "vote", "voted", {}
        for seat in state.everyone:
            if state.options.all_vote or seat != state.leader:
                state.ask(event, "team_vote", seat, VOTE_FIELDS)

    def on_team_vote(self, state: AvalonState, event: Seen) -> None:
        if isinstance(event, Event):
            state.votes[event.seat] = event.data["approve"]

    def on_voted(self, state: AvalonState, event: Event) -> None:
        data = event.data
        state.proposals[-1] |= {"votes": data["votes"], "approved": data["approved"]}
        state.rejections = data["rejections"]
        if data["approved"]:
            state.step = "questing"
        else:
            state.leader = state.left_of(state.leader)
            state.step = "over" if state.rejections == REJECTIONS_LOSE else "proposing"

    def on_questing(self, state: AvalonState, event: Event) -> None:
        state.phase, state.step, state.cards = "quest", "quested", {}
        for seat in state.team:
            fields = GOOD_CARD_FIELDS if state.roles.get(seat) in GOOD else CARD_FIELDS
            state.ask(event, "quest", seat, fields, audience=(seat,))

    def on_quest(self, state: AvalonState, event: Event) -> None:
        state.cards[event.seat] = event.data["success"]

    def on_quested(self, state: AvalonState, event: Event) -> None:
        data = event.data
        state.close("quest")
        state.proposals[-1]["fails"] = data["fails"]
        state.quests.append({"team": data["team"], "fails": data["fails"], "success": data["success"]})
        state.successes, state.failures = data["successes"], data["failures"]
        state.quest += 1
        state.leader = state.left_of(state.leader)
        if state.failures == 3:
            state.step = "over"
        elif state.successes == 3:
            state.step = "assassinating" if state.has_dagger and MERLIN in state.in_play else "over"
        else:
            state.step = "proposing"
            if state.lady_held and data["quest"] in LADY_AFTER_QUESTS:
                state.phase = "lady"
                fields = (
                    OneSeat("seat", seats=state.lady_candidates, label=sentence("Whose side do you want to see?")),
                )
                state.ask(event, "lady", state.lady_holder, fields)

    def on_lady(self, state: AvalonState, event: Event) -> None:
        state.lady_held.append(event.data["seat"])
        state.step = "shown"

    def on_shown(self, state: AvalonState, event: Event) -> None:
        state.step = "proposing"
        if isinstance(event, Event):
            state.shown.setdefault(event.seat, []).append(event.data)

    def on_assassinating(self, state: AvalonState, event: Event) -> None:
        state.phase, state.step = "assassinate", "over"
        if state.dagger is not None:
            others = tuple(seat for seat in state.everyone if seat != state.dagger)
            fields = (OneSeat("seat", seats=others, label=sentence("Who is Merlin?")),)
            state.ask(event, "assassinate", state.dagger, fields, audience=(state.dagger,))

    def on_assassinate(self, state: AvalonState, event: Event) -> None:
        state.assassinated = event.data["seat"]

    # Acting --------------------------------------------------------------------------------------------------------

    def act_quest(self, state: AvalonState, request: Request, action: dict[str, Any]) -> dict[str, Any] | Refusal:
        if not action["success"] and state.roles[request.seat] in GOOD:
            return Refusal("good_succeeds", sentence("You are good: your card is always success."), keep=True)
        return action

    def default_team(self, state: AvalonState, request: Request, chance: Chance) -> dict[str, Any]:
        return {"seats": chance.sample("team.seats", state.everyone, state.team_size)}

    def default_speech(self, state: AvalonState, request: Request, chance: Chance) -> dict[str, Any]:
        return {"text": None}

    def default_team_vote(self, state: AvalonState, request: Request, chance: Chance) -> dict[str, Any]:
        return {"approve": False}

    def default_quest(self, state: AvalonState, request: Request, chance: Chance) -> dict[str, Any]:
        return {"success": True}

    def default_lady(self, state: AvalonState, request: Request, chance: Chance) -> dict[str, Any]:
        return {"seat": chance.pick("lady.seat", state.lady_candidates)}

    def default_assassinate(self, state: AvalonState, request: Request, chance: Chance) -> dict[str, Any]:
        return {"seat": None}

    # The end -------------------------------------------------------------------------------------------------------

    def result(self, state: AvalonState) -> Outcome:
        """Points: 1 to each seat of the side that won, 0 to the others."""
        if state.rejections == REJECTIONS_LOSE:
            result = "evil_rejections"
        elif state.failures == 3:
            result = "evil_quests"
        elif state.successes == 3:
            found = state.assassinated is not None and state.roles[state.assassinated] == MERLIN
            result = "evil_assassination" if found else "good"
        else:
            return Outcome()
        won = "good" if result == "good" else "evil"
        returns = {seat: int(side_of(role) == won) for seat, role in state.roles.items()}
        return Outcome("finished", result, tuple(seat for seat, points in returns.items() if points), returns)

    def titles(self, state: AvalonState) -> dict[int, str]:
        """Who has the dagger is the Assassin, and nothing else where it always lies with the one minion."""
        if state.dagger is None:
            return {}
        role = state.roles[state.dagger]
        return {state.dagger: ASSASSIN if role == self._assassin(state) else ROLE_AND_ASSASSIN[role]}

    def _assassin(self, state: AvalonState) -> str | None:
        """The role that is the Assassin at this table, None where it may be any."""
        return MINION if state.options.dagger == MINION and state.in_play.count(MINION) == 1 else None

    def summary(self, outcome: Outcome, state: AvalonState) -> dict[str, Any]:
        return {
            "result": outcome.result,
            "winner": None if outcome.result is None else outcome.result.partition("_")[0],
            "successes": state.successes,
            "fails": state.failures,
            "assassinated": state.assassinated,
        }

    # Polls ---------------------------------------------------------------------------------------------------------

    def poll(self, state: AvalonState) -> Poll | None:
        """`magic`: before each vote on a team all are asked who is evil, unless they were told, and whom each other
        seat suspects."""
        if state.step != "polling":
            return None
        fields = {seat: self._poll_fields(state, seat) for seat in state.everyone}
        return Poll(f"team {state.quest}.{state.rejections + 1}", fields)

    def _poll_fields(self, state: AvalonState, seat: int) -> tuple[Field, ...]:
        role = state.roles.get(seat)
        evil = EVIL_SEATS[state.options.seats] - (role in EVIL)
        told = len(state.sees.get(seat, ())) if role == MERLIN or role in EVIL else 0
        seats = others(state.everyone, seat)
        who = SomeSeats(self.suspect_field, seats=seats, count=evil, optional=True, label=sentence("Who is evil?"))
        asked = () if told == evil else (who,)
        return *asked, *(suspect_of(viewer, others(state.everyone, viewer)) for viewer in seats)

    # What may be known ---------------------------------------------------------------------------------------------

    def public(self, state: AvalonState) -> dict[str, Any]:
        seats = state.options.seats
        done = state.quests + [{"team": None, "fails": None, "success": None}] * (5 - len(state.quests))
        return {
            "phase": state.phase,
            "quest": state.quest,
            "attempt": state.rejections + 1,
            "rejections": state.rejections,
            "leader": state.leader,
            "team": list(state.team),
            "team_size": state.team_size,
            "successes": state.successes,
            "failures": state.failures,
            "quests": [
                {"size": size, "fails_needed": fails_needed(seats, number), **quest}
                for number, (size, quest) in enumerate(zip(TEAM_SIZES[seats], done, strict=True), 1)
            ],
            "roles": list(state.in_play),
            "dagger": state.has_dagger,
            "lady_holder": state.lady_holder,
            "lady_held": list(state.lady_held),
            "speeches": list(state.speeches),
            "talking": list(state.talking),
            "record": [dict(proposal) for proposal in state.proposals],
            "assassinated": state.assassinated,
        }

    def card(self, state: AvalonState, seat: int) -> dict[str, Any]:
        if seat not in state.roles:
            return {}
        role = state.roles[seat]
        return {
            "role": role,
            "side": side_of(role),
            "sees": list(state.sees[seat]),
            "sees_as": SEES_AS.get(role),
            "dagger": state.dagger == seat,
            "assassin": self._assassin(state),
            "shown": list(state.shown.get(seat, ())),
        }


@cache
def team_fields(seats: int, size: int) -> tuple[SomeSeats]:
    """The one field of a proposal: `size` of all seats."""
    return (SomeSeats("seats", seats=tuple(range(1, seats + 1)), count=size, label=sentence("Who goes on the quest?")),)
