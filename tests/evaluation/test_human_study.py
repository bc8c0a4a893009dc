"""The human study: the topics that a team loses most, the agents-only arm, and the same deal with a person."""

from __future__ import annotations

import html
import json
import re
import tempfile
import zipfile

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from agents.models import AgentProfile
from evaluation.competitions import running
from evaluation.counting import stored
from evaluation.counting.boards import Choice
from evaluation.desk.selection import Selection
from evaluation.exports import exporting
from evaluation.models import Competition, StudyTable
from evaluation.studies import human_study, human_tables
from evaluation.suites import SUITES, Entry, SuiteError
from evaluation.tables import people
from evaluation.web import forms
from games.jobs import jobs
from games.match import store
from games.models import Match, Room
from games.refused import Refused
from games.room import chairs
from tests.games.tables import HTMX, browser, play_out
from tests.kept import kept
from tests.markup import tight
from tests.workers import Workers

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def play(competition, given_out):
    running.start(competition)
    for key in given_out:
        jobs.work(key)
    given_out.clear()


@pytest.fixture(scope="module")
def played_once(django_db_setup, django_db_blocker):
    """The key of a competition of agents alone."""
    with kept(django_db_blocker), pytest.MonkeyPatch.context() as patch:
        workers = Workers(patch)
        call_command("load_fixtures", verbosity=0)
        source = running.make("Agents", "wiu", Entry(("house",), matches=12, seed=5))  # each team loses some
        play(source, workers.bouts)
        yield source.pk


@pytest.fixture(autouse=True)
def given_out(played_once, workers):
    return workers.bouts


@pytest.fixture
def source(played_once):
    """Matches of agents alone."""
    return Competition.objects.get(pk=played_once)


@pytest.fixture
def study(source):
    entry = Entry(("house",), more={"deals": forms.deals_of(source, 2)})
    return running.make("Study", "human_study", entry)


def test_each_team_gets_deals_that_it_lost(source):
    deals = forms.deals_of(source, 3)
    assert {deal["team"] for deal in deals} <= set(human_study.TEAMS)
    for deal in deals:
        match = Match.objects.get(seed=deal["seed"], bout__competition=source)
        won = "civilians" if deal["team"] == "civilian" else "undercovers"
        assert match.result != won
        assert match.setting == deal["setting"]


def test_topics_that_are_lost_more_often_come_first():
    class Played:
        family, preset, has_person, finished, numbers = "undercover", "wiu", False, True, (1, 2)
        sides = {1: "civilian", 2: "undercover"}

        def __init__(self, key, word, winner, counted=True):
            self.id, self.winner, self.counted = key, winner, counted
            self.setting = {"civilian_word": word, "undercover_word": "x"}

        def counts(self, seat):
            return self.counted

        def won(self, seat):
            return self.sides[seat] == self.winner

    records = [
        Played("a", "sea", "undercover"),
        Played("b", "sea", "civilian"),
        Played("c", "sun", "undercover"),
        Played("d", "sun", "undercover"),
        Played("e", "not lost by its own players", "undercover", counted=False),
    ]
    deals = human_study.hardest(records, {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}, 1)
    assert [(deal.team, deal.topic, deal.seed) for deal in deals] == [
        ("civilian", "sun / x", 3),
        ("undercover", "sea / x", 2),
    ]


def test_the_agents_only_arm_plays_the_same_words_seats_and_seeds(study, given_out):
    bouts = list(study.bouts.all())
    assert bouts
    play(study, given_out)
    for bout in study.bouts.select_related("match"):
        assert (bout.match.seed, bout.match.setting) == (bout.seed, bout.setting)
        assert bout.labels["team"] in human_study.TEAMS


def test_the_arm_is_not_bound_to_lose_as_the_match_that_it_was_taken_from(study, given_out):
    for seed in range(1, 8):  # up to one in which a team wins what it had lost
        made = running.make("Study", "human_study", Entry(("house",), seed=seed, more=study.entry["more"]))
        play(made, given_out)
        bouts = made.bouts.select_related("match")
        if any(bout.match.result.startswith(bout.labels["team"]) for bout in bouts):
            return
    raise AssertionError("Each team lost its deals again, however they went.")


def test_without_deals_it_says_what_to_choose():
    with pytest.raises(SuiteError, match="Choose a finished competition"):
        SUITES["human_study"].plan(Entry(("house",)), lambda game: [])


def test_a_person_sits_in_the_team_that_lost_and_the_deal_is_played_once(study):
    bout = study.bouts.first()
    room = human_tables.open_table(bout)
    free = room.seats.get(agent="")
    assert (free.number in bout.setting["undercovers"]) == (bout.labels["team"] == "undercover")
    person = browser("key-1", "Ann")
    page = html.unescape(person.get(f"/t/{room.code}/").content.decode())
    assert not any(re.search(rf"\b{word}\b", page) for word in words(bout))
    assert person.post(f"/t/{room.code}/sit/", {"name": "Ann"}, **HTMX).status_code == 200
    assert person.post(f"/t/{room.code}/start/", **HTMX).status_code == 200
    match = Room.objects.get(pk=room.pk).match
    assert (match.seed, match.setting) == (bout.seed, bout.setting)
    assert match.seat_of("key-1") == free.number
    assert (
        next(event.data for event in store.load(match).log if event.kind == "record")["civilian_word"] == words(bout)[0]
    )
    play_out(match)
    assert person.post(f"/t/{room.code}/rematch/", **HTMX).status_code == 409
    assert room.matches.count() == 1
    assert "was opened for one match" in page_of(person, room)


def words(bout):
    return bout.setting["civilian_word"], bout.setting["undercover_word"]


def test_a_researcher_plans_it_by_the_form_and_opens_a_table(researcher, source, given_out):
    form = {"name": "S", "source": source.pk, "topics": 2, "challengers": ["house"], "seed": 1, "at_once": 4}
    answer = researcher.post("/competitions/new/human_study/", form)
    made = Competition.objects.get(suite="human_study")
    assert answer.url == f"/competitions/{made.pk}/"
    assert "Table for a person" in researcher.get(answer.url).content.decode()
    opened = researcher.post(f"/competitions/{made.pk}/1/table/", follow=True)
    assert opened.redirect_chain == [(f"/competitions/{made.pk}/?page=1#bout-1", 302)]
    code = Room.objects.get().code
    page = tight(opened)
    assert f'Give this link to the person:<a id="table-{code}" href="/t/{code}/">{code}</a>' in page
    assert f'data-copy="#table-{code}"' in page
    assert researcher.post(f"/competitions/{source.pk}/1/table/").status_code == 404


def page_of(client, room):
    return html.unescape(client.get(f"/t/{room.code}/").content.decode())


def test_a_researcher_sees_which_team_a_deal_is_about_and_each_button_names_its_own(client, study):
    client.force_login(User.objects.create_superuser("ada", password="a"))
    page = tight(client.get(f"/competitions/{study.pk}/"))
    buttons = re.findall(r"Table for a person<span[^>]*>\((.*?)\)</span>", page)
    teams = [(bout.labels["setting"], bout.labels["team"]) for bout in study.bouts.all()]
    assert {team for _topic, team in teams} == set(human_study.TEAMS)
    assert [button.lower() for button in buttons] == [f"{topic}, {team}" for topic, team in teams]


OF_THE_TABLE = r'\b\w{64}\b|\b[0-9a-f]{20}\b|data-key="\w+"|data-n="[\d.]+"'
"""Tokens, the link's key, the mark of what a part shows (that key too), and times."""


def test_a_person_s_page_is_the_same_whichever_team_they_will_sit_in(study):
    def pages(team):
        bout = next(bout for bout in study.bouts.all() if bout.labels["team"] == team)
        for room in [human_tables.open_table(bout) for _ in range(8)]:
            page = page_of(browser("key-1", "Ann"), room).replace(room.code, "CODE")
            yield room.seats.get(agent="").number, re.sub(OF_THE_TABLE, "", page)

    civilian, undercover = map(dict, map(pages, human_study.TEAMS))
    shared = civilian.keys() & undercover.keys()
    assert shared
    assert {seat: civilian[seat] for seat in shared} == {seat: undercover[seat] for seat in shared}


def seated(study, key="key-1", bout=None):
    """A person at a table of the study's first match, or of this one."""
    room = human_tables.open_table(bout or study.bouts.first())
    person = browser(key, "Ann")
    person.post(f"/t/{room.code}/sit/", {"name": "Ann"}, **HTMX)
    return person, Room.objects.get(pk=room.pk)


def test_nothing_tells_a_person_who_is_an_agent_before_they_have_said_what_they_think(study):
    person, room = seated(study)
    pages = [page_of(browser("key-9"), room), page_of(person, room)]
    person.post(f"/t/{room.code}/start/", **HTMX)
    pages.append(page_of(person, room))
    play_out(room.match)
    pages.append(page_of(person, room))
    for page in pages:
        for of_nobody in (
            "Leave the table? An agent plays on for you.",
            "Nobody is told who is an agent.",
            "Who was an agent?",
            "Choose everybody you take for an agent.",
            'name="agents"',
        ):
            page = page.replace(of_nobody, "")
        assert not [page[m.start() - 80 : m.end() + 40] for m in re.finditer(r"\bagents?\b", page, re.IGNORECASE)]
        assert "house" not in page
    shown = person.post(f"/t/{room.code}/who/", {"agents": []}, **HTMX)
    assert tight(shown).count("was an agent. You were wrong.") == 4
    assert "How the match went" in page_of(person, room)


def test_who_sits_there_is_not_changed_by_the_person(study):
    person, room = seated(study)
    mine, other = room.seats.get(person="key-1"), room.seats.exclude(person="key-1").first()
    before = list(room.seats.values_list("number", "agent", "person"))
    for verb, data in (("kick", {"seat": other.number}), ("fill", {})):
        answer = person.post(f"/t/{room.code}/{verb}/", data, **HTMX)
        assert answer.status_code == 409
        assert "were set when it was opened" in html.unescape(answer.content.decode())
    assert list(room.seats.values_list("number", "agent", "person")) == before
    person.post(f"/t/{room.code}/leave/", **HTMX)
    chairs.sit(Room.objects.get(pk=room.pk), "key-2", "Ben")
    assert room.seats.get(person="key-2").number == mine.number
    assert Room.objects.get(pk=room.pk).host == "key-2"


def test_it_waits_for_the_person_even_with_what_it_asks_in_private(source):
    study = running.make("Study", "human_study", Entry(("house",), more={"deals": forms.deals_of(source, 9)}))
    for bout in study.bouts.all():  # up to one in which the person is asked before anybody has moved
        person, room = seated(study, f"key-{bout.number}", bout)
        person.post(f"/t/{room.code}/start/", **HTMX)
        asked = list(room.match.pending.filter(agent=""))
        if asked:
            break
    assert [(row.request.rsplit(":", 1)[1], row.deadline) for row in asked] == [("poll", None)]
    assert "data-clock" not in page_of(person, room)


def test_it_is_neither_opened_nor_begun_with_an_agent_that_cannot_play(study, researcher):
    person, room = seated(study)
    AgentProfile.objects.update(active=False)
    answer = person.post(f"/t/{room.code}/start/", **HTMX)
    assert "cannot be played at the moment" in html.unescape(answer.content.decode())
    assert room.match is None
    answer = researcher.post(f"/competitions/{study.pk}/1/table/", follow=True)
    assert "There is no active agent profile called 'house'." in html.unescape(answer.content.decode())
    assert researcher.post(f"/competitions/{study.pk}/1/table/?part=now").status_code == 409
    assert StudyTable.objects.count() == 1


def test_an_export_of_it_holds_its_matches_with_people_and_says_which_still_run(study):
    person, room = seated(study)
    person.post(f"/t/{room.code}/start/", **HTMX)
    order = exporting.Order(Selection(competition=str(study.pk)))
    for still in (1, 0):
        export = order.export(None)
        with tempfile.TemporaryFile() as file:
            exporting.write(export, order, file, lambda done, of: None)
            plan = [json.loads(line) for line in zipfile.ZipFile(file).read("plan.jsonl").splitlines()]
        assert [str(room.match.pk)] in [row["people"] for row in plan]
        assert (export.held(room.match.pk), export.running) == (True, still)
        play_out(room.match)


def test_who_leaves_by_a_page_of_before_takes_nobody_s_host_away(study):
    _person, room = seated(study)
    chairs.leave(Room.objects.get(pk=room.pk), "key-1")
    chairs.sit(Room.objects.get(pk=room.pk), "key-2", "Ben")
    chairs.leave(room, "key-1")
    assert Room.objects.get(pk=room.pk).host == "key-2"


def test_nobody_sits_down_at_it_once_its_match_is_over(study):
    person, room = seated(study)
    person.post(f"/t/{room.code}/start/", **HTMX)
    play_out(room.match)
    person.post(f"/t/{room.code}/leave/", **HTMX)
    with pytest.raises(Refused, match="one match, and that has been played"):
        chairs.sit(Room.objects.get(pk=room.pk), "key-2", "Ben")


def test_the_seat_is_drawn_within_the_team(study):
    bout = next(bout for bout in study.bouts.all() if bout.labels["team"] == "civilian")
    seats = [human_tables.open_table(bout).seats.get(agent="").number for _ in range(12)]
    assert len(set(seats)) == 3
    assert not set(seats) & set(bout.setting["undercovers"])
    StudyTable.objects.all().delete()
    assert [human_tables.open_table(bout).seats.get(agent="").number for _ in range(12)] == seats


def test_people_are_compared_with_the_study_s_agents_and_not_with_the_matches_its_deals_come_from(study, given_out):
    play(study, given_out)
    person, room = seated(study)
    person.post(f"/t/{room.code}/start/", **HTMX)
    play_out(room.match)
    bout = study.bouts.select_related("match").first()
    found = people.method_2(stored.records(Match.objects.all()))
    assert found
    of_the_team = next(c for c in found if c.group == bout.labels["team"] and c.column == "wiu.victory")
    assert (of_the_team.one.n, of_the_team.other.n) == (1, 1)
    assert of_the_team.difference.units == (1, 1)
    won = bout.match.result.startswith(bout.labels["team"])
    assert of_the_team.other.value == float(won)


def test_matches_of_people_are_found_by_their_study(study, given_out):
    play(study, given_out)
    person, room = seated(study)
    person.post(f"/t/{room.code}/start/", **HTMX)
    play_out(room.match)
    planned = study.bouts.count()
    assert Choice(competition=str(study.pk)).matches().count() == planned + 1
    assert Choice(suite="human_study").matches().count() == planned + 1
    record = next(stored.records(Match.objects.filter(room=room)))
    assert record.labels == {
        "competition": str(study.pk), "suite": "human_study", "team": study.bouts.first().labels["team"],
    }  # fmt: skip


def refused_source(source, **changes):
    Competition.objects.filter(pk=source.pk).update(**changes)
    with pytest.raises(SuiteError) as error:
        forms.deals_of(Competition.objects.get(pk=source.pk), 2)
    with pytest.raises(CommandError, match=re.escape(str(error.value))):
        call_command("compete", "human_study", "house", source=str(source.pk))
    return str(error.value)


def test_a_source_that_is_unfinished_of_another_suite_or_of_several_is_refused(source):
    assert "finished competition" in refused_source(source, status="paused")
    assert "finished competition" in refused_source(source, status="finished", suite="magic")
    entry = {**source.entry, "challengers": ["house", "house-weak"]}
    assert "one challenger" in refused_source(source, suite="wiu", entry=entry)


def test_the_page_says_when_fewer_topics_were_lost_than_asked_for_and_lists_the_tables(researcher, source, given_out):
    form = {"name": "S", "source": source.pk, "topics": 100, "challengers": ["house"], "seed": 1, "at_once": 4}
    page = researcher.post("/competitions/new/human_study/", form, follow=True).content.decode()
    assert "Fewer topics were lost than the 100 that were asked for: civilians" in page
    study = Competition.objects.get(suite="human_study")
    _person, room = seated(study)
    page = tight(researcher.get(f"/competitions/{study.pk}/"))
    assert f'Give this link to the person:<a id="table-{room.code}" href="/t/{room.code}/">{room.code}</a>' in page
    assert page.count("Another table") == 1
