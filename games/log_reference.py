"""docs/log.md: what a match log holds, written from what the rules declare, so that it cannot fall behind them."""

from __future__ import annotations

import dataclasses
import re
import textwrap
from collections.abc import Iterable

from games.rules import RULES, Rules, logfile
from games.rules.core import CORE_KINDS
from games.rules.kit_requests import every_request
from games.rules.lines import LONGEST_LINE
from games.rules.play import Play, new_header
from games.rules.schema import Attempt, Thought, about
from games.rules.strict_json import DEEPEST
from games.rules.values import FORMAT, Kind, SeatInfo


def _wrapped(what: str, kind: type) -> str:
    return textwrap.fill(f"- {what}: {', '.join(about(kind))}.", 120, subsequent_indent="  ", break_on_hyphens=False)


INTRO = f"""# The match log

A match is its log. State, pages, replays, exports and figures are read from it, and from nothing else.

This page is written by `python manage.py log_reference` from the declarations in `games/rules/`; do not edit it.

## The file

JSON Lines, UTF-8, one match a file, format `{FORMAT}`: one `match` line, then `event` lines in the order of `seq`, and
one `outcome` line last. `thought` and `attempt` lines stand directly before the event that answers their request; those
of requests that were never answered stand before the outcome. Files of version 1 are read too: their prompts are whole
texts, their thoughts have no numbers and their matches no origin.

- `match`: `format`, `id`, `game`, `preset`, `rules_version`, `options` (resolved), `setting` (what was dealt from),
  `seed`, `seats` (number, name, kind `person` or `agent`, agent profile), `forked_from` (the match and the seq from
  which it was begun), `origin` (`played`, `fork`, `import`, `study` or `competition`), `labels` (only of a match that a
  competition planned: what it is counted as).
- `event`: `seq` (1, 2, 3 ...), `at` (UTC, or null), `kind`, `seat` (who acted or whom it is about), `audience` (null:
  everybody; else the seats that may see it; none: the moderator's own record), `by` (`person`, `agent:<profile>`,
  `default`, `opening` or `moderator`), `request` (the id that it answers, or null), `data`.
- `text`, lines that prompts have in common, before the first thought that has them: `n` (0, 1, 2 ...), `text`.
{_wrapped("`thought`, one step of an agent's reasoning", Thought)}
  In `data` of a thought: `forced`, true where there was one possible answer and nobody was asked; `upto`, the seq of
  the event up to which it knows the match; `from`, the request for which the same question was answered before. The
  stage `forced` is a whole move without a choice, `recall` an answer to a poll that was read off what the method
  believes.
{_wrapped("`attempt`, a refused move worth keeping or a reply that could not be read", Attempt)}
- `outcome`: `status` (`running`, `finished`, `void` or `abandoned`), `result`, `winners`, `returns` (points by seat).

A request's id is `<seq of the event that opened it>:<seat>:<kind>`. An accepted action is an event whose `kind` is the
request's kind and whose `data` is the action; what follows from it stands after it with `request` null. To others than
the omniscient, `by` is only `seat` or `moderator`.

Events hold seats, never names. Words of an erased person read `{logfile.ERASED}`; only what a person said can, in the
fields that hold words (marked *words* below).

## Talk beside the game

With the option `table_talk`, which is off in every preset, each seat may say something (`chat`) and react to what
everybody sees (`reaction`), at any time until the match is over. These events have no `request`, change nothing in the
game and count in no number. Who is in speaks to everybody. Who is out speaks to those who are out then, which is the
event's audience: nobody else at the table sees more than that a `seq` is missing, and who is out later does not see
what was said before. Models read what is said to them in their record, as a player's words; house agents do not listen.
There is no such talk at tables that do not tell who is an agent.

## Reading it back

An import re-runs the actions through the rules, takes chance from the record, and compares everything that follows.
What cannot be derived again is checked for what is impossible: who can have made a move, which thoughts a seat can
have. It gives the match a new id, marks it as imported, and keeps the `labels` that a competition gave it.

- A log ends with its `outcome` line. One without it, or of a match that is still running, is not whole and is taken
  only as unfinished (`import_match --unfinished`).
- A match is here once. Its log is known again by a digest of all but names, words and the id, so erasing changes
  nothing about it; what comes again is refused with the id of the match that is here.
- Names that cannot be told apart, cannot be seen, or are the table's own words, such as "moderator", are replaced by
  the seat's number ("Seat 3"). The events stay as they are.
- A line has at most {LONGEST_LINE:,} characters, a log {logfile.MOST_CHARACTERS:,} characters and
  {logfile.MOST_EVENTS:,} events; values are nested {DEEPEST} deep at most, and whole numbers have at most 63 bits.

The beginning of a file:
"""


def text() -> str:
    """The whole page."""
    return "\n".join([INTRO, "```json", *_example(), "```", "", *_core(), *_games()])


def _example() -> Iterable[str]:
    rules = RULES["undercover"]
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
    rows = {}
    for _play, request in every_request(rules):
        for item in request.fields:
            any_seat = {name: "seat N" if name == "seat" else "N" for name in item.params}
            name = re.sub(r"_\d+$", "_N", item.name)
            optional = " Or nothing." if item.optional else ""
            rows[request.kind, name, item.label.format(**any_seat) + optional] = None
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
