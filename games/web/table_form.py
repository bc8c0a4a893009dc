"""The form that opens a table: its seats, how it is played, and the game's own options, read off their declaration."""

import dataclasses
import hashlib
from functools import cached_property
from typing import Any, cast

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Room
from games.refused import Refused
from games.room import rooms
from games.room.own_words import Checked, check
from games.rules import values
from games.rules.core import Rules
from games.translation import translated
from magic_site.number_fields import WholeNumberField
from magic_site.numbers import number_in

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
ROOM_SETTINGS = (
    "move_seconds", "absence", "pace", "agents_named", "pseudonyms", "listed", "watching", "afterwards", "thoughts_live"
)  # fmt: skip
WATCH, PLAY_ALONG = "watch", "play"
"""What who typed a table's own words does there."""
FREE, HOST, NO_SEAT = "", ":host", ":none"
"""In a line-up in place of a profile: a free seat, the host's, and none at all. No profile can be called so."""


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
        help_text=gettext_lazy(
            "Like people: as long as people take to read, to think and to type. Faster ones show who is an agent."
        ),
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
    table_talk = forms.BooleanField(
        label=gettext_lazy("Table talk"),
        help_text=gettext_lazy(
            "All may chat and react: before, beside and after the game. Only where names and agents are shown."
        ),
        initial=True,
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

    own_words = forms.CharField(
        label=gettext_lazy("Your words"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
    )
    own_role = forms.ChoiceField(
        label=gettext_lazy("You know these words"),
        help_text=gettext_lazy("Who typed them has an edge. So you watch, unless you choose to play along."),
        choices=((WATCH, gettext_lazy("I only watch")), (PLAY_ALONG, gettext_lazy("I play along all the same"))),
        initial=WATCH,
        required=False,
        widget=forms.RadioSelect,
    )
    by_seat = forms.BooleanField(
        label=gettext_lazy("Choose who sits where"),
        help_text=gettext_lazy("Seat by seat: any agent, you, or free. Agents alone can play too, for you to watch."),
        required=False,
    )
    thoughts_live = forms.BooleanField(
        label=gettext_lazy("Watchers see what agents think while they play"),
        help_text=gettext_lazy("Where only agents sit, everybody may watch live, and nothing is hidden of who plays."),
        required=False,
    )

    def __init__(self, rules: Rules, preset: str, *args: Any, researcher: bool = False, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.rules, self.preset, self.researcher = rules, preset, researcher
        self.profiles = rooms.seatable(rules.name, researcher)
        agent = cast(forms.ChoiceField, self.fields["agent"])
        agent.choices, agent.required = self.profiles, bool(self.profiles)
        agent.initial = self.profiles[0][0] if self.profiles else ""
        friends = str(self.initial.get("friends", self.fields["friends"].initial))
        free = self.usual_seats() - 1 - (number_in(friends, 2) or 0)
        self.fields["agents"].initial = max(free, 0)
        if not rules.own_lines or self.for_research():
            del self.fields["own_words"], self.fields["own_role"]
        else:
            self.fields["own_words"].help_text = translated(rules.own_lines)
            self.fields["own_words"].widget.attrs["placeholder"] = rules.own_example
        if researcher:
            self._offer_seats()
        else:
            del self.fields["by_seat"], self.fields["thoughts_live"]
        if self.for_research():
            del self.fields["table_talk"]
        self.offered = options_offered(rules, preset)
        for item in self.offered:
            self.fields[f"option-{item.name}"] = option_field(item, getattr(self.defaults, item.name))

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
        names = ("watching", "afterwards", "table_talk", "agents_named", "pseudonyms", "listed", "thoughts_live")
        return [self[name] for name in names if name in self.fields]

    def of_seats(self) -> list[forms.BoundField]:
        """Who sits where, for who may choose it."""
        return [self[name] for name in self.fields if name.startswith("seat-")]

    def _offer_seats(self) -> None:
        """As many seats as the way of playing has, the usual ones taken: the host's, and agents on the others."""
        chosen, usual = self.rules.presets[self.preset], self.usual_seats()
        sitters = [(FREE, _("free")), (HOST, _("you")), *self.profiles]
        agent = self.profiles[0][0] if self.profiles else FREE
        for number in range(1, chosen.high + 1):
            self.fields[f"seat-{number}"] = forms.ChoiceField(
                label=_("Seat %(number)d") % {"number": number},
                choices=sitters if number <= chosen.low else [*sitters, (NO_SEAT, _("no seat"))],
                initial=HOST if number == 1 else agent if number <= usual else NO_SEAT,
                required=False,
            )

    def of_own_words(self) -> list[forms.BoundField]:
        """A table's own words, where the game takes them."""
        return [self[name] for name in ("own_words", "own_role") if name in self.fields]

    @cached_property
    def checked(self) -> Checked | None:
        """What is to be said of the words that were typed; None where none were."""
        typed = str(self["own_words"].value() or "") if "own_words" in self.fields else ""
        return check(self.rules, typed) if typed.strip() else None

    @property
    def seen_words(self) -> str:
        """What the page sends back once it has told what is to be said of these words."""
        return hashlib.sha256(str(self["own_words"].value()).encode()).hexdigest()[:16] if self.checked else ""

    @property
    def only_watches(self) -> bool:
        """Whether who opens the table stays off it, knowing its words."""
        return self.checked is not None and self.cleaned_data.get("own_role") != PLAY_ALONG

    def game_refused(self) -> bool:
        """Whether an option of the game, or how they go together, is refused."""
        return any(name == NON_FIELD_ERRORS or name.startswith("option-") for name in self.errors)

    def clean_name(self) -> str:
        try:
            return rooms.clean_name(self.cleaned_data["name"])
        except Refused as refused:
            raise forms.ValidationError(str(refused)) from refused

    @property
    def lineup(self) -> list[str] | None:
        """Who is to sit at each seat, where that was chosen."""
        if not self.cleaned_data.get("by_seat"):
            return None
        sitters = [self.cleaned_data[field.name] for field in self.of_seats()]
        return [sitter for sitter in sitters if sitter != NO_SEAT]

    @property
    def seats(self) -> int:
        if self.lineup is not None:
            return len(self.lineup)
        return (not self.only_watches) + self.cleaned_data["friends"] + self.cleaned_data["agents"]

    def who_sits(self) -> dict[str, Any]:
        """Who sits down where, as `open_table` takes it."""
        if self.lineup is None:
            place = {"place": None} if self.only_watches else {}
            return {name: self.cleaned_data[name] for name in ("agents", "agent")} | place
        seats = dict(enumerate(self.lineup, 1))
        agents = {seat: sitter for seat, sitter in seats.items() if sitter not in (FREE, HOST)}
        return {"lineup": agents, "place": next((seat for seat in seats if seats[seat] == HOST), None)}

    def full_clean(self) -> None:
        """The first field that is refused has the focus when the page is shown again."""
        super().full_clean()
        refused = next(iter(self.errors), NON_FIELD_ERRORS)
        if refused != NON_FIELD_ERRORS:
            self.fields[refused].widget.attrs["autofocus"] = True

    def clean(self) -> dict[str, Any]:
        super().clean()
        cleaned = self.cleaned_data
        if self.checked is not None:
            self._check_words(self.checked)
        if self.errors:
            return cleaned
        chosen = self.rules.presets[self.preset]
        if cleaned.get("thoughts_live") and not self._hides_nothing(cleaned):
            self.add_error(
                "thoughts_live",
                _("Watchers can see thoughts only where anyone may watch live, agents are named and names are shown."),
            )
        elif (self.lineup or []).count(HOST) > 1:
            self.add_error("by_seat", _("You can sit at one seat only."))
        elif not chosen.low <= self.seats <= chosen.high:
            self.add_error("agents" if self.lineup is None else "by_seat", self._seats_wanted())
        elif self.lineup is None and cleaned["agents"] and not self.profiles:
            self.add_error("agents", _("No agents are set up here."))
        else:
            cleaned["options"] = self.overrides(cleaned)
            try:
                options = self.rules.options(self.preset, cleaned["options"], self.seats)
                for setting in self.checked.settings if self.checked else ():
                    self.rules.check_setting(options, setting)
            except values.Impossible as error:
                self.add_error(None, translated(error.sentence))
        return cleaned

    def _check_words(self, checked: Checked) -> None:
        """Nothing is played with that cannot be, or of which nobody was told yet what is to be said of it."""
        if checked.trouble:
            self.add_error("own_words", _("These words cannot be played with. What is wrong stands below."))
        elif checked.bad:
            self.add_error("own_words", _("Some lines cannot be played with. What is wrong stands beside each."))
        elif checked.remarked and self.data.get("seen") != self.seen_words:
            self.add_error(
                "own_words", _("Look at what is said of your words. If they may stay, open the table again.")
            )

    @staticmethod
    def _hides_nothing(cleaned: dict[str, Any]) -> bool:
        return cleaned["watching"] == Room.Watching.LIVE and cleaned["agents_named"] and not cleaned["pseudonyms"]

    def _seats_wanted(self) -> str:
        chosen = self.rules.presets[self.preset]
        if self.lineup is None:
            return _seats_wanted(chosen.low, chosen.high, self.seats, self.only_watches)
        facts = {"low": chosen.low, "high": chosen.high, "seats": self.seats}
        return _("This way of playing is for %(low)d to %(high)d seats; you chose %(seats)d.") % facts

    def overrides(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        """The options that differ from those of the preset. There is no talk where it is hidden who is who."""
        chosen = {item.name: _chosen(item, cleaned, self.seats) for item in self.offered}
        chosen["table_talk"] = bool(cleaned.get("table_talk") and cleaned["agents_named"] and not cleaned["pseudonyms"])
        return {name: value for name, value in chosen.items() if value != getattr(self.defaults, name)}

    def room_settings(self) -> dict[str, Any]:
        chosen = {name: self.cleaned_data[name] for name in ROOM_SETTINGS if name in self.fields}
        return chosen | ({"own_words": self.checked.settings} if self.checked else {})


def options_offered(rules: Rules, preset: str) -> list[dataclasses.Field]:
    """The options in which a host has a choice; those for research only beside the presets of papers."""
    chosen = rules.presets[preset]
    return [
        item
        for item in dataclasses.fields(chosen.options)
        if not item.metadata["hidden"]
        and not (chosen.title and item.metadata["research"])
        and (item.metadata["choices"] is None or len(item.metadata["choices"]) > 1)
    ]


def option_field(item: dataclasses.Field, value: Any) -> forms.Field:
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


def _seats_wanted(low: int, high: int, seats: int, watching: bool) -> str:
    facts = {"low": low, "high": high, "seats": seats}
    if watching:
        return (
            _("This way of playing is for %(low)d to %(high)d seats; without you, who watch, %(seats)d sit down.")
            % facts
        )
    if low == high:
        return _("This way of playing is for %(low)d seats; you, friends and agents are %(seats)d.") % facts
    return _("This way of playing is for %(low)d to %(high)d seats; you, friends and agents are %(seats)d.") % facts
