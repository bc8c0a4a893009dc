"""Addresses of sockets."""

from django.urls import path

from evaluation.consumers import CompetitionConsumer

websocket_urlpatterns = [path("ws/competitions/<uuid:key>/", CompetitionConsumer.as_asgi())]
