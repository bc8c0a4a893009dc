"""A table's own words: how lines are read, what is said of them, and who may know what is drawn."""

import hashlib
import re
from html import unescape

import pytest
from django.contrib.auth.models import User

from agents.house import embedding
from agents.house.words import network
from games.match import store
from games.models import Match, Room
from games.registry import RULES
from games.room import own_words
from games.rules.own_words import MOST_CHARACTERS, MOST_LINES, OWN, read_lines
from games.rules.values import PUBLIC
from tests.games.tables import browser
from tests.site.test_pseudo_language import addresses

UNDERCOVER, CHAMELEON, SPYGAME = (RULES[name] for name in ("undercover", "chameleon", "spygame"))


def troubles(rules, text: str) -> dict[int, str]:
    return {line.number: str(line.trouble) for line in read_lines(rules, text) if line.trouble}


# Lines --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line", ["cat, dog", "cat / dog", "cat;dog", "cat - dog", "cat\tdog", "cat vs. dog", "cat | dog"]
)
def test_two_words_may_be_parted_in_many_ways_and_either_may_be_the_civilians(line):
    (read,) = read_lines(UNDERCOVER, line)
    pairs = [(setting["civilian_word"], setting["undercover_word"]) for setting in read.settings]
    assert pairs == [("cat", "dog"), ("dog", "cat")]


def test_a_word_with_a_dash_in_it_is_one_word():
    (read,) = read_lines(UNDERCOVER, "merry-go-round, ferris wheel")
    assert read.settings[0] == {"civilian_word": "merry-go-round", "undercover_word": "ferris wheel"}


def test_each_bad_line_has_a_sentence_and_good_ones_none():
    text = "cat, dog\n\nlonely\ncat, cats\nDog / Cat\na, b, c\n" + "x" * 70 + ", y"
    assert troubles(UNDERCOVER, text) == {
        3: "A line holds two words, such as: cat, dog.",
        4: "The two words must differ.",
        5: "This stands on an earlier line already.",
        6: "A line holds two words, such as: cat, dog.",
        7: "'xxxxxxxxxxxxxxxxxxxx...' is longer than 60 characters.",
    }


def test_a_line_of_chameleon_holds_a_topic_and_words_of_it():
    first, second = read_lines(CHAMELEON, "fruits: apple, pear\nsports, golf")
    assert [*first.settings, *second.settings] == [
        {"topic": "fruits", "word": "apple"},
        {"topic": "fruits", "word": "pear"},
        {"topic": "sports", "word": "golf"},
    ]
    assert troubles(CHAMELEON, "fruits\nfruits: fruits") == {
        1: "A line holds a topic and words of it, such as: fruits: apple, pear, plum.",
        2: "The topic would tell the word.",
    }


def test_a_line_of_spygame_holds_a_place_and_roles_there():
    first, second = read_lines(SPYGAME, "farm: farmer, vet\nthe lake")
    assert first.settings[0]["roles"][:2] == ["farmer", "vet"]
    assert second.settings[0]["place"] == "the lake"
    for line in (first, second):
        SPYGAME.check_setting(SPYGAME.options("party", {}, 10), line.settings[0])
    assert troubles(SPYGAME, "farm, lake") == {
        1: "A line holds one place. Roles there stand after a colon, such as: farm: farmer, vet."
    }


def test_too_many_lines_and_characters_are_not_taken():
    lines = "\n".join(f"word {n}a, other {n}b" for n in range(MOST_LINES + 5))
    assert [*troubles(UNDERCOVER, lines).values()] == [f"More than {MOST_LINES} lines are not taken."]
    checked = own_words.check(UNDERCOVER, "x" * (MOST_CHARACTERS + 1))
    assert checked.trouble == "These are 8001 characters; at most 8000 are taken." and not checked.settings


# What is said of them -------------------------------------------------------------------------------------------------


def remarks(rules, text: str) -> dict[str, list[tuple[int, str]]]:
    """By sentence the lines of which it is said."""
    return {said.sentence: said.lines for said in own_words.check(rules, text).said if not said.bad}


HOLD = "These hold one another: who speaks of the one gives away the other."
WITHIN = "One of these is written within the other: who has the longer one may guess the other."
SAME = "These mean nearly the same: hardly a clue will tell them apart."
APART = "These have little in common: one clue may give everything away."


def test_lines_that_are_wrong_alike_are_told_in_one_sentence():
    (said,) = own_words.check(UNDERCOVER, "lonely\ncat, dog\na, b, c").said
    assert said == own_words.Said(
        "A line holds two words, such as: cat, dog.", True, [(1, "“lonely”"), (3, "“a, b, c”")]
    )


def test_words_that_hold_one_another_are_told():
    told = remarks(UNDERCOVER, "cream, ice cream\ntea, ice tea")
    assert told[HOLD] == [(1, "“cream”, “ice cream”"), (2, "“tea”, “ice tea”")]


def test_a_word_that_is_written_within_the_other_is_told():
    told = remarks(UNDERCOVER, "cat, catfish\nsunflower, sun\npie, apple pie\near, bear\nlion, wolf")
    assert told[WITHIN] == [(1, "“cat”, “catfish”"), (2, "“sunflower”, “sun”")]
    assert told[HOLD] == [(3, "“pie”, “apple pie”")]
    assert WITHIN not in remarks(CHAMELEON, "fish: catfish")


def test_too_near_and_too_far_are_told_by_meaning(monkeypatch):
    monkeypatch.setattr(own_words, "likeness", lambda one, other: {"cat": 0.8, "tea": 0.1}.get(one, 0.5))
    told = remarks(UNDERCOVER, "cat, dog\ntea, tiger\nlion, wolf")
    assert told == {SAME: [(1, "“cat”, “dog”")], APART: [(2, "“tea”, “tiger”")]}


def test_places_of_different_lines_are_compared(monkeypatch):
    monkeypatch.setattr(
        own_words, "likeness", lambda one, other: 0.9 if {one, other} == {"bank", "savings bank"} else 0
    )
    assert remarks(SPYGAME, "zoo\nbank\nhotel\ncasino") == {}
    assert remarks(SPYGAME, "zoo\nbank\nsavings bank")[HOLD] == [(3, "“bank”, “savings bank”")]


def test_what_agents_do_not_know_is_told_and_how_they_take_it(monkeypatch):
    monkeypatch.setattr(own_words, "reads_meaning", lambda: False)
    monkeypatch.setattr(own_words, "likeness", own_words.untold)
    assert remarks(UNDERCOVER, "cat, dog\nquidditch, cat") == {
        "House agents do not know this and will be vague about it.": [(2, "“quidditch”")]
    }
    monkeypatch.setattr(own_words, "reads_meaning", lambda: True)
    assert remarks(CHAMELEON, "sports: quidditch") == {
        "House agents do not know this and take it for what is nearest to it in meaning.": [(1, "“quidditch”")]
    }


def test_spygame_takes_some_places_at_least():
    assert own_words.check(SPYGAME, "zoo\nbank").trouble == "This game takes at least 3 lines."


@pytest.mark.skipif(embedding.installed() is None, reason="The sentence model is not installed.")
def test_with_the_sentence_model_real_words_are_told_apart_by_meaning():
    told = remarks(UNDERCOVER, "couch, sofa\ntea, coffee\npizza, gravity")
    assert (told[SAME], told[APART]) == ([(1, "“couch”, “sofa”")], [(3, "“pizza”, “gravity”")])
    assert network().words[network().find("espresso machine")] is not None


# At a table -----------------------------------------------------------------------------------------------------------

FORM = {
    "name": "Ann", "preset": "party", "shown": "party", "friends": "0", "agents": "5", "agent": "house",
    "move_seconds": "60", "absence": "agent", "pace": "0.0", "watching": "live", "afterwards": "anyone",
    "agents_named": "on", "option-discussion": "none", "option-clue_rounds": "1", "option-order": "drawn",
    "option-tie": "runoff", "option-polls": "none", "option-guess_in_sentence": "on", "option-disguises": "on",
    "option-speech_limit": "300", "option-reveal_out": "on", "own_words": "cat, dog\ntea, coffee", "own_role": "watch",
}  # fmt: skip


@pytest.fixture
def words_of_no_model(monkeypatch):
    """The table's words are compared as they are written."""
    monkeypatch.setattr(own_words, "likeness", own_words.untold)
    monkeypatch.setattr(own_words, "reads_meaning", lambda: False)


@pytest.fixture
def ann(db, words_of_no_model):
    from django.core.management import call_command

    call_command("load_fixtures", verbosity=0)
    return browser("ann", "Ann")


WILD = "quokka, wombat\nkumquat, loquat"
TWO_PEOPLE = {"agents": "3", "friends": "1"}


def opened(client, **changes):
    return client.post("/tables/new/undercover/", FORM | changes)


def page(response) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


def test_who_typed_the_words_only_watches_unless_they_choose_otherwise(ann):
    assert opened(ann).status_code == 302
    match = Match.objects.get()
    assert (match.seat_of("ann"), match.setting[OWN]) == (None, 0)
    assert {match.setting["civilian_word"], match.setting["undercover_word"]} in ({"cat", "dog"}, {"tea", "coffee"})
    opened(ann, own_role="play", agents="4")
    match = Match.objects.exclude(pk=match.pk).get()
    assert match.seat_of("ann") == match.setting[OWN] >= 1


def test_each_match_of_the_table_is_drawn_anew_by_its_seed(ann):
    opened(ann)
    room = Room.objects.get()
    assert len(room.own_words) == 4
    rules = UNDERCOVER
    options = rules.options("party", {}, 5)
    drawn = {seed: own_words.drawn(rules, options, room.own_words, seed, 0) for seed in range(30)}
    assert len({(one["civilian_word"], one["undercover_word"]) for one in drawn.values()}) == 4
    assert drawn[7] == own_words.drawn(rules, options, room.own_words, 7, 0)


def test_bad_lines_are_told_and_everything_typed_is_kept(ann):
    answer = opened(ann, own_words="cat, dog\nlonely", name="Zoë")
    assert answer.status_code == 422 and not Room.objects.exists()
    assert "Line 2" in page(answer) and "A line holds two words" in page(answer)
    html = answer.content.decode()
    assert "cat, dog\nlonely</textarea>" in html and 'value="Zoë"' in html


def test_what_is_worth_a_look_is_told_once_before_the_table_opens(ann):
    first = opened(ann, own_words="cat, dog\ncream, ice cream")
    assert first.status_code == 422 and "Look at what is said of your words" in page(first)
    seen = re.search(r'name="seen" value="([0-9a-f]+)"', first.content.decode())[1]
    assert opened(ann, own_words="cat, dog\ncream, ice cream", seen=seen).status_code == 302


def test_words_are_checked_without_opening_a_table(ann):
    answer = opened(ann, check="1", name="")
    assert answer.status_code == 200 and not Room.objects.exists()
    assert "2 lines can be played with." in page(answer)
    assert "The sentence model is not installed here" in page(answer)


def test_of_words_that_are_too_many_it_is_said_how_many_and_nothing_of_the_sentence_model(ann):
    for sent in ({"check": "1"}, {}):
        answer = opened(ann, own_words="😎" * 10_000 + ", cat", **sent)
        told = page(answer)
        assert told.count("These are 10005 characters; at most 8000 are taken.") == 1
        assert "sentence model" not in told and not Room.objects.exists()
    assert "These words cannot be played with. What is wrong stands below." in told


def test_too_few_lines_are_told_when_they_are_checked(ann):
    answer = ann.post("/tables/new/spygame/", {"preset": "party", "shown": "party", "own_words": "zoo", "check": "1"})
    assert "This game takes at least 3 lines." in page(answer)


@pytest.mark.parametrize(
    ("changes", "focused"),
    [
        ({"own_words": "cat, dog\ncream, ice cream"}, "own_words"),
        ({"own_words": "lonely"}, "own_words"),
        ({"own_words": "lonely", "name": ""}, "name"),
        ({"agents": "99"}, "agents"),
        ({"friends": ""}, "friends"),
    ],
)
def test_what_was_refused_first_has_the_focus(ann, changes, focused):
    answer = opened(ann, **changes)
    assert answer.status_code == 422
    fields = re.findall(r"<[^<>]*\sautofocus[^<>]*>", answer.content.decode())
    assert [re.search('name="([^"]+)"', field)[1] for field in fields] == [focused]


def test_a_papers_way_of_playing_takes_no_own_words(ann):
    assert "own_words" not in ann.post("/tables/new/undercover/", {"preset": "magic"}).content.decode()
    assert "own_words" not in ann.get("/tables/new/avalon/").content.decode()


def test_nothing_of_the_words_is_told_before_the_end(ann):
    opened(ann, own_role="play", agents="3", friends="1")
    room = Room.objects.get()
    ben = browser("ben", "Ben")
    ben.post(f"/t/{room.code}/sit/", {"name": "Ben"})
    ann.post(f"/t/{room.code}/start/")
    match = Match.objects.get()
    words = {"cat", "dog", "tea", "coffee"} - {store.load(match).state.words[match.seat_of("ben")]}
    shown = page(ben.get(f"/t/{room.code}/")) + page(browser("eve", "Eve").get(f"/t/{room.code}/"))
    said = " ".join(str(event.data.get("text")) for event in match.events.filter(kind="clue"))
    assert [word for word in words if re.search(rf"\b{word}\b", shown) and word not in said] == []
    assert all(event.data is None for event in store.load(match).visible(PUBLIC) if event.kind == "record")


def test_an_admin_who_plays_finds_the_words_on_no_page(ann):
    opened(ann, own_words=WILD, seen=hashlib.sha256(WILD.encode()).hexdigest()[:16], own_role="play", **TWO_PEOPLE)
    room = Room.objects.get()
    ben = browser("ben", "Ben")
    ben.post(f"/t/{room.code}/sit/", {"name": "Ben"})
    ann.post(f"/t/{room.code}/start/")
    match = Match.objects.get()
    ben.force_login(User.objects.create_superuser("benjamin"))
    own = store.load(match).state.words[match.seat_of("ben")]
    pages = [f"/m/{match.pk}/", f"/m/{match.pk}/?as=all", f"/m/{match.pk}/export/", f"/desk/tables/{room.code}/"]
    pages += [f"/admin/games/{table}/" for table in ("match", "event", "thought", "attempt", "gamesetting")]
    pages += [f"/admin/games/match/{match.pk}/change/", f"/desk/beliefs/{match.pk}/", *addresses()]
    for path in pages:
        answer = ben.get(path, follow=True)
        shown = "" if answer.streaming else answer.content.decode(errors="replace")
        assert [word for word in {"quokka", "wombat", "kumquat", "loquat"} - {own} if word in shown] == [], path
    assert own in ben.get(f"/t/{room.code}/").content.decode()


def test_matches_of_own_words_count_in_no_number(ann):
    opened(ann)
    assert Match.objects.count() == 1 and not Match.objects.originals().exists()
