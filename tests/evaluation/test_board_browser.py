"""The leaderboard in a real browser: it fits a laptop, its pictures follow the colours, and it prints whole."""

# Eight matches of each role, the fewest with an interval.
PLAYED = """
from evaluation.competitions import running
from evaluation.suites import Entry
competition = running.make("Part", "magic", Entry(("house",), take=56))
keys = []
running.dispatch = keys.append
running.start(competition)
for key in keys:
    running.play(key)
"""
HIDDEN = "wide => wide.map(element => element.scrollWidth - element.clientWidth)"
COLOUR = "element => getComputedStyle(element).stroke"


def test_the_leaderboard_fits_a_laptop_and_its_pictures_follow_the_colours(stack, visit):
    stack.shell(PLAYED)
    page = visit({"width": 1280, "height": 900}, color_scheme="light")
    page.goto("/numbers/")
    visit.sign_in(page, stack.researcher("lea"))
    page.get_by_role("row", name="House agent").first.wait_for(timeout=30_000)  # a worker counts first
    assert set(page.locator("div.wide").evaluate_all(HIDDEN)) == {0}, "no column lies off screen"

    whisker, bar = page.locator("#t-roles svg path").first, page.locator("#t-roles svg rect.s1").first
    strokes = [(whisker.evaluate(COLOUR), bar.evaluate(COLOUR))]
    page.get_by_role("button", name="Dark colours").click()
    strokes.append((whisker.evaluate(COLOUR), bar.evaluate(COLOUR)))
    ink = page.locator("h1").evaluate("element => getComputedStyle(element).color")
    assert strokes[1][0] == ink
    assert strokes[0][0] != strokes[1][0] and strokes[0][1] != strokes[1][1]

    page.emulate_media(media="print")
    assert page.locator("h1").evaluate("element => getComputedStyle(element).color") != ink, "dark ink on white paper"
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(media="screen")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
