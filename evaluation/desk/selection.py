"""The one choice of matches: of the list, of exports, of tasks for raters. Its parts are parameters of an address."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import reduce
from operator import or_
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.db.models import CharField, Q, QuerySet, TextField, Value
from django.db.models.functions import MD5, Cast, Concat, Replace
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from agents.models import AgentProfile
from evaluation.labelling.models import Final, Round
from evaluation.models import Bout, Competition, StudyTable
from evaluation.suites import SUITES
from games.match import access, lookup
from games.models import Match
from games.registry import RULES
from games.web.wording import in_words
from magic_site.number_fields import WholeNumberField

MOST_SAMPLED = 100_000
OVER = "over"
"""As a status: any but running."""

STATUSES = {
    "running": _("Being played"),
    OVER: _("Over"),
    "finished": _("Played to the end"),
    "abandoned": _("Ended early"),
    "void": _("Not counted"),
}


ANY = _("Any")


class Ids(forms.CharField):
    """Ids of matches, with commas or spaces between them."""

    def clean(self, value: Any) -> str:
        given = re.split(r"[\s,]+", super().clean(value))
        try:
            return ",".join(str(UUID(one)) for one in given if one)
        except ValueError:
            raise ValidationError(_("These are no ids of matches.")) from None


LAST_DAY = date(9998, 12, 31)
"""There is a day after it."""


class Words(forms.CharField):
    """Words to look for."""

    def clean(self, value: Any) -> str:
        words = super().clean(value)
        if words and not lookup.terms_of(words):
            raise ValidationError(_("Give at least one word to look for."))
        return words


class Choices(forms.ChoiceField):
    """One of some, or any."""

    def __init__(self, choices: Any, **more: Any):
        self._given = choices
        super().__init__(choices=self.every, required=False, **more)

    def every(self) -> list[tuple[str, Any]]:
        """All that may be chosen."""
        return [("", ANY), *dict(self._given() if callable(self._given) else self._given).items()]


def _text(label: Any, **more: Any) -> forms.CharField:
    return forms.CharField(label=label, required=False, max_length=120, **more)


class SelectionForm(forms.Form):
    """What may be chosen, each part by the name that it has in an address."""

    words = Words(
        label=_("Words"),
        required=False,
        max_length=200,
        help_text=_('All of them in one text; "in quotation marks": as they stand.'),
    )
    game = Choices(lambda: [(name, rules.title) for name, rules in RULES.items()], label=_("Game"))
    preset = _text(_("Preset"))
    agent = _text(_("Agent"))
    role = _text(_("Role"))
    side = _text(_("Side"))
    won = Choices({"yes": _("Won"), "no": _("Lost")}, label=_("Won or lost"))
    method = _text(_("Method"))
    model = _text(_("Model"))
    result = Choices(
        lambda: sorted({(one, in_words(one)) for rules in RULES.values() for one in rules.results}), label=_("Result")
    )
    status = Choices(STATUSES, label=_("Status"))
    origin = Choices(Match.Origin.choices, label=_("Origin"))
    competition = forms.UUIDField(
        label=_("Competition"), required=False, error_messages={"invalid": _("There is no competition of that id.")}
    )
    suite = Choices(lambda: [(name, suite.title) for name, suite in SUITES.items()], label=_("Suite"))
    label = _text(_("Label"), help_text=_("A scheme, or a scheme and a label of it with a colon between them."))
    since = forms.DateField(label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(
        label=_("To"),
        required=False,
        validators=[MaxValueValidator(LAST_DAY)],
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    match = Ids(label=_("Matches"), required=False, max_length=40_000)
    sample = WholeNumberField(
        label=_("Random sample"), required=False, min_value=1, max_value=MOST_SAMPLED, help_text=_("How many of them.")
    )
    seed = WholeNumberField(
        label=_("Seed"), required=False, min_value=0, help_text=_("The same seed draws the same matches.")
    )


PARTS = tuple(SelectionForm.base_fields)
"""The names of all that may be chosen."""


@dataclass(frozen=True)
class Selection:
    """Some matches. Each part that is not empty narrows it.

    agent, role, side, won ("yes", "no"), method, model: one and the same seat has all of these, so that an agent that
    lost as a role is one choice. since, until: days (UTC) on which a match began. label: "scheme" or "scheme:label".
    words: see `games.match.lookup.terms_of`. match: ids with commas between them. sample: so many of all that is
    chosen otherwise, drawn by `seed`.
    """

    words: str = ""
    game: str = ""
    preset: str = ""
    agent: str = ""
    role: str = ""
    side: str = ""
    won: str = ""
    method: str = ""
    model: str = ""
    result: str = ""
    status: str = ""
    origin: str = ""
    competition: str = ""
    suite: str = ""
    label: str = ""
    since: str = ""
    until: str = ""
    match: str = ""
    sample: int = 0
    seed: int = 0
    user: User | AnonymousUser | None = field(default=None, compare=False, repr=False)

    @classmethod
    def of(cls, params: Mapping[str, Any], user: User | AnonymousUser | None = None) -> Selection:
        """The choice in an address, whose other parameters are nobody's business here; for this user, who is no part of
        it. Raises `ValidationError` with sentences by field for what makes no sense."""
        form = SelectionForm(given(params))
        if not form.is_valid():
            raise ValidationError(dict(form.errors.as_data()))
        chosen: dict[str, Any] = {
            name: value if isinstance(value, int) else str(value) for name, value in form.cleaned_data.items() if value
        }
        return cls(**chosen, user=user)

    def params(self) -> dict[str, str]:
        """What is chosen, as an address, a job or the audit holds it; `of` reads it back."""
        return {name: str(value) for name in PARTS if (value := getattr(self, name))}

    def query(self) -> str:
        """The same for a link, without the question mark."""
        return urlencode(self.params())

    def sentence(self) -> str:
        """What is chosen, for people."""
        return " · ".join(told for _name, told in self.told()) or str(_("All matches"))

    def told(self) -> list[tuple[str, str]]:
        """Each part that is chosen, by its name, with what is chosen for people."""
        form = SelectionForm()
        return [(name, f"{form.fields[name].label}: {self._called(form, name)}") for name in self.params()]

    def _called(self, form: forms.Form, name: str) -> str:
        value, asked = str(getattr(self, name)), form.fields[name]
        if isinstance(asked, Choices):
            return str(dict(asked.every()).get(value, value))
        if name == "competition":
            return Competition.objects.filter(pk=value).values_list("name", flat=True).first() or value
        return value

    def matches(self, user: User | AnonymousUser | None = None) -> QuerySet[Match]:
        """These matches, the newest first, of those of which this user, or the one that it was made `of`, may see
        everything; where nobody is named, of all."""
        user = user or self.user
        found = (Match.objects.all() if user is None else access.open_to(user)).order_by("-created_at", "-pk")
        for part in self._parts():
            found = found.filter(part)
        if self.sample:
            drawn = Concat(Value(f"{self.seed}:"), Replace(Cast("pk", CharField()), Value("-"), Value("")))
            chosen: Any = found.order_by(MD5(drawn), "pk").values("pk")[: self.sample]
            found = found.filter(pk__in=chosen)
        return found

    def count(self, user: User | AnonymousUser | None = None) -> int:
        """How many they are."""
        return self.matches(user).count()

    def _parts(self) -> list[Q]:
        plain = ("game", "preset", "result", "origin")
        parts = [Q(**{name: getattr(self, name)}) for name in plain if getattr(self, name)]
        if not self.origin and not self.match:
            parts.append(~Q(origin=Match.Origin.EXAMPLE))
        of_a_seat = ("agent", "role", "side", "method", "model")
        seat: dict[str, Any] = {name: getattr(self, name) for name in of_a_seat if getattr(self, name)}
        seat |= {name: seat[name].lower() for name in ("role", "side") if name in seat}
        if "agent" in seat:
            seat["agent"] = _named(seat["agent"])
        if self.won:
            seat["won"] = self.won == "yes"
        if seat:
            parts.append(lookup.with_seat(**seat))
        if self.status:
            parts.append(~Q(status="running") if self.status == OVER else Q(status=self.status))
        if self.since:
            parts.append(Q(created_at__gte=_midnight(self.since)))
        if self.until:
            parts.append(Q(created_at__lt=_midnight(self.until) + timedelta(days=1)))
        if self.match:
            parts.append(Q(pk__in=self.match.split(",")))
        if self.competition:
            parts.append(planned(competition=UUID(self.competition)))
        if self.suite:
            parts.append(planned(suite=self.suite))
        if self.label:
            parts.append(labelled(*self.label.split(":", 1)))
        if self.words:
            parts.append(lookup.with_words(self.words))
        return parts


def given(params: Mapping[str, Any]) -> dict[str, str]:
    """What an address chooses; of ids there may be several."""
    several = (
        {"match": ",".join(params.getlist("match"))} if isinstance(params, QueryDict) and "match" in params else {}
    )
    return {name: params[name] for name in PARTS if name in params} | several


def planned(*, competition: UUID | None = None, suite: str = "") -> Q:
    """Matches that a competition planned, here or where they were imported from, and those at its tables with a
    person."""
    bouts = Bout.objects.order_by()
    brought = Q(origin=Match.Origin.IMPORT)
    if competition:
        bouts, brought = bouts.filter(competition=competition), brought & Q(labels__competition=str(competition))
    if suite:
        bouts, brought = bouts.filter(competition__suite=suite), brought & Q(labels__suite=suite)
    tables = StudyTable.objects.order_by().filter(bout__in=bouts)
    here = bouts.filter(match__isnull=False)
    return Q(pk__in=here.values("match")) | brought | Q(room__in=tables.values("room"))


def labelled(scheme: str, label: str = "") -> Q:
    """Matches in which something has this label of a scheme, or any, once its round is closed: raters would see in the
    list what others gave."""
    held = Final.objects.order_by().filter(item__round__scheme__name=scheme, item__round__status=Round.Status.CLOSED)
    if label:
        written = {json.dumps(label), json.dumps(label, ensure_ascii=False)}
        held = held.annotate(written=Cast("labels", TextField()))
        held = held.filter(reduce(or_, (Q(written__contains=one) for one in written)))
    return Q(pk__in=held.values("item__match"))


def _midnight(day: str) -> datetime:
    return datetime.combine(date.fromisoformat(day), time(), UTC)


def _named(agent: str) -> str:
    """The name of the profile that is called so: by its name, or by its title as pages have it."""
    called = AgentProfile.objects.filter(Q(name__iexact=agent) | Q(title__iexact=agent))
    names = list(called.values_list("name", flat=True))
    return agent if agent in names or not names else names[0]
