import json
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

FIXTURE = {
    "model": "auth.user",
    "key": ["username"],
    "rows": [{"username": "ada", "first_name": "Ada"}, {"username": "bo", "first_name": "Bo"}],
}


@pytest.fixture
def load(tmp_path, db):
    def load(content) -> str:
        (tmp_path / "some.json").write_text(json.dumps(content))
        output = StringIO()
        call_command("load_fixtures", folder=tmp_path, stdout=output)
        return output.getvalue()

    return load


def test_rows_are_added_once(load):
    assert load(FIXTURE) == "2 rows added.\n"
    assert load(FIXTURE) == "0 rows added.\n"
    assert User.objects.count() == 2


def test_what_was_changed_since_stays(load):
    load(FIXTURE)
    User.objects.filter(username="ada").update(first_name="Ada L.")
    load(FIXTURE)
    assert User.objects.get(username="ada").first_name == "Ada L."


def test_a_data_file_that_is_no_fixture_is_passed_over(load):
    assert load([{"word": "coffee"}]) == "0 rows added.\n"
    assert load({"coffee": ["hot"]}) == "0 rows added.\n"


def test_the_projects_own_fixtures_load(db):
    call_command("load_fixtures", verbosity=0)
    output = StringIO()
    call_command("load_fixtures", stdout=output)
    assert output.getvalue() == "0 rows added.\n"
