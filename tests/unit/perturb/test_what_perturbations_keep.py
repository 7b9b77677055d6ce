"""Each perturbation keeps the statistics it says it keeps, and its parameters do what they say."""

import sys

import numpy as np
import polars as pl
import pytest

from celosia.errors import ProjectError, TableError
from celosia.perturb import make_perturbation, perturb_frame, perturbations
from celosia.perturb.private import gaussian_scale, laplace_scale
from celosia.types import ColumnType

ROWS = 4000
COUNTS = {"yes": 0.7, "no": 0.2, "unknown": 0.1}


@pytest.fixture(scope="module")
def people() -> pl.DataFrame:
    """Numbers that go together, and a category; all within public bounds."""
    rng = np.random.default_rng(5)
    age = rng.uniform(20, 80, ROWS)
    return pl.DataFrame(
        {
            "age": age,
            "pay": 20 * age + rng.normal(0, 200, ROWS),
            "debt": rng.choice([-1.0, 0.0, 1.0], ROWS) * rng.lognormal(3, 1, ROWS),
            "smokes": rng.choice(list(COUNTS), ROWS, p=list(COUNTS.values())),
        }
    )


def perturbed(frame: pl.DataFrame, name: str, **parameters: object) -> pl.DataFrame:
    return perturb_frame(frame, make_perturbation(name, **{"seed": 2, **parameters}))


def correlation(frame: pl.DataFrame) -> float:
    return float(np.corrcoef(frame["age"].to_numpy(), frame["pay"].to_numpy())[0, 1])


def frequencies(frame: pl.DataFrame) -> dict[str, float]:
    return {value: count / frame.height for value, count in frame["smokes"].value_counts().rows()}


@pytest.mark.parametrize(
    ("name", "parameters", "deviation"),
    [
        ("noise", {"percent": 50}, 0.5),
        ("correlated-noise", {"percent": 50}, 0.71),
        ("multiplicative-noise", {"percent": 20}, 0.6),
        ("laplace", {"epsilon": 2, "bounds": {"age": (20, 80)}}, 2.5),
        ("gaussian", {"epsilon": 2, "delta": 1e-6, "bounds": {"age": (20, 80)}}, 11),
        ("random-rounding", {"base": 10}, 0.3),
    ],
)
def test_means_stay_in_expectation(
    people: pl.DataFrame, name: str, parameters: dict, deviation: float
) -> None:
    """``deviation`` is that of the noise in deviations of the age; a mean may stray by four of its errors."""
    made = perturbed(people, name, **parameters)
    allowed = 4 * deviation * people["age"].std() / np.sqrt(ROWS)
    assert made["age"].mean() == pytest.approx(people["age"].mean(), abs=allowed)
    assert (made["age"] != people["age"]).mean() > 0.9


def test_noise_widens_and_correlated_noise_keeps_correlations(people: pl.DataFrame) -> None:
    plain, correlated = perturbed(people, "noise"), perturbed(people, "correlated-noise")
    assert plain["age"].std() / people["age"].std() == pytest.approx(np.sqrt(1.25), abs=0.03)
    assert correlated["age"].std() / people["age"].std() == pytest.approx(np.sqrt(1.5), abs=0.03)
    assert correlation(plain) < correlation(people) - 0.1
    assert correlation(correlated) == pytest.approx(correlation(people), abs=0.02)


def test_rescaled_noise_keeps_deviations_too(people: pl.DataFrame) -> None:
    made = perturbed(people, "correlated-noise", rescaled=True)
    assert made["age"].std() == pytest.approx(people["age"].std(), rel=0.03)


def test_multiplicative_noise_keeps_zeros_and_signs(people: pl.DataFrame) -> None:
    made = perturbed(people, "multiplicative-noise", percent=80)
    assert (made["debt"].sign() == people["debt"].sign()).all()


def test_bounded_noise_stays_in_range_and_near(people: pl.DataFrame) -> None:
    made, span = perturbed(people, "bounded-noise", share=0.2), people["age"].max() - people["age"].min()
    assert made["age"].min() >= people["age"].min()
    assert made["age"].max() <= people["age"].max()
    assert 0.15 * span < (made["age"] - people["age"]).abs().max() <= 0.2 * span


@pytest.mark.parametrize("name", ["mdav", "univariate-microaggregation", "mixed-microaggregation"])
def test_microaggregation_keeps_means_and_leaves_no_value_to_fewer_than_k(
    people: pl.DataFrame, name: str
) -> None:
    made = perturbed(people.head(500), name, k=4)
    assert made["pay"].mean() == pytest.approx(people["pay"].head(500).mean())
    assert made["pay"].value_counts()["count"].min() >= 4
    if name != "univariate-microaggregation":
        together = made.select("age", "pay", "debt").group_by(pl.all()).len()
        assert together["len"].min() >= 4


def test_univariate_microaggregation_keeps_order(people: pl.DataFrame) -> None:
    made = perturbed(people, "univariate-microaggregation").with_columns(was=people["age"]).sort("was")
    assert made["age"].is_sorted()


def test_a_group_shows_its_median_if_asked() -> None:
    frame = pl.DataFrame({"age": [1.0, 2.0, 9.0]})
    assert perturbed(frame, "mixed-microaggregation", centroid="median")["age"].to_list() == [2, 2, 2]


def test_a_mean_of_fewer_than_k_values_is_not_shown() -> None:
    frame = pl.DataFrame({"age": [1.0, 2.0, 3.0, 50.0, 51.0, 52.0], "pay": [1.0, 2.0, 3.0, None, 5.0, 6.0]})
    assert perturbed(frame, "mdav", k=3)["pay"].to_list() == [2, 2, 2, None, None, None]


@pytest.mark.parametrize("name", ["rank-swapping", "data-swapping"])
def test_swapping_keeps_the_values_of_every_column(people: pl.DataFrame, name: str) -> None:
    parameters = {"columns": ("age", "pay"), "within": ("smokes",)} if name == "data-swapping" else {}
    made = perturbed(people, name, **parameters)
    assert made["age"].sort().equals(people["age"].sort())
    if name == "data-swapping":  # together, and with the column within which rows swap
        assert made.drop("debt").sort("age").equals(people.drop("debt").sort("age"))


def test_data_swapping_swaps_the_share_asked_for(people: pl.DataFrame) -> None:
    made = perturbed(people, "data-swapping", columns=("age",), share=0.3)
    assert (made["age"] != people["age"]).mean() == pytest.approx(0.3, abs=0.03)


def test_invariant_pram_keeps_frequencies_and_alpha_0_keeps_everything(people: pl.DataFrame) -> None:
    made = perturbed(people, "pram", diagonal=0.2, alpha=1)
    assert (made["smokes"] != people["smokes"]).mean() > 0.2
    assert frequencies(made) == pytest.approx(frequencies(people), abs=0.03)
    assert perturbed(people, "pram", alpha=0)["smokes"].equals(people["smokes"])


def test_random_rounding_keeps_multiples_and_moves_others_by_less_than_the_base(people: pl.DataFrame) -> None:
    made = perturbed(people, "random-rounding", base=0.1)
    assert ((made["age"] - people["age"]).abs() < 0.1 + 1e-9).all()
    assert np.allclose(perturbed(made, "random-rounding", base=0.1)["age"], made["age"])


def test_resampling_keeps_order_and_range_and_comes_closer_with_more_samples(people: pl.DataFrame) -> None:
    one, many = (perturbed(people, "resampling", samples=samples) for samples in (1, 50))
    assert one.with_columns(was=people["age"]).sort("was")["age"].is_sorted()
    assert people["age"].min() <= one["age"].min() <= one["age"].max() <= people["age"].max()
    assert (many["age"] - people["age"]).abs().mean() < (one["age"] - people["age"]).abs().mean() / 3


def test_a_synthetic_table_is_like_the_original(people: pl.DataFrame) -> None:
    made = perturbed(people, "synthetic")
    assert made["age"].mean() == pytest.approx(people["age"].mean(), abs=1.5)
    assert correlation(made) == pytest.approx(correlation(people), abs=0.05)
    assert frequencies(made) == pytest.approx(frequencies(people), abs=0.04)


def test_some_synthetic_rows_repeat_real_ones_and_larger_leaves_make_that_rarer(people: pl.DataFrame) -> None:
    repeated = [
        perturbed(people, "synthetic", least=least).join(people, on=people.columns, how="semi").height
        for least in (5, 50)
    ]
    assert 0.01 * ROWS < repeated[0] < 0.05 * ROWS
    assert repeated[1] < 0.001 * ROWS


def test_a_partly_synthetic_table_keeps_what_goes_together(people: pl.DataFrame) -> None:
    made = perturbed(people, "partly-synthetic", columns=("pay",))
    assert correlation(made) == pytest.approx(correlation(people), abs=0.05)
    assert made.drop("pay").equals(people.drop("pay"))


@pytest.mark.parametrize("name", ["synthetic", "partly-synthetic"])
def test_larger_leaves_tell_less(people: pl.DataFrame, name: str) -> None:
    columns = {"columns": ("pay",)} if name == "partly-synthetic" else {}
    fine, coarse = (perturbed(people, name, least=least, **columns) for least in (5, 1500))
    assert correlation(coarse) < correlation(fine) - 0.1


def test_a_hybrid_table_keeps_means_and_covariances_exactly(people: pl.DataFrame) -> None:
    before, made = (
        frame.select("age", "pay", "debt").to_numpy() for frame in (people, perturbed(people, "hybrid"))
    )
    assert np.allclose(made.mean(axis=0), before.mean(axis=0))
    assert np.allclose(np.cov(made.T), np.cov(before.T))
    assert (made[:, :2] != before[:, :2]).all()  # many groups owe nothing, and still do


def test_private_marginals_keep_frequencies_and_pairs(people: pl.DataFrame) -> None:
    made = perturbed(
        people,
        "private-marginals",
        columns=("age", "pay", "smokes"),
        epsilon=5,
        bounds={"age": (20, 80), "pay": (-500, 2500)},
        domains={"smokes": tuple(COUNTS)},
    )
    assert made.height == pytest.approx(ROWS, rel=0.05)
    assert made["smokes"].null_count() < 0.01 * ROWS
    some = made.drop_nulls()
    assert frequencies(some) == pytest.approx(frequencies(people), abs=0.04)
    assert correlation(some) == pytest.approx(correlation(people), abs=0.15)


PRIVATE = {"columns": ("age", "pay"), "bounds": {"age": (20, 80), "pay": (-500, 2500)}, "bins": 6}


@pytest.mark.parametrize("delta", [None, 1e-6])
def test_a_private_table_has_the_rows_asked_for_or_about_those_there_are(
    people: pl.DataFrame, delta: float | None
) -> None:
    asked, unasked = (
        perturbed(people, "private-marginals", epsilon=1, delta=delta, rows=rows, **PRIVATE)
        for rows in (900, None)
    )
    assert asked.height == 900
    assert unasked.height == pytest.approx(ROWS, rel=0.1)
    assert unasked.height != ROWS


def test_a_workload_says_what_is_kept_and_small_models_keep_less(people: pl.DataFrame) -> None:
    columns = {
        **PRIVATE,
        "columns": ("age", "pay", "debt"),
        "bounds": {**PRIVATE["bounds"], "debt": (-100, 100)},
    }
    kept, apart, small = (
        perturbed(people, "private-marginals", epsilon=20, **columns, **extra).drop_nulls()
        for extra in ({"workload": (("pay", "age"),)}, {"ways": 1}, {"cells": 30})
    )
    assert correlation(kept) > 0.7
    assert abs(correlation(apart)) < 0.1
    assert abs(correlation(small)) < 0.1


def test_a_workload_of_other_columns_is_told(people: pl.DataFrame) -> None:
    with pytest.raises(
        ProjectError, match=r"the workload names column 'agge', which takes no part; did you mean 'age'\?"
    ):
        perturbed(people, "private-marginals", epsilon=1, workload=(("agge", "pay"),), **PRIVATE)


def test_a_small_budget_costs_more(people: pl.DataFrame) -> None:
    bounds = {"age": (20, 80), "pay": (0, 2000)}
    wide, narrow = (perturbed(people, "laplace", epsilon=epsilon, bounds=bounds) for epsilon in (0.5, 50))
    assert (wide["age"] - people["age"]).abs().mean() > 50 * (narrow["age"] - people["age"]).abs().mean()


def test_generalization_by_ranges_keeps_order_and_numbers_ranges_from_one(people: pl.DataFrame) -> None:
    made = perturbed(people, "cpda-generalization", ranges=7).with_columns(was=people["age"]).sort("was")
    assert made["age"].is_sorted()
    assert made["age"].unique().sort().to_list() == [1, 2, 3, 4, 5, 6, 7]


def test_the_noise_of_the_original_tool_is_one_shift_and_says_so(people: pl.DataFrame) -> None:
    shift = perturbed(people, "cpda-noise")["age"] - people["age"]
    assert shift.max() == pytest.approx(shift.min())
    assert people["age"].std() / 4 <= shift.mean() < people["age"].std()
    assert "not protection" in perturbations()["cpda-noise"].caution
    twice = perturbed(people, "cpda-noise", least=2, most=2, columns=("pay",))["pay"] - people["pay"]
    assert twice.to_list() == pytest.approx([2 * people["pay"].std()] * len(people))
    with pytest.raises(ProjectError, match="the smallest shift should not be above the largest"):
        make_perturbation("cpda-noise", least=2)


def test_deletion_leaves_rows_as_they_are_and_skips_what_it_is_told_to() -> None:
    frame = pl.DataFrame({"id": [1, 2, 3], "age": [40, 40, 50]})
    assert perturbed(frame, "cpda-deletion").rows() == [(1, 40), (2, 40)]
    assert perturbed(frame, "cpda-deletion", skipped=()).height == 0
    assert perturbed(frame, "cpda-deletion", skipped=("id", "age")).height == 3


def test_importances_decide_what_is_suppressed() -> None:
    frame = pl.DataFrame({"town": ["Jaca", "Jaca", "Ejea", "Ejea"], "sex": ["f", "m", "f", "m"]})
    for dear, cheap in (("town", "sex"), ("sex", "town")):
        made = perturbed(frame, "local-suppression", k=2, importance={dear: 9}, reading="own")
        assert made[dear].null_count() == 0
        assert made[cheap].null_count() == 4


def test_statistics_come_from_the_table_that_a_technique_is_given() -> None:
    frame = pl.DataFrame({"age": [0.0, 10.0, 20.0, 40.0]})
    ranges = make_perturbation("cpda-generalization")
    shift = make_perturbation("cpda-noise", seed=1)
    after = perturb_frame(frame, [ranges, shift])["age"] - perturb_frame(frame, ranges)["age"]
    assert after.max() < 2  # deviations of 1 to 4, not of 0 to 40
    assert perturb_frame(frame, [shift, ranges])["age"].to_list() == [1, 2, 3, 4]


# Differential privacy


def test_scales_are_those_of_the_theory() -> None:
    assert laplace_scale(0.1, 3) == pytest.approx(30)
    # The analytic Gaussian mechanism needs 4.22 for epsilon 1 and delta 1e-6; the road by zCDP a little more.
    assert 4.22 < gaussian_scale(1, 1e-6, 1) < 4.22 * 1.15


def test_bounds_are_never_taken_from_the_table() -> None:
    with pytest.raises(ProjectError, match="column 'pay' has no bounds; say between what values it lies"):
        perturbed(
            pl.DataFrame({"pay": [1.0]}), "laplace", epsilon=1, bounds={"age": (0, 9)}, columns=("pay",)
        )
    with pytest.raises(ProjectError, match="column 'town' has neither a domain nor bounds"):
        perturbed(pl.DataFrame({"town": ["Jaca"]}), "private-marginals", epsilon=1)
    with pytest.raises(ProjectError, match="technique laplace, bounds: field required"):
        make_perturbation("laplace", epsilon=1)
    with pytest.raises(ProjectError, match="the lower bound of age should be below the upper one"):
        make_perturbation("laplace", epsilon=1, bounds={"age": (9, 0)})


def test_values_outside_the_bounds_are_cut_to_them() -> None:
    frame = pl.DataFrame({"age": [-1000.0] * 200 + [1000.0] * 200})
    made = perturbed(frame, "laplace", epsilon=100, bounds={"age": (0, 100)})["age"]
    assert made.min() > -20
    assert made.max() < 120


@pytest.mark.parametrize(
    ("package", "name", "remedy"),
    [("opendp.prelude", "laplace", r"celosia\[dp\]"), ("sklearn.tree", "synthetic", r"celosia\[learning\]")],
)
def test_a_package_that_is_not_installed_is_named(
    monkeypatch: pytest.MonkeyPatch, package: str, name: str, remedy: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    parameters = {"epsilon": 1, "bounds": {"a": (0, 100)}} if name == "laplace" else {}
    with pytest.raises(ProjectError, match=remedy):
        perturbed(pl.DataFrame({"a": range(50), "b": range(50)}), name, **parameters)


# Mistakes


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("mdav", {"k": 1}, "technique mdav, k: input should be greater than or equal to 2"),
        ("mdav", {"kk": 3}, "technique mdav: it has no parameter 'kk'"),
        ("pram", {"matrix": {"a": {"a": 0.5}}}, "the chances of 'a' should be at least 0 and add up to 1"),
        ("local-suppression", {"importance": {"a": 0}}, "importances should be greater than 0"),
        ("data-swapping", {}, "technique data-swapping, columns: field required"),
    ],
)
def test_a_wrong_parameter_is_told(name: str, parameters: dict, message: str) -> None:
    with pytest.raises(ProjectError, match=message):
        make_perturbation(name, **parameters)


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("pram", {"matrix": {"x": {"x": 1}}}, "the matrix says nothing about a value of column 'town'"),
        ("pram", {"columns": ("n",), "matrix": {"1": {"one": 1}}}, "values that column 'n' cannot hold"),
        ("local-suppression", {"importance": {"twn": 2}}, "'twn' has an importance but is not looked at"),
        (
            "data-swapping",
            {"columns": ("n",), "within": ("n",)},
            "rows cannot agree in 'n', which is swapped",
        ),
        ("noise", {"columns": ("n", "n")}, "a column is named twice"),
    ],
)
def test_what_contradicts_the_table_is_told(name: str, parameters: dict, message: str) -> None:
    with pytest.raises(ProjectError, match=message):
        perturbed(pl.DataFrame({"town": ["Jaca"], "n": [1]}), name, **parameters)


def test_what_is_no_number_is_told() -> None:
    frame = pl.DataFrame({"age": ["1", "old"]})
    with pytest.raises(TableError, match="column 'age' holds texts that are no numbers"):
        perturb_frame(frame, make_perturbation("noise"), types={"age": ColumnType.INTEGER})
    with pytest.raises(TableError, match="column 'age' holds infinite values"):
        perturb_frame(pl.DataFrame({"age": [float("inf")]}), make_perturbation("noise"))
