"""Keeping order: what an admin orders at a running table is done, and stands in its log and audit with a reason."""

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from agents.models import AgentProfile
from games.audit import Audited
from games.files import log_files
from games.match import erasing, store
from games.match.rows import MatchSeat
from games.models import GameSetting, Match
from games.refused import Refused
from games.room import chairs, orders, rooms
from tests.games.matches import exported, visitor

pytestmark = pytest.mark.django_db

WHY = "Ann went home."
PEOPLE = {"ann": "Ann", "ben": "Ben"}


@pytest.fixture
def match() -> Match:
    """A match that Ann, the host, and Ben play with three agents."""
    return started()


def started(**settings) -> Match:
    AgentProfile.objects.get_or_create(name="house", defaults={"title": "House agent"})
    words = {"civilian_word": "coffee", "undercover_word": "tea"}
    GameSetting.objects.get_or_create(game="undercover", name="drinks", defaults={"data": words})
    room = rooms.open_room(
        game="undercover", preset="party", seats=5, person="ann", name="Ann", options={"discussion": "none"}, **settings
    )
    chairs.sit(room, "ben", "Ben")
    chairs.fill(room, "ann", "house")
    return rooms.start(room, "ann")


def account(name: str, group: str | None = "admin") -> User:
    user = User.objects.create_user(name)
    if group:
        user.groups.add(Group.objects.get(name=group))
    return user


def keeper(person: str = "eve") -> Client:
    client = visitor(person)
    client.force_login(account("ada"))
    return client


def page(match: Match) -> str:
    return f"/desk/tables/{match.room.code}/"


def order(browser: Client, match: Match, what: str, reason: str = WHY, **more):
    return browser.post(page(match), {"match": str(match.pk), "order": what, "reason": reason} | more)


def last(match: Match):
    event = match.events.order_by("-seq").first()
    return event.kind, event.seat, event.data


def waits(match: Match):
    return next(request for request in store.load(match).state.open.values() if request.waits)


# Who may ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["/desk/tables/", "table"])
@pytest.mark.parametrize(
    ("group", "status"), [(None, 403), ("researcher", 403), ("rater", 403), ("admin", 200), ("nobody", 302)]
)
def test_only_admins_keep_order(match, address, group, status):
    browser = visitor("eve")
    if group != "nobody":
        browser.force_login(account("ada", group))
    at = page(match) if address == "table" else address
    assert browser.get(at).status_code == status
    if address == "table":
        length = match.events.count()
        given = order(browser, match, "pause")
        assert given.status_code == 302 if status in (200, 302) else given.status_code == status
        assert match.events.count() == length + (status == 200)


def test_an_order_needs_a_token(match):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(account("ada"))
    assert order(browser, match, "void").status_code == 403
    assert Match.objects.get().status == "running"


def test_nobody_keeps_order_in_a_match_that_they_play(match):
    browser = keeper("ben")
    assert "You play in this match" in browser.get(page(match)).content.decode()
    assert order(browser, match, "void").status_code == 422
    assert Match.objects.get().status == "running"


# What is seen -------------------------------------------------------------------------------------------------------


def test_the_list_tells_who_is_waited_for_and_chooses(match):
    browser, name = keeper(), match.names()[waits(match).seat]
    shown = browser.get("/desk/tables/").content.decode()
    assert match.room.code in shown and f"<b>{name}</b>" in shown
    store.pause(match.pk)
    for given, there in (
        ({"state": "paused"}, True),
        ({"state": "long"}, False),
        ({"game": "avalon"}, False),
        ({"game": "undercover", "words": "BEN"}, True),
        ({"words": "Quixotica"}, False),
    ):
        assert (match.room.code in browser.get("/desk/tables/", given).content.decode()) is there, given


def test_a_table_that_its_person_left_is_found(match):
    browser = keeper()
    store.change(match.pk, lambda play: [])
    chairs.leave(match.room, "ann")
    assert match.room.code in browser.get("/desk/tables/", {"state": "left"}).content.decode()


def test_nothing_hidden_is_shown(match):
    browser = keeper()
    shown = (browser.get(page(match)).content + browser.get("/desk/tables/").content).decode().casefold()
    assert not [secret for secret in ("coffee", "tea", "civilian") if secret in shown]
    hidden = started(agents_named=False)
    shown = browser.get(page(hidden)).content.decode()
    assert ">agent<" not in shown and "away" not in shown.split("Seats")[1]
    assert Audited.objects.filter(what="looked").count() == 0


# Orders -------------------------------------------------------------------------------------------------------------


def test_each_order_is_in_the_log_in_the_replay_and_in_the_audit(match):
    """Walks all orders that there are."""
    browser, seat = keeper(), waits(match).seat
    ann = match.seat_of("ann")
    given = {
        "pause": ("pause", {}),
        "resume": ("resume", {}),
        "move_on": (f"move_on {waits(match).id}", {}),
        "replace": (f"replace {seat}", {f"agent {seat}": "house"}),
        "free": (f"free {ann}", {}),
        "end": ("end", {}),
        "void": ("void", {}),
    }
    kinds = ("paused", "resumed", "moved_on", "taken_over", "taken_over", "ended", "ended")
    assert given.keys() == orders.ORDERS.keys()
    reasons = {}
    for (name, (what, more)), kind in zip(given.items(), kinds, strict=True):
        one = started() if name == "void" else match
        reasons[name] = f"Because of {name}."
        if name == "void":
            more = {}
        known = one.events.count()
        assert order(browser, one, what, reasons[name], **more).status_code == 302, name
        event = one.events.filter(seq__gt=known, kind=kind).get()
        assert reasons[name] in event.data["reason"]
        told = browser.get(f"/m/{one.pk}/").content.decode()
        assert reasons[name] in told
        log_files.read_log(exported(one), unfinished=True)
    noted = list(Audited.objects.filter(what="table").order_by("pk").values_list("about", "details__reason"))
    assert noted == list(reasons.items())
    assert set(Match.objects.values_list("status", flat=True)) == {"abandoned", "void"}


@pytest.mark.parametrize("reason", ["", "   ", "x" * 201])
def test_without_a_reason_nothing_is_done_and_nothing_typed_is_lost(match, reason):
    answer = order(keeper(), match, "void", reason)
    assert answer.status_code == 422 and Match.objects.get().status == "running"
    assert reason.strip() in answer.content.decode() and "eason" in answer.content.decode()
    assert Audited.objects.filter(what="table").count() == 0


@pytest.mark.parametrize("what", ["", "dance", "replace 77", "replace x", "free 0", "free 99", "move_on 1:1:clue"])
def test_what_cannot_be_done_is_a_sentence(match, what):
    length = match.events.count()
    assert order(keeper(), match, what).status_code == 422
    assert match.events.count() == length


def test_an_order_for_a_match_that_is_over_comes_too_late(match):
    browser = keeper()
    assert order(browser, match, "end").status_code == 302
    for key in (str(match.pk), "x", "0" * 36):
        answer = browser.post(page(match), {"match": key, "order": "void", "reason": WHY})
        assert answer.status_code == 422
    match.refresh_from_db()
    assert match.status == "abandoned"


def test_the_host_cannot_let_go_on_what_an_admin_paused(match):
    order(keeper(), match, "pause")
    host = visitor("ann")
    answer = host.post(f"/t/{match.room.code}/resume/")
    assert answer.status_code == 409 and "An admin paused this table" in answer.content.decode()
    assert "resume/" not in host.get(f"/t/{match.room.code}/").content.decode()
    store.resume(match.pk, "It is fine.")
    store.pause(match.pk)
    assert host.post(f"/t/{match.room.code}/resume/").status_code == 302


def test_the_usual_move_is_made_at_once(match):
    request = waits(match)
    order(keeper(), match, f"move_on {request.id}")
    answered = match.events.get(request=request.id)
    assert answered.by == "default"
    assert match.events.get(seq=answered.seq - 1).kind == "moved_on"


def test_another_agent_may_take_over_an_agent_s_seat_and_its_moves_are_another_s(match):
    agent = next(sitter.seat for sitter in match.seated if sitter.agent)
    order(keeper(), match, f"replace {agent}", **{f"agent {agent}": "house"})
    taken = match.events.get(kind="taken_over")
    assert (taken.seat, taken.data) == (agent, {"by": "house", "reason": WHY})


def test_where_agents_are_not_named_only_the_audit_knows_who_took_a_seat():
    hidden = started(agents_named=False)
    length, ann = hidden.events.count(), hidden.seat_of("ann")
    browser = keeper()
    assert order(browser, hidden, f"replace {ann}", **{f"agent {ann}": "house"}).status_code == 302
    hidden.refresh_from_db()
    assert hidden.events.count() == length and hidden.unseen_stand_ins() == {ann: "house"}
    assert Audited.objects.get(what="table").details == {"reason": WHY, "seat": ann}
    assert order(browser, hidden, f"free {ann}").status_code == 422


# A seat for another person ------------------------------------------------------------------------------------------


@pytest.fixture
def freed(match) -> Match:
    assert order(keeper(), match, f"free {match.seat_of('ann')}").status_code == 302
    match.refresh_from_db()
    return match


def test_a_freed_seat_is_played_on_by_another_person(match):
    ann = match.seat_of("ann")
    order(keeper(), match, f"free {ann}")
    match.refresh_from_db()
    assert match.seat_of("ann") is None and match.room.host == "ben"
    cleo = visitor("cleo")
    at = f"/t/{match.room.code}/"
    assert "sit/" in cleo.get(at).content.decode()
    assert "sit/" not in visitor("ann").get(at).content.decode()
    assert cleo.post(f"{at}sit/", {"name": "Cleo"}).status_code == 302
    match.refresh_from_db()
    assert match.seat_of("cleo") == ann and last(match) == ("handed_over", ann, {})
    assert "sit/" not in visitor("dora").get(at).content.decode()
    assert 'id="card"' in cleo.get(at).content.decode()


def test_who_was_sent_from_it_and_who_has_seen_what_is_hidden_do_not_sit_down_there(freed):
    with pytest.raises(Refused, match="asked you to leave"):
        chairs.sit(freed.room, "ann", "Ann")
    researcher = visitor("rita")
    researcher.force_login(account("rita", "researcher"))
    researcher.get(f"/m/{freed.pk}/", {"as": "all"})
    answer = researcher.post(f"/t/{freed.room.code}/sit/", {"name": "Rita"})
    assert answer.status_code == 409 and "You have seen what is hidden" in answer.content.decode()
    with pytest.raises(Refused, match="being played"):
        chairs.sit(freed.room, "cleo", "Cleo", freed.seat_of("ben"))


def test_who_had_a_seat_before_is_erased_from_it_too(freed):
    ann = MatchSeat.objects.get(match=freed, former="ann").seat
    chairs.sit(freed.room, "cleo", "Cleo")
    with pytest.raises(ValueError, match="still play"):
        erasing.erase("ann")
    store.end(freed.pk, "abandoned", WHY)
    assert erasing.erase("ann").matches == 1
    freed.refresh_from_db()
    assert freed.names()[ann] == f"Player {ann}"
    assert freed.events.get(kind="ended").data["reason"] == f"Player {ann} went home."
    assert MatchSeat.objects.exclude(former="").count() == 0


def test_what_the_next_person_does_counts_for_nobody(freed):
    from evaluation.counting import stored

    seat = freed.freed().pop()
    chairs.sit(freed.room, "cleo", "Cleo")
    while not (play := store.load(freed)).over:
        request = next(iter(play.state.open.values()))
        by = "person" if freed.seated[request.seat - 1].kind == "person" else "agent:house"
        fields = {"text": f"clue {len(play.log)}"} if request.kind == "clue" else {"seat": request.fields[0].seats[0]}
        assert store.act(freed.pk, request.seat, request.id, fields, by)
    (record,) = stored.records(Match.objects.all())
    makers = {(event.seat == seat, record.maker(event)) for event in record.of("clue", "vote")}
    assert makers == {(True, "other"), (False, "own")}
