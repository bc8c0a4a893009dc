"""Somebody is erased whose matches have left the house: who has them is told, and old files are scrubbed."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import zipfile
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.urls import reverse

from evaluation.exports import exporting
from evaluation.exports.collections import COLLECTIONS
from evaluation.exports.content import Content
from evaluation.exports.declared import JSON, TEXT
from evaluation.exports.formats import FORMATS
from evaluation.models import Given, Item, Round, Scheme, Task, Withdrawal
from evaluation.withdrawals import withdrawals, zips
from games.audit import Audited
from games.match import writer
from games.match.erasing import erase
from games.models import Match
from tests.games.matches import dealt, play_on, prompted, stored

pytestmark = pytest.mark.django_db

SAID = "a rare xylophone, isn't it"
NAMED = Content(names=True)


@pytest.fixture
def match() -> Match:
    """Ann says one thing that others quote, in words, in thoughts and in a note; another match has nothing of hers."""
    other = stored(play_on(dealt("avalon", "recon", 6)))
    for seat in (1, 2):
        writer.reseat(other, seat, name=f"Somebody {seat}", person=f"other {seat}")
    play = dealt("undercover", "party", 5, discussion="free")
    while not any(event.kind == "say" for event in play.log):
        request = (
            next(r for r in play.state.open.values() if r.kind == "say" and r.seat == 1)
            if any(r.kind == "say" and r.seat == 1 for r in play.state.open.values())
            else next(r for r in play.state.open.values() if r.waits)
        )
        action = {"text": SAID} if request.kind == "say" else {"text": f"clue {len(play.log)} here"}
        play.act(request.seat, request.id, action, "person" if request.seat < 3 else "agent:house")
    quote = next(r for r in play.state.open.values() if r.kind == "say" and r.seat == 3)
    play.act(3, quote.id, {"text": f"Ann said: {SAID.upper()}!"}, "agent:house")
    found = stored(play_on(play))
    pieces = prompted(found, f"<said>{SAID}</said> by Ann")
    found.thoughts.filter(seat=3).update(pieces=pieces, reply=f"=Ann: {SAID}", data={"why": [SAID]})
    scheme = Scheme.objects.create(name="s")
    closed = Round.objects.create(task=Task.objects.create(scheme=scheme), number=1, scheme=scheme, status="closed")
    item = Item.objects.create(round=closed, number=1, match=found, anchor={"event": 1})
    Given.objects.create(item=item, pseudonym="r", labels=["none"], note=f"Ann’s {SAID}")
    return found


def export(path: Path, content: Content = NAMED, formats: tuple[str, ...] = tuple(FORMATS), **more) -> Path:
    """The file of an export, as somebody has it."""
    order = exporting.Order(content=content, formats=formats, reason="a test", **more)
    row = order.export(None)
    with path.open("w+b") as file:
        exporting.write(row, order, file, lambda done, of: None)
    row.save()
    return path


def contents(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as packed:
        assert packed.testzip() is None
        return {name: packed.read(name) for name in packed.namelist()}


def told_by(name: str, content: bytes) -> object:
    """What a file says: of packed ones the same may be packed otherwise."""
    if name.endswith(".parquet"):
        from pyarrow import parquet

        return parquet.read_table(io.BytesIO(content)).to_pylist()
    if name.endswith(".eval"):
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            return {one: json.loads(packed.read(one)) for one in packed.namelist()}
    return content


def words_of(name: str, content: bytes) -> bytes:
    told = told_by(name, content)
    return told if isinstance(told, bytes) else json.dumps(told, default=str, ensure_ascii=False).encode()


def holds_her(content: bytes) -> bool:
    return any(word in content.lower() for word in (b"xylophone", b"ann said", b'"ann"', b",ann,", b"ann:"))


@pytest.mark.parametrize("formats", [tuple(FORMATS), ("csv",)])
@pytest.mark.parametrize("excel", [False, True])
def test_an_old_zip_is_scrubbed_to_what_an_export_after_the_erasure_holds(match, tmp_path, formats, excel):
    old = export(tmp_path / "old.zip", formats=formats, excel=excel)
    before = contents(old)
    assert sum(holds_her(words_of(*file)) for file in before.items()) >= len(formats)
    erase("ann")
    mark = withdrawals.text(withdrawals.of(Withdrawal.objects.get()))
    assert not holds_her(mark.encode())
    (tmp_path / "w.json").write_text(mark)
    call_command("scrub", str(old), "--with", str(tmp_path / "w.json"), stdout=io.StringIO())
    scrubbed, after = contents(old), contents(export(tmp_path / "new.zip", formats=formats, excel=excel))
    assert not any(holds_her(words_of(*file)) for file in scrubbed.items())
    for name in scrubbed.keys() - {"README.md", "croissant.json", "csv/seats.csv", "parquet/seats.parquet"}:
        assert told_by(name, scrubbed[name]) == told_by(name, after[name]), name
    seats = [
        list(csv.DictReader(io.StringIO(found["csv/seats.csv"].decode("utf-8-sig")))) for found in (scrubbed, after)
    ]
    for one, other in zip(*seats, strict=True):  # a pseudonym is made anew for who has no key any more
        assert one | {"person": ""} == other | {"person": ""}
    files = {one["name"]: one for one in json.loads(scrubbed["croissant.json"])["distribution"]}
    for name, one in files.items():
        assert one["sha256"] == hashlib.sha256(scrubbed[name]).hexdigest()
        assert one["contentSize"] == f"{len(scrubbed[name])} B"
        assert f"| {len(scrubbed[name])} | {one['sha256']} |" in scrubbed["README.md"].decode()
    assert b"People of 1 matches were erased later" in scrubbed["README.md"]
    assert Audited.objects.get(what="scrubbed").details == {"file": "old.zip", "matches": 1}


def test_a_zip_with_pseudonyms_is_scrubbed_too(match, tmp_path):
    old = export(tmp_path / "old.zip", Content())
    erase("ann")
    call_command("scrub", str(old), stdout=io.StringIO())  # by all that was erased here
    assert not any(holds_her(words_of(*file)) for file in contents(old).items())


def test_a_zip_without_what_is_hidden_is_scrubbed_too(match, tmp_path):
    nothing = Content.of(["names"])
    old = export(tmp_path / "old.zip", nothing)
    assert holds_her(contents(old)["matches.jsonl"])
    erase("ann")
    call_command("scrub", str(old), stdout=io.StringIO())
    assert not any(holds_her(words_of(*file)) for file in contents(old).items())


@pytest.mark.parametrize("name", ["logs.jsonl", "logs.jsonl.gz"])
def test_a_file_of_logs_is_scrubbed_and_nothing_else_of_it_changes(match, tmp_path, name):
    import gzip

    opened = gzip.open if name.endswith("gz") else open
    lines = contents(export(tmp_path / "x.zip"))["matches.jsonl"]
    with opened(tmp_path / name, "wb") as file:
        file.write(lines)
    erase("ann")
    call_command("scrub", str(tmp_path / name), stdout=io.StringIO())
    with opened(tmp_path / name, "rb") as file:
        after = file.read()
    assert not holds_her(after)
    assert after == contents(export(tmp_path / "y.zip"))["matches.jsonl"]


def test_a_file_that_holds_nobody_who_was_erased_stays_as_it_is(match, tmp_path):
    file = export(tmp_path / "x.zip")
    before = file.read_bytes()
    out = io.StringIO()
    call_command("scrub", str(file), stdout=out)
    assert "holds none of them" in out.getvalue() and file.read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {"x.zip"}


@pytest.mark.parametrize("content", [b"PK\3\4 nothing", b"\x1f\x8b", b"{}"])
def test_what_is_no_export_or_no_withdrawal_is_said(tmp_path, content):
    (tmp_path / "x").write_bytes(content)
    (tmp_path / "logs.jsonl").write_text("")
    if content != b"{}":
        with pytest.raises(CommandError, match=r"\.$"):
            call_command("scrub", str(tmp_path / "x"))
    with pytest.raises(CommandError, match="no file of a withdrawal"):
        call_command("scrub", str(tmp_path / "logs.jsonl"), "--with", str(tmp_path / "x"))


def test_an_admin_is_told_which_exports_held_somebody_and_has_the_file(match, tmp_path, client, admin_client):
    export(tmp_path / "x.zip")
    erase("ann")
    found = Withdrawal.objects.get()
    (held,) = withdrawals.exports_of(found)
    page = admin_client.get(reverse("evaluation:withdrawals")).content.decode()
    assert held.file in page
    answer = admin_client.get(reverse("evaluation:withdrawal", args=[found.pk]))
    assert withdrawals.read(answer.content.decode()) == withdrawals.of(found)
    assert answer.headers["Content-Disposition"].startswith("attachment")
    client.force_login(User.objects.create_user("bob", password="b"))
    assert client.get(reverse("evaluation:withdrawals")).status_code == 403


def test_every_column_of_a_flat_file_is_known_to_hold_words_of_people_or_not():
    """A new column that can hold what somebody said has its place in `zips.WORDS`; another one here."""
    none = {
        "matches": "match game preset origin competition suite deal arm status result winners forked_from seed options "
        "setting labels",
        "seats": "match kind agent method model role side",
        "events": "match kind audience by request",
        "thoughts": "match request method stage",
        "attempts": "match request by code instead",
        "calls": "match request stage model",
        "polls": "match moment question",
        "votes": "match kind",
        "labels": "match on request task scheme rater kind how label",
        "agreement": "match on request task scheme given final how",
        "metric_values": "match metric once unit",
    }
    for name, one in COLLECTIONS.items():
        texts = {column.name for column in one.columns if column.type in (TEXT, JSON)}
        assert texts == {*none[name].split(), *zips.WORDS.get(name, ())}, name
