"""What the papers print, worked out again by our functions from the papers' own inputs."""

from __future__ import annotations

import pytest

from evaluation.metrics import METRICS, Ratio
from evaluation.metrics.magic import AXES, ROLES, radar_area
from evaluation.metrics.recon import published_agreement
from evaluation.tables.filling import tables
from evaluation.tables.partitions import parted
from evaluation.tables.published import JUDGE_CHECK, TABLES

ROLE_TABLES = ("chameleon", "undercover", "cost_sharing", "prisoners_dilemma", "public_good")


def role_rates(model):
    """The seven role rates of a model in tables 6 to 10, by metric."""
    found = {}
    for name in ROLE_TABLES:
        found |= {metric: value for metric, value in TABLES[f"magic.{name}"].of(model).items() if "win_rate" in metric}
    found["magic.win_rate.cost_sharing"] = TABLES["magic.cost_sharing"].of(model)["magic.cooperation"]
    return found


@pytest.mark.parametrize(
    ("model", "printed"), [("GPT-4+PGM", 63.5), ("GPT-4", 49.3), ("GPT-3.5-turbo", 35.3), ("Llama-2-70B", 18.1)]
)
def test_the_win_rate_is_the_mean_of_the_seven_printed_role_rates(model, printed):
    sums = {name: METRICS[name].sums.of(rate, 100) for name, rate in role_rates(model).items()}
    assert len(sums) == len(ROLES)
    assert 100 * METRICS["magic.win_rate"].made(sums).value == pytest.approx(printed, abs=0.06)
    assert TABLES["magic.m1"].of(model)["magic.win_rate"] == pytest.approx(printed, abs=0.11)


@pytest.mark.parametrize(
    ("model", "printed"),
    [("GPT-4+PGM", 87.5), ("GPT-4", 78.75), ("GPT-3.5-turbo", 46.25), ("Llama-2-70B", 41.25), ("PaLM 2", 45)],
)
def test_judgement_pools_the_forty_votes_of_each_game(model, printed):
    accuracies = [TABLES[f"magic.{g}"].of(model)[f"magic.vote_accuracy.{r}"] for g, r in GOOD_SIDES]
    pooled = sum((Ratio.of(round(40 * accuracy / 100), 40, unit) for unit, accuracy in enumerate(accuracies)), Ratio())
    assert 100 * pooled.value == pytest.approx(printed)
    assert TABLES["magic.m1"].of(model)["magic.judgement"] == pytest.approx(printed, abs=0.06)


GOOD_SIDES = (("chameleon", "non-chameleon"), ("undercover", "civilian"))


@pytest.mark.parametrize(("model", "printed"), [("GPT-4+PGM", 76.2), ("GPT-4", 69.05), ("GPT-3.5-turbo", 41.4)])
def test_rationality_pools_the_rounds_of_both_games(model, printed):
    rounds = 21 * 5
    shares = [TABLES[f"magic.{g}"].of(model)[f"magic.rationality.{g}"] for g in ("prisoners_dilemma", "public_good")]
    pooled = Ratio.of(shares[0] / 100 * rounds, rounds, "pd") + Ratio.of(shares[1] / 100 * rounds, rounds, "pg")
    assert 100 * pooled.value == pytest.approx(printed, abs=0.06)
    assert TABLES["magic.m2"].of(model)["magic.rationality"] == pytest.approx(printed, abs=0.06)


def test_coordination_is_of_agreed_games_in_the_one_edition_and_of_all_in_the_other():
    assert 100 * Ratio.of(12, 13).value == pytest.approx(
        TABLES["magic.m1"].of("GPT-4+PGM")["magic.coordination"], abs=0.05
    )
    assert 100 * Ratio.of(12, 21).value == pytest.approx(
        TABLES["magic.m2"].of("GPT-4+PGM")["magic.coordination.m2"], abs=0.05
    )
    assert pytest.approx(TABLES["magic.m1"].of("GPT-4+PGM")["magic.cooperation"], abs=0.05) == 100 * 13 / 21


def radar(model):
    """The radar area of a row of the later edition's table."""
    row = TABLES["magic.m2"].of(model)
    metric = METRICS["magic.radar_area.m2"]
    return metric.combine([row[part] / 100 for part in metric.parts])


@pytest.mark.parametrize(
    ("model", "area"), [("GPT-4-turbo", 0.932), ("GPT-4", 0.907), ("GPT-3.5-turbo", 0.382), ("Llama-2-70B", 0.314)]
)
def test_the_radar_area_is_that_of_figure_1(model, area):
    assert radar(model) == pytest.approx(area, abs=0.0006)


def test_a_perfect_radar_is_the_whole_heptagon():
    assert radar_area((1,) * len(AXES)) == pytest.approx(2.7364, abs=0.0001)
    assert len(METRICS["magic.radar_area.m1"].parts) == len(AXES) == 7


def test_the_mean_gain_in_radar_area_is_near_a_half():
    models = [model for model in TABLES["magic.m2"].rows if not model.endswith("+PGM")]
    gains = [radar(f"{model}+PGM") / radar(model) - 1 for model in models]
    assert len(gains) == 7
    assert sum(gains) / 7 == pytest.approx(0.49, abs=0.006)


def test_only_not_lost_can_give_the_printed_deception():
    """Strict wins are at most half of the credits of each role; the printed 75.0 is beyond that."""
    row = role_rates("GPT-4+PGM")
    most = (row["magic.win_rate.chameleon"] + row["magic.win_rate.undercover"]) / 2
    assert most < 50 < TABLES["magic.m2"].of("GPT-4+PGM")["magic.deception"]


@pytest.mark.parametrize("method", TABLES["wiu.civilian"].rows)
def test_victories_of_both_teams_sum_to_one(method):
    assert sum(TABLES[f"wiu.{team}"].of(method)["wiu.victory"] for team in ("civilian", "undercover")) == pytest.approx(
        1
    )


@pytest.mark.parametrize("method", TABLES["wiu.civilian"].rows)
def test_survival_agrees_with_one_out_a_round(method):
    civilian, undercover = (TABLES[f"wiu.{team}"].of(method) for team in ("civilian", "undercover"))
    out = [3 * (1 - civilian[f"wiu.survival_{k}"]) + 2 * (1 - undercover[f"wiu.survival_{k}"]) for k in (1, 2)]
    assert out[0] == pytest.approx(1, abs=0.025)
    assert out[1] == pytest.approx(1.88 if method == "MPTT" else 2, abs=0.025)


def test_the_check_of_the_judge_gives_another_chi_square_than_is_printed():
    found = published_agreement(*JUDGE_CHECK)
    assert (found.total, found.agreeing) == (216, 158)
    assert found.ratio == pytest.approx(0.7315, abs=0.0001)
    statistic, p = found.test()
    assert statistic == pytest.approx(46.30, abs=0.005)
    assert p < 1e-10


@pytest.mark.parametrize(("citizens", "total"), [("strong", 55.95), ("weak", 82.14)])
def test_the_totals_of_the_spies_are_of_84_games(citizens, total):
    rows = dict(TABLES[f"spygame.{citizens}"].rows)
    assert rows.pop("Total")[0] == total
    rates = [row[0] for row in rows.values()]
    pooled = sum((Ratio.of(round(rate * 21 / 100), 21, unit) for unit, rate in enumerate(rates)), Ratio())
    assert pooled.denominator == 84
    assert 100 * pooled.value == pytest.approx(total, abs=0.006)


def test_every_column_is_a_metric():
    for table in TABLES.values():
        assert set(table.columns) <= METRICS.keys(), table.name
        assert all(len(row) == len(table.columns) for row in table.rows.values()), table.name


def test_the_partitions_of_spygame_are_the_papers():
    found = {who: parts for (who, source), parts in parted(printed_tables()).items() if source}
    assert [who for who, parts in found.items() if parts["IC x ID"] == (True, True)] == ["GPT-4"]
    assert found["GPT-3.5"]["IC x ID"] == (True, False), "high IC, and not high ID"
    assert found["GPT-4"]["GS x NR, strong"] == (True, True)
    assert found["GPT-4"]["VR x VE, strong"] == found["GPT-3.5"]["VR x VE, strong"] == (False, True)
    assert found["LLaMA2"]["VR x VE, strong"] == (True, False), "the worst camouflage"
    assert found["Gemini"]["VR x VE, strong"] == (False, False), "evades suspicion, does not disperse it"
    assert found["GPT-4"]["VR x VE, weak"] is None, "no votes"


def printed_tables():
    return {name: table.to_json() for name, table in tables([], ["spygame.strong", "spygame.weak"]).items()}
