"""Pages of labelling: who sees them, that they work as forms, and that a rater sees no more than the task allows."""

from __future__ import annotations

import json
import re

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from evaluation.labelling import rounds, schemes
from evaluation.labelling.models import Final, Given, Scheme, Task
from games.match import writer
from games.match.rows import Event, MatchSeat, Thought
from games.models import Match
from tests.evaluation.labelled import client, content, give_all, items, played, raters, task, user
from tests.games.matches import dealt, play_on, stored

pytestmark = pytest.mark.django_db


def at(name: str, *args) -> str:
    return reverse(f"evaluation:{name}", args=args)


@pytest.fixture
def owner():
    return client(user("olga", "researcher"))


@pytest.fixture
def labelled():
    played(3)
    return task()


def differ(rater: User, item) -> list[str]:
    return ["a" if rater.username == "ann" else "b"]


def addresses(found: Task) -> dict[str, list[str]]:
    """All pages, by who may see them beside those who run tasks."""
    key, scheme = found.pk, found.scheme_id
    return {
        "rater": [at("labels"), at("schemes"), at("scheme", scheme), at("scheme_file", scheme)],
        "rater of the task": [at("rate_labels", key), at("rate_labels_next", key)],
        "owner": [
            at("new_scheme"),
            at("edit_scheme", scheme),
            at("new_label_task"),
            at("label_task", key),
            at("adjudicate", key, 1),
            at("adjudicate_next", key, 1),
        ],
    }


def test_who_is_no_rater_sees_nothing(labelled):
    nobody, other, rater = client(user("nora")), client(user("otto", "rater")), client(User.objects.get(username="ann"))
    pages = addresses(labelled)
    for address in [*pages["rater"], *pages["rater of the task"], *pages["owner"]]:
        assert nobody.get(address).status_code == 403, address
    assert [other.get(address).status_code for address in pages["rater"]] == [200] * 4
    assert [other.get(address).status_code for address in pages["rater of the task"]] == [404] * 2
    assert [other.get(address).status_code for address in pages["owner"]] == [403] * 6
    assert [rater.get(address).status_code for address in pages["rater"] + pages["rater of the task"]] == [200] * 6
    assert [rater.get(address).status_code for address in pages["owner"]] == [403] * 6
    assert other.get(at("label_differences", labelled.pk, 1)).status_code == 403


def test_every_page_opens_for_those_who_run_tasks(labelled, owner):
    give_all(labelled.last, differ, *raters("ann", "ben", "cleo"))
    assert "18 of 18 labels given" in owner.get(at("label_task", labelled.pk)).content.decode()
    closed = owner.post(at("close_labels", labelled.pk), follow=True)
    assert "6 wait for an adjudicator" in closed.content.decode()
    pages = addresses(labelled)
    for address in pages["rater"] + pages["owner"] + [at("label_differences", labelled.pk, 1)]:
        assert owner.get(address).status_code == 200, address


def test_a_form_labels_takes_back_and_goes_on(labelled):
    ann = client(User.objects.get(username="ann"))
    address, (first, *others) = at("rate_labels", labelled.pk), items(labelled.last)
    assert f'name="item" value="{first.pk}"' in ann.get(address).content.decode()
    ann.post(address, {"item": first.pk, "labels": "a", "seconds": "1.5", "note": "so"})
    given = Given.objects.get()
    assert (given.labels, given.seconds, given.note, given.rater.username) == (["a"], 1.5, "so", "ann")
    page = ann.get(address).content.decode()
    assert f'name="item" value="{others[0].pk}"' in page and f'name="item" value="{first.pk}"' in page
    ann.post(address, {"item": first.pk, "verb": "back"})
    assert not Given.objects.exists()
    assert f'name="item" value="{first.pk}"' in ann.get(address).content.decode()


@pytest.mark.parametrize(
    ("post", "sentence"),
    [
        ({}, "Choose a label."),
        ({"labels": "z"}, "This scheme has no label z."),
        ({"labels": ["a", "b"]}, "Choose one label."),
        ({"labels": "a", "spans": "3"}, "That is no label that can be kept."),
        ({"labels": "a", "spans": "3-9999"}, "That is no label that can be kept."),
        ({"labels": "a", "seconds": "soon"}, "That is no label that can be kept."),
        ({"labels": "a", "seconds": "nan"}, "That is no label that can be kept."),
        ({"labels": "a", "item": "x"}, "There is no such item any more."),
        ({"labels": "a", "item": "9" * 30}, "There is no such item any more."),
        ({"labels": "a", "item": "9" * 5000}, "There is no such item any more."),
        ({"verb": "back", "item": "9" * 30}, "There is no such item any more."),
        ({"labels": "a", "item": "999999"}, "There is no such item any more."),
    ],
)
def test_what_cannot_be_kept_is_said_in_a_sentence(labelled, post, sentence):
    ann, address = client(User.objects.get(username="ann")), at("rate_labels", labelled.pk)
    post = {"item": items(labelled.last)[0].pk} | post
    told = ann.post(address, post)
    assert told.status_code == 409 and sentence in told.content.decode()
    told = ann.post(address, post, headers={"Accept": "application/json"})
    assert told.status_code == 409 and told.json()["error"] == sentence
    assert not Given.objects.exists()


def test_an_item_of_other_raters_takes_no_label(labelled):
    ann, item = User.objects.get(username="ann"), items(labelled.last)[0]
    item.assigned.filter(rater=ann).delete()
    told = client(ann).post(at("rate_labels", labelled.pk), {"item": item.pk, "labels": "a"})
    assert told.status_code == 409 and "This item is for other raters." in told.content.decode()
    assert not Given.objects.exists()


def test_items_that_a_page_has_are_not_sent_again(labelled):
    ann = client(User.objects.get(username="ann"))
    first = ann.get(at("rate_labels_next", labelled.pk)).json()
    keys = [item["id"] for item in first["items"]]
    assert keys == [item.pk for item in items(labelled.last)] and first["total"] == 6
    more = ann.get(at("rate_labels_next", labelled.pk), {"have": ",".join(map(str, keys[:4]))}).json()
    assert [item["id"] for item in more["items"]] == keys[4:]
    for odd in ("9" * 30, "9" * 5000, "x,,-1"):
        assert ann.get(at("rate_labels_next", labelled.pk), {"have": odd}).status_code == 200


def test_raters_never_see_one_anothers_labels_before_the_round_is_closed(labelled):
    ann, ben, cleo = raters("ann", "ben", "cleo")
    give_all(labelled.last, ["a"], ben)
    seen = [at("labels"), at("rate_labels", labelled.pk), at("rate_labels_next", labelled.pk)]
    before = [_without_tokens(client(ann).get(address)) for address in seen]
    Given.objects.update(labels=["b"], note="ben thinks of b", seconds=9)
    assert [_without_tokens(client(ann).get(address)) for address in seen] == before
    assert client(ann).get(at("label_differences", labelled.pk, 1)).status_code == 403
    give_all(labelled.last, ["none"], ann, cleo)
    rounds.close(labelled.last)
    told = client(ann).get(at("label_differences", labelled.pk, 1)).content.decode()
    assert "ben thinks of b" in told and not re.search(r"\b(ben|cleo)\b(?! thinks)", told)


def test_an_adjudicator_decides_without_names(labelled, owner):
    give_all(labelled.last, differ, *raters("ann", "ben", "cleo"))
    rounds.close(labelled.last)
    address = at("adjudicate", labelled.pk, 1)
    page = owner.get(address).content.decode()
    assert not re.search(r"\b(ann|ben|cleo)\b", page) and "<dt>A</dt>" in page and "<dt>C</dt>" in page
    for item in items(labelled.last):
        owner.post(address, {"item": item.pk, "labels": "b"})
    assert set(Final.objects.values_list("how", "by__username")) == {("adjudicated", "olga")}
    assert "That was all" in owner.get(address).content.decode()
    owner.post(address, {"item": items(labelled.last)[-1].pk, "verb": "back"})
    assert Final.objects.count() == 5


def _without_tokens(answer) -> str:
    return re.sub(r'(name="csrfmiddlewaretoken" value="|X-CSRFToken": ")\w+', "", answer.content.decode())


# Secrecy by substitution ---------------------------------------------------------------------------------------------


def _fragments(found: Task) -> list[str]:
    """All that a rater is told of the items."""
    ann = client(User.objects.get(username="ann"))
    told, have = [], []
    while batch := ann.get(at("rate_labels_next", found.pk), {"have": ",".join(map(str, have))}).json()["items"]:
        told += [item["html"] for item in batch]
        have += [item["id"] for item in batch]
    return told


@pytest.mark.parametrize("what", ["thoughts", "events", "seats", "matches"])
def test_by_default_model_outcome_names_and_hidden_roles_change_no_byte(what):
    played(1, "spygame", "party", 5)
    found = task(schemes.make("one", content(what=what)), many=40)
    before = _fragments(found)
    assert before
    match = Match.objects.get()
    for sitter in MatchSeat.objects.filter(match=match):
        MatchSeat.objects.filter(pk=sitter.pk).update(
            name=f"Zoltan{sitter.seat}", agent="other", role="spy", side="spy", won=True, stand_in="x",
            kind="person" if sitter.kind == "agent" else "agent",
        )  # fmt: skip
    Thought.objects.update(model="other-model", method="recon", stage="another", cost=9, ms=9)
    Match.objects.update(result="another", seating=99)
    for event in Event.objects.filter(kind__in=("dealt", "record", "finished")):
        hidden = {"place": "prison", "spy": 2, "role": "guard", "winners": [1, 2], "result": "spy_named"}
        Event.objects.filter(pk=event.pk).update(data=event.data | {k: v for k, v in hidden.items() if k in event.data})
    Event.objects.filter(by__startswith="agent:").update(by="agent:other")
    assert _fragments(found) == before


def test_what_the_task_allows_is_shown():
    played(1, "spygame", "party", 5)
    found = task(schemes.make("one", content(what="events")), many=40)
    hidden = "".join(_fragments(found))
    Task.objects.update(sees=dict.fromkeys(("thoughts", "roles", "names", "models", "outcome"), True))
    shown = "".join(_fragments(found))
    for word in ("Cleo", "house", "REPLY", "What was dealt"):
        assert word in shown and word not in hidden, word


def test_a_name_within_the_words_is_hidden_and_a_part_is_kept_where_it_was_said():
    played()
    found = task(schemes.make("parts", content("span")))
    item = items(found.last)[0]
    said = "I think that Cleo and cleo lie."
    Thought.objects.filter(request=item.anchor["request"], n=1).update(reply=said)
    ann = client(User.objects.get(username="ann"))
    page = ann.get(at("rate_labels", found.pk)).content.decode()
    assert "I think that Player 3 and Player 3 lie." in page
    ann.post(at("rate_labels", found.pk), {"item": item.pk, "labels": ["a", "b"], "spans": ["13-21", "35-38"]})
    assert [said[start:end] for start, end in Given.objects.get().spans] == ["Cleo", "lie"]
    ann.post(at("rate_labels", found.pk), {"item": item.pk, "verb": "back"})
    ann.post(at("rate_labels", found.pk), {"item": item.pk, "labels": ["a"], "part_a": "Player 3 lie"})
    assert [said[start:end] for start, end in Given.objects.get().spans] == ["cleo lie"]
    told = ann.post(at("rate_labels", found.pk), {"item": item.pk, "labels": ["a"], "part_a": "Cleo"})
    assert told.status_code == 409 and "do not stand in the item" in told.content.decode()


def test_names_of_a_match_before_are_hidden_too():
    (match,) = played()
    found = task(schemes.make("steps", content()))
    item = items(found.last)[0]
    Thought.objects.filter(request=item.anchor["request"], n=1).update(reply="I think that Quixotica lies.")
    parent = stored(play_on(dealt("undercover", "magic", 3, seed=9)))
    writer.reseat(parent, 2, name="Quixotica")
    Match.objects.filter(pk=match.pk).update(parent=parent)
    ann = client(User.objects.get(username="ann"))
    assert "I think that Player 2 lies." in ann.get(at("rate_labels", found.pk)).content.decode()


# Schemes -------------------------------------------------------------------------------------------------------------


def form_of(**changes) -> dict:
    rows = {"labels-TOTAL_FORMS": 10, "labels-INITIAL_FORMS": 0}
    for n, name in enumerate(("Lie", "Truth")):
        rows |= {f"labels-{n}-title": name, f"labels-{n}-definition": f"What is a {name}?"}
    return {"name": "lies", "title": "Lies", "kind": "single", "what": "events"} | rows | changes


def test_a_scheme_is_made_changed_used_and_made_anew(owner):
    made = owner.post(at("new_scheme"), form_of())
    found = Scheme.objects.get()
    assert made.url == at("scheme", found.pk)
    assert [(one["name"], one["key"]) for one in found.labels] == [("lie", "1"), ("truth", "2")]
    owner.post(at("edit_scheme", found.pk), form_of(title="White lies"))
    assert Scheme.objects.get().title == "White lies"
    schemes.freeze(found)
    page = owner.get(at("edit_scheme", found.pk)).content.decode()
    assert "Version 1 was used and stays as it is." in page
    was = {"labels-0-was": "lie", "labels-1-was": "truth", "labels-1-title": "", "labels-1-definition": ""}
    owner.post(at("edit_scheme", found.pk), form_of(**was, **{"labels-0-name": "falsehood", "labels-2-title": "Doubt",
                                                              "labels-2-definition": "?"}))  # fmt: skip
    second = Scheme.objects.get(version=2)
    assert second.renames == {"lie": "falsehood", "truth": None} and second.names == ["falsehood", "doubt"]
    assert schemes.carried(["lie", "truth"], found, second) == ["falsehood"]
    page = owner.get(at("scheme", second.pk)).content.decode()
    assert "lie: counts as falsehood" in page and "truth: dropped" in page


def test_a_scheme_without_sense_is_refused_by_the_form(owner):
    told = owner.post(at("new_scheme"), form_of(**{"labels-1-title": "Lie"}))
    assert told.status_code == 422 and "Two labels are called lie." in told.content.decode()
    told = owner.post(at("new_scheme"), form_of(**{"labels-1-title": ""}))
    assert told.status_code == 422 and "Say how the label is called" in told.content.decode()


@pytest.mark.parametrize("number", ["9" * 5000, "9" * 30, "-1", "x", ""])
def test_a_copy_of_no_scheme_is_a_new_one(owner, number):
    assert owner.get(at("new_scheme"), {"from": number}).status_code == 200


def test_a_scheme_goes_away_and_comes_back_as_json(owner):
    made = schemes.make("lies", content())
    file = owner.get(at("scheme_file", made.pk)).content
    made.delete()
    sent = owner.post(at("scheme_from_file"), {"file": SimpleUploadedFile("lies.json", file)})
    back = Scheme.objects.get()
    assert sent.url == at("scheme", back.pk) and schemes.as_file(back).encode() == file
    again = owner.post(at("scheme_from_file"), {"file": SimpleUploadedFile("lies.json", file)})
    assert again.status_code == 422 and "There is a scheme lies of version 1 already." in again.content.decode()


GOOD = {"format": schemes.FORMAT, "name": "x", "version": 1} | content()


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        ("{", "This is not a file of JSON"),
        ("[]", "This is not a scheme"),
        (json.dumps(GOOD | {"format": "other"}), "This is not a scheme"),
        (json.dumps(GOOD | {"name": "a b"}), "needs a short name"),
        (json.dumps(GOOD | {"version": 0}), "a version from 1"),
        (json.dumps(GOOD | {"version": True}), "a version from 1"),
        (json.dumps(GOOD | {"version": 2**40}), "a version from 1"),
        (json.dumps(GOOD | {"renames": ["a"]}), "What becomes of old labels is a name, or null, for each."),
        (json.dumps(GOOD | {"renames": {"old": "nowhere"}}), "What becomes of the old label “old” is no label of this"),
        (json.dumps(GOOD | {"renames": {"not a name": "a"}}), "What becomes of the old label “not a name” is no label"),
        (json.dumps(GOOD | {"kind": "other"}), "The kind of a scheme is one of: single, several, ordinal, span."),
        (json.dumps(GOOD | {"labels": []}), "A scheme has 2 to 40 labels."),
        (json.dumps(GOOD | {"labels": {}}), "The labels are a list of objects."),
        (json.dumps(GOOD | {"labels": [{"name": "a", "title": "A"}] * 2}), "Label a needs a definition"),
        (json.dumps(GOOD | {"labels": [*GOOD["labels"], {"name": "é!"}]}), "needs a short name of letters"),
        (json.dumps(GOOD | {"labels": [GOOD["labels"][0] | {"hue": "red"}, GOOD["labels"][1]]}), "a label has no hue."),
        (json.dumps(GOOD | {"labels": [GOOD["labels"][0] | {"key": "12"}, GOOD["labels"][1]]}), "its key is one digit"),
        (json.dumps(GOOD | {"applies": {"what": "dreams"}}), "A scheme applies to one of: events, thoughts"),
        (json.dumps(GOOD | {"applies": {"games": ["chess"]}}), "There is no game chess here."),
        (json.dumps(GOOD | {"rule": "magic"}), "There is no rule “magic” that marks items."),
        (json.dumps(GOOD | {"colour": "red"}), "A scheme has no colour."),
        (json.dumps(GOOD | {"title": 3}), "A scheme needs a title"),
    ],
)
def test_a_bad_file_is_refused_in_a_sentence(owner, file, sentence):
    told = owner.post(at("scheme_from_file"), {"file": SimpleUploadedFile("x.json", file.encode())})
    assert told.status_code == 422 and sentence in told.content.decode().replace("&quot;", '"')
    assert not Scheme.objects.exists()


# Tasks ---------------------------------------------------------------------------------------------------------------


def test_a_task_is_made_of_a_selection(owner):
    kept, _other = played(2)
    scheme, people = schemes.make("steps", content()), raters("ann", "ben")
    page = owner.get(at("new_label_task"), {"match": str(kept.pk), "scheme": scheme.pk}).content.decode()
    assert str(kept.pk) in page and "ann" in page
    asked = {"name": "T", "scheme": scheme.pk, "many": 50, "draw": 1, "raters": [one.pk for one in people],
             "per_item": 2, "shared": 0, "match": str(kept.pk)}  # fmt: skip
    made = owner.post(at("new_label_task"), asked)
    found = Task.objects.get()
    assert made.url == at("label_task", found.pk) and found.selection == {"match": str(kept.pk)}
    assert {item.match_id for item in items(found.last)} == {kept.pk}
    assert found.last.items.count() == kept.thoughts.count()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"per_item": 3}, "You chose fewer raters than that."),
        ({"match": "x"}, "These are no ids of matches."),
        ({"game": "avalon"}, "Nothing is left to label"),
        ({"raters": []}, "This field is required."),
    ],
)
def test_a_task_without_sense_is_refused(owner, change, sentence):
    played()
    scheme, people = schemes.make("steps", content()), raters("ann", "ben")
    asked = {"name": "T", "scheme": scheme.pk, "many": 50, "draw": 1, "raters": [one.pk for one in people],
             "per_item": 2, "shared": 0} | change  # fmt: skip
    told = owner.post(at("new_label_task"), asked)
    assert told.status_code == 422 and sentence in told.content.decode()
    assert not Task.objects.exists()


def test_the_next_round_takes_a_refined_scheme(owner, labelled):
    give_all(labelled.last, ["a"], *raters("ann", "ben", "cleo"))
    owner.post(at("close_labels", labelled.pk))
    second = schemes.succeed(labelled.scheme, content(), {"a": "a", "b": None, "none": "none"})
    asked = {"scheme": second.pk, "which": "again", "many": 6}
    assert owner.post(at("open_labels", labelled.pk), asked).status_code == 302
    labelled.refresh_from_db()
    first, last = labelled.rounds.order_by("number")
    assert (last.scheme, labelled.scheme) == (second, second)
    assert [one.anchor for one in items(first)] == [one.anchor for one in items(last)]
    assert "Close round 2 first." in owner.post(at("open_labels", labelled.pk), asked).content.decode()
