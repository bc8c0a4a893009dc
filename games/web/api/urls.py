from django.urls import path, re_path

from games.web.api import forking, looking, matches, observing, tables
from games.web.api.docs import Document, Index, docs, program
from games.web.api.nowhere import Nowhere

app_name = "api"

urlpatterns = [
    path("", docs, name="docs"),
    path("seat.py", program, name="program"),
    path("ways/", looking.listed, name="ways"),
    path("ways/<slug:name>/", looking.one, name="way"),
    path("v1/", Index.as_view(), name="index"),
    path("v1/schema/", Document.as_view(), name="schema"),
    path("v1/games/", tables.Games.as_view(), name="games"),
    path("v1/tables/", tables.Tables.as_view(), name="tables"),
    path("v1/tables/<slug:code>/", tables.Table.as_view(), name="table"),
    path("v1/tables/<slug:code>/observation/", observing.Observation.as_view(), name="observation"),
    path("v1/tables/<slug:code>/act/", tables.Act.as_view(), name="act"),
    path("v1/tables/<slug:code>/sit/", tables.Sit.as_view(), name="sit"),
    path("v1/tables/<slug:code>/fill/", tables.Fill.as_view(), name="fill"),
    path("v1/tables/<slug:code>/start/", tables.Start.as_view(), name="start"),
    path("v1/tables/<slug:code>/end/", tables.End.as_view(), name="end"),
    path("v1/tables/<slug:code>/leave/", tables.Leave.as_view(), name="leave"),
    path("v1/tables/<slug:code>/rematch/", tables.Rematch.as_view(), name="rematch"),
    path("v1/matches/", matches.Matches.as_view(), name="matches"),
    path("v1/matches/<uuid:match_id>/", matches.OneMatch.as_view(), name="match"),
    path("v1/matches/<uuid:match_id>/thoughts/", matches.Thoughts.as_view(), name="thoughts"),
    path("v1/matches/<uuid:match_id>/log/", matches.Log.as_view(), name="log"),
    path("v1/matches/<uuid:match_id>/forks/", forking.Forks.as_view(), name="forks"),
    path("v1/matches/<uuid:match_id>/play-on/", forking.PlayOn.as_view(), name="play_on"),
    re_path("^v1/", Nowhere.as_view(), name="nowhere"),  # whatever follows, line breaks too
]
