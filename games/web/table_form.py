"""The form that opens a table: its seats, how it is played, and the game's own options, read off their declaration."""

import dataclasses
from typing import Any, cast

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Room
from games.room import rooms
from games.rules import values
from games.rules.core import Rules
from games.translation import translated
from magic_site.number_fields import WholeNumberField

MOST_SEATS = 12
TIMES = (
    (30, gettext_lazy("30 seconds")),
    (60, gettext_lazy("1 minute")),
    (90, gettext_lazy("90 seconds")),
    (180, gettext_lazy("3 minutes")),
    (600, gettext_lazy("10 minutes")),
    (0, gettext_lazy("No limit")),
)
PACES = (
    (0.0, gettext_lazy("At once")),
    (0.5, gettext_lazy("Quickly")),
    (1.0, gettext_lazy("Like people")),
    (2.0, gettext_lazy("Slowly")),
)
ROOM_SETTINGS = ("move_seconds", "absence", "pace", "agents_named", "pseudonyms", "listed", "watching", "afterwards")


class TableForm(forms.Form):
    """What a host may choose. The game's options are fields named `option-<name>`, with the preset's values in them."""

    name = forms.CharField(label=gettext_lazy("Your name"), required=False)
    friends = WholeNumberField(
        label=gettext_lazy("Friends"),
        help_text=gettext_lazy("They come by your link."),
        min_value=0,
        max_value=MOST_SEATS - 1,
        initial=1,
    )
    agents = WholeNumberField(
        label=gettext_lazy("Agents"),
        help_text=gettext_lazy("They sit down at once."),
        min_value=0,
        max_value=MOST_SEATS - 1,
    )
    agent = forms.ChoiceField(
        label=gettext_lazy("Which agents"),
        help_text=gettext_lazy("House agents need no key and no network."),
    )
    move_seconds = forms.TypedChoiceField(
        label=gettext_lazy("Time for a move"),
        help_text=gettext_lazy("The clock runs only for people."),
        choices=TIMES,
        coerce=int,
        initial=Room.usual("move_seconds"),
    )
    absence = forms.ChoiceField(
        label=gettext_lazy("When somebody does not answer"),
        choices=Room.Absence.choices,
        initial=Room.usual("absence"),
        widget=forms.RadioSelect,
    )
    pace = forms.TypedChoiceField(
        label=gettext_lazy("Agents speak"),
        help_text=gettext_lazy("Like people: as long as people take to read, to think and to type."),
        choices=PACES,
        coerce=float,
        initial=Room.usual("pace"),
    )
    agents_named = forms.BooleanField(
        label=gettext_lazy("Say who is an agent"),
        help_text=gettext_lazy("If not, nobody is told before the end, and everybody gets a seat and a name by lot."),
        initial=Room.usual("agents_named"),
        required=False,
    )
    pseudonyms = forms.BooleanField(
        label=gettext_lazy("Hide names"),
        help_text=gettext_lazy("Everybody appears as Player 1, Player 2 and so on."),
        initial=Room.usual("pseudonyms"),
        required=False,
    )
    listed = forms.BooleanField(
        label=gettext_lazy("Show among the open tables"),
        help_text=gettext_lazy("If not, only people with the link or the code find it."),
        initial=Room.usual("listed"),
        required=False,
    )
    watching = forms.ChoiceField(
        label=gettext_lazy("Who may watch"),
        choices=Room.Watching.choices,
        initial=Room.usual("watching"),
        widget=forms.RadioSelect,
    )
    afterwards = forms.ChoiceField(
        label=gettext_lazy("Who may see everything afterwards"),
        help_text=gettext_lazy("All words, roles and thoughts, in the replay."),
        choices=Room.Afterwards.choices,
        initial=Room.usual("afterwards"),
        widget=forms.RadioSelect,
    )

    def __init__(self, rules: Rules, preset: str, *args: Any, researcher: bool = False, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.rules, self.preset = rules, preset
        self.profiles = rooms.seatable(rules.name, researcher)
        agent = cast(forms.ChoiceField, self.fields["agent"])
        agent.choices, agent.required = self.profiles, bool(self.profiles)
        agent.initial = self.profiles[0][0] if self.profiles else ""
        friends = str(self.initial.get("friends", self.fields["friends"].initial))
        free = self.usual_seats() - 1 - (int(friends) if friends.isdecimal() and len(friends) < 3 else 0)
        self.fields["agents"].initial = max(free, 0)
        self.offered = [
            item for item in _offered(self.defaults) if self.for_research() or not item.metadata["research"]
        ]
        for item in self.offered:
            self.fields[f"option-{item.name}"] = _field(item, getattr(self.defaults, item.name))

    @property
    def defaults(self) -> Any:
        return self.rules.presets[self.preset].options

    def usual_seats(self) -> int:
        """How many sit at a table of this preset if nothing else is said."""
        chosen = self.rules.presets[self.preset]
        preset, seats = self.rules.players
        return seats if preset == self.preset else min(max(seats, chosen.low), chosen.high)

    def of_players(self) -> list[tuple[str, Any]]:
        """The ways of playing that are for players: (name, preset) each."""
        return [(name, preset) for name, preset in self.rules.presets.items() if preset.title]

    def of_papers(self) -> list[tuple[str, Any]]:
        """The other ways of playing."""
        return [(name, preset) for name, preset in self.rules.presets.items() if not preset.title]

    def for_research(self) -> bool:
        """Whether the way of playing is none of those for players."""
        return not self.rules.presets[self.preset].title

    def of_game(self) -> list[forms.BoundField]:
        """The game's options."""
        return [self[f"option-{i.name}"] for i in self.offered if not i.metadata["research"]]

    def of_research(self) -> list[forms.BoundField]:
        """What is asked and recorded beside the game."""
        return [self[f"option-{i.name}"] for i in self.offered if i.metadata["research"]]

    def of_time(self) -> list[forms.BoundField]:
        return [self[name] for name in ("move_seconds", "pace", "absence")]

    def of_watching(self) -> list[forms.BoundField]:
        return [self[name] for name in ("watching", "afterwards", "agents_named", "pseudonyms", "listed")]

    def game_refused(self) -> bool:
        """Whether an option of the game, or how they go together, is refused."""
        return any(name == NON_FIELD_ERRORS or name.startswith("option-") for name in self.errors)

    def clean_name(self) -> str:
        try:
            return rooms.clean_name(self.cleaned_data["name"])
        except rooms.Refused as refused:
            raise forms.ValidationError(str(refused)) from refused

    @property
    def seats(self) -> int:
        return 1 + self.cleaned_data["friends"] + self.cleaned_data["agents"]

    def clean(self) -> dict[str, Any]:
        super().clean()
        cleaned = self.cleaned_data
        if self.errors:
            return cleaned
        chosen = self.rules.presets[self.preset]
        if not chosen.low <= self.seats <= chosen.high:
            self.add_error("agents", _seats_wanted(chosen.low, chosen.high, self.seats))
        elif cleaned["agents"] and not self.profiles:
            self.add_error("agents", _("No agents are set up here."))
        else:
            cleaned["options"] = self.overrides(cleaned)
            try:
                self.rules.options(self.preset, cleaned["options"], self.seats)
            except values.Impossible as error:
                self.add_error(None, translated(error.sentence))
        return cleaned

    def overrides(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        """The options that differ from those of the preset."""
        chosen = {item.name: _chosen(item, cleaned, self.seats) for item in self.offered}
        return {name: value for name, value in chosen.items() if value != getattr(self.defaults, name)}

    def room_settings(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ROOM_SETTINGS}


def _offered(options: Any) -> list[dataclasses.Field]:
    """The options in which a host has a choice."""
    shown = [item for item in dataclasses.fields(options) if not item.metadata["hidden"]]
    return [item for item in shown if item.metadata["choices"] is None or len(item.metadata["choices"]) > 1]


def _field(item: dataclasses.Field, value: Any) -> forms.Field:
    """An option's form field."""
    meta = item.metadata
    about = translated(meta["about"])
    if isinstance(item.default, bool):
        return forms.BooleanField(label=about, initial=value, required=False)
    common = {"label": translated(meta["label"]), "help_text": about, "initial": value}
    if meta["choices"]:
        choices = [(choice, translated(words)) for choice, words in meta["choices"].items() if words]
        if meta["fill"]:
            return forms.MultipleChoiceField(
                **common, choices=choices, required=False, widget=forms.CheckboxSelectMultiple
            )
        return forms.ChoiceField(**common, choices=choices)
    return WholeNumberField(**common, min_value=meta["low"], max_value=meta["high"], required=item.default is not None)


def _chosen(item: dataclasses.Field, cleaned: dict[str, Any], seats: int) -> Any:
    """An option's value, read from its form field."""
    value = cleaned[f"option-{item.name}"]
    if item.metadata["fill"]:
        return item.metadata["fill"](value, seats) if value else ()
    return value


def _seats_wanted(low: int, high: int, seats: int) -> str:
    facts = {"low": low, "high": high, "seats": seats}
    if low == high:
        return _("This way of playing is for %(low)d seats; you, friends and agents are %(seats)d.") % facts
    return _("This way of playing is for %(low)d to %(high)d seats; you, friends and agents are %(seats)d.") % facts
