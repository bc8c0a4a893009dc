from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Error, register


@register()
def channel_layer_crosses_processes(**kwargs) -> list[CheckMessage]:
    """Refuse the in-memory channel layer: what a worker sends with it never reaches a page."""
    backend = settings.CHANNEL_LAYERS.get("default", {}).get("BACKEND", "")
    if backend and "InMemory" not in backend:
        return []
    return [
        Error(
            "The channel layer must cross processes.",
            hint="Use channels_redis.pubsub.RedisPubSubChannelLayer, as magic_site/settings.py does.",
            id="magic_site.E001",
        )
    ]


@register()
def https_has_a_proxy(**kwargs) -> list[CheckMessage]:
    """Warn of a site that speaks HTTPS by a proxy whose word it does not take: every page would lead to itself."""
    if not settings.HTTPS or settings.TRUSTED_PROXIES:
        return []
    return [
        checks.Warning(
            "HTTPS=1 needs a proxy, and TRUSTED_PROXIES names none.",
            hint="Set TRUSTED_PROXIES to its address or network, such as 10.0.0.0/8.",
            id="magic_site.W001",
        )
    ]


@register()
def leases_leave_time_to_renew(**kwargs) -> list[CheckMessage]:
    """Refuse leases so short that work would be given out again while it is done."""
    if settings.LEASE_SECONDS >= 1:
        return []
    return [
        Error(
            f"LEASE_SECONDS is {settings.LEASE_SECONDS:g}; work that is being done would be given out again.",
            hint="Set it to 1 or more. The default is 9.",
            id="magic_site.E002",
        )
    ]
