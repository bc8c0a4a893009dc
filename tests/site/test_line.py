import pytest

from magic_site.launch import answers
from tests.line import Line
from tests.stack import until


@pytest.fixture
def line(stack):
    with Line(stack.port) as line:
        yield line


def test_a_cut_line_carries_nothing_until_it_is_mended(line):
    assert answers(line.base_url)
    line.cut()
    assert not answers(line.base_url)
    line.mend()
    assert answers(line.base_url)


def test_a_page_loads_through_the_line(line, visit):
    assert visit(base_url=line.base_url).goto("/").ok


def test_what_waits_in_a_held_line_arrives_when_it_is_mended(line, visit):
    page = visit(base_url=line.base_url)
    page.goto("/")
    line.hold()
    page.evaluate("() => { window.answer = null; fetch('/').then(reply => { window.answer = reply.status }) }")
    assert page.evaluate("window.answer") is None
    line.mend()
    until(lambda: page.evaluate("window.answer") == 200, "the answer arrives")
