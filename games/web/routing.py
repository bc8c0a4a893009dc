"""Addresses of sockets."""

from django.urls import path

from games.web.consumers import ReplayConsumer, TableConsumer

websocket_urlpatterns = [
    path("ws/t/<slug:code>/", TableConsumer.as_asgi()),
    path("ws/m/<uuid:match_id>/", ReplayConsumer.as_asgi()),
]
