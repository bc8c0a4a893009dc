"""Rights: a player needs none; researchers and admins are members of a group of that name.

`researcher` sees everything of every match that they do not sit in, runs competitions, rates replies and makes agents
within a budget. `admin` does too, keeps agent profiles and settings of games, looks into logs, keeps order at tables,
makes accounts, erases people and reads the audit; Django's own admin pages open for users marked as staff. `rater`
labels what tasks ask, and sees no more of a match than the task shows.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.apps import AppConfig, apps
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.cache import never_cache

from games import audit

View = Callable[..., HttpResponseBase]

RESEARCHER, ADMIN, RATER = "researcher", "admin", "rater"
KEPT = ("agents.agentprofile", "agents.modelprice", "agents.endpoint", "agents.spendinglimit", "games.gamesetting")
ORDER = {"games.keep_order", "games.keep_accounts", "games.erase_people", "games.view_audited"}
READ = ("games.match", "games.event", "games.thought", "games.attempt", "agents.call", "agents.spent")


def permissions(group: str) -> set[str]:
    """The names of what a group may do, as `app.action_model`."""
    if group == RATER:
        return {"evaluation.label"}
    rights = {
        "games.see_thoughts",
        "evaluation.run_competitions",
        "evaluation.rate_replies",
        "evaluation.import_logs",
        "agents.make_own_profiles",
    }
    if group == ADMIN:
        rights |= {"evaluation.export_names"}
        rights |= {_named(model, action) for model in KEPT for action in ("add", "change", "delete", "view")}
        rights |= {_named(model, "view") for model in READ} | ORDER
    return rights


def for_holders(*rights: str) -> Callable[[View], View]:
    """A page that only those who have one of these rights may see, and no cache keeps; who is not signed in is asked
    to, and comes back."""

    def guard(view: View) -> View:
        @never_cache
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if any(map(request.user.has_perm, rights)):
                return view(request, *args, **kwargs)
            if request.user.is_authenticated:
                raise PermissionDenied
            return redirect_to_login(request.get_full_path())

        return guarded

    return guard


@audit.silent()
def make_groups(sender: AppConfig, using: str, **kwargs) -> None:
    """After a migration: the groups exist and have what their description says. What an admin added to one stays."""
    group_model, permission_model = apps.get_model("auth.Group"), apps.get_model("auth.Permission")
    for name in (RESEARCHER, ADMIN, RATER):
        group, _ = group_model.objects.using(using).get_or_create(name=name)
        wanted = permissions(name)
        known = permission_model.objects.using(using).select_related("content_type")
        group.permissions.add(*(p for p in known if f"{p.content_type.app_label}.{p.codename}" in wanted))


def _named(model: str, action: str) -> str:
    app, _, name = model.partition(".")
    return f"{app}.{action}_{name}"
