"""The name that an API gives its model: a competition pauses where it changes, a table says so and tells them apart."""

import pytest

from agents.models import AgentProfile
from evaluation.competitions import running
from evaluation.counting import boards, stored
from evaluation.suites import SUITES, Entry
from evaluation.tables import filling
from evaluation.web import names
from games.jobs import jobs
from games.models import Match
from tests.agents.model_matches import profile
from tests.model_server import Behaviour, ModelServer

pytestmark = pytest.mark.django_db

OLD, NEW = "small-1-2026-01-31", "small-1-2026-11-28"


@pytest.fixture(autouse=True)
def given_out(workers):
    """The keys of the bouts that were given to the workers."""
    return workers.bouts


def begun(server, matches=4):
    """A competition of a model against itself, one match after another."""
    AgentProfile.objects.filter(pk=profile(server).pk).update(title="Wire")
    defender = dict.fromkeys(SUITES["own"].parts, "wire")
    entry = Entry(("wire",), defender, matches=matches, more={"game": "prisoners_dilemma", "preset": "magic"})
    competition = running.make("Dilemmas", "own", entry, at_once=1)
    running.start(competition)
    return competition


def play(server, key, called):
    server.set_script(then=Behaviour(called=called))
    jobs.work(key)


def test_a_competition_whose_model_is_called_otherwise_pauses_and_goes_on_when_told(given_out):
    with ModelServer() as server:
        competition = begun(server)
        play(server, given_out[0], OLD)
        play(server, given_out[1], OLD)
        play(server, given_out[2], NEW)
        competition.refresh_from_db()
        assert (competition.status, len(given_out)) == ("paused", 3)
        assert competition.paused_because.startswith(f"Wire: the API called its model {OLD} until now, and {NEW}")
        running.start(competition)
        play(server, given_out[3], NEW)
    competition.refresh_from_db()
    assert (competition.status, Match.objects.count()) == ("finished", 4)


def test_a_change_within_the_first_match_is_seen_too(given_out):
    replies = iter([OLD, OLD, NEW] * 40)
    with ModelServer() as server:
        competition = begun(server)
        server.set_script(lambda call: Behaviour(called=next(replies)))
        jobs.work(given_out[0])
    competition.refresh_from_db()
    assert competition.status == "paused" and NEW in competition.paused_because


def two_names(given_out):
    with ModelServer() as server:
        competition = begun(server, matches=2)
        play(server, given_out[0], OLD)
        play(server, given_out[1], NEW)
    return competition


def test_a_table_that_mixes_names_of_one_agent_says_so_and_can_be_split_by_them(given_out, researcher):
    two_names(given_out)
    said = f"The API gave the model of Wire several names: {OLD}, {NEW}."
    page = researcher.get("/numbers/").content.decode()
    assert page.count(said) > 1, "beside the rows that mix them, and for the page"
    assert all(said in researcher.get(f"/numbers/{other}/").content.decode() for other in ("people", "ratings"))
    apart = researcher.get("/numbers/?models=apart").content.decode()
    assert "several names" not in apart
    assert f"Wire ({OLD})" in apart and f"Wire ({NEW})" in apart


def test_what_a_number_counts_is_split_alike(given_out):
    two_names(given_out)
    choice = boards.Choice.read({"models": "apart"})
    rows = [row for row in boards.board(choice).data["tables"]["leaderboard.m2"]["rows"] if not row["source"]]
    assert [row["key"] for row in rows] == [f"wire ({OLD})", f"wire ({NEW})"]
    seen = [
        {item.record.id for item in boards.behind(choice, "leaderboard.m2", row["key"], "ours.own_moves")}
        for row in rows
    ]
    assert all(len(matches) == 1 for matches in seen) and seen[0] != seen[1]


def test_an_agent_is_one_where_its_model_has_one_name(given_out):
    with ModelServer() as server:
        begun(server, matches=1)
        play(server, given_out[0], OLD)
    table = filling.tables(stored.records(Match.objects.all()))["leaderboard.m2"]
    (row,) = [row for row in table.rows if not row.printed]
    assert (row.key, row.conditions["mixed"], names.group(row.key, {"wire": "Wire"})) == ("wire", {}, "Wire")
