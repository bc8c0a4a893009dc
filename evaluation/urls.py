from django.urls import path

from evaluation.views import competitions, trials

app_name = "evaluation"

urlpatterns = [
    path("competitions/", competitions.listed, name="competitions"),
    path("competitions/new/<slug:suite>/", competitions.new, name="new_competition"),
    path("competitions/<uuid:key>/", competitions.competition, name="competition"),
    path("competitions/<uuid:key>/manifest/", competitions.manifest, name="manifest"),
    path("competitions/<uuid:key>/export/", competitions.export, name="competition_export"),
    path("competitions/<uuid:key>/<slug:verb>/", competitions.change, name="change_competition"),
    path("try/", trials.choose, name="try"),
    path("try/<uuid:key>/", trials.trial, name="trial"),
]
