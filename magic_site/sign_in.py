"""Signing in, on the site's own page and on the admin's: wrong passwords count by address and by name."""

from typing import Any

from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, PasswordResetConfirmView
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.urls import reverse_lazy
from django.utils.translation import gettext_lazy as _

from games.web.limits import SIGNING_IN_AS, SIGNING_IN_FROM, allow, forgive
from magic_site import addresses

TOO_MANY = "too_many"


class Counted(AuthenticationForm):
    """A form of signing in whose tries are counted; the right password takes its own try back."""

    def clean(self) -> dict[str, Any]:
        name = self.cleaned_data.get("username", "").casefold()
        address = addresses.of_request(self.request) if self.request else ""
        tries = ((SIGNING_IN_FROM, address), (SIGNING_IN_AS, name))
        if not allow(*tries):
            raise ValidationError(
                _("You tried a wrong password too often. Wait ten minutes, then try again."), code=TOO_MANY
            )
        cleaned = super().clean()
        forgive(*tries)
        return cleaned


class SignInForm(Counted):
    error_messages = AuthenticationForm.error_messages | {
        "invalid_login": _("The user name or the password is wrong. Try again.")
    }


class AdminSignInForm(Counted, AdminAuthenticationForm):
    """The admin's."""


class SignIn(LoginView):
    """The site's own page."""

    authentication_form = SignInForm
    redirect_authenticated_user = True

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_invalid(form)
        if form.has_error("__all__", TOO_MANY):
            response.status_code = 429
        return response


class ChoosePassword(PasswordResetConfirmView):
    """Where a link leads that an admin gave to the owner of an account."""

    template_name = "registration/choose_password.html"
    success_url = reverse_lazy("login")
