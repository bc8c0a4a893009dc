"""Others open our files: pandas and pyarrow each flat file, Inspect its logs, mlcroissant the description."""

from __future__ import annotations

import csv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pandas
import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command

from evaluation.exports import exporting
from evaluation.exports.collections import COLLECTIONS
from evaluation.exports.declared import JSON, MOMENT, NUMBER, TEXT, WHOLE, YES_NO
from evaluation.exports.formats import FORMATS
from evaluation.exports.formats.flat import value_of
from evaluation.models import Final, Given, Item, Round, Scheme, Task
from games.models import Match
from tests.games.matches import dealt, play_on, stored
from tests.kept import kept

pytestmark = pytest.mark.django_db

SEATED = [("undercover", "magic", 3), ("avalon", "recon", 6), ("public_good", "magic", 3)]


@pytest.fixture(scope="module")
def folder(django_db_setup, django_db_blocker, tmp_path_factory) -> Iterator[Path]:
    """What is in the zip file of some matches, in every format."""
    found: Path = tmp_path_factory.mktemp("export")
    with kept(django_db_blocker):
        matches = [stored(play_on(dealt(*one, polls="none")), with_thoughts=True) for one in SEATED]
        for match in matches:
            labelled(match)
            match.thoughts.all().update(model="m-1", tokens_in=5, cost=0.25)
        call_command("export", out=found / "x.zip", formats=",".join(FORMATS))
        with zipfile.ZipFile(found / "x.zip") as archive:
            archive.extractall(found)
        yield found


def labelled(match: Match) -> None:
    """Three raters' labels on its first thought, and what holds."""
    scheme, _new = Scheme.objects.get_or_create(name="s", defaults={"labels": [{"name": "a"}, {"name": "b"}]})
    task = Task.objects.create(scheme=scheme, name="t")
    part = Round.objects.create(task=task, number=1, scheme=scheme, status=Round.Status.CLOSED)
    thought = match.thoughts.first()
    item = Item.objects.create(round=part, number=1, match=match, anchor={"request": thought.request, "thought": 1})
    for rater, label in (("r1", "a"), ("r2", "a"), ("r3", "b")):
        Given.objects.create(item=item, pseudonym=rater, labels=[label], note="=1+1", seconds=2.5)
    Given.objects.create(item=item, pseudonym="model:x", profile="x", labels=["b"])
    Final.objects.create(item=item, labels=["a"], how="adjudicated")


@pytest.mark.parametrize("name", COLLECTIONS)
def test_pandas_and_pyarrow_read_the_same_rows_of_the_declared_types(folder, name):
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed (requirements-parquet.txt)")
    typed = parquet.read_table(folder / f"parquet/{name}.parquet")
    collection = COLLECTIONS[name]
    kinds = {TEXT: "string", JSON: "string", WHOLE: "int64", NUMBER: "double", YES_NO: "bool"}
    kinds[MOMENT] = "timestamp[us, tz=UTC]"
    assert [(field.name, str(field.type)) for field in typed.schema] == [
        (column.name, kinds[column.type]) for column in collection.columns
    ]
    flat = pandas.read_csv(folder / f"csv/{name}.csv", dtype=str, keep_default_na=False, na_values=[""])
    rows = typed.to_pylist()
    assert len(flat) == len(rows)
    for column in collection.columns:
        if column.type in (TEXT, JSON):
            told = [None if pandas.isna(value) else value_of(value) for value in flat[column.name]]
            assert told == [row[column.name] or None for row in rows], column.name
        elif column.type in (WHOLE, NUMBER):
            numbers = [None if pandas.isna(value) else float(value) for value in flat[column.name]]
            assert numbers == [row[column.name] for row in rows], column.name
    if collection.key:
        assert not flat.duplicated(list(collection.key)).any(), "the key names a row"


def test_labels_agreement_and_what_holds_stand_in_files_of_their_own(folder):
    labels, agreement = pandas.read_csv(folder / "csv/labels.csv"), pandas.read_csv(folder / "csv/agreement.csv")
    assert len(labels) == 5 * len(SEATED) and set(labels.kind) == {"person", "model", "final"}
    assert set(labels[labels.kind == "final"].label) == {"a"} and set(labels.note.dropna()) == {"'=1+1"}
    assert (agreement.raters == 3).all() and agreement.share.round(3).tolist() == [0.333] * len(SEATED)
    assert agreement.given[0] == '{"r1":["a"],"r2":["a"],"r3":["b"]}' and agreement.final[0] == '["a"]'
    merged = labels.merge(pandas.read_csv(folder / "csv/thoughts.csv"), left_on=["match", "request", "thought"],
                          right_on=["match", "request", "n"])  # fmt: skip
    assert len(merged) == len(labels)


def test_inspect_reads_its_logs(folder):
    log = pytest.importorskip("inspect_ai.log", reason="inspect-ai is not installed (requirements-readers.txt)")
    files = sorted((folder / "eval").glob("*.eval"))
    assert [file.stem for file in files] == ["avalon-recon", "public_good-magic", "undercover-magic"]
    for file in files:
        header = log.read_eval_log(str(file), header_only=True)
        assert (header.status, header.eval.dataset.samples) == ("success", 1)
        (sample,) = log.read_eval_log(str(file)).samples
        match = Match.objects.get(pk=sample.id)
        assert sample.metadata["status"] == match.status and sample.scores["result"].value == match.result
        assert len(sample.messages) == match.events.count() + 2 * match.thoughts.count(), "prompts and replies"
        assert sample.model_usage["m-1"].input_tokens == 5 * match.thoughts.count()
        (summary,) = log.read_eval_log_sample_summaries(str(file))
        assert summary.completed and summary.scores["won"].value == sample.scores["won"].value


def test_mlcroissant_finds_the_description_valid_and_reads_rows_by_it(folder):
    reader = pytest.importorskip("mlcroissant", reason="mlcroissant is not installed (requirements-readers.txt)")
    dataset = reader.Dataset(folder / "croissant.json")
    assert [one.name for one in dataset.metadata.record_sets] == list(COLLECTIONS)
    assert not dataset.metadata.ctx.issues.errors and not dataset.metadata.ctx.issues.warnings
    rows = list(dataset.records("seats"))
    assert len(rows) == sum(seats for _game, _preset, seats in SEATED)
    assert {row["seats/kind"] for row in rows} == {b"person", b"agent"}


def test_the_dictionary_opens_too(folder):
    with (folder / "dictionary.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["collection"] for row in rows} == set(COLLECTIONS)
    assert all(row["meaning"].endswith(".") and row["source"] and row["type"] for row in rows)


def test_a_format_whose_package_is_not_there_is_refused_with_its_name(monkeypatch):
    monkeypatch.setattr(FORMATS["parquet"], "needs", "no_such_package")
    with pytest.raises(ValidationError, match="takes the package no_such_package, which is not installed here"):
        exporting.Order(formats=("parquet",))
