"""The notebook of docs/exports.md runs on a file, and its tables are those of our pages."""

from __future__ import annotations

import json
from io import StringIO

import nbformat
import pandas
import pytest
from django.conf import settings
from django.core.management import call_command
from nbclient import NotebookClient

from evaluation.counting.stored import records
from evaluation.metrics import agent, measure
from evaluation.models import Given, Item, Round, Scheme, Task
from evaluation.tables.agreement import Matrix, measured
from games.models import Match
from tests.games.matches import dealt, play_on, stored

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

NOTEBOOK = settings.BASE_DIR / "docs/export.ipynb"
GIVEN = ["aab", "aaa", "bba", "bbb", "abb", "aa-"]
"""What three raters gave to six items; nothing where one did not rate it."""


def labelled(matches: list[Match]) -> Matrix:
    scheme = Scheme.objects.create(name="s", labels=[{"name": "a"}, {"name": "b"}])
    part = Round.objects.create(task=Task.objects.create(scheme=scheme), number=1, scheme=scheme, status="closed")
    for number, (match, given) in enumerate(zip(matches, GIVEN, strict=True), 1):
        item = Item.objects.create(round=part, number=number, match=match, anchor={"event": 1})
        for rater, label in enumerate(given):
            if label != "-":
                Given.objects.create(item=item, pseudonym=f"r{rater}", labels=[label])
    cells = [[None if label == "-" else (label,) for label in given] for given in GIVEN]
    return Matrix(range(len(GIVEN)), ["r0", "r1", "r2"], ["a", "b"], cells)


def test_the_notebook_rebuilds_a_table_of_numbers_and_one_of_agreement(tmp_path):
    matches = [stored(play_on(dealt("undercover", "magic", 3, seed=seed))) for seed in range(len(GIVEN))]
    matrix = labelled(matches)
    call_command("export", out=tmp_path / "export.zip")
    book = nbformat.read(NOTEBOOK, as_version=4)
    assert not any(cell.get("outputs") for cell in book.cells), "no output is kept in the repository"
    show = "import json\nprint(json.dumps([table.to_dict('records'), agreed.to_dict('records')]))"
    book.cells.append(nbformat.v4.new_code_cell(show))
    done = NotebookClient(book, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    table, agreed = json.loads(done.cells[-1].outputs[0].text)

    names = sorted({row["metric"] for row in table})
    ours = measure(records(Match.objects.all()), agent, names).values
    assert len(names) == 4
    for row in table:
        value = ours[row["agent"]][row["metric"]]
        assert (row["value"], row["n"]) == (pytest.approx(value.value), value.n)
    whole = measured(matrix)[0]
    assert agreed == [{"scheme": "s", "items": 6, "percent": pytest.approx(whole.percent.value),
                       "alpha": pytest.approx(whole.alpha.value)}]  # fmt: skip
    assert pandas.read_json(StringIO(json.dumps(table))).value.notna().any()
