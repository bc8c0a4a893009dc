"""All files of an export's zip, scrubbed: logs, flat files and logs of Inspect, and the digests that tell of them."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import tempfile
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from typing import Any, BinaryIO

from evaluation.exports.card import CROISSANT, README
from evaluation.exports.formats.flat import cell, value_of
from evaluation.withdrawals.log_lines import find, lines, logs_in
from evaluation.withdrawals.withdrawn import BY, Scrub, Unreadable, Withdrawn
from games.match.words import everywhere
from games.rules import logfile
from games.rules.erasing import called
from games.rules.logfile import as_json
from games.rules.values import ERASED, Event, Header, SeatInfo

WORDS = {
    "seats": ("name", "person"),
    "events": ("words", "data"),
    "thoughts": ("prompt", "reply", "data"),
    "attempts": ("sentence", "action"),
    "polls": ("answer",),
    "labels": ("note",),
}
"""The columns of flat files in which words or names of people can stand."""

CSV = re.compile(r"(?:.*/)?(\w+)\.csv")
PARQUET = re.compile(r"(?:.*/)?(\w+)\.parquet")
PIECE = 1 << 20
LONGEST_CELL = 1 << 28


def scrub_zip(file: BinaryIO, out: Any, withdrawn: Withdrawn) -> None:
    """Write an export anew without who is withdrawn; finds them first."""
    with zipfile.ZipFile(file) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        names = [info.filename for info in source.infolist() if not info.is_dir()]
        logs = [name for name in names if name.endswith(".jsonl")]
        for name in logs:
            find(logs_in(source.open(name)), withdrawn)
        if not logs:
            find(_flat_logs(source, names), withdrawn)
        sums: dict[str, tuple[str, int]] = {}
        last = (README, CROISSANT)
        for name in [name for name in names if name not in last]:
            with tempfile.TemporaryFile() as new:
                if (change := _change(name)) is None or not withdrawn.erasures:
                    _copy(source.open(name), new)
                else:
                    change(source.open(name), new, withdrawn)
                _put(target, name, new, source, sums)
        for name in [name for name in names if name in last]:
            text = source.read(name).decode()
            for old, (sha, size) in sums.items():
                text = re.sub(rf"\d+( B\",[^}}]*|\s*\|\s*){old}", rf"{size}\g<1>{sha}", text)
            if name == README and withdrawn.erasures:
                text += _note(len(withdrawn.erasures))
            target.writestr(name, text)


def _note(matches: int) -> str:
    return f"\n## Withdrawn\n\nPeople of {matches} matches were erased later; their words and names were taken out.\n"


def _put(
    target: zipfile.ZipFile, name: str, new: Any, source: zipfile.ZipFile, sums: dict[str, tuple[str, int]]
) -> None:
    """Pack a file that was written anew; keeps its new digest and size by the old digest."""
    with source.open(name) as before:
        old = hashlib.file_digest(before, "sha256").hexdigest()  # type: ignore[arg-type]
    size = new.tell()
    new.seek(0)
    sha = hashlib.file_digest(new, "sha256").hexdigest()
    new.seek(0)
    with target.open(zipfile.ZipInfo(name, source.getinfo(name).date_time), "w", force_zip64=True) as packed:
        _copy(new, packed)
    if sha != old:
        sums[old] = sha, size


def _copy(source: Any, target: Any) -> None:
    while piece := source.read(PIECE):
        target.write(piece)


def _change(name: str) -> Callable[[Any, Any, Withdrawn], None] | None:
    """What scrubs a file of a zip; None for one that tells of no match."""
    if name.endswith(".jsonl"):
        return lambda source, target, withdrawn: target.writelines(lines(source, withdrawn))
    flat = CSV.fullmatch(name) or PARQUET.fullmatch(name)
    if flat is not None and flat[1] in WORDS:
        if name.endswith(".csv"):
            return partial(_csv, flat[1])
        if find_spec("pyarrow"):
            return partial(_parquet, flat[1])
        raise Unreadable("Parquet files are scrubbed with the package pyarrow, which is not installed here.")
    if name.endswith(".eval"):
        return _eval
    return None


def _row(collection: str, row: dict[str, Any], scrub: Scrub) -> dict[str, Any]:
    """A row of a flat file without the people who are withdrawn."""
    if collection == "events":
        changed = dict(row)
        if row["data"]:
            before = json.loads(row["data"])
            data = scrub.data(int(row["seq"]), before)
            if data != before:
                changed["data"] = as_json(data)
                changed["words"] = _words(before, data, row["words"])
        return changed
    changed = {}
    for name in WORDS.get(collection, ()):
        if not (value := row.get(name)):
            continue
        if collection == "seats" and int(row["seat"]) in scrub.erasures:
            changed[name] = called(int(row["seat"])) if name == "name" else ""
        elif collection == "attempts" and name == "action" and int(row["seat"]) in scrub.erasures and row["by"] in BY:
            changed[name] = as_json(everywhere(json.loads(value), lambda text: ERASED))
        elif name in ("data", "action", "answer"):
            before = json.loads(value)
            after = scrub.value(before)
            changed[name] = value if after == before else as_json(after)
        else:
            changed[name] = scrub.text(value)
    return row | changed


def _words(before: dict[str, Any], after: dict[str, Any], words: str | None) -> str | None:
    """The words of an event, as they are told beside its data."""
    for name, text in before.items():
        if words and isinstance(text, str) and text != after[name]:
            words = words.replace(text, after[name])
    return words


def _csv(collection: str, source: Any, target: Any, withdrawn: Withdrawn) -> None:
    csv.field_size_limit(LONGEST_CELL)
    bom = source.read(3)
    encoding = "utf-8-sig" if bom == b"\xef\xbb\xbf" else "utf-8"
    source.seek(0)
    text = io.TextIOWrapper(target, encoding, newline="", write_through=True)
    reader, writer = csv.reader(io.TextIOWrapper(source, encoding, newline="")), csv.writer(text)
    names = next(reader, [])
    writer.writerow(names)
    for row in reader:
        told = dict(zip(names, row, strict=False))
        scrub = withdrawn.of(told.get("match", ""))
        if scrub is not None and collection in WORDS:
            said = WORDS[collection]
            read = {name: value_of(value) if name in said else value for name, value in told.items()}
            changed = _row(collection, read, scrub)
            row = [cell(value) if name in said else value for name, value in changed.items()]
        writer.writerow(row)
    text.flush()
    text.detach()


def _parquet(collection: str, source: Any, target: Any, withdrawn: Withdrawn) -> None:
    import pyarrow as arrow
    from pyarrow import parquet

    read = parquet.ParquetFile(io.BytesIO(source.read()))
    with parquet.ParquetWriter(target, read.schema_arrow) as writer:
        for number in range(read.num_row_groups):
            table = read.read_row_group(number)
            if collection in WORDS and "match" in table.column_names:
                rows = [
                    row if (scrub := withdrawn.of(str(row["match"]))) is None else _row(collection, row, scrub)
                    for row in table.to_pylist()
                ]
                table = arrow.Table.from_pylist(rows, schema=read.schema_arrow)
            writer.write_table(table)


def _eval(source: Any, target: Any, withdrawn: Withdrawn) -> None:
    """A log of Inspect: a zip of JSON, in which samples name their match."""
    new = zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED)
    with zipfile.ZipFile(io.BytesIO(source.read())) as packed, new:
        for info in packed.infolist():
            text = packed.read(info).decode()
            if info.filename == "summaries.json":
                text = as_json([_sample(sample, withdrawn) for sample in json.loads(text)])
            elif info.filename.startswith("samples/") and any(match in info.filename for match in withdrawn.erasures):
                text = as_json(_sample(json.loads(text), withdrawn))
            new.writestr(info, text)


def _sample(sample: dict[str, Any], withdrawn: Withdrawn) -> dict[str, Any]:
    """A match as Inspect has it, without the people who are withdrawn."""
    scrub = withdrawn.of(sample["id"])
    if scrub is None:
        return sample
    messages = [message | {"content": _content(message, scrub)} for message in sample.get("messages", ())]
    return sample | {"input": scrub.text(sample["input"])} | ({"messages": messages} if "messages" in sample else {})


def _content(message: dict[str, Any], scrub: Scrub) -> str:
    """What a message says: of an event its number, who, what, and its data."""
    kind, _space, number = message["id"].partition(" ")
    told = TOLD.fullmatch(message["content"]) if kind == "event" else None
    if told is None:
        return scrub.text(message["content"])
    before = json.loads(told[2])
    data = scrub.data(int(number), before)
    return scrub.text(told[1]) + (told[2] if data == before else as_json(data))


TOLD = re.compile(r"(\d+\. .*?: \w+ )(\{.*\})", re.DOTALL)


def _flat_logs(source: zipfile.ZipFile, names: list[str]) -> Iterator[logfile.LogFile[Event]]:
    """Logs out of the flat files of a zip that has no others: as much of each as its words are known by."""
    flat = {found[1]: name for name in names if (found := CSV.fullmatch(name) or PARQUET.fullmatch(name))}
    if missing := {"matches", "seats", "events"} - flat.keys():
        sentence = "This zip has neither logs nor the flat files {}: a person's words are not known from it."
        raise Unreadable(sentence.format(", ".join(sorted(missing))))
    games = {row["match"]: row["game"] for row in _rows(source, flat["matches"])}
    seats: dict[str, list[SeatInfo]] = defaultdict(list)
    for row in _rows(source, flat["seats"]):
        seats[row["match"]].append(SeatInfo(int(row["seat"]), row.get("name") or "", row.get("kind") or "person"))
    log: logfile.LogFile[Event] | None = None
    for row in _rows(source, flat["events"]):
        key = row["match"]
        if log is None or log.header.id != key:
            if log is not None:
                yield log
            log = logfile.LogFile(Header(games[key], "", {}, {}, 0, tuple(seats[key]), 0, key), [])
        seq, seat = int(row["seq"]), int(row["seat"]) if row["seat"] else None
        data: Any = json.loads(row["data"]) if row["data"] else None
        log.events.append(Event(seq, row["kind"], seat, None, data, row["by"], row["request"] or None))
        log.times[seq] = str(row["at"]) if row["at"] else None
    if log is not None:
        yield log


def _rows(source: zipfile.ZipFile, name: str) -> Iterator[dict[str, Any]]:
    if name.endswith(".csv"):
        csv.field_size_limit(LONGEST_CELL)
        with source.open(name) as file:
            for row in csv.DictReader(io.TextIOWrapper(file, "utf-8-sig", newline="")):
                yield {column: value_of(value) for column, value in row.items()}
        return
    from pyarrow import parquet

    for batch in parquet.ParquetFile(io.BytesIO(source.read(name))).iter_batches():
        for row in batch.to_pylist():
            yield row | {"at": row["at"].isoformat() if hasattr(row.get("at"), "isoformat") else row.get("at")}
