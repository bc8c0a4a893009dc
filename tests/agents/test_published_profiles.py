"""The profiles in the fixtures are the arms of the papers, and an admin can tell them apart."""

import json
from collections import Counter

import pytest
from django.conf import settings
from django.core.management import call_command

from agents.methods import METHODS
from agents.models import AgentProfile

ROWS = json.loads((settings.BASE_DIR / "fixtures" / "agent_profiles.json").read_text())["rows"]
RECON = [row for row in ROWS if row["name"].startswith("recon") and row["provider"] == "openai"]


def test_recon_has_each_ablation_of_the_paper_and_both_combined_ones():
    off = {frozenset(row.get("switches", {})) for row in RECON if row["method"] == "recon"}
    single = {frozenset((name,)) for name in ("formulation", "refinement", "first_order", "second_order")}
    combined = {frozenset(("refinement", "first_order")), frozenset(("formulation", "second_order"))}
    assert off == {frozenset()} | single | combined
    assert {row["settings"]["temperature"] for row in RECON} == {0.6}


def test_where_recon_refines_the_second_model_does(db):
    call_command("load_fixtures", verbosity=0)
    profiles = AgentProfile.objects.filter(method="recon", name__startswith="recon", provider="openai")
    assert profiles
    for profile in profiles:
        refines = profile.switches.get("refinement", True)
        assert (profile.second and profile.second.model) == ("gpt-4-0613" if refines else None)


def test_spygame_has_strong_and_weak_citizens_and_two_step_is_there():
    two_step = {row["name"] for row in ROWS if row["method"] == "two_step"}
    assert two_step >= {"spygame-gpt-4", "spygame-llama-2-70b", "openai-two-step", "anthropic-two-step"}


@pytest.mark.parametrize("row", [row for row in ROWS if row["provider"] != "house"], ids=lambda row: row["name"])
def test_each_profile_of_a_model_has_switches_that_its_method_knows(row):
    METHODS[row["method"]].resolved(row.get("switches", {}))


def test_no_two_profiles_are_called_the_same():
    assert max(Counter(row["title"] for row in ROWS).values()) == 1
    assert all(len(row["title"]) <= 50 and len(row["about"]) <= 120 for row in ROWS)
