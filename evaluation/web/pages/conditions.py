"""What pages say of how a row was played, and whether it may be set beside the paper's."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.suites import SUITES
from evaluation.tables.conditions import AGAINST, FEWER, SUITE, objections
from evaluation.tables.published import protocol_of


def told(title: str, played: dict[str, Any], printed: Sequence[str], titles: Mapping[str, str]) -> dict[str, str]:
    """A row's conditions in sentences: who, how it was played, and how it stands beside the printed tables. played:
    `Conditions.to_json`."""
    return {"who": title, "how": _how(played, titles), "beside": _beside(played, printed[0], titles) if printed else ""}


def against(played: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    """Whom a row was played against."""
    return _("against %(who)s") % {"who": _named(played["against"], titles)} if played.get("against") else ""


def mixed(called: Mapping[str, Sequence[str]], titles: Mapping[str, str]) -> list[str]:
    """For each agent of whose model the API gave several names, a sentence that says so."""
    return [
        _("The API gave the model of %(who)s several names: %(names)s. You can count them separately.")
        % {"who": titles.get(agent, agent), "names": ", ".join(names)}
        for agent, names in called.items()
    ]


def _how(played: dict[str, Any], titles: Mapping[str, str]) -> str:
    matches = ngettext("%d match", "%d matches", played["matches"]) % played["matches"]
    settings = ngettext("%d setting", "%d settings", played["settings"]) % played["settings"]
    parts = [_("%(matches)s in %(settings)s") % {"matches": matches, "settings": settings}]
    if played["against"]:
        parts.append(against(played, titles))
    if played["models"]:
        parts.append(_("played by %(models)s") % {"models": ", ".join(played["models"])})
    found = [f"{', '.join(parts)}."]
    found += mixed(played["mixed"], titles)
    if played["left_out"]:
        found.append(
            ngettext(
                "In %d match others moved for it. Its result there is left out.",
                "In %d matches others moved for it. Its results there are left out.",
                played["left_out"],
            )
            % played["left_out"]
        )
    return " ".join(found)


def _beside(played: dict[str, Any], table: str, titles: Mapping[str, str]) -> str:
    protocol = protocol_of(table)
    why = [reason(name, figures, titles) for name, figures in objections(protocol, played)]
    verdict = _("The comparison with the paper does not hold:") if why else _("The comparison with the paper holds.")
    return " ".join([verdict, *why, *([_(protocol.settings)] if protocol.settings else [])])


def reason(why: str, figures: dict[str, Any], titles: Mapping[str, str]) -> str:
    """Why a row may not be set beside the paper's, as a sentence (see `evaluation.tables.conditions.objections`)."""
    if why == SUITE:
        suite = figures | {"suite": SUITES[figures["suite"]].title}
        return _("%(n)d of %(of)d matches are not of the suite %(suite)s.") % suite
    if why == AGAINST:
        ours = _named(figures["ours"], titles) or _("itself")
        return _("The paper’s rows play against %(theirs)s, these rows against %(ours)s.") % (figures | {"ours": ours})
    if why == FEWER:
        return _("The paper’s rows have %(of)d matches each, this one %(n)d.") % figures
    raise ValueError(why)


def _named(names: Sequence[str], titles: Mapping[str, str]) -> str:
    return ", ".join(titles.get(name, name) for name in names)
