"""A replay saved as one file: what its viewer may see, and nothing that a server is needed for."""

import re

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from games.models import Match, Room
from games.web import saved
from magic_site.rights import RESEARCHER
from tests.games.matches import dealt, play_on, stored
from tests.kept import kept

pytestmark = pytest.mark.django_db
ILL = "</script><script>alert(1)</script><!-- --><img src=x onerror=alert(2)>"


@pytest.fixture(scope="module")
def key_of_a_match(django_db_setup, django_db_blocker):
    with kept(django_db_blocker):
        room = Room.objects.create(game="avalon", preset="recon", host="ann", afterwards=Room.Afterwards.TABLE)
        yield stored(play_on(dealt("avalon", "recon", 6)), room=room).pk


@pytest.fixture
def match(key_of_a_match) -> Match:
    return Match.objects.get(pk=key_of_a_match)


@pytest.fixture
def researcher() -> Client:
    user = User.objects.create_user("ada")
    user.groups.add(Group.objects.get(name=RESEARCHER))
    client = Client()
    client.force_login(user)
    return client


def file_of(client: Client, match: Match, who: str) -> str:
    answer = client.get(f"/m/{match.pk}/saved/?as={who}")
    assert answer.status_code == 200 and "attachment" in answer["Content-Disposition"]
    return answer.content.decode()


def test_who_sees_everything_has_every_thought_and_prompt_in_the_file(researcher, match):
    text = file_of(researcher, match, "all")
    for thought in match.thoughts.all():
        assert f'id="stage-{thought.pk}"' in text
        assert not thought.pieces or f'data-prompt="{thought.pk}"' in text
    assert "You are Dario" in text
    assert f"http://testserver/m/{match.pk}/" in text and re.search(r"saved on\s+\d+ \w+ \d{4}, \d\d:\d\d UTC", text)


@pytest.mark.parametrize("who", ["public", "1"])
def test_nobody_elses_file_has_thoughts(researcher, match, who):
    text = file_of(researcher, match, who)
    assert not re.search(r'data-panel="|data-prompt="|id="prompts"|id="stage-', text)


def test_the_file_is_for_whom_the_replay_is_for_as_far_as_it_is(match):
    assert Client().get(f"/m/{match.pk}/saved/?as=all").status_code == 403
    assert Client().get(f"/m/{match.pk}/saved/?as=2").status_code == 403
    assert Client().get(f"/m/{match.pk}/saved/").status_code == 200
    Room.objects.update(watching=Room.Watching.NOBODY)
    assert Client().get(f"/m/{match.pk}/saved/").status_code == 403


def test_nothing_in_the_file_is_fetched_and_nothing_runs_but_its_own(researcher, match):
    text = file_of(researcher, match, "all")
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text).group(1)
    assert policy.startswith("default-src &#x27;none&#x27;") and "unsafe" not in policy
    assert not re.search(r"<(link|img|iframe|object|embed)\b|\ssrc=|\sstyle=|\son\w+=", text)
    scripts = re.findall(r'<script type="module">(.*?)</script>', text, re.S)
    assert len(scripts) == len(saved.SCRIPTS)
    assert all("import " not in script and "fetch(" not in script for script in scripts)


def test_words_of_players_stay_words(researcher):
    play = play_on(dealt("avalon", "recon", 6), 3)
    match = stored(play, room=Room.objects.create(game="avalon", preset="recon", host="ann"))
    match.thoughts.update(reply=ILL, data={"why": ILL, "value": {ILL: ILL}})
    match.prompt_texts.update(text=ILL)
    match.sitters.update(name=ILL)
    Match.objects.filter(pk=match.pk).update(erasures=1, seating=7)
    text = file_of(researcher, Match.objects.get(pk=match.pk), "all")
    assert "alert(1)" in text
    assert text.lower().count("<script") == len(saved.SCRIPTS) + 2 and "<img" not in text
