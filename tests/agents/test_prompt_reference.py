from django.conf import settings

from agents import prompt_reference


def test_the_reference_is_what_the_templates_say():
    written = (settings.BASE_DIR / "docs" / "prompts.md").read_text(encoding="utf-8")
    assert written == prompt_reference.text() + "\n", "Run `python manage.py prompt_reference`."
