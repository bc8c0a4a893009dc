"""Addresses of sockets."""

from django.urls import path

from games.consumers import TableConsumer

websocket_urlpatterns = [path("ws/t/<slug:code>/", TableConsumer.as_asgi())]
