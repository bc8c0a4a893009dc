"""The test kit: what must hold of every game, tried on random legal play.

    for trial in kit_cases(rules):
        check(trial)

Each check raises AssertionError with a sentence. A new game gives a `Sample`: a setting that fixes a whole deal, and
the settings next to it, which differ in something that not everybody may know.
"""

import dataclasses
import hashlib
import itertools
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from importlib import import_module
from typing import Any

from . import kit_cast, logfile, replay, table_talk
from .core import CORE_KINDS, Rules, fold
from .fields import Malformed, Text
from .play import Play, agents_and_people, deal_ends, new_header
from .random_play import random_action
from .sample import Sample, sample_of
from .sight import requests_for, seen_by, visible_header
from .values import OMNISCIENT, PUBLIC, Event, Refusal, Request

WORDS = tuple("".join(parts) for parts in itertools.product("bdfgklmnprt", "aeiou", "bdfgklmnprt", "ao"))
MOVES_LIMIT = 20_000
DEFAULT_SHARE = 0.1
NEIGHBOURS = 2


@dataclass(frozen=True)
class KitCase:
    """One match to try, by random legal moves from its seed."""

    rules: Rules
    sample: Sample
    preset: str
    seats: int
    seed: int = 1
    overrides: dict[str, Any] = field(default_factory=dict)
    words: tuple[str, ...] = field(default=WORDS, repr=False)

    @property
    def options(self) -> Any:
        return self.rules.options(self.preset, self.overrides, self.seats)

    def begin(self, setting: dict[str, Any] | None = None) -> Play:
        """A new match with this setting, or with one of the sample's."""
        if setting is None:
            setting = self.sample.setting(self.options, random.Random(f"{self.seed}:setting"))
        seats = agents_and_people(self.seats, 0)
        header = new_header(
            self.rules, self.preset, seats=seats, seed=self.seed, options=self.overrides, setting=setting, id="trial"
        )
        return Play(self.rules, header)

    @property
    def rng(self) -> random.Random:
        return random.Random(f"{self.seed}:moves")


def kit_cases(rules: Rules, sample: Sample | None = None, seed: int = 1) -> Iterator[KitCase]:
    """A trial for every preset and number of seats, and with each sort of polls for the fewest and the most seats."""
    sample = sample or sample_of(rules)
    for preset, about in rules.presets.items():
        polls = next(item for item in dataclasses.fields(about.options) if item.name == "polls").metadata["choices"]
        for seats, poll in itertools.product(range(about.low, about.high + 1), polls):
            if poll == "none" or seats in (about.low, about.high):
                yield KitCase(rules, sample, preset, seats, seed, {"polls": poll})


def check(trial: KitCase) -> Play:
    """All checks of one trial; returns the match that was played."""
    play = play_through(trial)
    check_deal(play)
    check_kinds(play)
    check_views(play)
    check_same_log(trial, play)
    check_file(play)
    check_forks(play, trial.rng)
    check_early_end(play, trial.rng)
    check_out_of_band(trial, play)
    check_substitution(trial)
    check_cast(trial)
    return play


# Random legal play --------------------------------------------------------------------------------------------------


def play_through(trial: KitCase) -> Play:
    """Random legal moves, some of them by default, until the match is over."""
    play = trial.begin()
    finish(play, trial.rng, trial.words)
    return play


def finish(play: Play, rng: random.Random, words: Sequence[str] = WORDS) -> None:
    """Play on at random to the end. At every point somebody must be able to go on."""
    for _ in range(MOVES_LIMIT):
        if play.over:
            break
        check_answerable(play)
        request = rng.choice(list(play.state.open.values()))
        if rng.random() < DEFAULT_SHARE:
            play.expire(request.id)
        else:
            result = play.act(request.seat, request.id, random_move(play, request, rng, words))
            assert type(result) is not Refusal, f"a legal move was refused: {result.sentence}"
    assert play.over, f"{play.rules.name} did not end in {MOVES_LIMIT} moves"
    assert not play.state.open, "requests are open after the end"
    outcome = play.state.outcome
    assert outcome.result in play.rules.results, f"'{outcome.result}' is not in the list of results"
    assert set(outcome.returns) == set(range(1, len(play.header.seats) + 1)), "not every seat has its points"
    kit_cast.check_winners(play)


def random_move(play: Play, request: Request, rng: random.Random, words: Sequence[str] = WORDS) -> dict[str, Any]:
    """A random legal action in which optional fields may be missing, where the rules can do without them."""
    action = random_action(play, request, rng, words)
    sparse = {item.name: action[item.name] for item in request.fields if not item.optional or rng.random() < 0.8}
    refused = request.kind != "poll" and play.rules.act(play.state, request, request.read(sparse))
    return action if type(refused) is Refusal else sparse


def check_answerable(play: Play) -> None:
    """Somebody is waited for, and only seats at the table with at least one choice in every field are asked."""
    assert play.state.waiting, "the match runs and nobody is asked"
    assert play.state.waiting == sum(request.waits for request in play.state.open.values()), "waiting is miscounted"
    for request in play.state.open.values():
        assert 1 <= request.seat <= len(play.header.seats), f"{request.id} asks nobody"
        assert request.audience is None or request.seat in request.audience, f"{request.id} is hidden from its seat"
        for item in request.fields:
            for closed in ("seats", "options"):
                assert getattr(item, closed, True), f"{request.id} leaves no choice in '{item.name}'"


# The log and its folds ----------------------------------------------------------------------------------------------


def check_deal(play: Play) -> None:
    """One public `opened`, one `dealt` for each seat in seat order, then the moderator's own record."""
    seats = len(play.header.seats)
    deal = [(event.kind, event.seat, event.audience) for event in play.log[: deal_ends(seats)]]
    wanted = [("opened", None, None), *(("dealt", seat, (seat,)) for seat in range(1, seats + 1)), ("record", None, ())]
    assert deal == wanted, f"the deal is {deal}"


def check_kinds(play: Play) -> None:
    """Every event is as its kind declares: data fields, audience and words. What is asked in secret leaves no sign."""
    state = play.rules.start(play.options)
    for kind in play.rules.secret:
        about = play.rules.all_kinds[kind]
        assert (about.audience, about.others) == ("seat", "nothing"), f"{kind} is secret, and others see its shell"
    for event in play.log:
        for request in state.open.values():
            texts = {item.name for item in request.fields if isinstance(item, Text)}
            assert texts <= set(play.rules.all_kinds[request.kind].words), f"words of {request.kind} are not declared"
        play.rules.apply(state, event)
        about = play.rules.all_kinds[event.kind]
        if event.kind not in CORE_KINDS:
            assert set(event.data) <= set(about.fields), f"{event.kind} has undeclared data {event.data}"
        if event.kind in play.rules.kinds or event.kind == "poll":
            wanted = {"everyone": None, "seat": (event.seat,), "nobody": ()}[about.audience]
            assert event.audience == wanted, f"{event.kind} went to {event.audience}, not to {wanted}"


def check_views(play: Play) -> None:
    """At every event each viewer's fold has the same public facts, the same own requests and the same own card."""
    rules, seats = play.rules, range(1, len(play.header.seats) + 1)
    whole = rules.start(play.options)
    views = {viewer: rules.start(play.options) for viewer in (OMNISCIENT, PUBLIC, *seats)}
    for event in play.log:
        rules.apply(whole, event)
        public = rules.public(whole)
        for viewer, view in views.items():
            seen = seen_by(rules, event, viewer)
            if seen is not None:
                rules.apply(view, seen)
            where = f"after event {event.seq} ({event.kind}) for viewer {viewer}"
            assert rules.public(view) == public, f"another public state {where}"
            assert requests_for(view, viewer) == requests_for(whole, viewer), f"other open requests {where}"
            if viewer in seats and event.seq >= deal_ends(len(seats)):
                assert rules.card(view, viewer), f"no card {where}"
                assert rules.card(view, viewer) == rules.card(whole, viewer), f"another card {where}"
    assert vars(fold(rules, play.options, play.log)) == vars(play.state), "the state is not the fold of the log"
    for viewer, view in views.items():
        assert vars(play.view(viewer)) == vars(view), f"another view for {viewer} at the end"


def check_same_log(trial: KitCase, play: Play) -> None:
    """The same seed and moves give the same log."""
    assert play_through(trial).log == play.log, "the same seed gave another log"


def check_file(play: Play) -> None:
    """A log file is read back and written again byte for byte, and its replay is the match."""
    text = file_of(play)
    log = logfile.read(text.splitlines())
    assert "\n".join(logfile.write(log)) == text, "the log file did not come back byte for byte"
    assert (log.header, log.events, log.outcome) == (play.header, play.log, play.state.outcome), (
        "the file lost something"
    )
    replayed = replay.replay(play.rules, log.header, log.events)
    assert vars(replayed.state) == vars(play.state), "the replay came to another state"


def file_of(play: Play, viewer: int = OMNISCIENT, until: int | None = None) -> str:
    """The log file of a match, up to a seq, as a viewer may have it."""
    header = visible_header(play.header, viewer, kinds_named=True)
    attempts = [asdict(attempt) for attempt in play.attempts] if viewer == OMNISCIENT else []
    outcome = play.view(viewer, until).outcome
    return "\n".join(
        logfile.write(logfile.LogFile(header, play.visible(viewer, until), attempts=attempts, outcome=outcome))
    )


def check_forks(play: Play, rng: random.Random) -> None:
    """A fork at any kind of event shares the log to there, carries on like the match it left, and can be played to its
    end."""
    for until in {event.kind: event.seq for event in rng.sample(play.log, len(play.log))}.values():
        fork = play.fork(until)
        assert len(fork.log) >= until, f"the fork at {until} lost events"
        assert fork.log == play.log[: len(fork.log)], f"the fork at {until} went on otherwise"
    fork = play.fork(rng.randint(1, len(play.log) - 1), seed=play.header.seed ^ 1)
    finish(fork, rng)
    check_file(fork)


def check_early_end(play: Play, rng: random.Random) -> None:
    """A match that is ended early takes no more moves, and its log is complete."""
    fork = play.fork(rng.randint(1, len(play.log) - 1))
    if fork.over:
        return
    request = next(iter(fork.state.open.values()))
    fork.end("abandoned", "Everybody left.")
    assert fork.state.outcome.status == "abandoned" and not fork.state.open, "the match went on"
    assert fork.state.deal == play.rules.deal(fork.state), "the deal was not published"
    late = fork.act(request.seat, request.id, {})
    assert type(late) is Refusal and late.code == "over", "a move was taken after the end"
    check_views(fork)
    check_file(fork)


def check_out_of_band(trial: KitCase, play: Play) -> None:
    """Pauses, takeovers, polls and talk change nothing in the game: the same moves have the same consequences
    without."""
    rng = trial.rng

    def disturb(again: Play, seat: int) -> None:
        again.note("moved_on", seat, {"reason": "Tea."})
        again.note("paused", data={"reason": "Tea."})
        add_talk(again, rng, trial.words)
        again.note("resumed", data={"reason": "Tea."})
        again.note("taken_over", seat, {"by": "house"})
        again.note("taken_over", seat, {"by": "house", "reason": "Tea."})

    again = moved_again(trial, play, disturb)
    assert of_the_game(again) == of_the_game(play), "pauses, takeovers, polls or talk changed the game"


def moved_again(trial: KitCase, play: Play, before: Callable[[Play, int], None]) -> Play:
    """The same moves once more without polls, at a table with talk. before: is called before each seat's move."""
    overrides = {**trial.overrides, "polls": "none", "table_talk": True}
    again = dataclasses.replace(trial, overrides=overrides).begin(play.header.setting)
    for event in play.log:
        if event.request is None or event.kind == "poll":
            continue
        before(again, event.seat)
        asked = [item for item in again.state.open.values() if (item.seat, item.kind) == (event.seat, event.kind)]
        request = next(item for item in asked if _fits(item, event))
        if event.by == "default":
            again.expire(request.id)
        else:
            again.act(event.seat, request.id, event.data)
        if event.seat in again.state.stand_ins:
            again.note("returned", event.seat)
    return again


def add_talk(play: Play, rng: random.Random, words: Sequence[str] = WORDS) -> None:
    """Let a seat say something to whom it may, or react to some event; some of it is refused."""
    seat = rng.randint(1, len(play.header.seats))
    out = str(seat) in play.rules.public(play.state).get("out", {})
    play.talk(seat, "chat", {"text": rng.choice(words), "to": table_talk.OUT if out else table_talk.ALL})
    reaction = rng.choice((None, *table_talk.REACTIONS))
    play.talk(
        rng.randint(1, len(play.header.seats)), "reaction", {"to": rng.randint(1, len(play.log)), "reaction": reaction}
    )


def _fits(request: Request, event: Event) -> bool:
    asked, unasked = ({item.name for item in items} for items in (request.fields, request.unasked))
    return asked <= set(event.data) <= asked | unasked


def of_the_game(play: Play) -> list[tuple[Any, ...]]:
    """What the rules made of a match, without its numbers."""
    kinds = {*play.rules.kinds, "finished"}
    return [(event.kind, event.seat, event.audience, event.data) for event in play.log if event.kind in kinds]


# What a viewer may not know -----------------------------------------------------------------------------------------


def check_substitution(trial: KitCase) -> None:
    """Exchange what a viewer may not know, and play the same moves: what the viewer sees stays the same, byte for
    byte, and so does every seq, until something is told that may be told."""
    setting, others = indistinguishable(trial)
    for viewer, alike in others.items():
        for other in trial.rng.sample(alike, min(len(alike), NEIGHBOURS)):
            plays = trial.begin(setting), trial.begin(other)
            until = play_alike(trial, viewer, *plays)
            files = [file_of(play, viewer, until) for play in plays]
            assert files[0] == files[1], f"the log file tells viewer {viewer} what is hidden"


def indistinguishable(trial: KitCase) -> tuple[dict[str, Any], dict[int, list[dict[str, Any]]]]:
    """The trial's setting, and by viewer those of its neighbours that deal the same to this viewer."""
    setting = trial.sample.setting(trial.options, random.Random(f"{trial.seed}:setting"))
    told = _told(trial.begin(setting))
    neighbours = [(other, _told(trial.begin(other))) for other in trial.sample.neighbours(trial.options, setting)]
    viewers = (PUBLIC, *range(1, trial.seats + 1))
    return setting, {
        viewer: [other for other, dealt in neighbours if dealt.get(viewer) == told.get(viewer)] for viewer in viewers
    }


def check_cast(trial: KitCase) -> None:
    """At the deal the cast hides what cannot be told from what was dealt, and nothing else."""
    setting, others = indistinguishable(trial)
    dealt = trial.begin(setting)
    kit_cast.check_members(dealt)
    seats = {viewer: [trial.begin(other) for other in alike] for viewer, alike in others.items() if viewer != PUBLIC}
    kit_cast.check_hidden(dealt, seats)


def _told(play: Play) -> dict[int | None, dict[str, Any] | None]:
    """What the deal tells each seat alone."""
    return {event.seat: event.data for event in play.log if event.kind == "dealt"}


def play_alike(trial: KitCase, viewer: int, one: Play, other: Play) -> int:
    """The same moves in both until something is told that may be told; returns the seq up to which all is alike."""
    telling = trial.sample.telling(one.options) | {"finished"}
    rng, alike = trial.rng, 0
    while True:
        for left, right in itertools.zip_longest(one.log[alike:], other.log[alike:]):
            shown = [event and seen_by(trial.rules, event, viewer) for event in (left, right)]
            if shown[0] != shown[1] and any(event is not None and event.kind in telling for event in (left, right)):
                return alike
            where = f"event {alike + 1} ({(left or right).kind})"
            assert left and right, f"{where} is there only for some of what is hidden"
            assert left.seq == right.seq and shown[0] == shown[1], f"{where} tells viewer {viewer} what is hidden"
            alike += 1
        known = [requests_for(play.state, viewer) for play in (one, other)]
        assert known[0] == known[1], f"the requests after event {alike} tell viewer {viewer} what is hidden"
        if one.over:
            return alike
        request = rng.choice(list(one.state.open.values()))
        twin = other.state.open.get(request.id) or _hidden_twin(request, other, viewer)
        if twin is None or (move := _legal_in_both(request, twin, one, other, rng)) is None:
            return alike
        one.act(request.seat, request.id, move)
        other.act(twin.seat, twin.id, move)


def _hidden_twin(request: Request, other: Play, viewer: int) -> Request | None:
    """What the other match asks of another seat instead, where the viewer knows of neither."""
    return next(
        (
            twin
            for twin in other.state.open.values()
            if twin.kind == request.kind and twin.audience is not None and viewer not in twin.audience
        ),
        None,
    )


def _legal_in_both(
    request: Request, twin: Request, one: Play, other: Play, rng: random.Random
) -> dict[str, Any] | None:
    """A move that both matches take; None where there is no such move."""
    for _ in range(50):
        move = random_action(one, request, rng, WORDS)
        try:
            read = twin.read(move)
        except Malformed:
            continue
        if request.kind == "poll" or type(other.rules.act(other.state, twin, read)) is not Refusal:
            return move
    return None


# Another process ----------------------------------------------------------------------------------------------------


def digest(trial: KitCase) -> str:
    """A digest of the log file of a trial."""
    return hashlib.sha256(file_of(play_through(trial)).encode()).hexdigest()


def check_other_process(some: Iterable[KitCase], hash_seed: int = 1) -> None:
    """The same trials in another process, with another hash seed, give the same logs."""
    some = list(some)
    asked = [[type(t.rules).__module__, type(t.rules).__name__, t.preset, t.seats, t.seed, t.overrides] for t in some]
    done = subprocess.run(
        [sys.executable, "-m", "games.rules.kit"],
        input=json.dumps(asked),
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == [digest(trial) for trial in some], "another process came to another log"


if __name__ == "__main__":
    asked = ((getattr(import_module(module), name)(), rest) for module, name, *rest in json.load(sys.stdin))
    json.dump([digest(KitCase(rules, sample_of(rules), *rest)) for rules, rest in asked], sys.stdout)
