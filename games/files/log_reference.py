"""docs/log.md: what a match log holds, written from what the rules declare, so that it cannot fall behind them."""

import dataclasses
import re
import textwrap
from collections.abc import Iterable

from django.template.loader import render_to_string

from games.registry import RULES
from games.rules import logfile
from games.rules.core import CORE_KINDS, Rules
from games.rules.kit_requests import every_request
from games.rules.lines import LONGEST_LINE
from games.rules.play import Play, new_header
from games.rules.schema import Attempt, Label, Thought, about
from games.rules.sentences import Seat
from games.rules.strict_json import DEEPEST
from games.rules.values import ERASED, FORMAT, Kind, SeatInfo


def _wrapped(what: str, kind: type) -> str:
    return textwrap.fill(f"- {what}: {', '.join(about(kind))}.", 120, subsequent_indent="  ", break_on_hyphens=False)


def text() -> str:
    """The whole page."""
    told = {
        "format": FORMAT,
        "thought": _wrapped("`thought`, one step of an agent's reasoning", Thought),
        "label": _wrapped("`label`, what a rater found, between the last event and the outcome", Label),
        "attempt": _wrapped("`attempt`, a refused move worth keeping or a reply that could not be read", Attempt),
        "erased": ERASED,
        "longest_line": f"{LONGEST_LINE:,}",
        "most_characters": f"{logfile.MOST_CHARACTERS:,}",
        "most_events": f"{logfile.MOST_EVENTS:,}",
        "deepest": DEEPEST,
        "example": "\n".join(_example()),
        "kinds": "\n".join([*_core(), *_games()]),
    }
    return render_to_string("reference/log.md", told)


def _example() -> Iterable[str]:
    rules = next(iter(RULES.values()))
    seats = [
        SeatInfo(1, "Ann", "person", None),
        *(SeatInfo(n, name, "agent", "house") for n, name in ((2, "Alma"), (3, "Bo"))),
    ]
    words = {"civilian_word": "coffee", "undercover_word": "tea", "undercovers": [3]}
    play = Play(rules, new_header(rules, "magic", seats=seats, seed=7, setting=words, id="0"))
    play.act(1, next(iter(play.state.open)), {"text": "You drink it in the morning."})
    yield from list(logfile.write(logfile.LogFile(play.header, play.log)))[:-1]


def _core() -> Iterable[str]:
    yield "## Events of every game"
    yield ""
    yield from _kinds(CORE_KINDS, answered=("poll",))


def _games() -> Iterable[str]:
    for rules in RULES.values():
        yield from ("", f"## {rules.title} (`{rules.name}`, rules version {rules.version})", "", rules.about, "")
        yield f"Results: {', '.join(f'`{result}`' for result in rules.results)}."
        yield ""
        yield from _kinds(rules.kinds, answered=[kind for kind in rules.kinds if hasattr(rules, f"default_{kind}")])
        yield from _questions(rules)
        yield from _presets(rules)


def _kinds(kinds: dict[str, Kind], answered: Iterable[str]) -> Iterable[str]:
    yield "| kind | what | data | who sees it | the others see |"
    yield "| --- | --- | --- | --- | --- |"
    for name, kind in kinds.items():
        what = f"{kind.about} An action." if name in answered else kind.about
        data = ", ".join(f"`{item}`{' (words)' if item in kind.words else ''}" for item in kind.fields) or "–"
        who = {"everyone": "everybody", "seat": "the seat", "some": "its audience", "nobody": "nobody"}[kind.audience]
        others = (
            {"shell": "that it happened", "nothing": "nothing"}[kind.others] if kind.audience != "everyone" else "–"
        )
        yield f"| `{name}` | {what}{' Ends a round.' if kind.ends_round else ''} | {data} | {who} | {others} |"


def _questions(rules: Rules) -> Iterable[str]:
    """What people and models are asked, in the same words."""
    yield from ("", "| asked for | field | the question |", "| --- | --- | --- |")
    rows: dict[tuple[str, str, str], None] = {}
    for _play, request in every_request(rules):
        for item in request.fields:
            anything = {name: "seat N" if isinstance(value, Seat) else "N" for name, value in item.label.params.items()}
            name = re.sub(r"_\d+$", "_N", item.name)
            optional = " Or nothing." if item.optional else ""
            rows[request.kind, name, item.label.message.format_map(anything) + optional] = None
    for kind, name, question in sorted(rows):
        yield f"| `{kind}` | `{name}` | {question} |"


def _presets(rules: Rules) -> Iterable[str]:
    names = list(rules.presets)
    yield from ("", "| option | what | " + " | ".join(f"`{name}`" for name in names) + " |")
    yield "| --- | --- |" + " --- |" * len(names)
    seats = [f"{p.low}" if p.low == p.high else f"{p.low} to {p.high}" for p in rules.presets.values()]
    yield "| `seats` | How many sit at the table. | " + " | ".join(seats) + " |"
    for item in dataclasses.fields(rules.presets[names[0]].options):
        if not item.metadata["hidden"]:
            values = [_value(getattr(preset.options, item.name)) for preset in rules.presets.values()]
            yield f"| `{item.name}` | {item.metadata['about']} | " + " | ".join(values) + " |"


def _value(value: object) -> str:
    if value in (None, ()):
        return "the usual"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(value) if isinstance(value, tuple) else str(value)
