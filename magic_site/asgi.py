import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "magic_site.settings")

import django

django.setup(set_prefix=False)  # loads the apps, which the imports below need
# ruff: noqa: E402

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.conf import settings

from evaluation.web import routing as evaluation
from games.web import mcp
from games.web import routing as games
from magic_site.doors import CappedSockets, PatientSockets, mind_sizes
from magic_site.pages import Pages
from magic_site.proxies import TrustedProxies

mind_sizes()
pages = AuthMiddlewareStack(URLRouter(games.websocket_urlpatterns + evaluation.websocket_urlpatterns))
protocols = ProtocolTypeRouter(
    {
        "http": mcp.before(Pages()),
        "websocket": CappedSockets(PatientSockets(AllowedHostsOriginValidator(pages))),
    }
)
application = TrustedProxies(protocols, settings.TRUSTED_PROXIES)
