"""Whether a player's browser can tell who is an agent, or who is on the smaller side, from all that it gets but words.

Tables that name no agents are played with people by script and house agents on the real parts: rooms, the log in the
database, pending requests, the agents' worker, the sweeper, and the frames of one player's page. Only the time is made
up, so that a match of minutes takes a second: every clock of the site is this one's. From the frames one row of numbers
is made for each other seat (how long each answer took, in which order answers came, how large and how many the frames
were without their text) and boosted stumps guess from it, on tables that they were not fitted on.

People read and type as fast as measured: 238 words a minute (adults mostly 175 to 300: Brysbaert 2019); 51.6 (SD 20.2)
at a keyboard (Dhakal et al. 2018) or 36.2 (SD 13.2) on a phone (Palin et al. 2019). How long they think is measured
nowhere for these games: 5 s (SD 2.5) for words and 4 s (SD 2) for choices, times a factor for each person. What people
say and choose is a house agent's: words are not the question here.

    python -m benchmarks.leak_classifier                             a few tables: whether it works
    python -m benchmarks.leak_classifier play FILE TABLES SEED       play, and add the rows to a file
    python -m benchmarks.leak_classifier judge FILE ...              what can be told from these rows
"""

import heapq
import math
import random
import re
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import fit_stumps
from benchmarks.common import prepared

GAMES = ("undercover", "chameleon", "avalon", "spygame")
START = datetime(2030, 1, 1, tzinfo=UTC)
LONGEST = timedelta(hours=3)
SWEEP = 1.0
WORDS = re.compile(r">[^<]+<|(?:title|value|placeholder|aria-label|data-[a-z-]+)=\"[^\"]*\"")
COLUMNS = "seed game seat agent smaller kind letters seconds bytes frames rank window".split()
"""One row for each answer of another seat: where and whose it was, of what kind and how many letters long if it was in
words; seconds since it was asked; bytes of the frame that told of it, and how many frames came meanwhile; its place
among the answers to the same question; and how long the moderator's hidden questions took at this table."""
AGENT, SMALLER, KIND, LETTERS, SECONDS = map(COLUMNS.index, "agent smaller kind letters seconds".split())


def main() -> None:
    what, *words = sys.argv[1:] or ["try"]
    if what == "judge":
        report(np.concatenate([np.load(file) for file in words]))
        return
    with tempfile.TemporaryDirectory() as folder:
        prepared(folder, SEALED_SECONDS="10,14", DATABASE_URL=f"sqlite:///{folder}/magic.sqlite3")
        if what == "try":
            report(play(range(24)))
            return
        file, tables, first = Path(words[0]), int(words[1]), int(words[2])
        for begin in range(first, first + tables, 4):
            known = [np.load(file)] if file.exists() else []
            np.save(file, np.concatenate([*known, play(range(begin, min(begin + 4, first + tables)))]))


# Playing ------------------------------------------------------------------------------------------------------------


class Time:
    """A clock that jumps from one thing that is due to the next."""

    def __init__(self) -> None:
        self.now = START
        self._due: list[tuple[datetime, int, Callable[[], object]]] = []
        self._count = 0

    def at(self, moment: datetime, do: Callable[[], object]) -> None:
        self._count += 1
        heapq.heappush(self._due, (max(moment, self.now), self._count, do))

    def after(self, seconds: float, do: Callable[[], object]) -> None:
        self.at(self.now + timedelta(seconds=seconds), do)

    def run(self, over: Callable[[], bool]) -> None:
        while self._due and not over():
            self.now, _, do = heapq.heappop(self._due)
            if self.now > START + LONGEST:
                break
            do()
        self._due.clear()
        self.now = START


class Person:
    """How fast one person reads, types and thinks."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.reads = normal(rng, 238, 40, 120)
        self.types = normal(rng, 36.2, 13.2, 12) if rng.random() < 0.5 else normal(rng, 51.6, 20.2, 12)
        self.thinks = rng.lognormvariate(0, 0.25)

    def seconds(self, unread: int, action: dict[str, Any]) -> float:
        """From the moment it is asked until it is sent: to read so many words, to think, to type."""
        text = next((action[name] for name in ("text", "guess") if action.get(name)), "")
        mean, deviation = (5.0, 2.5) if text else (4.0, 2.0)
        variance = math.log(1 + (deviation / mean) ** 2)
        thinking = self.rng.lognormvariate(math.log(mean) - variance / 2, math.sqrt(variance)) * self.thinks
        uneven = self.rng.lognormvariate(0, 0.2)
        return 60 * unread / self.reads * uneven + thinking + 60 * len(text) / 5 / self.types * uneven


def normal(rng: random.Random, mean: float, deviation: float, least: float) -> float:
    return max(least, rng.gauss(mean, deviation))


def play(seeds: range, slow: float = 1.0) -> np.ndarray:
    """One row for each other seat of each table: seed, game, agent or not, smaller side or not, and `ROW`. slow: how
    many times as slow people are, to see whether a difference is found."""
    from agents import tasks
    from games.match import changes, pending
    from magic_site import clock

    time, rows = Time(), []
    hearers: list[Any] = []
    real = clock.now, clock.carried_on, clock.after, pending.dispatch, changes.tell
    clock.now = clock.carried_on = lambda: time.now
    vars(clock)["after"] = lambda span: time.now + (span if isinstance(span, timedelta) else timedelta(seconds=span))
    pending.dispatch = lambda queue, delay: time.after(delay, lambda: tasks.answer_next(queue))

    def tell(code: str, part: str, match: object = None, n: int = 0) -> None:
        for one in tuple(hearers):
            one.hear(part, n)

    changes.tell = tell
    try:
        for seed in seeds:
            rows += Table(time, GAMES[seed % len(GAMES)], seed, hearers, slow).play()
            hearers.clear()
    finally:
        clock.now, clock.carried_on, clock.after, pending.dispatch, changes.tell = real
    return np.array(rows, dtype=float)


class Table:
    """One table from the first who sits down to the end of its match."""

    def __init__(self, time: Time, game: str, seed: int, hearers: list, slow: float) -> None:
        from games.registry import RULES
        from games.room import chairs, rooms

        self.time, self.seed, self.game, self.hearers, self.slow = time, seed, game, hearers, slow
        self.looks, self.deadline = False, None
        rng = random.Random(seed)
        preset, seats = RULES[game].quick
        self.phase = rng.random()
        people = rng.randint(2, seats - 1)
        self.room = rooms.open_room(
            game=game, preset=preset, seats=seats, person="key-0", name="Ann", agents_named=False, listed=False
        )
        self.people = {f"key-{n}": Person(random.Random(f"{seed}:{n}")) for n in range(people)}
        for key in list(self.people)[1:]:
            chairs.sit(self.room, key, "Ben")
        chairs.fill(self.room, "key-0", "house")
        self.asked: set[str] = set()

    def play(self) -> list[list[float]]:
        from games.match import store
        from games.models import Match
        from games.room import rooms

        self.match = rooms.start(self.room, "key-0")
        self.page = Page(self.time, self.room, "key-0")
        self.seats = {self.match.seat_of(key): person for key, person in self.people.items()}
        self.hearers += [self.page, self]
        self.look()
        self.time.run(lambda: Match.objects.values_list("status", flat=True).get(pk=self.match.pk) != "running")
        done = store.load(self.match)
        if not done.over:
            return []
        return self.rows(done)

    def hear(self, part: str, n: int) -> None:
        """Look again as soon as whatever is going on just now is done."""
        if part == "log" and not self.looks:
            self.looks = True
            self.time.after(0, self.look)

    def look(self) -> None:
        """Ask the people who are asked now, and let the sweeper come by after the next deadline."""
        from django.db.models import Min

        from games.match import store
        from games.models import Pending

        self.looks = False
        load = store.load(self.match)
        for request in load.state.open.values():
            if request.waits and request.seat in self.seats and request.id not in self.asked:
                self.asked.add(request.id)
                self.ask(load, request)
        deadline = Pending.objects.aggregate(first=Min("deadline"))["first"]
        if deadline is not None and deadline != self.deadline:
            self.deadline = deadline
            rounds = math.ceil((deadline - START).total_seconds() / SWEEP - self.phase)
            self.time.at(START + timedelta(seconds=(rounds + self.phase) * SWEEP), self.sweep)

    def sweep(self) -> None:
        from games.match import sweeper

        self.deadline = None
        sweeper.sweep(self.time.now)
        self.hear("log", 0)

    def ask(self, load: Any, request: Any) -> None:
        from agents import turns
        from agents.models import AgentProfile
        from games.match import store

        profile = AgentProfile.objects.get(name="house")
        decision = turns.decide(load, request, profile, self.match.names(), ())
        action = decision.action
        if action is None:
            return
        words = [e.data["text"] for e in load.log[-4:] if e.audience is None and e.data.get("text")]
        seconds = self.seats[request.seat].seconds(sum(len(text.split()) for text in words[-1:]), action) * self.slow
        self.time.after(seconds, lambda: store.act(self.match.pk, request.seat, request.id, action))

    def rows(self, done: Any) -> list[list[float]]:
        sides = done.rules.sides(done.state)
        count = {side: list(sides.values()).count(side) for side in sides.values()}
        smaller = min(count, key=count.__getitem__)
        own, game = self.match.seat_of("key-0"), GAMES.index(self.game)
        return [
            [self.seed, game, seat, seat not in self.seats, sides[seat] == smaller, *numbers]
            for seat, numbers in self.page.measured()
            if seat != own
        ]


# What the browser gets ----------------------------------------------------------------------------------------------


class Page:
    """A player's page: the frames that its socket is sent, and when."""

    def __init__(self, time: Time, room: Any, person: str) -> None:
        from games.web.consumers import TableConsumer

        self.time, self.room, self.person = time, room, person
        self.socket = TableConsumer()
        self.socket.sent, self.socket.language = {}, "en"
        self.frames: list[tuple[datetime, str]] = []
        self.came: list[tuple[datetime, int, Any]] = []
        self.renew()

    @property
    def source(self) -> Any:
        """The match that is shown."""
        return self.visit.source

    def hear(self, part: str, n: int) -> None:
        """What `TableConsumer.hinted` does, without a network."""
        if part in ("thoughts", "presence"):
            return
        if part == "thinking":
            self.frames.append((self.time.now, "thinking"))
        elif part == "log":
            self.source.catch_up()
            self.send()
        else:
            self.renew()

    def renew(self) -> None:
        from django.contrib.auth.models import AnonymousUser

        from games.web import visits

        self.visit = visits.visit_now(self.room, AnonymousUser(), self.person)
        self.socket.sent.setdefault("generation", self.visit.generation)
        self.send()

    def send(self) -> None:
        news = self.socket._news(self.visit)
        if news is None:
            self.renew()
            return
        self.frames += [(self.time.now, html) for html in news]
        events = self.source.view(self.visit.viewer).events
        size = sum(len(WORDS.sub("", html)) for html in news)
        self.came += [(self.time.now, size, event) for event in events[len(self.came) :]]

    def measured(self) -> list[tuple[int, tuple[float, ...]]]:
        """Each answer of a seat, with the last seven of `COLUMNS`."""
        shown = {event.seq: at for at, _, event in self.came}
        kinds = sorted(self.source.rules.all_kinds)
        orders: dict[tuple, int] = {}
        found = []
        for at, size, event in self.came:
            opened = event.request and shown.get(int(event.request.split(":")[0]))
            if not opened or event.seat is None or at == self.came[-1][0]:
                continue  # what comes with the end tells the end
            orders[opened, event.kind] = orders.get((opened, event.kind), 0) + 1
            letters = len((event.data or {}).get("text") or "")
            frames = sum(opened < moment <= at for moment, _ in self.frames)
            row = kinds.index(event.kind), letters, (at - opened).total_seconds(), size, frames
            found.append((event.seat, (*row, orders[opened, event.kind])))
        pairs = zip(self.came, self.came[1:], strict=False)
        windows = [(after - at).total_seconds() for (at, _, e), (after, *_) in pairs if e.kind == "asking"]
        window = float(np.mean(windows)) if windows else 0.0
        return [(seat, (*row, window)) for seat, row in found]


# Judging ------------------------------------------------------------------------------------------------------------


def seats_of(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Of each other seat: features, table, game, and its labels (agent, smaller side).

    Every number of an answer is taken against what is usual for its kind and length. Of a seat count the means of its
    first three answers in words and of its first three choices, and how the first two of each differ; alone and against
    the others of the table. What a seat did not do is filled in with what another seat did: how often a seat is asked,
    and whether it is the last of all, follows from the game's public facts. The window is one for a whole table."""
    rng = np.random.default_rng(2)
    numbers = np.log(np.maximum(rows[:, SECONDS : SECONDS + 4], 0.01))
    numbers = np.concatenate([numbers, rows[:, [SECONDS]] % 1], axis=1)
    sorts = np.column_stack([rows[:, 1], rows[:, KIND], rows[:, LETTERS] > 0])
    for sort in np.unique(sorts, axis=0):
        these = (sorts == sort).all(axis=1)
        length = np.column_stack([np.ones(these.sum()), np.log(rows[these, LETTERS] + 1), rows[these, LETTERS]])
        apart = numbers[these] - length @ np.linalg.lstsq(length, numbers[these], rcond=None)[0]
        numbers[these] = apart.round(9)  # what is left by rounding alone would tell the length
    features, tables, games, labels = [], [], [], []
    for table in np.unique(rows[:, 0]):
        here = rows[:, 0] == table
        seats = [here & (rows[:, 2] == seat) for seat in np.unique(rows[here, 2])]
        found = np.array([_features(rows[seat], numbers[seat]) for seat in seats])
        for column in found.T:
            missing = np.isnan(column)
            column[missing] = rng.choice(column[~missing], missing.sum()) if not missing.all() else 0
        features += list(np.concatenate([found - found.mean(axis=0), found], axis=1))
        tables += [table] * len(seats)
        games += [rows[here, 1][0]] * len(seats)
        labels += [rows[seat][0, [AGENT, SMALLER]] for seat in seats]
    return np.array(features), np.unique(tables, return_inverse=True)[1], np.array(games), np.array(labels)


def _features(rows: np.ndarray, numbers: np.ndarray) -> list[float]:
    found: list[float] = []
    for part in (rows[:, LETTERS] > 0, rows[:, LETTERS] == 0):
        some = numbers[part][:3]
        found += list(some.mean(axis=0)) if len(some) else [math.nan] * numbers.shape[1]
        found.append(abs(float(some[0, 0] - some[1, 0])) if len(some) > 1 else math.nan)
    return found


def judged(rows: np.ndarray, label: int) -> tuple[float, tuple[float, float]]:
    """How often, of two other seats at one table, the one with the label gets the higher score; with its interval over
    tables."""
    features, tables, _, labels = seats_of(rows)
    labels = labels[:, label - AGENT]
    return fit_stumps.within(fit_stumps.out_of_fold(features, labels, tables), labels, tables)


def report(rows: np.ndarray) -> None:
    _, tables, games, labels = seats_of(rows)
    print(
        f"{tables.max() + 1} tables, {len(rows)} answers of {len(tables)} other seats, {int(labels[:, 0].sum())} agents"
    )
    for label, what in ((AGENT, "is an agent"), (SMALLER, "is on the smaller side")):
        print(f"{what}: {_told(*judged(rows, label))}")
        for number, game in enumerate(GAMES):
            if (games == number).sum() > 60:
                print(
                    f"  {game:12} {_told(*judged(rows[rows[:, 1] == number], label))}   seats {(games == number).sum()}"
                )


def _told(value: float, interval: tuple[float, float]) -> str:
    return f"AUC {value:.3f} ({interval[0]:.3f} to {interval[1]:.3f})"


if __name__ == "__main__":
    main()
