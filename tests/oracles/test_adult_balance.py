"""Adult, the balance of k: published figures of distribution-based Mondrian, found again to all their digits."""

from itertools import pairwise

import polars as pl
import pytest

from celosia import balance

NUMBERS = ["age", "capital-gain", "capital-loss", "hours-per-week"]
NAMES = [
    "age",
    "workclass",
    "fnlwgt",
    "education",
    "education-num",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "capital-gain",
    "capital-loss",
    "hours-per-week",
    "native-country",
    "income",
]
ROWS = 32_561


@pytest.fixture(scope="module")
def adult(shared) -> pl.DataFrame:
    path = shared / "data" / "adult_uci" / "adult-train.csv"
    texts = pl.read_csv(path, has_header=False, new_columns=NAMES, infer_schema=False)
    people = texts.select(pl.all().str.strip_chars()).filter(pl.col("workclass").is_not_null())
    numbers = [*NUMBERS, "fnlwgt", "education-num"]
    return people.with_columns(pl.col(numbers).cast(pl.Int64))


@pytest.fixture(scope="module")
def curve(adult):
    """By distribution, the default for numbers."""
    return balance(adult, quasi_identifiers=NUMBERS, ks=[*range(2, 21), 50, 100])


def test_the_table_is_the_published_one(adult):
    assert len(adult) == ROWS


@pytest.mark.parametrize(
    ("parameters", "apart", "significance"),
    [
        (
            {},
            [67, 79, 12, 54],
            [0.999999833480, 0.999978729705, 1.0, 0.9999999999865045],
        ),
        (
            {"split": "median"},
            [555, 72, 41, 3718],
            [0.000153054032166, 0.999998300598, 1.0, 3.75978494175e-185],
        ),
    ],
    ids=["distribution", "median"],
)
def test_the_published_significance_at_k_2(adult, parameters, apart, significance):
    found = balance(
        adult, quasi_identifiers=NUMBERS, ks=[2], technique="distribution-mondrian", **parameters
    ).points[2]
    assert [column.distance for column in found.columns] == pytest.approx([rows / ROWS for rows in apart])
    assert [column.significance for column in found.columns] == pytest.approx(significance, rel=1e-9)


def test_3811_rows_are_singled_out_before_and_none_after_at_any_k(curve):
    assert curve.technique.name == "distribution-mondrian"
    for k, point in curve.points.items():
        assert (point.before.uniques, point.after.uniques, point.after.at_risk) == (3_811, 0, 0.0)
        assert point.after.k >= k


SWEPT = {
    2: (1.0, 1.0, 1.0, 1.0),
    3: (0.9999, 1.0, 1.0, 1.0),
    4: (0.9985, 0.9813, 1.0, 1.0),
    5: (0.9998, 0.9720, 1.0, 0.9813),
    6: (0.9883, 0.8589, 1.0, 0.9419),
    7: (0.9626, 0.6484, 1.0, 0.7012),
    8: (0.7012, 0.4401, 1.0, 0.5696),
    10: (0.6154, 0.1424, 1.0, 0.3481),
    15: (0.2574, 0.0046, 1.0, 0.0290),
    20: (0.0122, 0.0002, 1.0, 0.0022),
}


@pytest.mark.parametrize("k", SWEPT)
def test_the_curve_to_the_digits_known(curve, k):
    found = tuple(round(column.significance, 4) for column in curve.points[k].columns)
    assert found == SWEPT[k]


def test_the_far_end_of_the_curve(curve):
    far = {k: [column.significance for column in curve.points[k].columns] for k in (50, 100)}
    assert far[50] == pytest.approx([1.3e-5, 1.5e-5, 1.0, 3.0e-17], rel=0.05)
    assert far[100] == pytest.approx([1.1e-31, 2.4e-7, 0.9419, 5.2e-83], rel=0.05)


def test_the_best_k_up_to_20_is_5(adult):
    found = balance(adult, quasi_identifiers=NUMBERS)
    assert found.ks == tuple(range(2, 21))
    assert found.best("published") == 5
    # Nothing moves by more than 2 % of the people: the sound rule sees no harm at any of these k.
    assert found.best("sound") == 20
    assert max(column.distance for column in found.points[20].columns) < 0.02


def test_the_median_keeps_two_of_four_columns(adult):
    found = balance(adult, quasi_identifiers=NUMBERS, technique="distribution-mondrian", split="median")
    kept = [column.column for column in found.points[2].columns if column.is_kept_published]
    assert kept == ["capital-gain", "capital-loss"]
    assert found.best("published") is None
    assert found.best("sound") is None


MIXED = [name for name in NAMES if name not in ("race", "education", "income")]


@pytest.mark.parametrize("width", [1, 6, 12])
def test_the_loss_grows_with_k_whatever_the_columns(shared, adult, width):
    complete = adult.filter(~pl.any_horizontal(pl.col(pl.String) == "?"))
    assert len(complete) == 30_162
    columns = MIXED[:width]
    trees = {
        name: path
        for name in columns
        if (path := shared / "data" / "adult_trees" / f"adult_{name.replace('-', '_')}.txt").is_file()
    }
    found = balance(complete, quasi_identifiers=columns, hierarchies=trees, ks=[2, 5, 10, 25, 50, 100])
    losses = [point.measures["loss"] for point in found.points.values()]
    assert all(a < b for a, b in pairwise(losses))
    assert losses[0] > 0
    assert losses[-1] < 1
    assert all(point.after.k >= k for k, point in found.points.items())
