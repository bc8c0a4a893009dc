from django.urls import path

from agents.api import outside

app_name = "agents_api"

urlpatterns = [
    path("profiles/<slug:name>/requests/", outside.Requests.as_view(), name="requests"),
    path("profiles/<slug:name>/act/", outside.Answer.as_view(), name="answer"),
]
