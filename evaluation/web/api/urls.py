from django.urls import path

from evaluation.web.api import audit, competitions, exports, imports, labels, labs, numbers

app_name = "evaluation_api"

urlpatterns = [
    path("numbers/", numbers.Boards.as_view(), name="boards"),
    path("numbers/<str:board>/", numbers.Board.as_view(), name="board"),
    path("numbers/<str:board>/behind/", numbers.Behind.as_view(), name="behind"),
    path("labels/", labels.Tasks.as_view(), name="tasks"),
    path("labels/<uuid:task>/", labels.OneTask.as_view(), name="task"),
    path("labels/<uuid:task>/next/", labels.Next.as_view(), name="next"),
    path("labels/<uuid:task>/items/<int:item>/", labels.OneItem.as_view(), name="item"),
    path("labels/<uuid:task>/rounds/<int:number>/agreement/", labels.AgreementOf.as_view(), name="agreement"),
    path("labels/<uuid:task>/rounds/<int:number>/matrix/", labels.MatrixOf.as_view(), name="matrix"),
    path("exports/", exports.Exports.as_view(), name="exports"),
    path("exports/<uuid:export>/", exports.OneExport.as_view(), name="export"),
    path("exports/<uuid:export>/file/", exports.File.as_view(), name="export_file"),
    path("imports/", imports.Imports.as_view(), name="imports"),
    path("imports/<uuid:brought>/", imports.OneImport.as_view(), name="import"),
    path("imports/<uuid:brought>/pieces/<int:number>/", imports.Piece.as_view(), name="piece"),
    path("imports/<uuid:brought>/read/", imports.Read.as_view(), name="read"),
    path("imports/<uuid:brought>/stop/", imports.Stop.as_view(), name="stop"),
    path("suites/", competitions.Suites.as_view(), name="suites"),
    path("competitions/", competitions.Competitions.as_view(), name="competitions"),
    path("competitions/<uuid:competition>/", competitions.OneCompetition.as_view(), name="competition"),
    path("competitions/<uuid:competition>/matches/", competitions.Bouts.as_view(), name="bouts"),
    path("competitions/<uuid:competition>/<slug:verb>/", competitions.Change.as_view(), name="change_competition"),
    path("labs/", labs.Labs.as_view(), name="labs"),
    path("labs/expected/", labs.LabExpected.as_view(), name="expected"),
    path("labs/<uuid:lab>/", labs.OneLab.as_view(), name="lab"),
    path("labs/<uuid:lab>/go-on/", labs.LabGoOn.as_view(), name="go_on"),
    path("labs/<uuid:lab>/stop/", labs.StopLab.as_view(), name="stop_lab"),
    path("audit/", audit.Audit.as_view(), name="audit"),
]
