"""Logs that Inspect reads (inspect.aisi.org.uk): a file for each game and preset, in which a match is a sample.

Written by us: by their classes it would take a quarter of a second a match. A test reads the files by their package.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext_lazy as _

from evaluation.exports.formats.base import File, Format
from evaluation.exports.told import Told
from evaluation.metrics import METRICS
from games.registry import RULES
from games.rules.logfile import as_json
from games.rules.values import Shell

VERSION = 2
"""Of the format of their logs."""

EPOCH = 1


class Inspect(Format):
    """Matches as samples: what happened as messages, who won and what metrics count as scores."""

    name, title = "eval", _(".eval: logs that Inspect opens")

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.logs: dict[str, Log] = {}

    def take(self, told: Told) -> None:
        header = told.log.header
        task = f"{header.game}-{header.preset}"
        if task not in self.logs:
            self.logs[task] = Log(self, task)
        self.logs[task].take(told)

    def files(self) -> Iterator[File]:
        for log in self.logs.values():
            yield File(log.file, "application/zip", len(log.samples))

    def close(self) -> None:
        for log in self.logs.values():
            log.close()


class Log:
    """One of their logs. Summaries of samples are kept in a file until the end."""

    def __init__(self, within: Inspect, task: str) -> None:
        self.task, self.file = task, f"eval/{task}.eval"
        path = within.place.folder / self.file
        path.parent.mkdir(parents=True, exist_ok=True)
        self.archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.summaries = path.with_suffix(".summaries").open("w", encoding="utf-8", newline="")
        self.samples: list[str] = []
        self.players: set[str] = set()
        self.began = self.ended = ""

    def take(self, told: Told) -> None:
        """Write a match."""
        sample = _sample(told)
        self.archive.writestr(f"samples/{told.id}_epoch_{EPOCH}.json", as_json(sample))
        summary = {
            name: sample[name] for name in ("id", "epoch", "input", "target", "metadata", "scores", "model_usage")
        }
        summary |= {"completed": told.outcome.status != "running", "message_count": len(sample["messages"])}
        self.summaries.write(("," if self.samples else "[") + as_json(summary))
        self.samples.append(told.id)
        self.players |= {seat.agent or seat.kind or "unknown" for seat in told.log.header.seats}
        times = [at for at in told.log.times.values() if at]
        self.began = min(filter(None, (self.began, *times[:1])), default="")
        self.ended = max(filter(None, (self.ended, *times[-1:])), default="")

    def close(self) -> None:
        """Write what stands at the end of a log."""
        if self.archive.fp is None:
            return
        self.summaries.write("]")
        self.summaries.close()
        count = len(self.samples)
        spec = {
            "eval_id": self.task,
            "created": self.began or "1970-01-01T00:00:00Z",
            "task": self.task,
            "task_id": self.task,
            "dataset": {"name": self.task, "samples": count, "sample_ids": self.samples},
            "model": ",".join(sorted(self.players)),
            "config": {},
        }
        plan: dict[str, Any] = {"name": "plan", "steps": [], "config": {}}
        start = {"version": VERSION, "eval": spec, "plan": plan}
        header = start | {
            "status": "success",
            "results": {"total_samples": count, "completed_samples": count, "scores": []},
            "stats": {"started_at": self.began, "completed_at": self.ended, "model_usage": {}},
        }
        self.archive.writestr("_journal/start.json", json.dumps(start))
        self.archive.write(self.summaries.name, "summaries.json")
        self.archive.writestr("header.json", json.dumps(header))
        self.archive.close()


def _sample(told: Told) -> dict[str, Any]:
    header, outcome = told.log.header, told.outcome
    title = RULES[header.game].title if header.game in RULES else header.game
    metadata = {"game": header.game, "preset": header.preset, "options": header.options, "status": outcome.status}
    if told.content.roles:
        metadata |= {"setting": header.setting, "labels": told.log.labels, "roles": _by_seat(told, told.roles)}
    messages = list(_messages(told))
    return {
        "id": told.id,
        "epoch": EPOCH,
        "input": f"{title}, {header.preset}: " + ", ".join(f"{seat.seat} {seat.name}" for seat in header.seats),
        "target": "",
        "messages": messages,
        "output": {"model": "", "choices": [], "completion": outcome.result or outcome.status},
        "scores": _scores(told),
        "metadata": metadata,
        "store": {},
        "events": [],
        "model_usage": _usage(told),
    }


def _messages(told: Told) -> Iterator[dict[str, Any]]:
    """What happened, in order; what agents thought before it."""
    thoughts: dict[str, list[dict[str, Any]]] = {}
    for thought in told.log.thoughts:
        thoughts.setdefault(thought["request"], []).append(thought)
    names = told.log.header.names
    for event, text in zip(told.log.events, told.texts, strict=True):
        for thought in thoughts.pop(event.request or "", ()):
            yield from _thought(thought)
        who = names.get(event.seat, "moderator")
        content = "" if isinstance(event, Shell) else f" {text}"
        yield {"id": f"event {event.seq}", "role": "user", "content": f"{event.seq}. {who}: {event.kind}{content}"}
    for left in thoughts.values():
        for thought in left:
            yield from _thought(thought)


def _thought(thought: dict[str, Any]) -> Iterator[dict[str, Any]]:
    name = f"{thought['request']} {thought['n']}"
    about = {name: thought[name] for name in ("request", "n", "seat", "method", "stage")}
    if thought.get("prompt"):
        yield {"id": f"prompt {name}", "role": "user", "content": thought["prompt"], "metadata": about}
    said = {"id": f"thought {name}", "role": "assistant", "content": thought["reply"] or str(thought["data"])}
    yield said | {"metadata": about} | ({"model": thought["model"]} if thought.get("model") else {})


def _scores(told: Told) -> dict[str, Any]:
    outcome = told.outcome
    scores: dict[str, Any] = {"result": outcome.result or outcome.status}
    if told.record is not None and outcome.status == "finished":
        scores["won"] = _by_seat(told, {seat: seat in outcome.winners for seat in told.log.header.names})
        scores["points"] = _by_seat(told, outcome.returns)
    for seat, metric, _once, numerator, denominator, _n in told.amounts:
        if denominator and metric in METRICS:
            scores.setdefault(metric, {})[str(seat)] = numerator / denominator
    return {name: {"value": value} for name, value in scores.items() if value != {}}


def _by_seat(told: Told, values: Any) -> dict[str, Any]:
    return {str(seat): values[seat] for seat in told.log.header.names if seat in values}


def _usage(told: Told) -> dict[str, Any]:
    """Tokens by model."""
    usage: dict[str, dict[str, int]] = {}
    if told.content.calls:
        for thought in told.thoughts:
            if thought["model"]:
                sums = usage.setdefault(thought["model"], {"input_tokens": 0, "output_tokens": 0, "total_tokens": 0})
                sums["input_tokens"] += thought["tokens_in"]
                sums["output_tokens"] += thought["tokens_out"]
                sums["total_tokens"] += thought["tokens_in"] + thought["tokens_out"]
    return usage
