"""The API: programs play by keys as people do by pages, and are told what their person may know and no more."""

import random
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group, User
from django.core.management import call_command
from django.test import Client

from games.audit import Audited
from games.match import store, writer
from games.models import ApiKey, Match, Room
from games.room import accounts, api_keys, membership
from games.rules import schema
from games.rules.random_play import random_action
from games.web.api import callers, shapes
from magic_site import clock
from tests.games.matches import WORDS
from tests.games.tables import asked, browser, match_at, play_out, room_of
from tests.programs import Program, key_of, path_of, program

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    return match_at(room_of(listed=False))


def test_a_table_is_opened_joined_and_played_to_its_end_by_programs_alone(fixtures):
    programs = {name: program(f"key-{name}") for name in ("Ann", "Ben", "Cleo")}
    opened = programs["Ann"].send("tables/", game="undercover", preset="magic", seats=3, name="Ann")
    assert opened.status_code == 201
    table = opened.json()
    path, key = f"tables/{table['code']}/", table["link"].partition("?key=")[2]
    assert programs["Ann"].send(path + "start/").json()["detail"] == (
        "2 seats are still free. Wait for friends or fill them with agents."
    )
    for name in ("Ben", "Cleo"):
        assert programs[name].send(path + "sit/", name=name, key=key).json()["chair"]
    assert programs["Ann"].ask(path + "observation/").json()["match"] is None
    assert programs["Ann"].send(path + "start/").json()["status"] == "running"
    rng, status = random.Random(1), "running"
    while status == "running":
        for one in programs.values():
            seen = one.ask(path + "observation/").json()["match"]
            status = seen["status"]
            for request in seen["requests"]:
                match = Match.objects.get(pk=seen["match"])
                action = random_action(store.load(match), asked(match, seen["seat"]), rng, WORDS)
                answer = {"match": seen["match"], "request": request["id"], "action": action}
                assert one.send(path + "act/", **answer).json()["events"] >= 1
                assert one.send(path + "act/", **answer).json()["events"] == 0, "the same answer again adds nothing"
    assert seen["outcome"]["result"]
    assert {event["kind"] for event in seen["events"]} >= {"opened", "dealt", "clue", "vote", "finished"}


def test_a_seat_is_told_its_own_word_and_nobody_elses(match):
    assert program("key-1").ask(path_of(match) + "observation/").json()["match"]["card"] == {"word": "coffee"}
    for secret in (key_of("key-1"), key_of("key-3")):
        answers = [Program(secret).ask(path_of(match) + "observation/")]
        answers += [Program(secret).ask(f"matches/{match.pk}/{rest}") for rest in ("", "log/")]
        words = {word for word in ("coffee", "tea") for answer in answers if word in answer.content.decode()}
        assert len(words) == 1
    stranger = program("nobody", "read")
    assert stranger.ask(path_of(match)).status_code == 200
    assert "coffee" not in stranger.ask(f"matches/{match.pk}/").content.decode()
    for viewer in ("1", "all"):
        assert stranger.get(f"/api/v1/matches/{match.pk}/?as={viewer}").status_code == 403


def test_what_is_hidden_needs_the_scope_and_the_right(match):
    user = User.objects.create_user("ada")
    user.groups.add(Group.objects.get(name="researcher"))
    person = accounts.person_of(user, None)
    sees, reads = (Program(key_of(person, scope, "read", user=user)) for scope in ("read_hidden", "play"))
    whole = sees.get(f"/api/v1/matches/{match.pk}/?as=all")
    assert whole.status_code == 200 and "tea" in whole.content.decode()
    assert Audited.objects.filter(what="looked", account=user, match=match.pk).count() == 1
    assert reads.get(f"/api/v1/matches/{match.pk}/?as=all").status_code == 403
    assert sees.ask(f"matches/{match.pk}/thoughts/").json() == {"thoughts": []}
    membership.change(user, (), False, User.objects.create_superuser("root"))
    assert sees.ask("games/").status_code == 401, "an account that was switched off has no keys"


def test_who_plays_sees_no_more_whatever_key_they_show(match):
    user = User.objects.create_user("ada")
    user.groups.add(Group.objects.get(name="researcher"))
    accounts.person_of(user, "key-1")
    one = Program(key_of("key-1", user=user))
    assert one.get(f"/api/v1/matches/{match.pk}/?as=all").status_code == 403
    assert one.ask(f"matches/{match.pk}/thoughts/").status_code == 403
    assert "tea" not in one.ask(f"matches/{match.pk}/log/").content.decode()


def test_only_later_events_are_told_and_another_match_is_told_whole(match):
    one, path = program("key-1"), path_of(match) + "observation/"
    whole = one.ask(path).json()["match"]
    seq = whole["seq"]
    assert one.ask(path, after=seq, match=whole["match"]).json()["match"]["events"] == []
    assert one.ask(path, after=seq, match="another").json()["match"]["events"] == whole["events"]


def test_a_refused_move_says_why_as_the_page_does(match):
    one, move = program("key-1"), {"match": str(match.pk), "request": asked(match, 1).id}
    refused = one.send(path_of(match) + "act/", **move, action={"text": "coffee"})
    assert refused.status_code == 422 and "holds your word" in refused.json()["detail"]
    anothers = one.send(path_of(match) + "act/", **move | {"request": "5:2:clue"})
    assert (anothers.status_code, anothers.json()["code"]) == (403, "not_yours")
    other = one.send(path_of(match) + "act/", **move | {"match": "0" * 8 + "-0000-4000-8000-" + "0" * 12})
    assert (other.status_code, other.json()["detail"]) == (422, "match: This is no match of this table.")
    skipped = one.send(path_of(match) + "act/", **move, skip=True)
    assert (skipped.status_code, skipped.json()["code"]) == (422, "malformed") and "poll" in skipped.json()["detail"]
    other_name = one.send(path_of(match) + "act/", **move, action={"txt": "warm"})
    assert other_name.json()["detail"] == "'text' is missing."
    stranger = program("nobody").send(path_of(match) + "act/", **move, action={"text": "warm"})
    assert (stranger.status_code, stranger.json()["code"]) == (403, "not_seated")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 400, "not_json"),
        (b"[" * 5000, 400, "not_json"),
        (b'{"match": "\\u0000"}', 400, "not_json"),
        (b"\xff", 400, "not_json"),
        (b"[]", 422, "malformed"),
        (b"{}", 422, "malformed"),
        (b'{"match": 1, "request": [], "action": 3}', 422, "malformed"),
    ],
)
def test_bad_bodies_are_answered_by_a_sentence(match, body, status, code):
    one = program("key-1")
    answer = one.post(f"/api/v1/{path_of(match)}act/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (status, code) and answer.json()["detail"]


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        (
            {"game": "undercover", "name": "Ann", "optoins": {}},
            "optoins: There is no such field. Did you mean options?",
        ),
        ({"game": "undercover", "name": "Ann", "x": 1}, "x: There is no such field. There are: game, preset, seats, "),
        ({"game": "undercover", "name": "Ann", "options": "all"}, "options: Send an object of JSON here"),
        ({"game": "undercover", "name": "Ann", "preset": "none"}, "preset: Say which of these ways to play"),
        ({"name": "Ann"}, "game: This field is required."),
        ({"game": "undercover", "name": "Ann", "options": [1]}, "options: "),
        ({"game": "undercover", "name": "Ann", "options": {"reveal_out": "no"}}, "reveal_out: "),
    ],
)
def test_what_is_wrong_with_a_body_is_told_with_the_name_of_its_field(sent, sentence):
    assert program("key-1").send("tables/", **sent).json()["detail"].startswith(sentence)
    assert not Room.objects.exists()


def test_where_there_is_nothing_a_program_is_told_so_in_its_own_way(match):
    one = program("key-1")
    for path in ("nothing/", "tables/%0A/", "tables/NONE-1111/", f"matches/{match.pk}/nothing/"):
        assert (one.ask(path).status_code, one.ask(path).json()["code"]) == (404, "not_found")
    assert one.send("games/").status_code == 405
    plain = one.post("/api/v1/tables/", "x=1", content_type="text/plain")
    assert plain.status_code == 415 and plain.json()["detail"].endswith("Content-Type: application/json")
    assert "/api/v1/games/" in one.ask("games").json()["detail"] and one.ask("games").status_code == 404
    assert one.ask("").json()["addresses"]["/api/v1/tables/"] == ["GET", "POST"]


def test_a_match_that_is_over_is_told_once_and_is_then_known(match):
    one, path = program("key-1"), f"matches/{match.pk}/"
    assert "ETag" not in one.ask(path).headers
    play_out(match)
    told = one.ask(path)
    known = {"headers": {"If-None-Match": told["ETag"]}}
    assert told.json()["status"] == "finished" and one.get(f"/api/v1/{path}", **known).status_code == 304
    assert one.get(f"/api/v1/{path}?as=2", **known).status_code == 200, "another viewer's is another answer"
    writer.reseat(match, 1, name="Another")
    assert one.get(f"/api/v1/{path}", **known).status_code == 200


def test_matches_are_listed_page_by_page_as_their_caller_may_see_them(match):
    play_out(match)
    assert program("nobody").ask("matches/").json()["results"] == [], "an unlisted table is no stranger's to find"
    (row,) = program("key-1").ask("matches/").json()["results"]
    assert row["id"] == str(match.pk) and "all" in row["views"]
    (row,) = program("key-1", "read").ask("matches/", game="undercover").json()["results"]
    assert "all" not in row["views"]
    assert program("key-1").ask("matches/", game="avalon").json() == {"results": [], "older": "", "newer": ""}


def test_too_many_calls_are_told_when_to_come_back(match, monkeypatch):
    monkeypatch.setitem(callers.Knocks.limits, True, callers.READING._replace(tries=1, seconds=3600))
    one = program("key-1")
    assert one.ask("games/").status_code == 200
    late = one.ask("games/")
    assert (late.status_code, late["Retry-After"], late.json()["code"]) == (429, "3600", "too_often")


def test_options_are_offered_as_a_schema_and_what_does_not_fit_is_refused(fixtures):
    one = program("key-Ann")
    (game,) = [game for game in one.ask("games/").json() if game["name"] == "undercover"]
    party = next(preset for preset in game["presets"] if preset["name"] == "party")
    assert party["options"]["properties"]["undercovers"]["type"] in ("integer", ["integer", "null"])
    table = {"game": "undercover", "preset": "party", "seats": 6, "name": "Ann"}
    opened = one.send("tables/", **table, options={"undercovers": 2})
    assert opened.status_code == 201 and Room.objects.get().options == {"undercovers": 2}
    for options in ({"undercovers": "many"}, {"scripted": [1]}, {"undercovers": 99}):
        assert one.send("tables/", **table, options=options).status_code == 422
    assert one.send("tables/", **table | {"preset": "none"}).status_code == 422


@pytest.mark.parametrize(
    ("path", "asked", "sentence"),
    [
        ("tables/CODE/observation/", {"after": "abc"}, "after: Give a whole number."),
        ("tables/CODE/observation/", {"wait": "soon"}, "wait: Give a whole number."),
        ("tables/CODE/observation/", {"afer": "1"}, "afer: There is no such field. Did you mean after?"),
        ("tables/CODE/", {"x": "1"}, "x: There is no such field. "),
        ("matches/", {"at": "zzz"}, "at: This names no page."),
        ("matches/", {"game": "chess"}, "game: "),
        ("matches/MATCH/", {"as": "me"}, "as: This cannot be read."),
        ("profiles/", {"at": "older~x~y"}, "at: This names no page."),
        ("competitions/", {"at": "zzz"}, "at: This names no page."),
        ("numbers/wins/", {"since": "yesterday"}, "since: "),
        ("audit/", {"match": "x", "at": "zzz"}, "match: "),
    ],
)
def test_what_cannot_be_read_in_an_address_is_refused_with_the_name_of_its_field(match, path, asked, sentence):
    root = User.objects.create_superuser("root")
    one = Program(key_of(accounts.person_of(root, None), user=root))
    answer = one.ask(path.replace("CODE", match.room.code).replace("MATCH", str(match.pk)), **asked)
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed")
    assert answer.json()["detail"].startswith(sentence)


def test_what_is_refused_has_the_status_of_why(fixtures, match):
    host, guest = program("key-1"), program("key-3")
    path = path_of(match)
    told = {verb: guest.send(path + verb).json() for verb in ("fill/", "start/", "end/", "rematch/")}
    assert {verb: (one["status"], one["title"]) for verb, one in told.items()} == {
        "fill/": (403, "Not allowed"),
        "start/": (403, "Not allowed"),
        "end/": (403, "Not allowed"),
        "rematch/": (409, "Not now"),
    }
    assert "being played" in told["rematch/"]["detail"]
    assert host.send(path + "sit/").json()["chair"] == 1, "who sits needs no name"
    few = host.send("tables/", game="avalon", preset="classic", seats=3, name="Ann").json()
    assert (few["status"], few["title"], few["code"]) == (422, "Not like this", "malformed")
    assert host.send(path + "start/", agent="house").json()["detail"].startswith("agent: There is no such field")
    assert host.send(path + "end/").json()["status"] == "abandoned"
    assert host.send(path + "end/").json()["detail"] == "No match is being played here."


def test_a_key_for_what_is_hidden_reads_a_match_and_another_is_told_which_scope_it_lacks(match):
    user = User.objects.create_user("ada")
    user.groups.add(Group.objects.get(name="researcher"))
    person, path = accounts.person_of(user, None), f"matches/{match.pk}/"
    assert Program(key_of(person, "read_hidden", user=user)).get(f"/api/v1/{path}?as=all").status_code == 200
    reads = Program(key_of(person, "read", user=user)).get(f"/api/v1/{path}?as=all")
    scope = str(api_keys.SCOPES["read_hidden"].title)
    assert reads.status_code == 403 and reads.json()["detail"] == f"This needs a key with the scope “{scope}”."


# Keys ---------------------------------------------------------------------------------------------------------------


def test_a_key_is_shown_once_kept_as_a_digest_and_withdrawn(client):
    person = browser("key-1", "Ann")
    made = person.post("/keys/", {"title": "my bot", "scopes": ["play", "read"], "days": "30"}).content.decode()
    secret = made.partition('id="secret" readonly value="')[2].partition('"')[0]
    key = ApiKey.objects.get()
    assert secret.startswith("magic_") and secret not in str(ApiKey.objects.values())
    assert secret not in person.get("/keys/").content.decode() and "my bot" in person.get("/keys/").content.decode()
    assert "my bot" not in browser("key-2").get("/keys/").content.decode()
    assert Program(secret).ask("tables/").status_code == 200
    key.refresh_from_db()
    assert key.used_at and key.person == "key-1" and key.scopes == ["play", "read"]
    browser("key-2").post(f"/keys/{key.pk}/withdraw/")
    assert Program(secret).ask("tables/").status_code == 200, "nobody else withdraws it"
    person.post(f"/keys/{key.pk}/withdraw/")
    assert Program(secret).ask("tables/").status_code == 401
    about = Audited.objects.filter(what="rights").order_by("pk").values_list("about", "details")
    assert list(about) == [
        (f"API key {key.pk}", {"made": ["play", "read"]}),
        (f"API key {key.pk}", {"withdrawn": ["play", "read"]}),
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        {"title": ""},
        {"title": "\0"},
        {"title": "x" * 61},
        {"scopes": []},
        {"scopes": ["root"]},
        {"days": "9"},
        {"days": "x"},
    ],
)
def test_a_key_that_says_too_little_is_not_made(wrong):
    answer = browser("key-1").post("/keys/", {"title": "a", "scopes": ["play"], "days": "30"} | wrong)
    assert answer.status_code == 422 and 'role="alert"' in answer.content.decode() and not ApiKey.objects.exists()


def test_a_key_ends_and_one_person_has_so_many():
    secret = key_of("key-1")
    ApiKey.objects.update(ends_at=clock.now() - timedelta(seconds=1))
    assert api_keys.find(secret) is None
    for _ in range(api_keys.MOST):
        key_of("key-1")
    with pytest.raises(api_keys.Refused, match="Withdraw one"):
        key_of("key-1")
    api_keys.forget("key-1")
    assert not ApiKey.objects.exists()


def test_keys_of_a_browser_go_on_with_the_account_that_signs_in_there():
    secret = key_of("browser")
    user = User.objects.create_user("ada")
    first = accounts.person_of(user, None)
    accounts.person_of(user, "browser")
    assert api_keys.find(secret).person == first


def test_thoughts_are_described_field_by_field():
    assert list(shapes.ThoughtShape().fields) == list(schema.names(schema.Thought))


def test_the_openapi_file_in_the_repository_is_what_the_site_serves(tmp_path):
    call_command("spectacular", file=str(tmp_path / "openapi.yaml"), validate=True, fail_on_warn=True)
    with open("docs/openapi.yaml") as kept:  # noqa: PTH123
        assert kept.read() == (tmp_path / "openapi.yaml").read_text(), "write it anew: manage.py spectacular"


def test_the_page_for_programs_says_how_it_goes():
    page = Client().get("/api/").content.decode()
    assert "/api/v1/tables/CODE/observation/" in page and "/keys/" in page
