from tests.browser import PHONE


def test_a_visitor_reads_the_first_page(visit):
    page = visit(PHONE)
    page.goto("/")
    assert page.get_by_role("heading", level=1).is_visible()


def test_the_site_comes_back_after_its_web_server_was_killed(stack, visit):
    stack.kill("daphne")
    stack.start("daphne")
    assert visit().goto("/").ok


def test_every_part_runs(stack):
    assert [name for name, part in stack.parts.items() if not part.alive] == []


def test_the_shell_works_on_the_database_of_the_site(stack):
    name = stack.shell("from django.db import connection; result = connection.settings_dict['NAME']")
    assert stack.database.url.endswith(name)
