"""Addresses of sockets."""

from django.urls import path

from evaluation.web.consumers import (
    BoardConsumer,
    CompetitionConsumer,
    ErasureConsumer,
    ExportConsumer,
    ImportConsumer,
    JudgingConsumer,
    LabConsumer,
    LabellingConsumer,
    TrialConsumer,
)

websocket_urlpatterns = [
    path("ws/competitions/<uuid:key>/", CompetitionConsumer.as_asgi()),
    path("ws/numbers/<uuid:key>/", BoardConsumer.as_asgi()),
    path("ws/erasures/<uuid:key>/", ErasureConsumer.as_asgi()),
    path("ws/exports/<uuid:key>/", ExportConsumer.as_asgi()),
    path("ws/imports/<uuid:key>/", ImportConsumer.as_asgi()),
    path("ws/lab/<uuid:key>/", LabConsumer.as_asgi()),
    path("ws/labels/<uuid:key>/", LabellingConsumer.as_asgi()),
    path("ws/judge/<uuid:key>/", JudgingConsumer.as_asgi()),
    path("ws/try/<uuid:key>/", TrialConsumer.as_asgi()),
]
