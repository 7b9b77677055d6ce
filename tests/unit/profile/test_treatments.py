"""What would treat a column: what is said of it is what the operation then does."""

import random
from datetime import date, timedelta

import polars as pl
import pytest

import celosia
from celosia.mask.parsing import parse_operations
from celosia.profile.treatments import find_treatment, treatments_of
from celosia.tables import open_table

DRAW = random.Random(11)
COLUMNS = {
    "costs": [round(DRAW.lognormvariate(8, 1), 2) for _ in range(900)],
    "amounts": [DRAW.randint(-500, 4000) for _ in range(900)],
    "with missing": [None if DRAW.random() < 0.1 else DRAW.gauss(50, 9) for _ in range(900)],
    "dates": [date(2020, 1, 1) + timedelta(days=DRAW.randint(0, 900)) for _ in range(900)],
    "codes": [f"{DRAW.choice('ABCD')}{DRAW.randint(0, 9)}{DRAW.randint(0, 99):02d}" for _ in range(900)],
    "Spanish dates": [f"{DRAW.randint(1, 28):02d}/{DRAW.randint(1, 12):02d}/2023" for _ in range(900)],
}


def left(values, operation, k):
    """Rows alone and in small groups after an operation, counted by other code."""
    release = celosia.mask_columns(
        pl.DataFrame({"x": values}), {"x": list(parse_operations(operation))}, common=["x"]
    )
    sizes = release.table["x"].value_counts()["count"]
    return int((sizes == 1).sum()), int(sizes.filter(sizes < k).sum())


@pytest.mark.parametrize("name", COLUMNS)
def test_what_is_said_of_every_treatment_is_what_the_operation_leaves(name):
    counts = open_table(pl.DataFrame({"x": COLUMNS[name]})).count_by(["x"])
    tried = list(treatments_of(counts, k=5))
    assert tried
    for treatment in tried:
        assert (treatment.alone, treatment.small) == left(COLUMNS[name], treatment.operation, 5)


@pytest.mark.parametrize("name", COLUMNS)
def test_the_treatment_that_is_offered_leaves_nobody_in_a_small_group(name):
    counts = open_table(pl.DataFrame({"x": COLUMNS[name]})).count_by(["x"])
    assert find_treatment(counts, k=5).small == 0


def test_the_mildest_that_suffices_is_offered():
    values = [1000 + 10 * number for number in range(300) for _ in range(5)] + [2003, 2004, 2006, 2007, 2008]
    counts = open_table(pl.DataFrame({"x": values})).count_by(["x"])
    assert find_treatment(counts, k=5).operation == "round:to=10"


def test_where_nothing_helps_the_column_is_left_out():
    names = [chr(200 + number) * 3 for number in range(300)]
    assert find_treatment(open_table(pl.DataFrame({"x": names})).count_by(["x"]), k=5).operation == "drop"


def test_intervals_take_the_place_of_rounding_where_most_rows_would_become_one_number():
    values = [round(DRAW.lognormvariate(8, 2.2), 2) for _ in range(3_000)]
    counts = open_table(pl.DataFrame({"x": values})).count_by(["x"])
    found = find_treatment(counts, k=10)
    assert found.operation.startswith("bin:cuts=")
    assert left(values, found.operation, 10) == (0, 0)


def test_extremes_are_coded_before_anything_is_rounded():
    values = [n % 8 for n in range(800)] + [9, 11]
    counts = open_table(pl.DataFrame({"x": values})).count_by(["x"])
    assert find_treatment(counts, k=5).operation == "code:top=7"


def test_rare_categories_become_one():
    values = ["flu"] * 40 + ["asthma"] * 25 + ["gout"] * 3 + ["lupus"]
    counts = open_table(pl.DataFrame({"x": values})).count_by(["x"])
    found = find_treatment(counts, k=4)
    assert found.operation == "merge:least=4"
    assert left(values, found.operation, 4) == (0, 0)
