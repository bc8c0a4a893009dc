from django.urls import path

from agents.api import outside, profiles

app_name = "agents_api"

urlpatterns = [
    path("profiles/", profiles.Profiles.as_view(), name="profiles"),
    path("profiles/<slug:name>/", profiles.OneProfile.as_view(), name="profile"),
    path("profiles/<slug:name>/requests/", outside.Requests.as_view(), name="requests"),
    path("profiles/<slug:name>/act/", outside.Answer.as_view(), name="answer"),
]
