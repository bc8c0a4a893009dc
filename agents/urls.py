from django.urls import path

from agents import views

app_name = "agents"

urlpatterns = [
    path("examples/", views.examples, name="examples"),
    path("agents/", views.listed, name="profiles"),
    path("agents/new/", views.edit, name="new"),
    path("agents/<slug:name>/", views.edit, name="edit"),
    path("agents/<slug:name>/switch/", views.switch, name="switch"),
    path("agents/<slug:name>/delete/", views.delete, name="delete"),
]
