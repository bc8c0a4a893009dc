"""Settings as files: what goes out comes in again, and a file with any mistake changes nothing and says where."""

import os
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from agents.house.relations import PARTS
from games.files import paper_settings, setting_files
from games.models import GameSetting
from games.registry import RULES

PAIR = {"civilian_word": "coffee", "undercover_word": "tea", "undercovers": [3]}


def pair(name: str = "coffee, tea", **fields) -> GameSetting:
    return GameSetting(**{"game": "undercover", "name": name, "data": PAIR, "origin": "ours, mostly"} | fields)


def rows(settings) -> list[tuple]:
    return [(s.game, s.name, s.data, s.origin, s.active) for s in settings]


@pytest.mark.parametrize(("write", "name"), [(setting_files.write_json, "x.json"), (setting_files.write_csv, "x.csv")])
def test_settings_that_go_out_come_in_as_they_were(write, name):
    openings = {"1": [{"text": 'a "quoted", clue'}]}
    settings = [
        pair(),
        pair("two", data=PAIR | {"openings": openings}, active=False),
        pair("three", data=PAIR | {"undercovers": [1]}),
    ]
    assert rows(setting_files.read(write(settings).encode(), name)) == rows(settings)


@given(words=st.lists(st.text("abc01.-\"',\u00e9 \n", min_size=1, max_size=8), min_size=2, max_size=2))
def test_any_word_survives_a_table(words):
    setting = pair(data={"civilian_word": words[0], "undercover_word": words[1]})
    text = setting_files.write_csv([setting])
    try:
        (read,) = setting_files.read(text.encode(), "x.csv")
    except setting_files.UnreadableError:
        with pytest.raises(Exception, match="word"):
            setting.clean()
    else:
        assert read.data == setting.data


@pytest.mark.parametrize(
    ("text", "name", "sentence"),
    [
        ("game,name,civilian_word\n", "x.csv", "Line 1: There is no setting in this file."),
        ("name,civilian_word\na,b\n", "x.csv", "Line 1: The first line names the columns; “game” is missing."),
        ("game,name\nundercover,a,b\n", "x.csv", "Line 2: There are more values than columns."),
        ('game,name\n"undercover,a\n', "x.csv", "This is not CSV"),
        ("game,name,civilian_word\nundercover,a,tea\n", "x.csv", "Line 2: Undercover is played with two words"),
        ("game,name\nludo,a\n", "x.csv", "Line 2: There is no game of that name."),
        ("[", "x.json", "Line 1: This is not JSON"),
        ("[" * 5000 + "]" * 5000, "x.json", "Line 1: This is not JSON: it is nested too deep"),
        ('{"a": 1}', "x.json", "Line 1: The file holds no list of settings."),
        ("[3]", "x.json", "Line 1: A setting is a set of named values."),
        ('[{"game": "undercover", "name": "a", "secret": 1}]', "x.json", "Line 1: A setting has no “secret”."),
    ],
)
def test_a_mistake_is_named_with_its_line(text, name, sentence):
    with pytest.raises(setting_files.UnreadableError, match=sentence):
        setting_files.read(text.encode(), name)


def test_two_settings_of_one_name_are_refused():
    with pytest.raises(setting_files.UnreadableError, match="Line 2: “coffee, tea” stands on line 1"):
        setting_files.read(setting_files.write_json([pair(), pair()]).encode(), "x.json")


def test_a_file_with_one_mistake_changes_nothing(db, tmp_path: Path):
    path = tmp_path / "pairs.csv"
    path.write_text("game,name,civilian_word,undercover_word\nundercover,a,tea,coffee\nundercover,b,tea,tea\n")
    with pytest.raises(CommandError, match=r"Nothing was stored.\nLine 3: The two words must differ."):
        call_command("import_settings", path)
    assert not GameSetting.objects.exists()


def test_a_known_setting_is_replaced_and_a_new_one_added(db, tmp_path: Path, capsys):
    pair().save()
    path = tmp_path / "pairs.json"
    path.write_text(setting_files.write_json([pair(origin="changed"), pair("new")]))
    call_command("import_settings", path)
    assert "1 new, 1 replaced." in capsys.readouterr().out
    assert set(GameSetting.objects.values_list("name", "origin")) == {
        ("coffee, tea", "changed"),
        ("new", "ours, mostly"),
    }


def test_export_and_import_by_command(db, tmp_path: Path):
    pair().save()
    for name in ("pairs.csv", "pairs.json"):
        call_command("export_settings", "undercover", out=tmp_path / name)
        before = rows(GameSetting.objects.all())
        GameSetting.objects.all().delete()
        call_command("import_settings", tmp_path / name)
        assert rows(GameSetting.objects.all()) == before


@pytest.fixture
def published() -> Path:
    folder = os.environ.get("MAGIC_DATA")
    if not folder:
        pytest.skip("MAGIC_DATA names no folder of published data")
    return Path(folder)


def test_the_settings_that_magic_published_can_be_dealt(published):
    settings = setting_files.checked(
        (n, row) for n, row in paper_settings.read_magic(published / "magic_settings") if row["game"] in RULES
    )
    assert {setting.game for setting in settings} == RULES.keys() - {"avalon", "spygame"}
    undercover = next(setting for setting in settings if setting.game == "undercover")
    assert undercover.data["undercovers"] == [1] and undercover.data["civilian_word"] == "listener"
    assert undercover.data["openings"]["3"] == [
        {"text": "My clue is: audience."},
        {"text": "My second clue is: silent."},
    ]


def test_the_published_words_of_who_is_undercover_make_pairs(published):
    settings = setting_files.checked(paper_settings.read_wiu(published / "wiu_words/category_expanded_dataset.json"))
    pairs = {(s.data["civilian_word"], s.data["undercover_word"]) for s in settings}
    assert ("apple", "pear") in pairs and ("pear", "apple") not in pairs
    assert len(pairs) == len(settings) > 1000
    assert {s.name.split(":")[0] for s in settings} == {
        "similarity_and_difference",
        "polysemy",
        "cultural_and_language",
        "ambiguity",
        "domain_relevance",
    }
    assert {s.data["part"] for s in settings} == set(PARTS)
