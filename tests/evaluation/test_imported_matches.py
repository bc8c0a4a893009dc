"""A competition's match that is exported and imported elsewhere counts there as what it was planned as."""

import pytest
from django.core.management import call_command

from evaluation.competitions import running
from evaluation.counting import stored
from evaluation.counting.boards import Choice
from evaluation.suites import Entry
from games.jobs import jobs
from games.match import importing
from games.models import Match
from games.rules.values import PUBLIC
from tests.games.matches import exported

pytestmark = pytest.mark.django_db


@pytest.fixture
def lines() -> list[str]:
    """The log of a competition's match that is not here any more, nor is the competition."""
    call_command("load_fixtures", verbosity=0)
    entry = Entry(("house",), matches=1, more={"game": "prisoners_dilemma", "preset": "magic"})
    competition = running.make("Dilemmas", "own", entry)
    running.start(competition)
    jobs.work(competition.bouts.first().job_id)
    match = Match.objects.get()
    assert '"labels"' not in "".join(exported(match, PUBLIC))
    lines = exported(match, -1)
    match.delete()
    competition.delete()
    return lines


def test_its_labels_come_with_it_and_it_is_marked_as_imported(lines):
    copy = importing.import_log(lines)
    (record,) = stored.records(Match.objects.all())
    assert record.labels == copy.labels | {"imported": "yes"}
    assert (copy.labels["suite"], copy.labels["challenger"]) == ("own", "house")
    assert exported(copy, -1)[1:] == lines[1:]
    assert list(Choice(suite="own").matches()) == [copy]
    assert list(Choice(suite="magic").matches()) == []


def test_pages_tell_that_it_was_played_elsewhere(lines, researcher):
    importing.import_log(lines)
    assert "1 of these matches was imported" in researcher.get("/numbers/", follow=True).content.decode()
    assert "imported" in researcher.get("/matches/", follow=True).content.decode()
