"""The forms of schemes, of tasks, and of what a task's owner does with its rounds."""

from typing import Any, cast

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from evaluation.labelling import items as drawing
from evaluation.labelling import rounds
from evaluation.labelling.models import Round, Scheme, Task
from evaluation.labelling.premarks import RULES_THAT_MARK
from evaluation.labelling.schemes import SchemeError
from games.registry import RULES
from games.translation import translated
from magic_site.number_fields import WholeNumberField

ROWS = "1234567890"
"""The keys of labels, in the order of the form's rows."""

SEES = {
    "thoughts": _("what agents thought"),
    "roles": _("roles, and what was dealt"),
    "names": _("the names of players"),
    "models": _("models and methods, and who is an agent"),
    "outcome": _("how the match ended"),
}
"""What an owner may let raters see; all of it is hidden by default."""

DROPPED = "-"


class Names(forms.CharField):
    """Names with commas between them."""

    def __init__(self, **more: Any):
        super().__init__(required=False, max_length=600, **more)

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(value) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[str]:
        return [name for part in super().clean(value).split(",") if (name := part.strip())]


class SchemeForm(forms.Form):
    """A scheme without its labels."""

    name = forms.SlugField(
        max_length=60, label=_("Short name"), help_text=_("Stands in files. Letters, digits and hyphens.")
    )
    title = forms.CharField(max_length=120, label=_("Title"))
    about = forms.CharField(
        required=False, label=_("What it is for"), widget=forms.Textarea(attrs={"rows": 3}), max_length=4000
    )
    kind = forms.ChoiceField(label=_("Kind"), choices=Scheme.Kind.choices, widget=forms.RadioSelect)
    what = forms.ChoiceField(
        label=_("An item is"),
        choices=[
            ("events", _("something said or done")),
            ("thoughts", _("a step of an agent's reasoning")),
            ("seats", _("a player in a match")),
            ("matches", _("a whole match")),
        ],
        widget=forms.RadioSelect,
    )
    games = forms.MultipleChoiceField(
        label=_("Games"), required=False, widget=forms.CheckboxSelectMultiple, help_text=_("None chosen: all.")
    )
    kinds = Names(
        label=_("Kinds of event"),
        help_text=_("As logs call them, with commas between, such as: clue, speech. Empty: all that holds words."),
    )
    stages = Names(label=_("Stages of thought"), help_text=_("As logs call them. Empty: all."))
    rule = forms.ChoiceField(
        label=_("Marked beforehand"),
        required=False,
        help_text=_("A rule marks each item; raters keep it or correct it."),
    )

    def __init__(self, *args: Any, fixed: bool = False, **kwargs: Any) -> None:
        """fixed: the name stays as it is."""
        super().__init__(*args, **kwargs)
        cast(forms.ChoiceField, self.fields["games"]).choices = [
            (name, translated(rules.title)) for name, rules in RULES.items()
        ]
        rules = [("", _("by nobody")), *((name, name) for name in RULES_THAT_MARK)]
        cast(forms.ChoiceField, self.fields["rule"]).choices = rules
        if fixed:
            del self.fields["name"]

    def content(self, labels: list[dict[str, str]]) -> dict[str, Any]:
        """What the form says, with these labels, as a scheme's content."""
        said = self.cleaned_data
        applies = {part: said[part] for part in ("what", "kinds", "stages", "games")}
        return {part: said[part] for part in ("title", "about", "kind", "rule")} | {
            "applies": applies,
            "labels": labels,
        }

    def complain(self, error: SchemeError) -> None:
        """Say what is wrong with the scheme as a whole."""
        self.add_error(None, [str(sentence) for sentence in error.args])


class LabelForm(forms.Form):
    """One label; its key is that of its row. An empty row is no label."""

    was = forms.CharField(required=False, widget=forms.HiddenInput)
    title = forms.CharField(max_length=80, required=False, label=_("Label"))
    name = forms.SlugField(
        max_length=60, required=False, label=_("Short name"), help_text=_("Empty: made from the label.")
    )
    definition = forms.CharField(
        required=False, max_length=4000, label=_("Definition"), widget=forms.Textarea(attrs={"rows": 2})
    )
    example = forms.CharField(
        required=False, max_length=4000, label=_("Example"), widget=forms.Textarea(attrs={"rows": 2})
    )
    counter = forms.CharField(
        required=False,
        max_length=4000,
        label=_("Counter-example"),
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("What looks like it, and is not."),
    )

    def clean(self) -> dict[str, Any]:
        said = super().clean() or {}
        if any(said.get(part) for part in ("name", "definition", "example", "counter")) and not said.get("title"):
            self.add_error("title", _("Say how the label is called, or empty the whole row."))
        return said


class LabelRows(forms.BaseFormSet):
    """The labels of a scheme, by their keys."""

    def labels(self) -> list[dict[str, str]]:
        """Those that were filled in."""
        found = []
        for key, row in zip([*ROWS, *[""] * len(self.forms)], self.forms, strict=False):
            said = row.cleaned_data
            if said.get("title"):
                parts = {part: said[part] for part in ("title", "definition", "example", "counter")}
                found.append({"name": said["name"] or _slug(said["title"])} | parts | {"key": key})
        return found

    def renames(self, old: Scheme) -> dict[str, str | None]:
        """What becomes of each label of an old version: what its row says now; None where that is empty."""
        rows = {said["was"]: said for row in self.forms if (said := row.cleaned_data).get("was")}
        return {
            name: (said["name"] or _slug(said["title"])) if (said := rows.get(name)) and said["title"] else None
            for name in old.names
        }


def label_rows(data: Any = None, scheme: Scheme | None = None) -> LabelRows:
    """The rows of labels of a form, at first as a scheme has them."""
    rows = {label["key"]: label | {"was": label["name"]} for label in (scheme.labels if scheme else ()) if label["key"]}
    others = [label | {"was": label["name"]} for label in (scheme.labels if scheme else ()) if not label["key"]]
    initial = [rows.get(key, {}) for key in ROWS] + others
    made = forms.formset_factory(LabelForm, formset=LabelRows, extra=0, max_num=40, absolute_max=40)
    return cast(LabelRows, made(data, initial=initial, prefix="labels"))


def _slug(title: str) -> str:
    words = "".join(letter if letter.isalnum() else " " for letter in title.casefold()).split()
    return "_".join(words)[:60]


class SchemeFile(forms.Form):
    """A scheme to be taken in."""

    file = forms.FileField(label=_("A scheme as a file of JSON"), widget=forms.FileInput(attrs={"accept": ".json"}))

    def text(self) -> str:
        """What stands in the file. Raises `SchemeError`."""
        try:
            return self.cleaned_data["file"].read(1_000_000).decode()
        except UnicodeDecodeError as error:
            raise SchemeError(gettext("This is not a file of JSON: it is no text in UTF-8.")) from error


class TaskForm(forms.Form):
    """A task, but for its selection of matches. The names of its fields are none of the selection's."""

    name = forms.CharField(max_length=120, label=_("Name"))
    scheme = forms.ChoiceField(label=_("Scheme"))
    kinds = Names(label=_("Kinds of event"), help_text=_("Empty: those of the scheme."))
    stages = Names(label=_("Stages of thought"), help_text=_("Empty: those of the scheme."))
    roles = Names(label=_("Roles"), help_text=_("Only what players of these roles said or thought. Empty: of all."))
    sides = Names(label=_("Sides"), help_text=_("In the same way."))
    many = WholeNumberField(
        label=_("Items"), initial=60, min_value=1, max_value=drawing.MOST, help_text=_("So many are drawn by lot.")
    )
    draw = WholeNumberField(
        label=_("Lot"),
        initial=1,
        min_value=0,
        max_value=2**62,
        help_text=_("The same number draws and deals out the same items."),
    )
    raters = forms.MultipleChoiceField(
        label=_("Raters"), widget=forms.CheckboxSelectMultiple, help_text=_("Accounts in the group “rater”.")
    )
    per_item = WholeNumberField(label=_("Raters an item"), initial=3, min_value=1, max_value=40)
    shared = WholeNumberField(
        label=_("Shared sample first"),
        initial=0,
        min_value=0,
        max_value=drawing.MOST,
        help_text=_("A first round of so many items that every rater labels, to refine the scheme by. 0: none."),
    )
    sees = forms.MultipleChoiceField(
        label=_("Raters may see"),
        required=False,
        choices=list(SEES.items()),
        widget=forms.CheckboxSelectMultiple,
        help_text=_("What is not chosen is hidden from them. What is labelled they see in any case."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(forms.ChoiceField, self.fields["scheme"]).choices = newest_schemes()
        cast(forms.ChoiceField, self.fields["raters"]).choices = rater_choices()

    def clean(self) -> dict[str, Any]:
        said = super().clean() or {}
        many = len(said.get("raters", ()))
        if said.get("per_item") and many and many < said["per_item"]:
            self.add_error("per_item", _("You chose fewer raters than that."))
        return said

    def task(self, selection: dict[str, str], by: Any) -> Task:
        """The task as the form says, stored."""
        said = self.cleaned_data
        items = {part: said[part] for part in ("kinds", "stages", "roles", "sides", "many")}
        task = Task.objects.create(
            created_by=by,
            name=said["name"],
            scheme=Scheme.objects.get(pk=said["scheme"]),
            selection=selection,
            items=items,
            per_item=said["per_item"],
            shared=said["shared"],
            seed=said["draw"],
            sees=dict.fromkeys(said["sees"], True),
        )
        task.raters.set(said["raters"])
        return task


class RatersForm(forms.Form):
    """Who labels in a task that is under way."""

    raters = forms.MultipleChoiceField(label=_("Raters"), widget=forms.CheckboxSelectMultiple)

    def __init__(self, task: Task, data: Any = None) -> None:
        super().__init__(data, initial={"raters": list(task.raters.values_list("pk", flat=True))})
        cast(forms.ChoiceField, self.fields["raters"]).choices = rater_choices(task)


class NextRoundForm(forms.Form):
    """The next round of a task."""

    scheme = forms.ChoiceField(label=_("Version of the scheme"))
    which = forms.ChoiceField(
        label=_("Items"),
        choices=[("fresh", _("fresh ones")), ("again", _("those of the last round again"))],
        initial="fresh",
        widget=forms.RadioSelect,
    )
    many = WholeNumberField(label=_("How many fresh ones"), initial=60, min_value=1, max_value=drawing.MOST)
    calibration = forms.BooleanField(label=_("Every rater labels every item"), required=False)

    def __init__(self, task: Task, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.task = task
        versions = Scheme.objects.filter(name=task.scheme.name, version__gte=task.scheme.version)
        field = cast(forms.ChoiceField, self.fields["scheme"])
        field.choices = [(row.pk, _("Version %d") % row.version) for row in versions]
        self.fields["many"].initial = task.items.get("many", 60)

    def open(self) -> Round:
        """Open it. Raises `rounds.LabelError`."""
        said = self.cleaned_data
        scheme = Scheme.objects.get(pk=said["scheme"])
        again = self.task.last if said["which"] == "again" else None
        return rounds.open_round(self.task, scheme, said["many"], calibration=said["calibration"], again=again)


def newest_schemes() -> list[tuple[int, str]]:
    """The newest version of each scheme, by title."""
    newest = {row.name: row for row in Scheme.objects.filter(imported=False).order_by("version")}
    rows = sorted(newest.values(), key=lambda row: row.title.casefold())
    return [(row.pk, f"{translated(row.title)} ({row.version})") for row in rows]


def rater_choices(task: Task | None = None) -> list[tuple[int, str]]:
    """Who may label, and who labels in this task and may not any more."""
    found = {user.pk: user.get_username() for user in rounds.may_label()}
    for user in User.objects.filter(pk__in=task.raters.values("pk")) if task else ():
        found.setdefault(user.pk, _("%s (may not label now)") % user.get_username())
    return list(found.items())
