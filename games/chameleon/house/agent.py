"""The house agent of Chameleon.

One who knows the word says what shows it and does not give it away, and accuses whoever could have made their clue up.
The chameleon infers the word from the clues, says what fits it, votes with the table, and guesses.
"""

import random
from typing import Any

import numpy as np

from agents.beliefs import SUBJECTS, Beliefs
from agents.house.equals import ahead
from agents.house.form import first_allowed, of_drawn_length
from agents.house.noise import gumbel
from agents.house.strength import strength_of
from agents.house.words import network
from agents.situation import Decision, Situation, Thought
from games.chameleon.house.mind import Mind, course
from games.chameleon.house.skill import SKILLS
from games.chameleon.house.talk import Talker
from games.chameleon.setting import CHAMELEON, OTHERS

MANY = 30
"""So many clues are tried until one is not refused."""


def decide(situation: Situation, rng: random.Random, switches: dict[str, Any]) -> Decision:
    """A clue, a word in the talk, a vote, the guess or the answer to a poll, with the thought behind it. Every draw
    comes from ``rng``; switches ``strength``, ``telling``, ``hiding`` and ``bold``: see `skill`."""
    skill = SKILLS[strength_of(switches)]
    mind = Mind(network(), course(situation), situation.seat, situation.state.words[situation.seat], skill)
    match situation.request.kind:
        case "clue":
            action, why = _clue(situation, mind, rng, switches)
        case "ready":
            action, why = _talk(situation, rng)
        case "vote":
            action, why = _vote(situation, mind, rng)
        case "guess":
            action, why = _guess(mind)
        case "poll":
            action, why = _poll(situation, mind)
        case other:
            raise ValueError(f"The house agent of Chameleon is not asked for '{other}'.")
    return Decision(action, (_thought(situation, mind, why),))


def _clue(
    situation: Situation, mind: Mind, rng: random.Random, switches: dict[str, Any]
) -> tuple[dict[str, Any] | None, str]:
    skill = mind.skill
    telling = switches.get("bold", skill.bold) if mind.place is None else switches.get("telling", skill.telling)
    facts, values = mind.clue_values(telling, switches.get("hiding", skill.hiding))
    texts = [mind.network.facts[fact].text for fact in facts]
    near = set(of_drawn_length(texts, mind.network.texts, rng))
    drawn = values + [skill.clue_noise * gumbel(rng) for _ in facts]
    best = sorted(np.argsort(-drawn, kind="stable").tolist(), key=lambda place: place not in near)
    action = first_allowed(situation, (texts[place] for place in best[: MANY + len(near)]))
    return action, _why_clue(mind) if action else "Everything that I could say has been said."


def _why_clue(mind: Mind) -> str:
    heard = any(text for seat, text in mind.course.clues if seat != mind.seat)
    if not mind.is_chameleon:
        if mind.place is None:
            return f"I know little about {mind.word}, so I say what fits the topic."
        known = mind.heard()[mind.place]
        return f"It fits {mind.word}; the chameleon could guess the word with {known:.0%} before my clue."
    if not heard:
        return f"Nobody has said anything yet, so I say what fits much of the topic {mind.course.topic}."
    best = int(mind.words.argmax())
    return f"The clues sound most like {mind.name(best)} ({mind.words[best]:.0%}), so I say what fits that."


def _talk(situation: Situation, rng: random.Random) -> tuple[dict[str, Any], str]:
    text = Talker(situation, rng).before_the_vote(rng)
    return {"text": text}, "I say what the clues tell me." if text else "I would rather listen now."


def _vote(situation: Situation, mind: Mind, rng: random.Random) -> tuple[dict[str, Any], str]:
    suspicion = mind.suspicion(mind.seat)
    allowed = situation.request.candidates
    target = max(allowed, key=lambda seat: suspicion[seat] + mind.skill.vote_noise * rng.random())
    name = situation.names[target]
    if mind.is_chameleon:
        return {
            "seat": target
        }, f"I am the chameleon; to the others {name} looks most like it ({suspicion[target]:.0%})."
    return {
        "seat": target
    }, f"The clue of {name} is the likeliest to be made up: chameleon with {suspicion[target]:.0%}."


def _guess(mind: Mind) -> tuple[dict[str, Any], str]:
    best = int(mind.words.argmax())
    return {"text": mind.name(best)}, f"The clues fit {mind.name(best)} best ({mind.words[best]:.0%})."


def _poll(situation: Situation, mind: Mind) -> tuple[dict[str, Any], str]:
    """Answers out of the beliefs, field by field as MAgIC's poll names them; a tie is no opinion."""
    rows = _rows(mind)
    answers: dict[str, Any] = {"side": CHAMELEON if mind.is_chameleon else OTHERS}
    answers["odd_one"] = ahead(rows[mind.seat])
    answers |= {f"suspect_of_{seat}": ahead(row) for seat, row in rows.items()}
    return {field.name: answers[field.name] for field in situation.request.fields}, "This is what I believe just now."


def _rows(mind: Mind) -> dict[int, dict[int, float]]:
    """Whom each seat suspects, as this one sees it; the own row is what it believes itself."""
    rows = {viewer: mind.suspicion(viewer) for viewer in range(1, mind.course.seats + 1)}
    return rows | ({mind.seat: {mind.seat: 1.0}} if mind.is_chameleon else {})


def _thought(situation: Situation, mind: Mind, why: str) -> Thought:
    rows = {viewer: {seat: (chance,) for seat, chance in row.items()} for viewer, row in _rows(mind).items()}
    data: dict[str, Any] = {
        "beliefs": Beliefs.normalised(mind.seat, (CHAMELEON,), (CHAMELEON,), rows, SUBJECTS).to_json(),
        "why": why,
    }
    if mind.is_chameleon:
        likely = np.argsort(-mind.words, kind="stable")[:3].tolist()
        data["words"] = {mind.name(place): round(float(mind.words[place]), 3) for place in likely}
    return situation.thought_of_house(data)
