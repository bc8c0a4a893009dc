"""What the rules say to people is marked where it is written, and every page says it in its reader's language."""

from __future__ import annotations

import ast
import copy
import dataclasses
import gettext
import html
import re
import shutil
from contextlib import contextmanager

import pytest
from django.core.management import call_command
from django.utils import translation
from django.utils.translation import trans_real

from agents import prompts
from agents.methods import METHODS
from agents.turns import situation
from games.match import store
from games.registry import RULES
from games.rules.core import CORE_KINDS
from games.rules.kit_requests import every_request
from games.rules.sentences import Seat, Sentence, counted, sentence
from games.translation import translated
from tests.games.marked import marked, sources, unmarked, wrongly_marked
from tests.games.tables import asked, browser, match_at, post_move, room_of

NOT_FOR_PEOPLE = {"games/rules/replay.py"}  # a refusal that becomes a line of why a log cannot be read


def test_what_people_read_is_marked_where_it_is_written():
    for place, tree in sources().items():
        if not place.startswith("agents/") or place.startswith("agents/house"):
            assert unmarked(tree) == [] or place in NOT_FOR_PEOPLE, (
                f"{place} has texts for people in lines {unmarked(tree)} that are no `sentence(...)`"
            )
        assert wrongly_marked(tree) == [], place


@pytest.mark.parametrize(
    "line",
    [
        'raise Impossible("No.")',
        'raise values.Impossible(f"No {x}.")',
        'Refusal("code", "No.", keep=True)',
        'x = "No."\nRefusal("code", x)',
        'Malformed("Give a " + unit)',
        'Kind("An event.", ("x",))',
        'option(1, sentence("About."), label="Label")',
        'option("a", sentence("About."), choices={"a": "One", "b": sentence("Other")})',
        'Preset(options, sentence("About."), 3, 5, "Classic")',
        'said(options, "What?" if x else sentence("Who?"))',
    ],
)
def test_an_unmarked_text_is_found(line):
    assert unmarked(ast.parse(line))


@pytest.mark.parametrize(
    "line",
    [
        'sentence(f"No {x}.")',
        "sentence(text)",
        'sentence("No {x}.", y=1)',
        'sentence("No.", y=1)',
        'counted("One.", f"{n} of {x}.", n)',
        'sentence("No {}.".format(x))',
    ],
)
def test_a_text_that_cannot_be_collected_is_found(line):
    assert wrongly_marked(ast.parse(f"from .sentences import counted, sentence\n{line}"))


@pytest.mark.parametrize("name", RULES)
def test_all_that_a_game_declares_is_a_sentence(name):
    """Whoever declares it in whatever way. What is asked: `test_requests.py`."""
    rules = RULES[name]
    texts = [rules.title, rules.about, *(kind.about for kind in (CORE_KINDS | rules.kinds).values())]
    for preset in rules.presets.values():
        texts += [preset.about, preset.title]
        for item in dataclasses.fields(preset.options):
            texts += [item.metadata["about"], item.metadata["label"], *(item.metadata["choices"] or {}).values()]
    texts = [text for text in texts if re.search("[A-Za-z]", text)]
    plain = [text for text in texts if not isinstance(text, Sentence)]
    assert not plain, f"Declare these texts of {name} as `sentence(...)` (games/rules/sentences.py): {plain}"
    assert {text.message for text in texts} <= marked()


def test_a_sentence_is_its_english_wherever_it_is_kept():
    told = sentence("There is no seat {number} here, {who}.", number=7, who=Seat(2))
    assert told == "There is no seat 7 here, seat 2." and type(str(told)) is str
    again = copy.deepcopy(told)
    assert (again, again.message, again.params) == (told, told.message, told.params)
    assert [counted("{n} seat.", "{n} seats.", n) for n in (0, 1, 2)] == ["0 seats.", "1 seat.", "2 seats."]
    assert sentence("Braces {of} nobody") == "Braces {of} nobody"


class Pseudo(gettext.NullTranslations):
    """A language in which each message stands in brackets, so that what is said otherwise can be told."""

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, one: str, many: str, n: int) -> str:
        return f"⟦{one if n == 1 else many}⟧"

    def language(self) -> str:
        return "en"

    to_language = language


@contextmanager
def all_in_pseudo():
    """Everything is said in that language, here and on every page."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(trans_real._translations, "en", Pseudo())
        patched.setattr(trans_real, "_default", Pseudo())
        with translation.override("en"):
            yield
    translation.deactivate()


@pytest.fixture
def pseudo():
    with all_in_pseudo():
        yield


def page(answer) -> str:
    return html.unescape(answer.content.decode())


def test_a_sentence_is_translated_with_what_is_put_in(pseudo):
    refused = sentence("It cannot be. {why}", why=counted("{n} seat.", "{n} seats.", 2))
    assert translated(refused) == "⟦It cannot be. ⟦2 seats.⟧⟧" and refused == "It cannot be. 2 seats."
    whom = sentence("Whom does {seat} suspect?", seat=Seat(3))
    assert translated(whom, {3: "Cleo"}.get) == "⟦Whom does Cleo suspect?⟧"
    assert translated("words of a player") == "words of a player"


@pytest.mark.django_db
def test_pages_say_what_games_declare_in_the_language_of_their_reader(pseudo):
    rules = RULES["avalon"]
    client = browser("key-1", "Ann")
    lobby = page(client.get("/"))
    assert f"⟦{rules.title}⟧" in lobby and f"⟦{rules.about}⟧" in lobby
    form = page(client.get("/tables/new/avalon/", {"preset": "classic"}))
    dagger = type(rules.presets["classic"].options).__dataclass_fields__["dagger"].metadata
    told = (rules.presets["classic"].title, rules.presets["official"].about, dagger["about"], dagger["label"])
    for words in (*told, *dagger["choices"].values()):
        assert f"⟦{words}⟧" in form


@pytest.mark.django_db
def test_a_question_and_a_refusal_are_said_in_the_language_of_their_reader_and_kept_in_english(pseudo):
    match = match_at(room_of())
    request = asked(match)
    client = browser(f"key-{request.seat}", "Ann")
    assert f"⟦{request.fields[0].label}⟧" in page(client.get(f"/t/{match.room.code}/"))
    own = store.load(match).rules.card(store.load(match).state, request.seat)["word"]
    answer = page(post_move(client, match, request, {"text": own}))
    assert "⟦Your clue holds your word. Try another.⟧" in answer
    (attempt,) = store.load(match).attempts or match.attempts.all()
    assert attempt.sentence == "Your clue holds your word. Try another."


@pytest.mark.parametrize("name", RULES)
def test_prompts_are_english_whatever_language_pages_are_in(name):
    play, request = next(every_request(RULES[name]))
    turn = METHODS["direct"].turn(situation(play, request, dict(enumerate("ABCDEFGHIJ", 1))), {})
    stage = next(METHODS["direct"].think(turn))
    english = prompts.prompt(turn, stage).messages
    with all_in_pseudo():
        label = request.fields[0].label
        assert translated(label).startswith("⟦"), f"The label {label!r} of {name} is no `sentence(...)`"
        assert prompts.prompt(turn, stage).messages == english


@pytest.mark.skipif(shutil.which("xgettext") is None, reason="gettext is not installed here")
def test_makemessages_collects_what_is_marked(tmp_path, monkeypatch, settings):
    """On a few lines of rules; the whole of them takes the command seconds."""
    lines = ['sentence("No " "seat {x}.", x=1)', 'counted("{n} seat", "{n} seats", 2)', 'word("civilian")']
    (tmp_path / "rules.py").write_text("\n".join(lines))
    (tmp_path / "locale").mkdir()
    settings.LOCALE_PATHS = [tmp_path / "locale"]
    monkeypatch.chdir(tmp_path)
    call_command("makemessages", locale=["de"], verbosity=0)
    collected = (tmp_path / "locale/de/LC_MESSAGES/django.po").read_text("utf-8")
    for message in ('msgid "No seat {x}."', 'msgid "{n} seat"\nmsgid_plural "{n} seats"', 'msgid "civilian"'):
        assert message in collected
