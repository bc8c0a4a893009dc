"""Labelling in a real browser: three raters, one of them by phone, a second round by a refined scheme, an adjudicator;
and that nothing is lost when the connection is away."""

from __future__ import annotations

import csv
import re

import krippendorff
import numpy as np
from playwright.sync_api import Page, expect
from statsmodels.stats import inter_rater

from tests.browser import PHONE
from tests.model_server import ModelServer
from tests.stack import PASSWORD

PREPARED = f"""
from django.contrib.auth.models import Group, User
from evaluation.labelling.models import Task
from tests.games.matches import dealt, play_on, stored
Task.objects.all().delete()
for name in ("ann", "ben", "cleo"):
    user, _ = User.objects.get_or_create(username=name)
    user.set_password({PASSWORD!r})
    user.save()
    user.groups.add(Group.objects.get(name="rater"))
thoughts = 0
for seed in range(1, 40):
    thoughts += stored(play_on(dealt("spygame", "party", 5, seed=seed))).thoughts.count()
    if thoughts > 90:
        break
"""

STEPS = 60
ITEM = """() => {
    const item = document.querySelector("[data-item]");
    return item && [item.dataset.item, item.querySelector("[data-words]").textContent];
}"""


def rater(visit, address: str, name: str, **options) -> Page:
    """A rater's page, signed in."""
    page = visit(**options)
    page.goto(address)
    visit.sign_in(page, name)
    page.locator("[data-words]").wait_for()
    return page


def verdict(name: str, words: str) -> str:
    """The key that a rater presses: they differ on every fourth step."""
    n = int(re.search(r"\d+", words)[0])
    return "0" if n % 3 else "4" if n % 4 or name != "cleo" else "5"


def sent(page: Page) -> None:
    """All that was given has arrived."""
    expect(page.locator("#rate")).to_have_attribute("data-unsent", "0")


def label_all(page: Page, name: str, *, tap: bool = False) -> int:
    """Label what waits, one by one; how many that were."""
    shown = page.locator("[data-item], #over:not([hidden])")
    shown.wait_for()
    done = 0
    while found := page.evaluate(ITEM):
        number, words = found
        key = verdict(name, words)
        if tap:
            page.locator(f"[data-key='{key}']").tap()
            if key != "0":
                page.locator("#go").tap()
        else:
            page.keyboard.press(key)
        page.locator(f"[data-item]:not([data-item='{number}']), #over:not([hidden])").wait_for()
        done += 1
    sent(page)
    return done


def test_three_raters_two_rounds_and_an_adjudicator(stack, visit):
    stack.shell(PREPARED)
    owner = visit()
    owner.goto("/labels/new/")
    visit.sign_in(owner, stack.researcher("olga"))
    owner.fill("[name=name]", "Spies")
    owner.select_option("[name=scheme]", label="Reasoning steps (1)")
    for name in ("ann", "ben", "cleo"):
        owner.get_by_label(name).check()
    owner.fill("[name=many]", str(STEPS))
    owner.get_by_role("button", name="Open the first round").click()
    owner.get_by_role("heading", name="Round 1", exact=True).wait_for()
    address = owner.url + "rate/"

    ann, ben = rater(visit, address, "ann"), rater(visit, address, "ben")
    cleo = rater(visit, address, "cleo", viewport=PHONE, has_touch=True)
    assert cleo.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert label_all(ann, "ann") == label_all(ben, "ben") == label_all(cleo, "cleo", tap=True) == STEPS
    expect(owner.get_by_text(f"{3 * STEPS} of {3 * STEPS} labels given")).to_be_visible()
    agreement_is_what_others_count(owner)

    owner.get_by_role("button", name="Close round 1").click()
    owner.get_by_text("wait for an adjudicator").wait_for()
    ann.goto("/labels/")
    ann.get_by_role("link", name="Where raters differed in round 1").click()
    ann.get_by_text("You", exact=True).first.wait_for()

    owner.get_by_role("link", name="Refine the scheme first").click()
    refined = owner.locator("[name=labels-4-definition]")
    owner.locator("details", has=refined).locator("summary").click() if not refined.is_visible() else None
    refined.fill("The spy uses its own words as a sign of the place, as if another had said them.")
    owner.get_by_role("button", name="Keep").click()
    owner.get_by_text("memory_distortion: kept").wait_for()
    owner.goto(address.removesuffix("rate/"))
    owner.select_option("[name=scheme]", label="Version 2")
    owner.fill("[name=many]", "8")
    owner.get_by_role("button", name="Open the next round").click()
    owner.get_by_role("heading", name="Round 2", exact=True).wait_for()
    for page, name in ((ann, "ann"), (ben, "ben"), (cleo, "cleo")):
        page.goto(address)
        assert label_all(page, name, tap=name == "cleo") == 8
    owner.get_by_role("button", name="Close it and end the task").click()

    owner.get_by_role("link", name="Decide on").first.wait_for()
    decided = 0
    while (differing := owner.get_by_role("link", name="Decide on")).count():
        differing.first.click()
        owner.locator(".said-so dt", has_text="A").wait_for()
        assert not re.search(r"\b(ann|ben|cleo)\b", owner.locator("main").inner_text())
        here = label_all(owner, "olga")
        owner.get_by_role("link", name="To the task").click()
        expect(owner.get_by_text(f"{here} by an adjudicator").first).to_be_visible()
        decided += here
    assert decided

    with ModelServer() as server:
        stack.shell(MODEL.format(address=server.openai_url))
        owner.reload()
        owner.get_by_label("Agent", exact=True).select_option("robin")
        owner.get_by_role("button", name="Let it label round 2").click()
        robin = owner.get_by_role("row", name="Robin")
        expect(robin).to_contain_text("8 of 8")
        expect(robin).to_contain_text(re.compile(r"\d\.\d{3}\s+\d\.\d{3} – \d\.\d{3}\s+n 8"))
    owner.goto("/numbers/labels/?scheme=reasoning-steps:1")
    steps = owner.get_by_role("region", name="The spy’s reasoning steps by category").get_by_role("row")
    printed = steps.filter(has_text="published")
    assert printed.count() == 8 and "15.68%" in printed.filter(has_text="82").inner_text()
    own = steps.filter(has_not_text="published").nth(1)
    own.get_by_role("link").last.click()
    owner.get_by_text(re.compile(r"\d+ of \d+ labelled items")).wait_for()


def agreement_is_what_others_count(owner: Page) -> None:
    """What the owner's page says of round 1 is what krippendorff and statsmodels make of the matrix that it gives."""
    with owner.expect_download() as matrix:
        owner.get_by_role("link", name="Items by raters (CSV)").click()
    with matrix.value.path().open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    raters = [name for name in rows[0] if name not in ("item", "match", "on", "share", "final", "how")]
    given = [[row[rater] for rater in raters] for row in rows]
    assert (len(rows), len(raters)) == (STEPS, 3)
    names = sorted({cell for row in given for cell in row})
    codes = np.array([[names.index(cell) for cell in row] for row in given])
    table, _ = inter_rater.aggregate_raters(codes)
    kappas = [
        inter_rater.cohens_kappa(inter_rater.to_table(codes[:, pair])[0], return_results=False)
        for pair in ([0, 1], [0, 2], [1, 2])
    ]
    told = owner.get_by_role("region", name="How far raters agree in round 1").get_by_role("row").nth(1).inner_text()
    alpha = krippendorff.alpha(codes.T, level_of_measurement="nominal")
    for number in (inter_rater.fleiss_kappa(table), alpha, *kappas):
        assert f"{number:.3f}" in told


def test_labels_given_without_a_connection_arrive_later_and_can_be_taken_back(stack, visit):
    stack.shell(PREPARED + TASK)
    page = visit(line_breaks=True)
    page.goto("/labels/")
    visit.sign_in(page, "ann")
    page.get_by_role("link", name="Label", exact=True).click()
    page.locator("[data-words]").wait_for()
    first = page.locator("[data-item]").get_attribute("data-item")
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    for _ in range(3):
        page.keyboard.press("0")
    page.get_by_text("3 labels wait here and are sent when it is back").wait_for()
    page.keyboard.press("u")
    expect(page.locator("#done")).to_have_text("2")
    page.context.set_offline(False)
    sent(page)
    page.reload()
    expect(page.locator("#done")).to_have_text("2")
    for left in ("1", "0"):  # what was labelled before the page was loaded comes back with the page
        with page.expect_event("load"):
            page.keyboard.press("u")
        expect(page.locator("#done")).to_have_text(left)
    expect(page.locator(f"[data-item='{first}']")).to_be_visible()


MODEL = """
from agents.models import AgentProfile
AgentProfile.objects.create(name="robin", title="Robin", provider="openai", base_url={address!r}, model="robin",
                            method="direct")
"""

TASK = """
from django.contrib.auth.models import User
from evaluation.labelling import rounds
from evaluation.labelling.models import Scheme, Task
task = Task.objects.create(name="Away", scheme=Scheme.objects.get(name="reasoning-steps", version=1), per_item=1,
    items={"many": 10}, seed=1)
task.raters.add(User.objects.get(username="ann"))
rounds.begin(task)
"""
