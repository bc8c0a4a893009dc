"""The house agent of SpyGame. A citizen says what is true without saying where, and watches for what is not; the spy
listens, says what fits most places that it may be, and stands up when it is sure enough.
"""

import math
import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from agents.beliefs import SUBJECTS, Beliefs
from agents.house.equals import one_of_highest
from agents.house.form import of_drawn_length
from agents.house.noise import gumbel
from agents.house.strength import strength_of
from agents.situation import Decision, Situation, Thought
from games.spygame.house.mind import Mind, mind_of
from games.spygame.house.places import Saying, spread
from games.spygame.house.skill import SKILLS
from games.spygame.house.talk import Talker
from games.spygame.setting import THRESHOLD

EXPOSURE = 0.0
"""How often a citizen names the place in what it says (switch ``exposure``): 0 never, 0.5 as weak citizens do."""
SUSPECT = "suspect"
"""The topic of whom one suspects: the only one whose answers depend on what was heard."""
SUSPECTS = ("{name}, if I had to say.", "{name} more than anybody, so far.", "I would look at {name} first.")
STANDS_OUT = 1.3
"""So many times the usual suspicion makes a seat one that is named."""


def decide(situation: Situation, rng: random.Random, switches: dict[str, Any]) -> Decision:
    """A question or accusation, an answer, a vote, or the spy's hidden answer, with the thought behind it. Every draw
    comes from ``rng``. Switch ``strength``: see `skill`."""
    mind = mind_of(situation, SKILLS[strength_of(switches)])
    kind = situation.request.kind
    match kind:
        case "lead":
            action, why = _lead(situation, mind, rng, switches)
        case "answer":
            action, why = _answer(situation, mind, rng, switches)
        case "reveal":
            action, why = _reveal(situation, mind, switches)
        case "ready":
            action, why = _talk(situation, rng)
        case "day_vote":
            action, why = _day_vote(situation, mind)
        case "vote":
            action, why = _vote(situation, mind, rng)
        case other:
            raise ValueError(f"The house agent of SpyGame is not asked for '{other}'.")
    return Decision(action, (_thought(situation, mind, why),))


# Leading ------------------------------------------------------------------------------------------------------------


def _lead(situation: Situation, mind: Mind, rng: random.Random, switches: dict[str, Any]) -> tuple[dict, str]:
    suspicion = mind.suspicion()
    suspect = max(suspicion, key=suspicion.__getitem__)
    accused = {accusation["accused"] for accusation in situation.state.accusations}
    name = situation.names[suspect]
    if suspicion[suspect] >= mind.skill.accuse and suspect not in accused:
        why = f"What {name} says does not fit: the spy with {suspicion[suspect]:.0%}."
        if mind.spy:
            why = f"The others must suspect {name} by now ({suspicion[suspect]:.0%}); better {name} than me."
        return {"seat": suspect, "text": None, "accuse": True}, why
    target = _whom_to_ask(situation, mind, suspicion, rng)
    question = _named(mind, _what_to_ask(situation, mind, rng), rng, switches)
    why = f"I want to hear more from {situation.names[target]}."
    if mind.spy:
        why = f"{_best_guess(mind)} An answer about this would tell me most, and the question fits everywhere."
    return {"seat": target, "text": question, "accuse": False}, why


def _whom_to_ask(situation: Situation, mind: Mind, suspicion: dict[int, float], rng: random.Random) -> int:
    """A citizen asks whom it suspects, and those who have said little; the spy asks those who have said little."""
    state = situation.state
    barred = None if situation.options.ask_back else state.asked_by
    heard = {seat: sum(turn["seat"] == seat for turn in state.exchanges) for seat in suspicion}
    worth = {
        seat: (0.0 if mind.spy else 3.0 * chance) - 0.8 * heard[seat] + rng.random()
        for seat, chance in suspicion.items()
        if seat != barred
    }
    return max(worth, key=worth.__getitem__)


def _what_to_ask(situation: Situation, mind: Mind, rng: random.Random) -> str:
    """Something that was not asked before; the spy takes what it would learn most from."""
    known = mind.known
    asked = {known.asked(turn["question"]).topic for turn in situation.state.exchanges}
    topics = {question: topic for topic, questions in known.questions.items() for question in questions}
    fresh = [question for question, topic in topics.items() if topic not in asked] or list(topics)
    near = [fresh[place] for place in of_drawn_length(fresh, fresh, rng)]
    if not mind.spy:
        return rng.choice(near)
    return min(near, key=lambda question: _doubt_left(mind, topics[question]) + 0.1 * rng.random())


def _doubt_left(mind: Mind, topic: str) -> float:
    """The entropy of the place, in nats, that is to be expected after an answer to this topic."""
    heard = np.array([mind.at(saying.heard) for saying in mind.known.answers(topic)])
    joint = heard * mind.where
    total = joint.sum(1, keepdims=True)
    posterior = joint / total
    entropies = -(posterior * np.log(np.maximum(posterior, 1e-12))).sum(1)
    return float((total[:, 0] * entropies).sum() / total.sum())


# Answering ----------------------------------------------------------------------------------------------------------


def _answer(situation: Situation, mind: Mind, rng: random.Random, switches: dict[str, Any]) -> tuple[dict, str]:
    """To the point of the question, as far as it is understood; where it is not, the answer says so."""
    asked = mind.known.asked(situation.state.exchanges[-1]["question"])
    if not asked.understood and asked.topic is None:
        return {"text": rng.choice(_unsaid(mind, mind.known.misunderstood))}, "I did not understand the question."
    sayings = mind.known.answers(asked.topic)
    if mind.spy:
        values = {saying.text: _fits(mind, saying) for saying in sayings}
        why = f"{_best_guess(mind)} I say what would fit there and elsewhere."
    else:
        role = situation.rules.card(situation.state, situation.seat)["role"]
        values = {s.text: _worth(mind, s) for s in sayings if _true(mind, s, role)}
        why = f"This is true of the {mind.name}, and of other places too."
    if not values:
        unknown = _unsaid(mind, mind.known.unknown[asked.kind or "what"])
        return {"text": _named(mind, rng.choice(unknown), rng, switches)}, "To this I can say nothing certain."
    drawn = {text: values[text] + mind.skill.noise * gumbel(rng) for text in _unsaid(mind, tuple(values))}
    best = max(drawn, key=drawn.__getitem__)
    if asked.topic == SUSPECT:
        best = _suspect(situation, mind, rng) or best
    return {"text": _named(mind, best, rng, switches)}, why


def _suspect(situation: Situation, mind: Mind, rng: random.Random) -> str | None:
    """Whom it would name, as a citizen who heard the same; None where nobody stands out."""
    suspicion = mind.suspicion()
    likely = one_of_highest(suspicion, rng)
    if suspicion[likely] < STANDS_OUT * sum(suspicion.values()) / len(suspicion):
        return None
    return rng.choice(SUSPECTS).format(name=situation.names[likely])


def _unsaid(mind: Mind, texts: Sequence[str]) -> Sequence[str]:
    """Those that nobody has said yet; failing that, those that this seat has not."""
    said = {words.text.casefold() for words in mind.said}
    own = {words.text.casefold() for words in mind.said if words.seat == mind.seat}
    fresh = [text for text in texts if text.casefold() not in said]
    return fresh or [text for text in texts if text.casefold() not in own] or texts


def _true(mind: Mind, saying: Saying, role: str) -> bool:
    if saying.kinds:
        return mind.known.kinds.get(role) in saying.kinds
    return bool(saying.where.all() if mind.place is None else saying.where[mind.known.place(mind.name)])


def _worth(mind: Mind, saying: Saying) -> float:
    """A citizen wants to be known by the others and not to tell the spy: how much an answer speaks for its speaker,
    less how sure a listener who knows nothing would be of the place after it."""
    if mind.place is None:
        return 0.0
    heard = mind.at(saying.heard)
    after = spread(mind.seen_from[0] + np.log(heard))
    return math.log(heard[mind.place] / heard.mean()) - mind.skill.caution * float(after[mind.place])


def _fits(mind: Mind, saying: Saying) -> float:
    """How probably the answer is true, as far as the spy knows."""
    return float(mind.at(saying.where.astype(float)) @ mind.where)


def _named(mind: Mind, text: str, rng: random.Random, switches: dict[str, Any]) -> str:
    """The text, or, from a weak citizen now and then, the text with the place in it."""
    if mind.spy or rng.random() >= switches.get("exposure", EXPOSURE):
        return text
    return f"{text} I mean here, at the {mind.name}."


# The spy stands up --------------------------------------------------------------------------------------------------


def _reveal(situation: Situation, mind: Mind, switches: dict[str, Any]) -> tuple[dict, str]:
    where = mind.where
    best = int(where.argmax())
    certainty = round(100 * float(where[best]))
    last = situation.state.turn + 1 >= situation.options.turns
    wanted = switches.get("threshold", situation.options.threshold or THRESHOLD)
    wanted = min(wanted, mind.skill.last_chance) if last else wanted
    why = f"{_best_guess(mind)} {'That is enough.' if certainty >= wanted else 'I wait.'}"
    place = mind.candidates[best]
    if situation.options.threshold is None:
        return {"reveal": certainty >= wanted, "guess": place, "certainty": certainty}, why
    own = {} if wanted == situation.options.threshold else {"threshold": wanted}
    return {"place": place, "certainty": certainty} | own, why


def _best_guess(mind: Mind) -> str:
    where = mind.where
    best = int(where.argmax())
    return f"It may be the {mind.candidates[best]} ({where[best]:.0%})."


# Votes --------------------------------------------------------------------------------------------------------------


def _day_vote(situation: Situation, mind: Mind) -> tuple[dict, str]:
    accused = situation.state.accusation["accused"]
    if mind.spy:
        return {"agree": True}, f"If {situation.names[accused]} goes, I win."
    chance = mind.suspicion()[accused]
    return {"agree": chance >= mind.skill.agree}, f"I take {situation.names[accused]} for the spy with {chance:.0%}."


def _talk(situation: Situation, rng: random.Random) -> tuple[dict, str]:
    """One line before the last vote: of whom it suspects most; whoever it is, it speaks now and then."""
    text = Talker(situation, rng).before_the_vote(rng)
    return {"text": text}, "I say what I make of the answers." if text else "I would rather listen now."


def _vote(situation: Situation, mind: Mind, rng: random.Random) -> tuple[dict, str]:
    suspicion = mind.suspicion()
    drawn = {seat: suspicion[seat] + 0.02 * rng.random() for seat in situation.request.candidates}
    target = max(drawn, key=drawn.__getitem__)
    if mind.spy:
        return {"seat": target}, f"If anybody is suspected beside me, it is {situation.names[target]}."
    return {"seat": target}, f"What {situation.names[target]} said fits least: the spy with {suspicion[target]:.0%}."


# Thoughts -----------------------------------------------------------------------------------------------------------


def _thought(situation: Situation, mind: Mind, why: str) -> Thought:
    row = {seat: (chance,) for seat, chance in mind.suspicion().items()}
    row[mind.seat] = (0.0,)
    if mind.spy:
        row = {seat: (float(seat == mind.seat),) for seat in row}
    beliefs = Beliefs.normalised(mind.seat, ("spy",), ("spy",), {mind.seat: dict(sorted(row.items()))}, SUBJECTS)
    data: dict[str, Any] = {"beliefs": beliefs.to_json(), "why": why}
    if mind.spy:
        where = mind.where
        likely = np.argsort(-where, kind="stable")[:3].tolist()
        data["places"] = {mind.candidates[place]: round(float(where[place]), 3) for place in likely}
        data["suspected"] = round(mind.exposure(), 3)
    return situation.thought_of_house(data)
