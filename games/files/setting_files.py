"""Settings of games as files: what an admin takes out, edits in any program and puts back, all or nothing.

JSON is the fixtures' layout or a plain list of rows. CSV has the columns game, name, origin, active, and one for each
value of the deal; what is a list or a number there is written as JSON.
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from games.models import GameSetting
from games.rules.strict_json import UNSTORABLE, loads

OWN = ("game", "name", "origin", "active")
KEY = ("game", "name")
TEXTS = {"game": 40, "name": 120, "origin": 200}
"""How long each text of a setting may be."""
MOST_BYTES = 2_000_000
"""Less than a web process takes at once (`MOST_BYTES_OF_A_BODY`), so that whoever sends more is told so."""
MOST_ROWS = 20_000
LONGEST_SENTENCE = 500
MOST_TROUBLES = 100
"""After so many mistakes the rest of a file is not looked at."""
WORDS_FOR_NO = ("0", "false", "no", "n", "off")


@dataclass(frozen=True)
class Trouble:
    """What is wrong with one row; `line` is the line of a CSV file, or the number of the row in a JSON file."""

    line: int
    sentence: str

    def __str__(self) -> str:
        return _("Line {line}: {sentence}").format(line=self.line, sentence=self.sentence)


class UnreadableError(ValueError):
    """A file from which nothing was taken; `troubles` says why, row by row."""

    def __init__(self, troubles: list[Trouble]):
        self.troubles = troubles
        super().__init__(" ".join(map(str, troubles)))


def write_json(settings: Iterable[GameSetting]) -> str:
    """The settings in the layout of fixtures."""
    rows = [{"game": s.game, "name": s.name, "data": s.data, "origin": s.origin, "active": s.active} for s in settings]
    return json.dumps({"model": "games.gamesetting", "key": list(KEY), "rows": rows}, ensure_ascii=False, indent=1)


def write_csv(settings: Iterable[GameSetting]) -> str:
    """The settings as a table, with a column for each value that any deal has."""
    settings = list(settings)
    columns = list(dict.fromkeys(name for setting in settings for name in setting.data))
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow([*OWN, *columns])
    for setting in settings:
        deal = [_cell(setting.data[name]) if name in setting.data else "" for name in columns]
        table.writerow([setting.game, setting.name, setting.origin, "yes" if setting.active else "no", *deal])
    return out.getvalue()


def read_file(path: Path) -> list[GameSetting]:
    """The settings in a file; raises `UnreadableError`."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise UnreadableError([Trouble(1, _("The file cannot be read: {why}.").format(why=error.strerror))]) from error
    return read(content, path.name)


def read(content: bytes, name: str) -> list[GameSetting]:
    """The settings in a file of that name (.json or .csv), checked but not stored; raises `UnreadableError`."""
    if len(content) > MOST_BYTES:
        sentence = _("This file is too large: {limit} MB are enough.").format(limit=MOST_BYTES // 1_000_000)
        raise UnreadableError([Trouble(1, sentence)])
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableError([Trouble(1, _("This is not a text file in UTF-8."))]) from error
    return checked(_json_rows(text) if name.lower().endswith(".json") else _csv_rows(text))


def checked(rows: Iterable[tuple[int, Any]]) -> list[GameSetting]:
    """The settings that rows of (line, fields) describe; raises `UnreadableError` with what is wrong in each, of the
    first `MOST_TROUBLES` that are wrong."""
    found: dict[tuple[str, str], tuple[int, GameSetting]] = {}
    troubles: list[Trouble] = []
    for number, (line, row) in enumerate(rows, 1):
        if number > MOST_ROWS:
            troubles.append(Trouble(line, _("A file has at most {many} settings.").format(many=MOST_ROWS)))
            break
        try:
            setting = _setting(row)
            key = (setting.game, setting.name)
            if key in found:
                sentence = _("“{name}” stands on line {line} already.")
                raise ValidationError(sentence.format(name=setting.name, line=found[key][0]))
            found[key] = line, setting
        except ValidationError as error:
            troubles.append(Trouble(line, " ".join(error.messages)[:LONGEST_SENTENCE]))
        if len(troubles) == MOST_TROUBLES:
            troubles.append(Trouble(line, _("After {many} mistakes no more was read.").format(many=MOST_TROUBLES)))
            break
    if not found and not troubles:
        troubles.append(Trouble(1, _("There is no setting in this file.")))
    if troubles:
        raise UnreadableError(troubles)
    return [setting for _line, setting in found.values()]


def put(settings: list[GameSetting]) -> tuple[int, int]:
    """Store settings, all or none; one that is known by game and name is replaced. Returns (new, replaced)."""
    with transaction.atomic():
        before = set(GameSetting.objects.values_list(*KEY))
        replaced = sum((setting.game, setting.name) in before for setting in settings)
        GameSetting.objects.bulk_create(
            settings, update_conflicts=True, unique_fields=list(KEY), update_fields=["data", "origin", "active"]
        )
    return len(settings) - replaced, replaced


def _setting(row: Any) -> GameSetting:
    """The setting of a row; raises `ValidationError`."""
    if not isinstance(row, dict):
        raise ValidationError(_("A setting is a set of named values."))
    unknown = [name for name in row if name not in (*OWN, "data")]
    if unknown:
        raise ValidationError(_("A setting has no “{name}”.").format(name=unknown[0][:40]))
    row = {"game": "", "name": "", "origin": "", "active": True, "data": {}} | row
    for name, most in TEXTS.items():
        if not isinstance(row[name], str) or len(row[name]) > most:
            raise ValidationError(_("“{name}” is a text of at most {most} characters.").format(name=name, most=most))
    if not isinstance(row["active"], bool):
        raise ValidationError(_("“active” is yes or no."))
    setting = GameSetting(**row)
    setting.clean()
    setting.clean_fields(exclude=["id", "data"])
    return setting


def _json_rows(text: str) -> list[tuple[int, Any]]:
    try:
        content = loads(text)
    except json.JSONDecodeError as error:
        raise UnreadableError([Trouble(error.lineno, _("This is not JSON: {why}.").format(why=error.msg))]) from error
    rows = content.get("rows") if isinstance(content, dict) else content
    if not isinstance(rows, list):
        raise UnreadableError([Trouble(1, _("The file holds no list of settings."))])
    return list(enumerate(rows, 1))


def _csv_rows(text: str) -> Iterator[tuple[int, Any]]:
    if UNSTORABLE.search(text):
        raise UnreadableError([Trouble(1, _("The file holds characters that cannot be stored."))])
    table = csv.DictReader(io.StringIO(text), restkey="", strict=True)
    try:
        missing = [name for name in KEY if name not in (table.fieldnames or ())]
        if missing:
            sentence = _("The first line names the columns; “{name}” is missing.").format(name=missing[0])
            raise UnreadableError([Trouble(1, sentence)])
        for row in table:
            if "" in row:
                raise UnreadableError([Trouble(table.line_num, _("There are more values than columns."))])
            deal = {name: _value(cell) for name, cell in row.items() if name not in OWN and cell}
            own: dict[str, Any] = {name: row[name] or "" for name in OWN if name in row}
            if "active" in own:
                own["active"] = own["active"].strip().lower() not in WORDS_FOR_NO
            yield table.line_num, own | {"data": deal}
    except csv.Error as error:
        raise UnreadableError([Trouble(table.line_num, _("This is not CSV: {why}.").format(why=error))]) from error


def _cell(value: Any) -> str:
    """A value as a cell: text as it is, unless it would be read as something else."""
    if isinstance(value, str) and _value(value) == value:
        return value
    return json.dumps(value, ensure_ascii=False)


def _value(cell: str) -> Any:
    """What a cell holds: JSON for lists, sets of values, numbers, yes and no in JSON's words; else text."""
    try:
        return loads(cell)
    except json.JSONDecodeError:
        return cell
