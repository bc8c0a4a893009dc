"""How well what house agents say before the first vote tells their roles: in Avalon nothing may tell, in the word games
neither how long the words are nor their form (their meaning may).

Usage: ``python -m benchmarks.public_talk [--matches 300] [--game avalon]``. A naive Bayes classifier reads all that a
seat has said; printed is for each role its cross-validated AUC against all other roles (0.5 is chance), with the bound
of chance: four standard errors of the AUC of a classifier that knows nothing.
"""

import argparse
import itertools
import math
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from benchmarks import with_django  # noqa: F401 (profiles are models: Django first)

# isort: split
from agents import headless
from benchmarks.common import house_agent, rows_of
from games.avalon.house.hearing import remarks
from games.registry import RULES
from games.rules.play import Play, agents_and_people, new_header
from games.rules.values import Impossible

SETTINGS = ("undercover", "chameleon", "spygame")
TALK = {"avalon": "once"}
"""How the option `discussion` is set; "free" elsewhere."""
TOLD = ("voted", "day_voted", "tally")
"""The kinds of event by which votes are told."""
FOLDS, BINS = 5, 6


class Talk(NamedTuple):
    """All that a seat said in a match before the first vote; None in ``texts`` where it was asked and stayed silent."""

    match: int
    seat: int
    role: str
    texts: tuple[str | None, ...]


def settings(game: str) -> list[dict]:
    """What matches of the game are dealt from."""
    return rows_of(game) if game in SETTINGS else [{}]


def table(game: str, preset: str, seats: int, seed: int, **setting) -> Play:
    """A match with talk, dealt by its seed."""
    rules, rows = RULES[game], settings(game)
    talking = {"discussion": TALK.get(game, "free")}
    setting = rules.drawn(dict(random.Random(seed).choice(rows)), rows) | setting
    header = new_header(rules, preset, seats=agents_and_people(0, seats), seed=seed, options=talking, setting=setting)
    return Play(rules, header)


class Voted(Exception):
    """The first votes were told."""


def said_before_the_vote(play: Play) -> list[tuple[int, str | None]]:
    """Who said what, in its order: the match is played by house agents until votes are told or it is over."""

    def until_the_vote() -> None:
        if any(event.kind in TOLD for event in play.log):
            raise Voted

    with suppress(Voted):
        headless.play_out(play, dict.fromkeys(play.header.names, house_agent()), between=until_the_vote)
    before = itertools.takewhile(lambda event: event.kind not in TOLD, play.log)
    said = (event for event in before if event.audience is None and "text" in (event.data or {}))
    return [(event.seat, event.data["text"]) for event in said]


def talks(game: str, preset: str, seats: int, matches: int) -> Iterator[Talk]:
    """What each seat said in each of these matches."""
    for seed in range(matches):
        play = table(game, preset, seats, seed)
        roles = _roles(play)
        said = said_before_the_vote(play)
        for seat, role in roles.items():
            yield Talk(seed, seat, role, tuple(text for speaker, text in said if speaker == seat))


def _roles(play: Play) -> dict[int, str]:
    if play.header.game == "avalon":
        return dict(enumerate(play.rules.deal(play.state)["roles"], 1))
    return play.rules.sides(play.state)


# What a classifier sees ----------------------------------------------------------------------------------------------


def form(talk: Talk) -> dict[str, float]:
    """How something was said on average, without what it means; how often one is asked is up to others."""
    texts = [text for text in talk.texts if text]
    signs = [sign for text in texts for sign in text]
    sums = {
        "characters": len(signs),
        "words": sum(len(text.split()) for text in texts),
        "signs": sum(not (sign.isalnum() or sign.isspace()) for sign in signs),
        "capitals": sum(map(str.isupper, signs)),
        "numbers": sum(map(str.isdigit, signs)),
    }
    means = {name: total / max(1, len(texts)) for name, total in sums.items()}
    return means | {"silences": talk.texts.count(None) / max(1, len(talk.texts))}


def words(talk: Talk) -> dict[str, float]:
    """Form and words, and of how many others it is said that they are doubted or trusted."""
    names = tuple((seat, f"Player {seat}") for seat in range(1, 11))
    heard = [remark for text in talk.texts if text for remark in remarks(talk.seat, text, names)]
    used = Counter(word for text in talk.texts if text for word in re.findall(r"[a-z']+", text.casefold()))
    doubts = sum(remark.doubts for remark in heard)
    return form(talk) | {"#doubts": doubts, "#trusts": len(heard) - doubts} | {f"'{word}": 1 for word in used}


def auc(talks: Sequence[Talk], role: str, features: Callable[[Talk], dict[str, float]]) -> float:
    """The cross-validated AUC of a naive Bayes classifier for this role against all others; folds are whole matches."""
    rows = [features(talk) for talk in talks]
    table = _binned(rows)
    truth = np.array([talk.role == role for talk in talks])
    fold = np.array([talk.match % FOLDS for talk in talks])
    score = np.zeros(len(talks))
    for held in range(FOLDS):
        train, test = fold != held, fold == held
        score[test] = table[test] @ _log_odds(table[train], truth[train])
    score += 1e-9 * np.random.default_rng(0).random(len(score))
    from scipy.stats import mannwhitneyu

    wins = mannwhitneyu(score[truth], score[~truth]).statistic
    return float(wins / truth.sum() / (~truth).sum())


def bound(talks: Sequence[Talk], role: str) -> float:
    """Four standard errors above chance: what a classifier that knows nothing does not pass."""
    those = sum(talk.role == role for talk in talks)
    others = len(talks) - those
    return 0.5 + 4 * math.sqrt((len(talks) + 1) / (12 * those * others))


def _binned(rows: list[dict[str, float]]) -> np.ndarray:
    """0 or 1 for each bin of each feature: array (talks, features x bins)."""
    columns = []
    for name in sorted(set().union(*rows)):
        values = np.array([row.get(name, 0) for row in rows])
        edges = np.unique(np.quantile(values, np.linspace(0, 1, BINS + 1)[1:-1]))
        bins = np.searchsorted(edges, values)
        columns += [bins == bin for bin in np.unique(bins)]
    return np.array(columns, dtype=float).T


def _log_odds(table: np.ndarray, truth: np.ndarray) -> np.ndarray:
    of_role, of_others = ((table[which].sum(axis=0) + 1) / (which.sum() + 2) for which in (truth, ~truth))
    return np.log(of_role) - np.log(of_others)


def report(game: str, preset: str, seats: int, matches: int) -> None:
    heard = list(talks(game, preset, seats, matches))
    features = words if game == "avalon" else form
    for role in sorted({talk.role for talk in heard}):
        print(
            f"{game} {preset} {seats} seats, {matches} matches: {role:<12} AUC {auc(heard, role, features):.3f} "
            f"(chance up to {bound(heard, role):.3f}) of {len(heard)} seats' words",
            flush=True,
        )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--matches", type=int, default=300)
    options.add_argument("--game", choices=("avalon", *SETTINGS))
    chosen = options.parse_args()
    for game in (chosen.game,) if chosen.game else ("avalon", *SETTINGS):
        for name, preset in RULES[game].presets.items():
            try:
                report(game, name, max(preset.low, min(preset.high, 6)), chosen.matches)
            except Impossible as error:
                print(f"{game} {name}: {error}")


if __name__ == "__main__":
    main()
