"""Rights: a player needs none; researchers and admins are members of a group of that name.

`researcher` sees everything of every match that they do not sit in, runs competitions and rates replies. `admin` does
too, and keeps agent profiles and settings of games, and looks into logs; the admin pages open for users marked as
staff.
"""

from django.apps import AppConfig, apps

RESEARCHER, ADMIN = "researcher", "admin"
KEPT = ("agents.agentprofile", "agents.modelprice", "agents.endpoint", "agents.spendinglimit", "games.gamesetting")
READ = ("games.match", "games.event", "games.thought", "games.attempt", "agents.call", "agents.spent")


def permissions(group: str) -> set[str]:
    """The names of what a group may do, as `app.action_model`."""
    rights = {"games.see_thoughts", "evaluation.run_competitions", "evaluation.rate_replies"}
    if group == ADMIN:
        rights |= {_named(model, action) for model in KEPT for action in ("add", "change", "delete", "view")}
        rights |= {_named(model, "view") for model in READ}
    return rights


def make_groups(sender: AppConfig, using: str, **kwargs) -> None:
    """After a migration: both groups exist and have what their description says. What an admin added to one stays."""
    group_model, permission_model = apps.get_model("auth.Group"), apps.get_model("auth.Permission")
    for name in (RESEARCHER, ADMIN):
        group, _ = group_model.objects.using(using).get_or_create(name=name)
        wanted = permissions(name)
        known = permission_model.objects.using(using).select_related("content_type")
        group.permissions.add(*(p for p in known if f"{p.content_type.app_label}.{p.codename}" in wanted))


def _named(model: str, action: str) -> str:
    app, _, name = model.partition(".")
    return f"{app}.{action}_{name}"
