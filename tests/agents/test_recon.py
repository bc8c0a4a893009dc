"""ReCon: which stages a decision goes through, what each is told and not told, and what becomes of it."""

import json
import random
from dataclasses import replace

import pytest

from agents import headless, scene
from agents.beliefs import Beliefs
from agents.calls import Model
from agents.methods import METHODS
from agents.methods.recon import beliefs
from agents.player import think
from agents.situation import Thought
from agents.turns import situation as situation_of
from games.registry import RULES
from games.rules.play import Play, agents_and_people, new_header
from games.rules.sample import sample_of
from games.rules.values import Refusal
from tests.agents.test_methods import Player, Scripted, first, first_speech, opened, situation

GUESS = {
    "thinks": {seat: f"Seat {seat} wants the quest." for seat in "13456"},
    "role": {"1": "merlin", "3": "servant", "4": "servant", "5": "morgana", "6": "minion"},
    "certainty": {"1": 40, "3": 50, "4": 0, "5": 90, "6": 100},
}
THOUGHT = (
    "My goal is a third quest without a fail. Next I have to keep seats five and six off the team, "
    "and nobody may see how I know that they are evil, since then the dagger finds me."
)
DRAFT = "Leave out seat 5 and seat 6, I am quite sure of them."
HEARD = "A servant would trust it. The minion would ask how I can be so sure of two, and take me for Merlin."
BETTER_THOUGHT = (
    "Better to doubt only one of the two of them, and to give a reason which anybody could have seen for themselves."
)
BETTER = "Seat 5 was quick to approve, I would wait with them."

REPLIES = {
    "first_order": json.dumps(GUESS),
    "think": THOUGHT,
    "reason": THOUGHT,
    "speak": json.dumps({"text": DRAFT}),
    "second_order": HEARD,
    "refine": json.dumps({"thought": BETTER_THOUGHT, "text": BETTER}),
    "answer": json.dumps({"text": DRAFT}),
}

WHOLE = ["first_order", "think", "speak", "second_order", "refine"]
ARMS = {
    "ReCon": ({}, WHOLE),
    "without refinement": ({"refinement": False}, WHOLE[:3]),
    "without formulation": ({"formulation": False}, ["reason", "speak", "second_order", "refine"]),
    "without first order": ({"first_order": False}, WHOLE[1:]),
    "without second order": ({"second_order": False}, ["first_order", "think", "speak", "refine"]),
    "chain of thought": ({"formulation": False, "refinement": False}, ["reason", "answer"]),
    "without refinement and first order": ({"refinement": False, "first_order": False}, ["think", "speak"]),
    "without formulation and second order": (
        {"formulation": False, "second_order": False},
        ["reason", "speak", "refine"],
    ),
    "without both orders": ({"first_order": False, "second_order": False}, ["think", "speak", "refine"]),
    "all off": (
        dict.fromkeys(("formulation", "refinement", "first_order", "second_order"), False),
        ["reason", "answer"],
    ),
}
"""The arms of figures 4 and 6, and what else can be switched."""


@pytest.fixture
def speech():
    """Percival, at seat 2, speaks about the first team; seats 1 and 5 are Merlin and Morgana."""
    play = opened("avalon recon")
    return situation(play, first_speech(play))


def decide(where, replies, switches=None, second=None, thoughts=()):
    model = Model(Scripted(*replies), "first")
    decision = think(
        replace(where, thoughts=tuple(thoughts)),
        method=METHODS["recon"],
        model=model,
        second=second,
        switches=switches,
        by="agent:x",
    )
    return decision, [told(messages) for messages, _ in model.provider.asked]


def told(messages):
    """The record and the question."""
    return "\n\n".join(message.content for message in messages if message.role == "user")


def whole(where, switches=None, stages=WHOLE, **more):
    decision, prompts = decide(where, [REPLIES[stage] for stage in stages], switches, **more)
    return decision, dict(zip(stages, prompts, strict=True))


# The stages


@pytest.mark.parametrize("arm", ARMS)
def test_each_arm_of_figures_4_and_6_has_its_own_stages(speech, arm):
    switches, stages = ARMS[arm]
    decision, _ = whole(speech, switches, stages)
    assert [thought.stage for thought in decision.thoughts] == stages
    assert decision.attempts == ()
    assert decision.action == {"text": BETTER if "refine" in stages else DRAFT}


def test_all_off_is_chain_of_thought_byte_for_byte(speech):
    _, prompts = whole(speech, ARMS["all off"][0], ["reason", "answer"])
    provider = Scripted(THOUGHT, REPLIES["answer"])
    think(speech, method=METHODS["cot"], model=Model(provider, "first"), by="agent:x")
    assert list(prompts.values()) == [told(messages) for messages, _ in provider.asked]


def test_each_stage_is_told_what_the_equations_say_and_nothing_else(speech):
    """Equations 1 to 5; the role guess is shown by a line of it, the task by the words of the request."""
    _, prompts = whole(speech)
    parts = {
        "guess": "seat 5: morgana",
        "thought": THOUGHT,
        "draft": DRAFT,
        "heard": HEARD,
        "task": "your turn to speak",
    }
    told = {stage: {part for part, words in parts.items() if words in prompt} for stage, prompt in prompts.items()}
    assert told == {
        "first_order": set(),
        "think": {"guess", "task"},
        "speak": {"guess", "thought", "task"},
        "second_order": {"draft"},
        "refine": {"thought", "draft", "heard", "task"},
    }
    assert all("proposes" in prompt for prompt in prompts.values())


@pytest.mark.parametrize(
    ("arm", "stage", "missing"),
    [
        ("without first order", "think", "WHAT YOU BELIEVE"),
        ("without first order", "speak", "WHAT YOU BELIEVE"),
        ("without second order", "refine", "HOW THE OTHERS WOULD TAKE IT"),
    ],
)
def test_nothing_stands_in_for_a_part_that_is_off(speech, arm, stage, missing):
    assert missing in whole(speech)[1][stage]
    assert missing not in whole(speech, *ARMS[arm])[1][stage]


def test_only_the_refined_words_reach_the_table():
    play = opened("avalon recon")
    request = first_speech(play)
    decision, _ = whole(situation(play, request))
    assert not isinstance(play.act(request.seat, request.id, decision.action), Refusal)
    events = json.dumps([event.data for event in play.log])
    assert BETTER in events
    assert not [words for words in (DRAFT, THOUGHT, HEARD, BETTER_THOUGHT) if words in events]


def test_both_drafts_are_kept_side_by_side(speech):
    thoughts = {thought.stage: thought.data for thought in whole(speech)[0].thoughts}
    assert thoughts["speak"]["action"] == {"text": DRAFT}
    assert (thoughts["refine"]["thought"], thoughts["refine"]["action"]) == (BETTER_THOUGHT, {"text": BETTER})


@pytest.mark.parametrize(
    ("switches", "stages"),
    [
        ({}, ["first_order", "think", "answer"]),
        ({"refinement": False}, ["first_order", "think", "answer"]),
        ({"first_order": False}, ["think", "answer"]),
        ({"formulation": False}, ["reason", "answer"]),
    ],
)
def test_what_nobody_hears_is_formulated_and_not_refined(switches, stages):
    play = opened("avalon recon")
    while first(play).kind != "team_vote":
        request = first(play)
        play.act(request.seat, request.id, {"seats": [2, 3]} if request.kind == "team" else {"text": "hm"})
    where = situation(play, first(play))
    possible = scene.possible_roles(METHODS["recon"].turn(where, {}))
    others = [str(seat) for seat in range(1, 7) if seat != where.seat]
    roles = {str(seat): roles[0] for seat, roles in possible.items() if len(roles) > 1}
    guess = {"thinks": dict.fromkeys(others, "?"), "role": roles, "certainty": dict.fromkeys(roles, 50)}
    scripted = REPLIES | {"first_order": json.dumps(guess), "answer": '{"approve": true}'}
    decision, _ = decide(where, [scripted[stage] for stage in stages], switches)
    assert decision.action == {"approve": True}
    assert [thought.stage for thought in decision.thoughts] == stages


def test_words_that_only_the_moderator_reads_are_not_refined():
    play = opened("undercover magic")
    for audience, speaks in ((None, True), ((1,), False)):
        request = first(play)._replace(audience=audience)
        assert METHODS["recon"].turn(situation(play, request), {}).speaks is speaks


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arm", "game"),
    [(arm, game) for arm in ARMS for game in RULES if game == "undercover" or (arm == "ReCon" and game == "avalon")],
)
def test_each_arm_plays_whole_matches(arm, game):
    rules = RULES[game]
    preset, seats = rules.quick
    setting = sample_of(RULES[game]).setting(rules.options(preset, {}, seats), random.Random(5))
    play = Play(rules, new_header(rules, preset, seats=agents_and_people(0, seats), seed=5, setting=setting))
    method, switches, model = METHODS["recon"], ARMS[arm][0], Model(Player(), "m")

    def mind(play, request, thoughts):
        names = {seat.seat: seat.name for seat in play.header.seats}
        where = situation_of(play, request, names, thoughts)
        return think(where, method=method, model=model, switches=switches, by="agent:m")

    played = headless.play_out(play, dict.fromkeys(range(1, seats + 1), mind))
    assert play.state.outcome.status == "finished"
    assert (played.refusals, [one for one in played.attempts if one.instead == "default"]) == ([], [])
    assert {thought.stage for thought in played.thoughts} <= {*ARMS[arm][1], "answer", "forced"}


# The role guess


def test_the_role_guess_becomes_a_matrix(speech):
    held = Beliefs.from_json(whole(speech)[0].thoughts[0].data["beliefs"])
    assert held.labels == ("merlin", "percival", "servant", "morgana", "minion")
    assert (held.owner, set(held.suspects)) == (2, {"morgana", "minion"})
    assert held.probability(5, "morgana") == pytest.approx(0.9)
    assert held.probability(5, "merlin") == pytest.approx(0.1)
    assert held.suspicion(6) == pytest.approx(1)
    assert held.probability(4, "servant") == pytest.approx(0.5)
    assert set(held.own) == {1, 3, 4, 5, 6}


def test_a_guess_without_any_certainty_is_an_even_one(speech):
    turn = METHODS["recon"].turn(speech, {})
    held = beliefs(turn, [{"seat": 1, "role": "merlin", "certainty": 10}])
    assert held.probability(1, "merlin") == pytest.approx(0.5)
    assert held.probability(3, "servant") == pytest.approx(0.5)


def test_of_more_players_with_a_role_than_there_are_the_surest_keeps_it(speech):
    """Percival names two minions, and takes both whom it sees for Merlin, equally sure."""
    guess = GUESS | {
        "role": {"1": "merlin", "3": "minion", "4": "servant", "5": "merlin", "6": "minion"},
        "certainty": {"1": 70, "3": 60, "4": 60, "5": 70, "6": 80},
    }
    decision, prompts = decide(speech, [json.dumps(guess), *(REPLIES[stage] for stage in WHOLE[1:])])
    held = Beliefs.from_json(decision.thoughts[0].data["beliefs"])
    assert [held.probability(seat, "minion") for seat in (3, 6)] == pytest.approx([0.5, 0.8])
    assert [held.probability(seat, "merlin") for seat in (1, 5)] == pytest.approx([0.5, 0.5])
    assert prompts[1].count(": minion, ") == 1


def test_what_the_card_tells_is_not_guessed_at():
    """Percival sees Merlin and Morgana; Merlin sees who is evil; nobody else can have a role that is taken."""
    play = opened("avalon recon")
    roles = dict(play.state.roles)
    for seat, role in roles.items():
        where = situation(play, first(play)._replace(seat=seat))
        possible = scene.possible_roles(METHODS["recon"].turn(where, {}))
        assert possible[seat] == (role,)
        assert all(roles[other] in names for other, names in possible.items())
        others = {name for other, names in possible.items() if other != seat for name in names}
        assert role == "servant" or role not in others
        if role == "merlin":
            evil = {"morgana", "minion"}
            assert all((set(names) <= evil) == (roles[other] in evil) for other, names in possible.items())
        if role == "percival":
            two = {other for other, names in possible.items() if set(names) == {"merlin", "morgana"}}
            assert two == {other for other, held in roles.items() if held in ("merlin", "morgana")}
        if role == "minion":
            assert ("morgana",) in possible.values()


def test_the_last_guess_is_carried_on_and_only_to_the_next_guess(speech):
    before = json.loads(json.dumps(GUESS | {"role": GUESS["role"] | {"1": "morgana", "5": "merlin"}}))
    earlier = Thought("1:2:team", 2, "recon", "first_order", data={"value": before})
    _, prompts = whole(speech, thoughts=[earlier])
    assert "seat 1: morgana, 40 % certain" in prompts["first_order"]
    assert [stage for stage, prompt in prompts.items() if "seat 1: morgana" in prompt] == ["first_order"]


def test_a_guess_that_cannot_be_read_leaves_the_last_one(speech):
    earlier = Thought("1:2:team", 2, "recon", "first_order", data={"value": GUESS})
    replies = ["{", "I do not know.", *(REPLIES[stage] for stage in WHOLE[1:])]
    decision, prompts = decide(speech, replies, thoughts=[earlier])
    assert "seat 5: morgana, 90 % certain" in prompts[2]
    assert decision.action == {"text": BETTER}
    assert decision.attempts[-1].instead == "carried on"


@pytest.mark.parametrize(
    ("name", "subjects", "labels"),
    [
        ("undercover magic", {1, 2, 3}, {"civilian", "undercover"}),
        ("undercover party", set(range(1, 9)), {"civilian", "undercover", "blank"}),
    ],
)
def test_who_does_not_know_the_own_side_guesses_at_it_too(name, subjects, labels):
    play = opened(name)
    where = situation(play, first(play)._replace(seat=1))
    stage = next(METHODS["recon"].think(METHODS["recon"].turn(where, {})))
    (thinks, role, _) = stage.reader.fields(where)
    assert set(thinks.seats) == subjects - {1}
    assert set(role.seats) == subjects
    assert {option for seat in role.seats for option in role.of(seat).options} == labels


# The second model, the style, the guard


def test_another_model_refines(speech):
    second = Scripted(REPLIES["second_order"], REPLIES["refine"])
    decision, prompts = decide(speech, [REPLIES[stage] for stage in WHOLE[:3]], second=Model(second, "second"))
    assert [thought.model for thought in decision.thoughts] == ["first"] * 3 + ["second"] * 2
    assert (len(prompts), len(second.asked)) == (3, 2)


@pytest.mark.parametrize(
    ("style", "speaks_so", "thinks_so"),
    [
        ("plain", [], []),
        ("human_speech", ["speak", "refine"], []),
        ("human_thought_and_speech", ["speak", "refine"], ["think", "refine"]),
    ],
)
def test_the_style_is_asked_for_where_words_and_thoughts_are_made(speech, style, speaks_so, thinks_so):
    _, prompts = whole(speech, {"style": style})
    assert [stage for stage in prompts if "Talk as a person at a table" in prompts[stage]] == speaks_so
    assert [stage for stage in prompts if "Think as a person at a table" in prompts[stage]] == thinks_so


@pytest.mark.parametrize("private", [THOUGHT, BETTER_THOUGHT, HEARD])
def test_no_thought_is_said(speech, private):
    leak = json.dumps({"thought": BETTER_THOUGHT, "text": private})
    decision, _ = decide(speech, [*(REPLIES[stage] for stage in WHOLE[:4]), leak, REPLIES["refine"]])
    assert decision.attempts[0].code == "guarded"
    assert decision.action == {"text": BETTER}


def test_a_draft_that_needs_no_change_is_said(speech):
    long = "I would go with this team, since two of them were on the first quest, and it went well without any fail."
    kept = json.dumps({"thought": "Nothing to change.", "text": long})
    decision, _ = decide(speech, [REPLIES["first_order"], THOUGHT, json.dumps({"text": long}), HEARD, kept])
    assert (decision.action, decision.attempts) == ({"text": long}, ())


def test_a_draft_may_break_the_rules_and_what_is_said_may_not():
    play = opened("undercover magic")
    where = situation(play, first(play))
    replies = [THOUGHT, '{"text": "a hat"}', '{"thought": "Fine.", "text": "a hat"}']
    replies.append('{"thought": "Less.", "text": "on a head"}')
    decision, _ = decide(where, replies, ARMS["without both orders"][0])
    assert decision.action == {"text": "on a head"}
    assert [attempt.instead for attempt in decision.attempts] == ["asked again"]
