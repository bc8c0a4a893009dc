"""Whether what house agents say is to the point: of whole matches of the word games, how often it is not.

Usage: ``python -m benchmarks.words [--matches 40] [--game spygame]``. Counted are, at Undercover, clues from the second
round on that hold an earlier clue; at Chameleon, clues that hold the topic; at SpyGame, answers that are not of the
kind that their question asks for, by a list of word patterns (`FITTING`), the house agents' own questions and then some
that people might ask, nonsense among them, which is to be answered as such.
"""

import argparse
import random
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from benchmarks import with_django  # noqa: F401 (profiles are models: Django first)

# isort: split
from agents import headless
from agents.house.words import content_stems
from benchmarks.common import house_agent
from benchmarks.public_talk import settings, table
from games.registry import RULES
from games.rules.clues import holds
from games.rules.play import Play, agents_and_people, new_header


class Count(NamedTuple):
    """How many of how many, with one of them to look at."""

    what: str
    found: Sequence[str]
    of: int

    def __str__(self) -> str:
        example = f", as: {self.found[0]}" if self.found else ""
        return f"{self.what}: {len(self.found)} of {self.of}{example}"


def played(game: str, preset: str, seats: int, seed: int, **options: object) -> Play:
    """A whole match of house agents."""
    rules, rows = RULES[game], settings(game)
    setting = rules.drawn(dict(random.Random(seed).choice(rows)), rows)
    header = new_header(rules, preset, seats=agents_and_people(0, seats), seed=seed, options=options, setting=setting)
    play = Play(rules, header)
    headless.play_out(play, dict.fromkeys(header.names, house_agent()))
    return play


def undercover(matches: int) -> Iterator[Count]:
    """Clues from the second round on that hold an earlier one."""
    for preset, seats, rounds in (("wiu", 5, 1), ("party", 8, 3)):
        glued, later = [], 0
        for seed in range(matches):
            state = played("undercover", preset, seats, seed, clue_rounds=rounds).state
            clues = [clue for clue in state.clues if clue["text"]]
            for number, clue in enumerate(clues):
                if clue["round"] > 1:
                    later += 1
                    glued += [clue["text"]] * any(holds(clue["text"], earlier["text"]) for earlier in clues[:number])
        table = f"undercover {preset} {seats} ({rounds} before a vote)"
        yield Count(f"{table}, clues from round 2 on that hold an earlier one", glued, later)


def chameleon(matches: int) -> Iterator[Count]:
    """Clues that hold a word of the topic."""
    for preset, seats in (("magic", 3), ("party", 5)):
        repeated, given = [], 0
        for seed in range(matches):
            state = played("chameleon", preset, seats, seed).state
            topic = content_stems(state.topic)
            texts = [clue["text"] for clue in state.clues if clue["text"]]
            given += len(texts)
            repeated += [f"{text} ({state.topic})" for text in texts if not topic.isdisjoint(content_stems(text))]
        yield Count(f"chameleon {preset} {seats}, clues that hold the topic", repeated, given)


TIMES = (
    r"hours?|days?|weeks?|weekends?|months?|years?|nights?|morning|evening|noon|summer|winter|season|holidays|always|"
    r"never|often|now and then|whenever|when|times?|once|twice|early|late|end|clock|while|planned|short|brought along|"
    r"on duty|decides"
)
FITTING = (
    (r".*\bsmell|close your eyes", r"smells?|air|of|sweat"),
    (
        r".*\b(?:inside|dark|sit)\b.* or",
        r"inside|outside|both|roof|sits?|feet|lies|neither|either|dark|bright|lamps|light",
    ),
    (
        "do|does|did|is|are|am|can|could|would|should|may|must|might|will|has|have|was|were",
        r"yes|no|not|never|nobody|nothing|none|neither|some|sometimes|rarely|hardly|always|perhaps|possibly|"
        r"depends|changes|one (?:does|could)|it (?:is|does|can)|i (?:do|could)|you would|odd|a little|"
        r"a few|now and then|if|course|"
        r"gladly|at times|enough|clean|mostly|better|with care|both|old|older|many|only|parts|fine|there is|half|loud|"
        r"calm|quiet|excited|bright|cold|warm|cool|beautiful|own way|ask|around|any time|nearly every|somewhere|know",
    ),
    ("how long|how often|when|what time", TIMES),
    ("how many|how full", r"hundreds|dozens?|handful|few|many|room for|counted|number|nobody|one|two"),
    (
        "who|what kind of people",
        r"people|famil\w+|children|faces|strangers|experts|famous|kinds|somebody|nobody|owner|everybody|us|player|"
        r"answers",
    ),
    ("how warm", r"warm|cold|cool|weather|sun"),
    ("how loud|what do you hear|what noises", r"quiet|loud|silent|music|hum|voices|hears?|ring|clap|clatter|whispers"),
    (
        "how should one be dressed|what do people wear|which shoes",
        r"comfortable|uniform|dress\w*|clothes|warm|wear|suit|gear|shoes",
    ),
    ("what does it cost", r"costs?|free|pays?|price|ticket|month"),
    ("how large", r"large|narrow|small|wide"),
    ("how did you get here", r"walked|car|bus|journey|brought|hurry"),
    ("where", r"middle|far|town|edge|water|spot|point|eats?|snacks|packets|eating|canteen|cooks|ice cream"),
    ("why", r"because|to|for|somebody|needed|i came|my family|reason"),
)
"""How a question begins, or what it says, and what an answer of its kind has a word of. The first that fits counts."""
NOT_FOLLOWED = r"follow|mean|get that|understand|again|question|words|past me|sense"
FREE = (
    "do you need a ticket there?", "is it cold?", "what do people wear?", "how many people are there with you",
    "who comes here mostly?", "When do you go home?", "can I bring my dog", "Is it noisy at your place?",
    "how long have you been there", "would a child like it?", "Does it smell?", "Who tells you what to do?",
)  # fmt: skip
"""Free questions as people type them."""
NONSENSE = ("asdf qwer", "lkjh lkjh lkjh?", "xx", "qwertz uiop", "what zxcvb nmnm?", "fnord blip grumf")


def misses(question: str, answer: str) -> bool | None:
    """Whether an answer is not of the kind that the question asks for; None where the list has no such kind."""
    for asking, fitting in FITTING:
        if re.match(rf"(?:{asking})\b", question.casefold()):
            return not re.search(rf"\b(?:{fitting})\b", answer.casefold())
    return None


def spygame(matches: int) -> Iterator[Count]:
    """Answers that miss their question."""
    for preset, seats in (("seed004", 7), ("party", 5)):
        missed, answered = [], 0
        for seed in range(matches):
            for turn in played("spygame", preset, seats, seed).state.exchanges:
                if turn["answer"] and (fits := misses(turn["question"], turn["answer"])) is not None:
                    answered += 1
                    missed += [f"{turn['question']} {turn['answer']}"] * fits
        yield Count(f"spygame {preset} {seats}, answers that miss their question", missed, answered)
    answers = [(question, answer) for question in FREE for answer in answers_to(question, matches)]
    missed = [f"{question} {answer}" for question, answer in answers if misses(question, answer)]
    yield Count("spygame, answers that miss a free question", missed, len(answers))
    answers = [(question, answer) for question in NONSENSE for answer in answers_to(question, matches)]
    missed = [f"{question} {answer}" for question, answer in answers if not re.search(NOT_FOLLOWED, answer.casefold())]
    yield Count("spygame, nonsense that is answered as if it were a question", missed, len(answers))


def answers_to(question: str, matches: int) -> Iterator[str]:
    """What house agents answer to a question, each in a match of its own."""
    for seed in range(matches):
        play = table("spygame", "party", 5, seed)
        while next(iter(play.state.open.values())).kind != "lead":
            request = next(iter(play.state.open.values()))
            play.expire(request.id)
        request = next(iter(play.state.open.values()))
        play.act(request.seat, request.id, {"seat": request.seat % 5 + 1, "text": question, "accuse": False})
        asked = next(iter(play.state.open.values()))
        decision = house_agent()(play, asked, [])
        yield decision.action["text"]


GAMES = {"undercover": undercover, "chameleon": chameleon, "spygame": spygame}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--matches", type=int, default=40)
    options.add_argument("--game", choices=GAMES)
    chosen = options.parse_args()
    for game in (chosen.game,) if chosen.game else GAMES:
        for count in GAMES[game](chosen.matches):
            print(count, flush=True)


if __name__ == "__main__":
    main()
