"""Schemes: what a good one is, a version after another, and a scheme as a file."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from evaluation.labelling.models import Scheme
from evaluation.labelling.premarks import RULES_THAT_MARK
from games.registry import RULES
from games.rules.schema import GIVEN
from games.rules.shapes import LARGEST
from games.rules.strict_json import loads
from magic_site import clock

FORMAT = "magic-scheme/1"
PARTS = ("name", "title", "definition", "example", "counter", "key")
WHAT = ("events", "thoughts", "seats", "matches")
NAME = re.compile(r"[\w.-]{1,60}")
MOST_LABELS = 40
LONGEST = 4000
"""Characters of a definition or an example."""

_CONTENT = ("title", "about", "kind", "labels", "applies", "rule", "renames")


class SchemeError(ValueError):
    """What is wrong with a scheme: a sentence each in `args`."""

    def __str__(self) -> str:
        return " ".join(map(str, self.args))


def make(name: str, content: Mapping[str, Any], *, by: Any = None, version: int = 1) -> Scheme:
    """Store a scheme, or a version of one, that is not there yet. Raises `SchemeError`."""
    if not NAME.fullmatch(name) or not _is_version(version):
        raise SchemeError(_("A scheme needs a short name of letters, digits and hyphens, and a version from 1."))
    content = checked(content)
    try:
        with transaction.atomic():
            return Scheme.objects.create(name=name, version=version, created_by=by, **content)
    except IntegrityError as error:
        sentence = _("There is a scheme %(name)s of version %(version)d already.")
        raise SchemeError(sentence % {"name": name, "version": version}) from error


def edit(scheme: Scheme, content: Mapping[str, Any]) -> None:
    """Change a version that was never used. Raises `SchemeError`."""
    content = checked(content)
    if not Scheme.objects.filter(pk=scheme.pk, frozen_at=None).update(**content):
        raise SchemeError(_("This version was used, and stays as it is. Make a new version of it."))
    scheme.refresh_from_db()


def freeze(scheme: Scheme) -> None:
    """It is used now: from here on this version stays as it is."""
    Scheme.objects.filter(pk=scheme.pk, frozen_at=None).update(frozen_at=clock.now())


def succeed(scheme: Scheme, content: Mapping[str, Any], renames: Mapping[str, str | None], *, by: Any = None) -> Scheme:
    """Make the next version. renames: what becomes of each label of this one. Raises `SchemeError`."""
    names = {label["name"] for label in content["labels"]}
    if set(renames) != set(scheme.names) or not names.issuperset(new for new in renames.values() if new is not None):
        raise SchemeError(_("Say of each label of version %d what becomes of it.") % scheme.version)
    newest = Scheme.objects.filter(name=scheme.name).aggregate(Max("version"))["version__max"]
    return make(scheme.name, {**content, "renames": dict(renames)}, by=by, version=newest + 1)


def carried(labels: Iterable[str], old: Scheme, new: Scheme) -> list[str]:
    """Labels that were given by an old version as a newer one calls them; those that it dropped are left out."""
    found = list(labels)
    between = Scheme.objects.filter(name=old.name, version__gt=old.version, version__lte=new.version)
    for version in between.order_by("version"):
        renamed = (version.renames.get(label, label) for label in found)
        found = list(dict.fromkeys(label for label in renamed if label is not None and label in version.names))
    return found


# What a good scheme is ------------------------------------------------------------------------------------------------


def checked(content: Mapping[str, Any]) -> dict[str, Any]:
    """The content of a scheme as it is stored; raises `SchemeError` with a sentence for all that is wrong with it."""
    if unknown := sorted(set(content) - set(_CONTENT)):
        raise SchemeError(_("A scheme has no %s.") % ", ".join(unknown))
    full = {"about": "", "rule": "", "renames": {}, "applies": {}} | dict(content)
    if faults := list(_faults(full)):
        raise SchemeError(*faults)
    lists = {part: list(full["applies"].get(part, [])) for part in ("kinds", "stages", "games")}
    labels = [{part: label.get(part, "") for part in PARTS} for label in full["labels"]]
    return full | {"labels": labels, "applies": {"what": full["applies"].get("what", "events")} | lists}


def _faults(content: dict[str, Any]) -> Iterator[str]:
    if not _is_text(content.get("title"), 120):
        yield _("A scheme needs a title of at most 120 characters.")
    if not isinstance(content["about"], str) or len(content["about"]) > LONGEST:
        yield _("What a scheme is about is a text of at most %d characters.") % LONGEST
    if content.get("kind") not in Scheme.Kind.values:
        yield _("The kind of a scheme is one of: %s.") % ", ".join(Scheme.Kind.values)
    if content["rule"] and content["rule"] not in list(RULES_THAT_MARK):
        yield _("There is no rule “%(rule)s” that marks items. There is: %(rules)s.") % {
            "rule": content["rule"],
            "rules": ", ".join(RULES_THAT_MARK),
        }
    yield from _faults_of_labels(content.get("labels"))
    yield from _faults_of_place(content["applies"])
    yield from _faults_of_renames(content["renames"], content.get("labels"))


def _faults_of_renames(renames: Any, labels: Any) -> Iterator[str]:
    if not isinstance(renames, dict) or not all(new is None or isinstance(new, str) for new in renames.values()):
        yield _("What becomes of old labels is a name, or null, for each.")
    elif isinstance(labels, list):
        names = [label.get("name") for label in labels if isinstance(label, dict)]
        odd = [old for old, new in renames.items() if not NAME.fullmatch(old) or (new is not None and new not in names)]
        if odd:
            yield _("What becomes of the old label “%s” is no label of this version.") % odd[0]


def _faults_of_labels(labels: Any) -> Iterator[str]:
    if not isinstance(labels, list) or not all(isinstance(label, dict) for label in labels):
        yield _("The labels are a list of objects.")
        return
    if not 2 <= len(labels) <= MOST_LABELS:
        yield _("A scheme has 2 to %d labels.") % MOST_LABELS
    for number, label in enumerate(labels, 1):
        where = {"label": label.get("name") or number}
        if unknown := sorted(set(label) - set(PARTS)):
            yield _("Label %(label)s: a label has no %(parts)s.") % (where | {"parts": ", ".join(unknown)})
        if not _is_text(label.get("name"), 60) or not NAME.fullmatch(label["name"]) or not GIVEN.fits([label["name"]]):
            yield _("Label %(label)s needs a short name of letters, digits, hyphens and underscores.") % where
        if not _is_text(label.get("title"), 80):
            yield _("Label %(label)s needs a title of at most 80 characters.") % where
        if not _is_text(label.get("definition"), LONGEST):
            yield _("Label %(label)s needs a definition: when is it given?") % where
        if not all(isinstance(label.get(part, ""), str) and len(label.get(part, "")) <= LONGEST for part in PARTS):
            yield _("Label %(label)s: its parts are texts of at most %(most)d characters.") % (
                where | {"most": LONGEST}
            )
        if not re.fullmatch(r"[0-9]?", str(label.get("key", ""))):
            yield _("Label %(label)s: its key is one digit, or none.") % where
    for part, sentence in (("name", _("Two labels are called %s.")), ("key", _("Two labels have the key %s."))):
        each = Counter(label.get(part) for label in labels if isinstance(label.get(part), str) and label.get(part))
        yield from (sentence % value for value, many in each.items() if many > 1)


def _faults_of_place(applies: Any) -> Iterator[str]:
    if not isinstance(applies, dict) or set(applies) - {"what", "kinds", "stages", "games"}:
        yield _("What a scheme applies to is an object with what, kinds, stages and games.")
        return
    if applies.get("what", "events") not in WHAT:
        yield _("A scheme applies to one of: %s.") % ", ".join(WHAT)
    lists = [applies.get(part, []) for part in ("kinds", "stages", "games")]
    if not all(isinstance(one, list) and all(_is_text(value, 60) for value in one) for one in lists):
        yield _("Kinds, stages and games are lists of names.")
    elif unknown := sorted(set(lists[2]) - set(RULES)):
        yield _("There is no game %s here.") % ", ".join(unknown)


def _is_version(value: Any) -> bool:
    return type(value) is int and 1 <= value <= LARGEST


def _is_text(value: Any, longest: int) -> bool:
    return isinstance(value, str) and len(value.strip()) > 0 and len(value) <= longest


# As a file ------------------------------------------------------------------------------------------------------------


def as_file(scheme: Scheme) -> str:
    """A version of a scheme as a file of JSON."""
    content = {part: getattr(scheme, part) for part in _CONTENT}
    file = {"format": FORMAT, "name": scheme.name, "version": scheme.version} | content
    return json.dumps(file, indent=2, ensure_ascii=False) + "\n"


def from_file(text: str, *, by: Any = None) -> Scheme:
    """Store the scheme of a file. Raises `SchemeError` with sentences that say what is wrong with it."""
    try:
        file = loads(text)
    except ValueError as error:
        raise SchemeError(_("This is not a file of JSON: %s.") % str(error).rstrip(".")) from error
    if not isinstance(file, dict) or file.get("format") != FORMAT:
        raise SchemeError(_("This is not a scheme: its “format” has to be “%s”.") % FORMAT)
    content = {part: value for part, value in file.items() if part not in ("format", "name", "version")}
    name, version = file.get("name"), file.get("version", 1)
    known = Scheme.objects.filter(name=str(name), version=version if _is_version(version) else 0).first()
    if known is not None and known.imported:
        return _told(known, checked(content))
    return make(name if isinstance(name, str) else "", content, by=by, version=version)


def _told(scheme: Scheme, content: dict[str, Any]) -> Scheme:
    """A scheme that came with logs, of which nothing but names was known, as its file tells it."""
    if missing := sorted(set(scheme.names) - {label["name"] for label in content["labels"]}):
        sentence = _(
            "This file is of another scheme of that name: it has no label %s, by which matches here are labelled."
        )
        raise SchemeError(sentence % ", ".join(missing))
    for part, value in content.items():
        setattr(scheme, part, value)
    scheme.imported = False
    scheme.save()
    return scheme
