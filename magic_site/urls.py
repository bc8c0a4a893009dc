from django.contrib import admin
from django.contrib.auth import views as auth
from django.urls import include, path

from games.web.mcp.page import Closed
from magic_site.sign_in import AdminSignInForm, ChoosePassword, SignIn

admin.site.login_form = AdminSignInForm

handler500 = "magic_site.broken.page"

urlpatterns = [
    path("admin/", admin.site.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("sign-in/", SignIn.as_view(), name="login"),
    path("sign-in/choose/<uidb64>/<token>/", ChoosePassword.as_view(), name="choose_password"),
    path("sign-out/", auth.LogoutView.as_view(), name="logout"),
    path("api/v1/", include("agents.api.urls")),
    path("api/v1/", include("evaluation.web.api.urls")),
    path("api/", include("games.web.api.urls")),
    path("mcp", Closed.as_view(), name="mcp"),
    path("", include("agents.urls")),
    path("", include("evaluation.web.urls")),
    path("", include("games.web.urls")),
]
