"""The leaderboard in a real browser: it fits a laptop, its pictures follow the colours, and it prints whole."""

# Eight matches of each role, the fewest with an interval.
PLAYED = """
from evaluation.competitions import running
from evaluation.suites import Entry
from games.jobs import jobs
competition = running.make("Part", "magic", Entry(("house",), take=56), at_once=56)
running.start(competition, here=True)
for key in running.take(competition, 56):
    jobs.work(key, follow=False)
"""
WAITED = """
from games.jobs import news
from games.models import Job
from magic_site import clock
(job,) = Job.objects.filter(kind="count", state="waiting")
Job.objects.filter(pk=job.pk).update(asked_at=clock.after(-11))
Job.objects.exclude(pk=job.pk).update(begun_at=clock.after(-60))
news.tell(job.about)
"""
HIDDEN = "wide => wide.map(element => element.scrollWidth - element.clientWidth)"
COLOUR = "element => getComputedStyle(element).stroke"


def test_the_leaderboard_fits_a_laptop_and_its_pictures_follow_the_colours(stack, visit):
    stack.shell(PLAYED)
    page = visit({"width": 1280, "height": 900}, color_scheme="light")
    page.goto("/numbers/")
    visit.sign_in(page, stack.researcher("lea"))
    page.get_by_role("row", name="House agent").first.wait_for()  # a worker counts first
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


def test_a_page_says_when_no_worker_answers_and_shows_the_numbers_once_one_does(stack, visit):
    stack.kill("counts")
    try:
        page = visit()
        page.goto("/numbers/calibration/?game=chameleon")
        visit.sign_in(page, stack.researcher("lea"))
        page.get_by_text("It waits for a worker.").wait_for()
        stack.shell(WAITED)
        page.get_by_text("No worker has taken this up.").wait_for()
    finally:
        stack.start("counts")
    page.locator("#progress[hidden]").wait_for(state="attached")
    assert not page.get_by_text("No worker has taken this up.").is_visible()
