from django.conf import settings
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
