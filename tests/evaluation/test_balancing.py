"""MAgIC's protocol: settings are played and the even ones kept, as a file that can be imported."""

import json

import pytest
from django.core.management import CommandError, call_command

from agents.models import AgentProfile
from evaluation.competitions.balancing import Tried, balanced, candidates
from evaluation.management.commands.balance_settings import Command
from games.models import GameSetting

SETTINGS = [(f"pair {n}", {"civilian_word": f"a{n}", "undercover_word": f"b{n}"}) for n in range(4)]


def leads(*numbers):
    return [Tried(str(n), {}, lead) for n, lead in enumerate(numbers)]


def test_the_most_even_are_kept_and_of_equal_ones_what_evens_out():
    assert [one.lead for one in balanced(leads(1, 1, 1, -1, 0, -1), 5)] == [0, 1, -1, 1, -1]
    assert [one.name for one in balanced(leads(0.5, -1, 0.5, -0.5), 3)] == ["0", "3", "2"]


def test_each_setting_is_tried_with_the_odd_one_at_every_seat_before_the_settings_run_out():
    found = list(candidates("undercover", SETTINGS, 3))
    assert len(found) == 12 and found == list(candidates("undercover", SETTINGS, 3))
    assert len({(data["civilian_word"], data["undercovers"][0]) for _, data in found}) == 12
    assert len({data["civilian_word"] for _, data in found[:4]}) == 4


@pytest.fixture
def written(tmp_path, db):
    AgentProfile.objects.create(name="house", title="House", provider="house")
    for word, other in (("cat", "dog"), ("tea", "coffee"), ("sun", "moon"), ("piano", "guitar")):
        data = {"civilian_word": word, "undercover_word": other}
        GameSetting.objects.create(game="undercover", name=f"{word} / {other}", data=data)

    def written(name, **options):
        call_command("balance_settings", "undercover", out=tmp_path / name, **{"matches": 6, "keep": 3} | options)
        return tmp_path / name

    return written


def test_the_file_is_the_same_for_a_seed_and_is_imported_with_openings_for_every_seat(written, capsys):
    one, other = written("one.json"), written("other.json")
    assert one.read_bytes() == other.read_bytes()
    assert "6 settings, 6 matches of House." in capsys.readouterr().out
    call_command("import_settings", one)
    kept = GameSetting.objects.filter(name__startswith="balanced undercover")
    assert kept.count() == 3 and not any(setting.active for setting in kept)
    assert all(set(setting.data["openings"]) == {"1", "2", "3"} for setting in kept)
    assert len(json.loads(one.read_text())["rows"]) == 3


def test_too_few_settings_are_said_and_nothing_is_written(written, tmp_path):
    with pytest.raises(CommandError, match="Only 6 settings can be played, and 20 are to be kept"):
        written("none.json", keep=20)
    assert not (tmp_path / "none.json").exists()


def test_what_cannot_be_written_is_said_before_anything_is_played(written, monkeypatch):
    monkeypatch.setattr(Command, "played", lambda *_given: pytest.fail("a match was played"))
    with pytest.raises(CommandError, match="cannot be used"):
        written("no such folder/one.json")
    with pytest.raises(CommandError, match="can be played"):
        written("one.json", keep=20)
