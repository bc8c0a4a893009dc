from django.conf import settings

from games.files import log_reference


def test_the_log_reference_is_what_the_rules_declare():
    written = (settings.BASE_DIR / "docs" / "log.md").read_text()
    assert written == log_reference.text() + "\n", "Run `python manage.py log_reference`."
