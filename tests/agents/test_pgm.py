"""The graphical model, stage by stage: what is asked in which order, of what each stage is told, where it goes next.

MAgIC (ACL edition): equation 9 takes each view from the record alone, equation 11 decides with all of them.
"""

import json
import random
from dataclasses import dataclass, replace

import pytest
from django.conf import settings
from django.core.management import call_command

from agents import headless, player, prompts
from agents.beliefs import Beliefs
from agents.calls import Model
from agents.methods import METHODS, Stage
from agents.methods.base import MISSING
from agents.providers import connect
from agents.seating import seatable
from agents.situation import Thought
from agents.turns import situation as situation_of
from games.registry import RULES
from games.rules.play import Play, agents_and_people, new_header
from games.rules.sample import sample_of
from games.rules.values import Refusal
from tests.model_server import ModelServer, malformed

PGM = METHODS["pgm"]
WORDS = {"civilian_word": "wig", "undercover_word": "hat", "undercovers": [1]}
CHAMELEON = {"topic": "fruit", "word": "mango", "chameleon": 2}
SPYGAME = {"place": "harbour", "roles": ["a", "b", "c", None, "d", "e", "f"], "spy": 4, "first_leader": 1}
ROLES = {
    "roles": ["merlin", "percival", "servant", "servant", "morgana", "minion"],
    "assassin": 6,
    "first_leader": 2,
}
MORE, SAME, LESS = "more suspicious", "no change", "less suspicious"


def begin(game, preset, seats, setting, options=None):
    rules = RULES[game]
    header = new_header(
        rules, preset, seats=agents_and_people(0, seats), seed=3, setting=setting, options=options or {}
    )
    return Play(rules, header)


def first(play, kind=None):
    return next(request for request in play.state.open.values() if kind in (None, request.kind))


def act(play, request, action):
    answer = play.act(request.seat, request.id, action)
    assert not isinstance(answer, Refusal), answer


def clues(play, count):
    for number in range(count):
        act(play, first(play, "clue"), {"text": f"clue number {number}"})
    return play


def at(play, request, thoughts=()):
    names = {seat.seat: seat.name for seat in play.header.seats}
    return replace(situation_of(play, request, names), thoughts=tuple(thoughts))


@dataclass
class Walk:
    """A decision gone through: the names of each step, every stage and its prompt by name."""

    steps: list[list[str]]
    stages: dict[str, Stage]
    told: dict[str, str]

    @property
    def beliefs(self):
        return Beliefs.from_json(self.stages["decision"].keep({})["beliefs"])

    def given(self, stage):
        return self.stages[stage].given


def walk(where, answers=None, **switches):
    """Go through a decision; each stage's value is what `answers` has for its name, else something neutral."""
    turn = PGM.turn(where, switches)
    steps, done = PGM.think(turn), Walk([], {}, {})
    step = next(steps)
    while True:
        stages = (step,) if isinstance(step, Stage) else step
        asked = [stage for stage in stages if stage.known is MISSING]
        done.steps.append([name_of(stage) for stage in asked])
        for stage in asked:
            done.stages[name_of(stage)] = stage
            done.told[name_of(stage)] = "\n\n".join(m.content for m in prompts.prompt(turn, stage).messages[1:])
        if isinstance(step, Stage) and step.final:
            return done
        values = [value_of(stage, answers or {}) for stage in stages]
        step = steps.send(values[0] if isinstance(step, Stage) else values)


def name_of(stage):
    """Its name without the clue that it follows."""
    return stage.name.partition("_after_")[0]


def value_of(stage, answers):
    if stage.known is not MISSING:
        return stage.known
    return answers.get(stage.name, answers.get(name_of(stage), neutral(stage)))


def neutral(stage):
    subjects = stage.given.get("subjects", ())
    match name_of(stage).split("_of_")[0]:
        case "self":
            return {"because": "Nothing fits yet.", "undercover": "unsure", "word": None}
        case "secret":
            return {"because": "It is yellow.", "guess": "banana"}
        case "forecast":
            return {"forecast": dict.fromkeys(subjects, f"will be careful, says {stage.name}")}
        case "matrix":
            return {f"seat_{viewer}": dict.fromkeys(row, 50) for viewer, row in stage.given["rows"]}
    if stage.given["label"] == "undercover":
        return {"because": f"Reason of {name_of(stage)}.", "suspect": None}
    return verdicts(name_of(stage), dict.fromkeys(subjects, SAME))


def verdicts(name, by_seat):
    return {"because": {seat: f"Reason of {name} about {seat}." for seat in by_seat}, "verdicts": by_seat}


def names(view):
    return {"because": f"It must be {view}.", "suspect": view}


def row(beliefs, viewer):
    return {subject: round(cell[0], 3) for subject, cell in beliefs.rows[viewer].items()}


# Undercover


@pytest.fixture
def undercover():
    """Seat 2, a civilian, gives its clue after seat 1's."""
    play = clues(begin("undercover", "magic", 3, WORDS), 1)
    return at(play, first(play, "clue"))


def test_in_undercover_a_seat_asks_itself_first_then_takes_all_views_at_once_then_decides(undercover):
    assert walk(undercover).steps == [["self"], ["view", "view_of_1", "view_of_3"], ["decision"]]


def test_the_question_about_oneself_is_told_the_record_and_the_own_word(undercover):
    done = walk(undercover)
    assert set(done.given("self")) == set()
    assert "Your word is <told>wig</told>." in done.told["self"]
    assert "clue number 0" in done.told["self"]


def test_each_view_is_told_the_record_and_what_the_seat_made_of_itself_and_no_other_view(undercover):
    done = walk(undercover, {"self": {"because": "It is about heads.", "undercover": "yes", "word": "cap"}})
    for name, viewer in (("view", 2), ("view_of_1", 1), ("view_of_3", 3)):
        assert set(done.given(name)) == {"label", "self", "clue_of", "viewer", "subjects"}
        assert (done.given(name)["viewer"], done.given(name)["subjects"]) == (viewer, (1, 2, 3))
        told = done.told[name]
        assert all(part in told for part in ("clue number 0", "It is about heads.", "may be: cap"))
        assert "Reason of" not in told


def test_no_view_is_told_of_earlier_views_or_of_the_matrix(undercover):
    before = walk(undercover, {"view": names(3), "view_of_1": names(3), "view_of_3": names(1)})
    earlier = [
        Thought("5:2:clue", 2, "pgm", "view", data={"value": names(3)}, reply="It must be 3."),
        Thought("5:2:clue", 2, "pgm", "decision", data={"beliefs": before.beliefs.to_json()}),
    ]
    again = walk(replace(undercover, thoughts=tuple(earlier)))
    fresh = walk(undercover)
    for name in ("self", "view", "view_of_1", "view_of_3"):
        assert again.told[name] == fresh.told[name]


def test_the_decision_is_told_the_record_all_views_the_matrix_and_the_target(undercover):
    answers = {"self": {"because": "I have the same.", "undercover": "no", "word": "wig"}}
    answers |= {"view": names(3), "view_of_1": names(3), "view_of_3": names(1)}
    done = walk(undercover, answers, eta=1.0)
    given, told = done.given("decision"), done.told["decision"]
    assert set(given) == {"label", "self", "secret", "views", "rows", "target", "ahead"}
    assert [(view["viewer"], view["suspect"]) for view in given["views"]] == [(2, 3), (1, 3), (3, 1)]
    assert [line["viewer"] for line in given["rows"]] == [2, 1, 3]
    assert given["target"] == 3
    for part in ("clue number 0", "I have the same.", "It must be 3.", "It must be 1.", "you suspect most is seat 3"):
        assert part in told
    assert "seat 1 21.2, seat 2 21.2, seat 3 57.6" in told  # 1 : 1 : e
    assert row(done.beliefs, 3) == {1: 0.576, 2: 0.212, 3: 0.212}


@pytest.mark.parametrize(("verdict", "template"), [("no", "good"), ("yes", "odd"), ("unsure", "unsure")])
def test_the_decision_is_one_of_three_by_what_the_seat_takes_itself_for(undercover, verdict, template):
    done = walk(undercover, {"self": {"because": "So.", "undercover": verdict, "word": None}})
    assert done.stages["decision"].template == f"decision_{template}"
    sentence = {
        "no": "yourself for a civilian",
        "yes": "yourself for the undercover",
        "unsure": "You are not sure on which side you are. G",
    }
    assert [text for text in sentence.values() if text in done.told["decision"]] == [sentence[verdict]]


def test_who_takes_itself_for_the_undercover_has_in_mind_who_trusts_it_most(undercover):
    answers = {"self": {"because": "So.", "undercover": "yes", "word": "cap"}, "view_of_1": names(2)}
    assert walk(undercover, answers).given("decision")["target"] == 3


def test_who_is_not_sure_has_no_target(undercover):
    assert walk(undercover, {"view": names(3)}).given("decision")["target"] is None


def test_the_good_side_may_have_in_mind_who_suspects_it_most(undercover):
    answers = {"self": {"because": "So.", "undercover": "no", "word": None}}
    answers |= {"view": names(3), "view_of_1": names(2)}
    assert walk(undercover, answers).given("decision")["target"] == 3
    assert walk(undercover, answers, target="suspects_me").given("decision")["target"] == 1


def test_the_matrix_is_carried_on_from_one_decision_to_the_next(undercover):
    before = walk(undercover, {"view": names(3)}, eta=1.0).beliefs
    kept = Thought("5:2:clue", 2, "pgm", "decision", data={"beliefs": before.to_json()})
    after = walk(replace(undercover, thoughts=(kept,)), {"view": names(3)}, eta=1.0).beliefs
    assert row(before, 2) == {1: 0.212, 2: 0.212, 3: 0.576}
    assert row(after, 2) == {1: 0.106, 2: 0.106, 3: 0.787}  # 1 : 1 : e squared


def test_a_matrix_of_another_kind_is_not_carried_on(undercover):
    other = Beliefs.normalised(2, ("good", "evil"), ("evil",), {2: {1: (1, 3)}})
    kept = Thought(undercover.request.id, 2, "house", "think", data={"beliefs": other.to_json()})
    assert row(walk(replace(undercover, thoughts=(kept,))).beliefs, 2) == {1: 0.333, 2: 0.333, 3: 0.333}


def test_a_view_that_could_not_be_read_changes_nothing_and_is_not_told(undercover):
    done = walk(undercover, {"view": names(3), "view_of_1": None, "view_of_3": names(1)})
    assert [view["viewer"] for view in done.given("decision")["views"]] == [2, 3]
    assert row(done.beliefs, 1) == {1: 0.333, 2: 0.333, 3: 0.333}


def test_views_are_taken_of_and_through_those_who_are_still_in_the_game():
    play = clues(begin("undercover", "wiu", 5, WORDS | {"undercovers": [1, 2]}), 5)
    while not any(event.kind == "out" for event in play.log):
        request = first(play)
        act(play, request, {"seat": 2 if request.seat == 5 else 5})
    request = first(play, "clue")
    voted = next(event.seq for event in play.log if event.kind == "voting")
    start = Beliefs.normalised(
        request.seat,
        ("undercover",),
        ("undercover",),
        {viewer: dict.fromkeys(range(1, 6), (1,)) for viewer in range(1, 6)},
        "subjects",
    )
    kept = Thought(f"{voted}:{request.seat}:vote", request.seat, "pgm", "decision", data={"beliefs": start.to_json()})
    done = walk(at(play, request, [kept]))
    assert [name for name in done.steps[1] if name.endswith("5")] == []
    assert set(done.beliefs.rows) == {1, 2, 3, 4}
    assert row(done.beliefs, request.seat) == dict.fromkeys((1, 2, 3, 4), 0.25)


def test_a_blank_seeks_the_word_and_hides_and_its_guess_needs_no_views():
    play = begin("undercover", "party", 8, WORDS | {"undercovers": [1, 3], "blanks": [2]})
    while (request := first(play)).seat != 2 or not play.state.clues:
        act(play, request, {"text": f"thing {request.id}"})
    done = walk(at(play, request))
    others = [f"view_of_{n}" for n in (1, 3, 4, 5, 6, 7, 8)]
    assert done.steps == [["secret", *others * len(play.state.clues)], ["decision"]]
    assert "You have no word." in done.told["decision"]
    assert "banana" in done.told["decision"]
    assert row(done.beliefs, 2)[2] == 0
    done = walk(at(play, request._replace(kind="guess")))
    assert done.steps == [["secret"], ["decision"]]
    assert "banana" in done.told["decision"]


# Chameleon


@pytest.fixture
def chameleon():
    """After the first clue; seat 2 is the chameleon."""
    return clues(begin("chameleon", "magic", 3, CHAMELEON), 1)


def seated(play, seat):
    """The situation of a seat as if it were asked for a clue now."""
    return at(play, first(play)._replace(seat=seat, kind="clue"))


def test_in_chameleon_who_knows_the_word_takes_all_views_at_once_then_decides(chameleon):
    done = walk(seated(chameleon, 3))
    assert done.steps == [["view", "view_of_1", "view_of_2"], ["decision"]]
    assert set(done.given("view")) == {"label", "self", "clue_of", "viewer", "subjects"}
    assert done.given("view_of_1")["subjects"] == (2, 3)
    assert "clue number 0" in done.told["view_of_1"]


def test_verdicts_about_each_player_move_the_rows_and_the_decision_is_told_their_reasons(chameleon):
    answers = {"view": verdicts("view", {1: LESS, 2: MORE}), "view_of_1": verdicts("view_of_1", {2: SAME, 3: MORE})}
    done = walk(seated(chameleon, 3), answers, eta=1.0)
    assert row(done.beliefs, 3) == {1: 0.119, 2: 0.881, 3: 0.0}
    assert row(done.beliefs, 1) == {1: 0.212, 2: 0.212, 3: 0.576}
    assert done.given("decision")["target"] == 2
    told = done.told["decision"]
    assert "seat 2: more suspicious, because: Reason of view about 2." in told
    assert "Reason of view_of_1 about 3." in told


def test_the_update_of_the_authors_figures_can_be_chosen(chameleon):
    answers = {"view": verdicts("view", {1: LESS, 2: SAME})}
    assert row(walk(seated(chameleon, 3), answers, update="magic").beliefs, 3) == {1: 0.372, 2: 0.391, 3: 0.237}


def test_the_chameleon_deduces_the_word_and_only_the_others_views(chameleon):
    answers = {"view_of_1": verdicts("view_of_1", {2: MORE, 3: SAME})}
    done = walk(seated(chameleon, 2), answers)
    assert done.steps == [["secret", "view_of_1", "view_of_3"], ["decision"]]
    assert all("banana" not in done.told[name] for name in ("secret", "view_of_1", "view_of_3"))
    assert "banana" in done.told["decision"]
    assert row(done.beliefs, 2) == {1: 0, 2: 1, 3: 0}
    assert [line["viewer"] for line in done.given("decision")["rows"]] == [1, 3]
    assert done.given("decision")["target"] == 3
    assert "mango" not in "".join(done.told.values())


def test_a_caught_chameleon_guesses_by_the_word_that_it_deduced(chameleon):
    done = walk(at(chameleon, first(chameleon)._replace(seat=2, kind="guess")))
    assert done.steps == [["secret"], ["decision"]]
    assert done.given("decision")["target"] is None


@pytest.mark.parametrize(("seat", "rows"), [(3, [3, 1, 2]), (2, [1, 3])])
def test_the_matrix_may_be_asked_for_at_once(chameleon, seat, rows):
    first_step = ["secret", "matrix"] if seat == 2 else ["matrix"]
    done = walk(
        seated(chameleon, seat),
        {"matrix": {"seat_3": {1: 20, 2: 60}, "seat_1": {2: 30, 3: 10}, "seat_2": {1: 50, 3: 50}}},
        form="matrix",
    )
    assert done.steps == [first_step, ["decision"]]
    assert [viewer for viewer, _ in done.given("matrix")["rows"]] == rows
    assert row(done.beliefs, 1) == {1: 0, 2: 0.75, 3: 0.25}
    assert row(done.beliefs, 3) == {1: 0.25, 2: 0.75, 3: 0}
    assert done.given("decision")["views"] == []
    assert "seat 2 75.0" in done.told["decision"]


def test_a_matrix_that_could_not_be_read_leaves_the_one_that_is_held(chameleon):
    done = walk(seated(chameleon, 3), {"matrix": None}, form="matrix")
    assert row(done.beliefs, 3) == {1: 0.5, 2: 0.5, 3: 0}


# SpyGame and Avalon: the general templates


def led(play):
    """The request after the first question, or the first team."""
    request = first(play)
    seats = [seat for seat in (1, 3) if seat != request.seat]
    act(
        play,
        request,
        {"seats": [1, 3]} if request.kind == "team" else {"seat": seats[0], "text": "Busy here?", "accuse": False},
    )
    return first(play)


def test_a_spy_deduces_the_place_beside_the_others_views():
    play = begin("spygame", "seed004", 7, SPYGAME)
    others = [f"view_of_{seat}" for seat in (1, 2, 3, 5, 6, 7)]
    done = walk(at(play, led(play)._replace(seat=4)))
    assert done.steps == [["secret", *others], ["decision"]]
    assert "Which place fits" in done.told["secret"]
    assert "harbour" not in "".join(done.told.values())
    others = [f"view_of_{seat}" for seat in (2, 3, 4, 5, 6, 7)]
    assert walk(at(play, first(play)._replace(seat=1))).steps == [["view", *others], ["decision"]]


def test_in_avalon_the_good_side_looks_for_evil_through_all_eyes():
    play = begin("avalon", "recon", 6, ROLES)
    done = walk(at(play, led(play)), {"view": verdicts("view", {1: SAME, 3: SAME, 4: SAME, 5: SAME, 6: MORE})})
    assert done.steps == [["view", *(f"view_of_{seat}" for seat in (1, 3, 4, 5, 6))], ["decision"]]
    assert done.beliefs.labels == ("evil",)
    assert done.given("decision")["target"] == 6


def test_in_avalon_evil_reads_the_others_only_and_its_target_is_no_fellow():
    play = begin("avalon", "recon", 6, ROLES)
    where = at(play, led(play)._replace(seat=6))
    suspect_me = verdicts("x", {1: SAME, 2: SAME, 4: SAME, 5: SAME, 6: MORE})
    done = walk(where, {f"view_of_{seat}": suspect_me for seat in (1, 2, 3)})
    assert done.steps == [[f"view_of_{seat}" for seat in (1, 2, 3, 4, 5)], ["decision"]]
    assert row(done.beliefs, 6) == {1: 0, 2: 0, 3: 0, 4: 0, 5: 0.5, 6: 0.5}
    assert (done.given("decision")["target"], done.given("decision")["ahead"]) == (4, True)
    stab = walk(replace(where, request=where.request._replace(kind="assassinate")))
    assert stab.given("decision")["target"] is None


# Games without an odd one


@pytest.mark.parametrize(
    ("game", "asked"),
    [
        ("prisoners_dilemma", "cooperate or defect"),
        ("public_good", "nto the pool in this first round"),
        ("cost_sharing", "hich split"),
    ],
)
def test_without_an_odd_one_the_two_hops_are_words_and_the_decision_is_told_them(game, asked):
    setting = sample_of(RULES[game]).setting(RULES[game].options("magic", {}, 3), random.Random(5))
    play = begin(game, "magic", 3, setting)
    done = walk(at(play, first(play)._replace(seat=1)))
    assert done.steps == [["forecast", "forecast_of_2", "forecast_of_3"], ["decision"]]
    assert [done.given(name)["subjects"] for name in done.steps[0]] == [(2, 3), (1, 3), (1, 2)]
    for name in done.steps[0]:
        assert set(done.given(name)) == {"viewer", "subjects"}
        assert asked in done.told[name]
        assert f"will be careful, says {name}" in done.told["decision"]
    assert set(done.given("decision")) == {"views"}
    assert done.stages["decision"].keep is None


# Whole decisions and matches over the wire


def test_views_are_asked_at_once_and_a_spoiled_one_costs_one_more_call(chameleon, monkeypatch):
    asked = []
    ask_all = player.ask_all
    monkeypatch.setattr(player, "ask_all", lambda asks, *more: asked.append(len(asks)) or ask_all(asks, *more))
    with ModelServer([malformed()]) as server:
        model = Model(connect("openai", server.openai_url, ""), "m", {"backoff": 0, "retries": 0})
        decision = player.think(seated(chameleon, 3), method=PGM, model=model, by="agent:m")
    assert decision.action
    assert asked == [3, 1, 1]
    assert [attempt.instead for attempt in decision.attempts] == ["asked again"]
    assert "beliefs" in decision.thoughts[-1].data


def test_a_decision_goes_on_without_views_that_cannot_be_read(chameleon):
    with ModelServer([malformed()] * 6) as server:
        model = Model(connect("openai", server.openai_url, ""), "m", {"backoff": 0, "retries": 0})
        decision = player.think(seated(chameleon, 3), method=PGM, model=model, by="agent:m")
    assert decision.action
    assert sorted(attempt.instead for attempt in decision.attempts) == ["asked again"] * 3 + ["carried on"] * 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "switches"),
    [
        (name, {"form": "matrix", "target": "suspects_me"} if name in ("undercover", "avalon") else {"update": "magic"})
        for name, rules in RULES.items()
        if rules.sought
    ],
)
def test_each_form_plays_whole_matches_and_carries_its_matrix(game, switches):
    rules = RULES[game]
    preset, seats = rules.quick
    setting = sample_of(RULES[game]).setting(rules.options(preset, {}, seats), random.Random(5))
    play = begin(game, preset, seats, setting)
    with ModelServer() as server:
        model = Model(connect("openai", server.openai_url, ""), "m", {"backoff": 0})

        def mind(play, request, thoughts):
            where = at(play, request, [thought for thought in thoughts if thought.seat == request.seat])
            return player.think(where, method=PGM, model=model, by="agent:m", switches=switches)

        played = headless.play_out(play, dict.fromkeys(range(1, seats + 1), mind))
    assert play.state.outcome.status == "finished"
    assert played.refusals == [] and played.attempts == []
    decisions = [thought for thought in played.thoughts if thought.stage == "decision"]
    assert all("(unknown" not in thought.prompt for thought in played.thoughts)
    assert all(
        Beliefs.from_json(thought.data["beliefs"]).owner == thought.seat
        for thought in decisions
        if ":guess" not in thought.request
    )


def published():
    rows = json.loads((settings.BASE_DIR / "fixtures" / "agent_profiles.json").read_text())["rows"]
    return [row for row in rows if row["method"] == "pgm"]


@pytest.mark.django_db
def test_the_published_configurations_are_profiles_that_sit_down_where_their_key_is_at_hand(monkeypatch):
    call_command("load_fixtures")
    names = {row["name"] for row in published()}
    assert names >= {"magic-gpt-4-pgm", "magic-gpt-4-propgm", "openai-pgm", "anthropic-pgm"}
    for row in published():
        assert PGM.resolved(row.get("switches", {}))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    assert not names & {name for name, _ in seatable("chameleon", researcher=True)}
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    offered = names & {name for name, _ in seatable("chameleon", researcher=True)}
    assert offered == {row["name"] for row in published() if row["provider"] == "openai"}
