"""The house agent of Undercover: it reads every clue, weighs which word it and the others may hold, and acts on that.

It gives clues that fit the word that most of the table probably has: its own while it feels safe, both words once it
suspects that it is the odd one. It votes against whoever most probably stands against it, and follows the table a
little. What it cannot read it takes as saying nothing.
"""

import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from agents.beliefs import Beliefs
from agents.house.equals import ahead
from agents.house.form import first_allowed, of_drawn_length
from agents.house.noise import gumbel
from agents.house.strength import strength_of
from agents.house.words import LIKENINGS, network
from agents.situation import Decision, Situation, Thought
from games.rules.clues import holds, holds_word
from games.undercover.house.mind import ROLES, Mind, course
from games.undercover.house.skill import SKILLS
from games.undercover.house.talk import Talker, crowd_against

MANY = 20
"""So many clues are considered by one who has no word."""
BELIEVED = 0.5
"""So true of what the others' word may be is a clue with which somebody bluffs."""


def decide(situation: Situation, rng: random.Random, switches: dict[str, Any]) -> Decision:
    """A clue, a vote, a guess or the answer to a poll, with the thought behind it. Every draw comes from ``rng``.

    Switches ``strength`` and ``telling``: see `skill`. Switch ``hops`` (2): with 1 the thought leaves out what each
    other seat is thought to believe.
    """
    kind, hops = situation.request.kind, switches.get("hops", 2)
    skill = SKILLS[strength_of(switches)]
    mind = Mind(network(), course(situation), situation.seat, situation.state.words[situation.seat], skill)
    wanted = hops == 2 or kind in ("vote", "poll")
    minds = {seat: mind.mind_of(seat) for seat in mind.course.alive if seat != mind.seat} if wanted else {}
    match kind:
        case "clue":
            action, why = _clue(situation, mind, rng, switches.get("telling", skill.telling))
        case "vote":
            action, why = _vote(situation, mind, minds, rng)
        case "ready":
            action, why = _talk(situation, rng)
        case "guess":
            action, why = _guess(mind)
        case "poll":
            action, why = _poll(situation, mind, minds)
        case other:
            raise ValueError(f"The house agent of Undercover is not asked for '{other}'.")
    return Decision(action, (_thought(situation, mind, minds if hops == 2 else {}, why),))


# Clues --------------------------------------------------------------------------------------------------------------


def _clue(situation: Situation, mind: Mind, rng: random.Random, telling: float) -> tuple[dict[str, Any] | None, str]:
    facts, values = clue_values(mind, telling, mind.network.truth)
    texts = [mind.network.facts[fact].text for fact in facts]
    near = of_drawn_length(texts, mind.network.texts, rng, mind.skill.choice)
    drawn = values + [mind.skill.clue_noise * gumbel(rng) for _ in facts]
    best = sorted(np.argsort(-drawn, kind="stable").tolist(), key=lambda place: place not in near)
    given = [clue for clues in mind.course.clues.values() for clue in clues]
    new = (texts[place] for place in best if not any(holds(texts[place], clue) for clue in given))
    action = first_allowed(situation, itertools.chain(new, _likenings(mind, given, rng, telling)))
    return action, _why_clue(mind) if action else "Everything that I could say has been said."


def _likenings(mind: Mind, given: list[str], rng: random.Random, telling: float) -> Iterator[str]:
    """What is left when every fact was said before: words that the own one is like, those first that nobody has
    named."""
    words, values = clue_values(mind, telling, mind.network.likeness)
    best = [mind.network.words[words[place]] for place in np.argsort(-values, kind="stable")]
    for word in sorted(best, key=lambda word: any(holds_word(clue, word) for clue in given)):
        yield from (likening.format(word=word) for likening in rng.sample(LIKENINGS, len(LIKENINGS)))


def clue_values(mind: Mind, telling: float, truth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which rows of ``truth``, an array (clues, words), may be said, and what each is worth as a clue: how well it fits
    the word that most seats probably have and, for a civilian, how well it tells the own word from the other.

    Said is what is true of the own word; by one who has none that the network knows, what the others' clues are about;
    and by one who is sure enough to be the odd one (`Skill.bluffs`) also what is true of the others' word alone.
    """
    if mind.place is None:
        values = truth @ mind.topics
        rows = np.argsort(-values, kind="stable")[:MANY]
        return rows, values[rows]
    sayable = truth[:, mind.place] > 0
    if mind.odd >= mind.skill.bluffs:
        sayable |= truth @ mind.majority_if_odd() >= BELIEVED
    rows = np.flatnonzero(sayable)
    truth = truth[rows]
    own = truth[:, mind.place]
    doubt = max(mind.odd, mind.skill.hedge)
    fits = (1 - doubt) * own + doubt * truth @ mind.majority_if_odd()
    tells = own * ((1 - mind.odd) - truth @ mind.minority_if_not())
    return rows, fits + (telling + mind.skill.assured * mind.assurance) * tells


def _why_clue(mind: Mind) -> str:
    heard = any(mind.course.clues.values())
    if mind.place is None:
        known = "I have no word" if mind.word is None else f"I know little about {mind.word}"
        if not heard:
            return f"{known} and nobody has said anything yet, so I say what fits many things."
        guess = mind.network.words[int(mind.civilian_word().argmax())]
        return f"{known}; the clues so far sound most like {guess}, so I stay close to them."
    if not heard:
        return f"Nobody has said anything yet; my clue fits {mind.word} without giving it away."
    other = mind.network.words[int(mind.other_word().argmax())]
    if mind.odd > 0.5:
        return f"I think I am the odd one ({mind.odd:.0%}); the others may have {other}, so my clue should fit both."
    if mind.odd > 0.4:
        return f"I may be the odd one ({mind.odd:.0%}); the other word may be {other}, so I say what fits both."
    return f"The clues fit {mind.word}: I am probably not the odd one ({mind.odd:.0%}); the other word may be {other}."


# Votes --------------------------------------------------------------------------------------------------------------


def _vote(situation: Situation, mind: Mind, minds: dict[int, Mind], rng: random.Random) -> tuple[dict[str, Any], str]:
    candidates, skill = situation.request.candidates, mind.skill
    crowd = skill.crowd_if_odd if mind.odd > 0.5 else skill.crowd
    weights = {
        seat: mind.against(seat) + crowd * crowd_against(minds, seat) + skill.vote_noise * rng.random()
        for seat in candidates
    }
    target = max(candidates, key=weights.__getitem__)
    name = situation.names[target]
    if mind.odd > 0.5:
        return {"seat": target}, f"I am probably the odd one, and {name} is probably not; better {name} than me."
    chance = mind.role(target)[ROLES.index("undercover")]
    least = "those of the others" if mind.word is None else mind.word
    return {"seat": target}, f"The clues of {name} fit {least} least: undercover with {chance:.0%}."


# Talk ---------------------------------------------------------------------------------------------------------------


def _talk(situation: Situation, rng: random.Random) -> tuple[dict[str, Any], str]:
    text = Talker(situation, rng).before_the_vote(rng)
    return {"text": text}, "I say what the clues tell me." if text else "I would rather listen now."


# Guesses and polls --------------------------------------------------------------------------------------------------


def _guess(mind: Mind) -> tuple[dict[str, Any], str]:
    chances = mind.civilian_word()
    best = int(chances.argmax())
    return {"text": mind.network.words[best]}, f"The clues fit {mind.network.words[best]} best ({chances[best]:.0%})."


def _poll(situation: Situation, mind: Mind, minds: dict[int, Mind]) -> tuple[dict[str, Any], str]:
    """Answers out of the beliefs, field by field as the polls of MAgIC and of Who is Undercover name them; a tie
    is no opinion."""
    others = sorted(minds)
    against = {seat: mind.against(seat) for seat in others}
    answers: dict[str, Any] = {
        "side": "undercover" if mind.odd > 0.6 else "civilian" if mind.odd < 0.4 else "unsure",
        "odd_one": ahead({seat: mind.role(seat)[1] for seat in mind.course.alive}),
        "trusted": [seat for seat in others if against[seat] < 0.5],
        "suspected": [seat for seat in others if against[seat] >= 0.5],
        "same_word": [seat for seat in others if mind.word is not None and mind.likely_word(seat) == mind.word],
    }
    for seat, other in minds.items():
        answers[f"suspect_of_{seat}"] = ahead({subject: other.role(subject)[1] for subject in mind.course.alive})
    return {field.name: answers[field.name] for field in situation.request.fields}, "This is what I believe just now."


# Thoughts -----------------------------------------------------------------------------------------------------------


def _thought(situation: Situation, mind: Mind, minds: dict[int, Mind], why: str) -> Thought:
    rows = {viewer: _row(seen) for viewer, seen in ({mind.seat: mind} | minds).items()}
    beliefs = Beliefs.normalised(mind.seat, ROLES, ("undercover",), rows)
    words = mind.other_word()
    likely = np.argsort(-words, kind="stable")[:3].tolist()
    data = {
        "beliefs": beliefs.to_json(),
        "why": why,
        "words": {mind.network.words[place]: round(float(words[place]), 3) for place in likely},
    }
    return situation.thought_of_house(data)


def _row(mind: Mind) -> dict[int, tuple[float, float, float]]:
    return {seat: mind.role(seat) for seat in range(1, mind.course.seats + 1)}
