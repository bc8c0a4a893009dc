from django.urls import path

from evaluation.web.pages import boards, calibration, cases, compare, competitions, desk, judging, reproductions, trials

app_name = "evaluation"

urlpatterns = [
    path("desk/", desk.page, name="desk"),
    path("competitions/", competitions.listed, name="competitions"),
    path("competitions/new/<slug:suite>/", competitions.new, name="new_competition"),
    path("competitions/<uuid:key>/", competitions.competition, name="competition"),
    path("competitions/<uuid:key>/<int:number>/table/", competitions.person_table, name="person_table"),
    path("competitions/reproduce/<str:name>/", reproductions.reproduce, name="reproduce"),
    path("competitions/<uuid:key>/beside/", reproductions.beside, name="beside"),
    path("competitions/<uuid:key>/manifest/", competitions.manifest, name="manifest"),
    path("competitions/<uuid:key>/export/", competitions.export, name="competition_export"),
    path("competitions/<uuid:key>/<slug:verb>/", competitions.change, name="change_competition"),
    path("numbers/", boards.page, name="leaderboard"),
    path("numbers/people/", boards.people, name="people"),
    path("numbers/ratings/", boards.ratings, name="ratings"),
    path("numbers/calibration/", calibration.page, name="calibration"),
    path("numbers/cases/", cases.page, name="cases"),
    path("numbers/<slug:name>/", boards.page, name="board"),
    path("numbers/<str:table>/behind/", boards.behind, name="behind"),
    path("numbers/<str:table>/compare/", compare.compare, name="compare"),
    path("numbers/<str:table>/download.<slug:form>", boards.download, name="download"),
    path("judge/", judging.listed, name="judgings"),
    path("judge/new/", judging.new, name="new_judging"),
    path("judge/rate/", judging.to_rate, name="to_rate"),
    path("judge/<uuid:key>/", judging.judging, name="judging"),
    path("judge/<uuid:key>/go-on/", judging.go_on, name="judging_go_on"),
    path("judge/<uuid:key>/stop/", judging.stop, name="judging_stop"),
    path("judge/<uuid:key>/csv/", judging.as_csv, name="judging_csv"),
    path("judge/<uuid:key>/rate/", judging.rate, name="rate"),
    path("try/", trials.choose, name="try"),
    path("try/<uuid:key>/", trials.trial, name="trial"),
]
