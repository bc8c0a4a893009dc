"""The admin pages: what admins keep, what they look into, and what nobody sees there."""

import json
from html import unescape

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from agents.models import AgentProfile
from games.files import setting_files
from games.match import writer
from games.models import GameSetting, Match
from magic_site.rights import ADMIN
from tests.games.matches import dealt, exported_text, play_on, stored, visitor

pytestmark = pytest.mark.django_db

PROFILE = {
    "title": "Model A",
    "name": "model-a",
    "provider": "openai",
    "key_env": "OPENAI_API_KEY",
    "model": "model-a",
    "method": "direct",
    "settings": "{}",
    "switches": "{}",
    "active": "on",
}


def sign_in(client: Client) -> Client:
    user, new = User.objects.get_or_create(username="admin", is_staff=True)
    if new:
        user.groups.add(Group.objects.get(name=ADMIN))
    client.force_login(user)
    return client


@pytest.fixture
def admin() -> Client:
    return sign_in(Client())


@pytest.fixture
def match() -> Match:
    return stored(play_on(dealt("undercover", "magic", 3)))


# Settings of games --------------------------------------------------------------------------------------------------


def add_setting(admin: Client, **data):
    form = {"game": "undercover", "name": "drinks", "active": "on"} | {k: json.dumps(v) for k, v in data.items()}
    return admin.post("/admin/games/gamesetting/add/", form)


def test_a_pair_of_words_is_added(admin):
    add_setting(admin, data={"civilian_word": "tea", "undercover_word": "coffee"})
    assert GameSetting.objects.get().data["undercover_word"] == "coffee"
    assert "tea · coffee" in admin.get("/admin/games/gamesetting/").content.decode()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"civilian_word": "tea"}, "&#x27;undercover_word&#x27; is missing"),
        ({"civilian_word": "tea", "undercover_word": "teas"}, "must differ"),
        ({"civilian_word": "tea", "undercover_word": "coffee", "topic": "drinks"}, "has no &#x27;topic&#x27;"),
        ([1, 2], "a set of named values"),
    ],
)
def test_a_pair_that_cannot_be_played_is_refused_with_the_rules_reason(admin, data, reason):
    response = add_setting(admin, data=data)
    assert reason in response.content.decode()
    assert not GameSetting.objects.exists()


def test_a_setting_for_one_size_of_table_alone_is_taken(admin):
    add_setting(admin, data={"civilian_word": "tea", "undercover_word": "coffee", "undercovers": [2, 4]})
    assert GameSetting.objects.exists()


# Settings as files ---------------------------------------------------------------------------------------------------

TABLE = "game,name,origin,active,civilian_word,undercover_word\n"
CHANGELIST, IMPORT = "/admin/games/gamesetting/", "/admin/games/gamesetting/import/"


def give_file(admin: Client, content: str | bytes, name: str = "pairs.csv") -> str:
    content = content if isinstance(content, bytes) else content.encode()
    response = admin.post(IMPORT, {"file": SimpleUploadedFile(name, content)}, follow=True)
    assert response.status_code == 200
    return unescape(response.content.decode())


def test_a_file_of_settings_is_stored_and_replaces_what_is_known(admin):
    assert "1 new, 0 replaced." in give_file(admin, TABLE + "undercover,drinks,ours,yes,tea,coffee\n")
    again = TABLE + "undercover,drinks,ours,yes,tea,cocoa\nundercover,pets,ours,no,cat,dog\n"
    assert "1 new, 1 replaced." in give_file(admin, "\ufeff" + again)
    assert GameSetting.objects.get(name="drinks").data["undercover_word"] == "cocoa"
    assert not GameSetting.objects.get(name="pets").active


def test_the_list_leads_to_the_import(admin):
    assert f'href="{IMPORT}"' in admin.get(CHANGELIST).content.decode()
    assert "one mistake" in admin.get(IMPORT).content.decode()


def test_mistakes_in_a_file_stand_beside_it_by_line_and_nothing_is_stored(admin):
    rows = "undercover,drinks,ours,yes,tea,coffee\nundercover,b,ours,yes,tea,tea\nludo,c,ours,yes,tea,milk\n"
    page = give_file(admin, TABLE + rows)
    assert "Nothing was stored." in page
    assert "Line 3: The two words must differ." in page and "Line 4: There is no game of that name." in page
    assert not GameSetting.objects.exists()


def test_a_file_that_is_large_enough_to_be_refused_reaches_the_form(settings):
    assert setting_files.MOST_BYTES < settings.MOST_BYTES_OF_A_BODY


@pytest.mark.parametrize(
    ("content", "name", "sentence"),
    [
        (TABLE, "pairs.xlsx", "This is neither a .json nor a .csv file."),
        (b"\xff\xfe\x00", "pairs.csv", "This is not a text file in UTF-8."),
        ("[" + " " * 2_000_000 + "]", "pairs.json", "This file is too large: 2 MB are enough."),
        (TABLE + "ludo,a,,yes,,\n" * 23, "pairs.csv", "And 3 more."),
        (b"", "pairs.csv", "The submitted file is empty."),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_a_sentence(admin, content, name, sentence):
    assert sentence in give_file(admin, content, name)
    assert not GameSetting.objects.exists()


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_exported_settings_come_in_as_they_were(admin, kind):
    give_file(admin, TABLE + "undercover,drinks,ours,yes,tea,coffee\nundercover,pets,ours,no,cat,dog\n")
    before = list(GameSetting.objects.order_by("name").values("game", "name", "data", "origin", "active"))
    chosen = list(GameSetting.objects.values_list("pk", flat=True))
    file = admin.post(CHANGELIST, {"action": f"export_{kind}", "_selected_action": chosen})
    assert f'filename="settings.{kind}"' in file["Content-Disposition"]
    GameSetting.objects.all().delete()
    give_file(admin, file.content, f"settings.{kind}")
    assert list(GameSetting.objects.order_by("name").values("game", "name", "data", "origin", "active")) == before


def test_who_may_only_look_at_settings_cannot_bring_any(admin):
    user = User.objects.create_user("looker", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="view_gamesetting"))
    client = Client()
    client.force_login(user)
    assert client.get(IMPORT).status_code == 403
    assert IMPORT not in client.get(CHANGELIST).content.decode()


# Agent profiles -----------------------------------------------------------------------------------------------------


def test_a_profile_is_added_and_its_key_is_never_shown(admin, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "a-very-secret-value")
    admin.post("/admin/agents/agentprofile/add/", PROFILE)
    profile = AgentProfile.objects.get(name="model-a")
    for address in ("/admin/agents/agentprofile/", f"/admin/agents/agentprofile/{profile.pk}/change/"):
        page = admin.get(address).content.decode()
        assert "a-very-secret-value" not in page
    assert "is set" in admin.get("/admin/agents/agentprofile/").content.decode()


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("key_env", "sk-1234567890", "must end in _API_KEY"),
        ("key_env", "SECRET_KEY", "must end in _API_KEY"),
        ("model", "", "Which of the provider"),
        ("method", "house", "House agents have their own method"),
        ("settings", '{"api_key": "sk-1"}', "Unknown model setting: api_key"),
        ("settings", "[1]", "named values in braces"),
        ("switches", "[1]", "a set of named values"),
    ],
)
def test_a_profile_that_cannot_work_is_refused(admin, field, value, reason):
    response = admin.post("/admin/agents/agentprofile/add/", PROFILE | {field: value})
    assert reason in response.content.decode()
    assert not AgentProfile.objects.filter(name="model-a").exists()


# Matches and logs ---------------------------------------------------------------------------------------------------

LOGS = ["match", "event", "thought", "attempt"]


@pytest.mark.parametrize("kind", LOGS)
def test_logs_are_listed_and_cannot_be_changed(admin, match, kind):
    assert admin.get(f"/admin/games/{kind}/").status_code == 200
    assert admin.get(f"/admin/games/{kind}/add/").status_code == 403
    row = {"match": match, "event": match.events.first(), "thought": match.thoughts.first()}.get(kind)
    if row is not None:
        page = admin.get(f"/admin/games/{kind}/{row.pk}/change/")
        assert page.status_code == 200
        assert "_save" not in page.content.decode()
        assert admin.post(f"/admin/games/{kind}/{row.pk}/change/", {"seat": 2}).status_code == 403
        assert admin.post(f"/admin/games/{kind}/{row.pk}/delete/", {"post": "yes"}).status_code == 403


def test_a_persons_key_is_on_no_page(admin, match):
    writer.reseat(match, 1, person="the-key-of-ann")
    for address in ("/admin/games/match/", f"/admin/games/match/{match.pk}/change/"):
        assert "the-key-of-ann" not in admin.get(address).content.decode()


@pytest.mark.parametrize("kind", LOGS)
def test_of_a_match_that_the_admin_sits_in_nothing_is_shown_while_it_runs(kind):
    running = stored(play_on(dealt("undercover", "magic", 3), 3))
    shown = f"/admin/games/{kind}/?q={running.pk}"
    count = {"match": 1, "event": running.events.count(), "thought": running.thoughts.count(), "attempt": 0}[kind]
    assert sign_in(visitor("eve")).get(shown).context["cl"].result_count == count
    assert sign_in(visitor("ann")).get(shown).context["cl"].result_count == 0
    if count:
        row = running if kind == "match" else getattr(running, f"{kind}s").first()
        assert sign_in(visitor("ann")).get(f"/admin/games/{kind}/{row.pk}/change/").status_code == 302


def download(admin: Client, *matches: Match):
    chosen = [str(match.pk) for match in matches]
    return admin.post("/admin/games/match/", {"action": "download", "_selected_action": chosen})


def test_one_match_is_downloaded_as_its_log(admin, match):
    assert download(admin, match).content.decode() == exported_text(match)


def test_several_matches_are_taken_away_as_an_export(admin, match):
    other = stored(play_on(dealt("avalon", "recon", 6)))
    answer = download(admin, match, other)
    assert answer.url.startswith("/exports/new/?match=") and str(match.pk) in answer.url and str(other.pk) in answer.url


def test_who_is_no_admin_sees_no_admin_page(match):
    assert Client().get("/admin/games/match/").status_code == 302
