"""Accounts and groups, for admins: who can sign in, and what they may do. To play, nobody needs an account."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games.refused import Refused
from games.room import membership
from magic_site import keyset
from magic_site.rights import for_holders

RIGHT = "games.keep_accounts"
SIZE = 50


@require_http_methods(["GET", "HEAD", "POST"])
@for_holders(RIGHT)
def listed(request: HttpRequest) -> HttpResponse:
    """All accounts, the newest first: ?words= in their names, ?group=. A POST makes one."""
    trouble, made = "", None
    if request.method == "POST":
        try:
            made = membership.make(request.POST.get("name", ""), request.POST.getlist("groups"), request.user)
        except Refused as error:
            trouble = str(error)
    return _list(request, trouble=trouble, link_for=made)


@require_http_methods(["GET", "HEAD", "POST"])
@for_holders(RIGHT)
def account(request: HttpRequest, key: int) -> HttpResponse:
    """One account: its groups, and whether it can sign in."""
    user, trouble = get_object_or_404(User, pk=key), ""
    if request.method == "POST":
        try:
            membership.change(user, request.POST.getlist("groups"), "active" in request.POST, request.user)
        except Refused as error:
            trouble = str(error)
        else:
            messages.success(request, _("Changed."))
            return redirect("games:accounts")
    return _one(request, user, trouble=trouble)


@require_POST
@for_holders(RIGHT)
def link(request: HttpRequest, key: int) -> HttpResponse:
    """A new link by which the owner chooses a password; it is shown this once."""
    user = get_object_or_404(User, pk=key)
    try:
        path = membership.link(user, request.user)
    except Refused as error:
        return _one(request, user, trouble=str(error))
    return _one(request, user, link=request.build_absolute_uri(path))


def _one(request: HttpRequest, user: User, **more: Any) -> HttpResponse:
    groups = set(user.groups.values_list("name", flat=True))
    context = {
        "account": user,
        "groups": [(name, group, name in groups) for name, group in membership.GROUPS.items()],
        "others": sorted(groups - membership.GROUPS.keys()),
        "changes": membership.may_change(user, request.user),
    }
    return render(request, "games/keeping/account.html", context | more, status=422 if more.get("trouble") else 200)


def _list(request: HttpRequest, trouble: str, link_for: User | None) -> HttpResponse:
    chosen = {name: request.GET.get(name, "").replace("\0", "").strip()[:60] for name in ("words", "group")}
    rows = User.objects.prefetch_related("groups")
    if chosen["words"]:
        rows = rows.filter(username__icontains=chosen["words"])
    if chosen["group"] in membership.GROUPS:
        rows = rows.filter(groups__name=chosen["group"])
    path = membership.link(link_for, request.user) if link_for else ""
    context = {
        "page": keyset.page(rows, SIZE, request.GET.get("at", "")),
        "groups": membership.GROUPS,
        "chosen": chosen,
        "trouble": trouble,
        "typed_name": request.POST.get("name", "") if trouble else "",
        "typed_groups": request.POST.getlist("groups") if trouble else [],
        "made": link_for,
        "link": request.build_absolute_uri(path) if path else "",
    }
    return render(request, "games/keeping/accounts.html", context, status=422 if trouble else 200)
