"""Which columns to protect: the published examples, large tables, and what cannot be answered."""

import json
from itertools import combinations, product

import numpy as np
import polars as pl
import pytest

from celosia.errors import ProjectError
from celosia.profile import propose_quasi_identifiers, subsets
from celosia.tables.table import Counts


def published_ages() -> pl.DataFrame:
    """91 ages, 2 sexes, 5 races; 182, 449 and 10 pairs; 881 triples."""
    missing_pairs = {(age, 4) for age in range(6)}
    missing_triples = {(age, 0, 0) for age in range(10, 27)}
    rows = [
        (age, sex, race)
        for age, sex, race in product(range(91), range(2), range(5))
        if (age, race) not in missing_pairs and (age, sex, race) not in missing_triples
    ]
    return pl.DataFrame(rows, schema=["Edad", "Sexo", "Raza"], orient="row")


def published_postcodes() -> pl.DataFrame:
    """21,648 postcodes, 2 sexes, 5 races; 22,019, 21,942 and 10 pairs; 22,188 triples."""
    rows = [(code, code % 2, code % 5) for code in range(21_648)]
    rows += [(code, 1 - code % 2, code % 5) for code in range(246)]
    rows += [(code, code % 2, (code + 1) % 5) for code in range(246, 246 + 169)]
    rows += [(code, 1 - code % 2, (code + 1) % 5) for code in range(415, 415 + 125)]
    return pl.DataFrame(rows, schema=["CP", "Sexo", "Raza"], orient="row")


def wide(rows: int) -> pl.DataFrame:
    """Twenty columns as in a hospital; many depend on others."""
    generator = np.random.default_rng(1)

    def skewed(size: int, exponent: float = 1.0) -> np.ndarray:
        weights = 1 / np.arange(1, size + 1) ** exponent
        return generator.choice(size, rows, p=weights / weights.sum())

    birth, postcode, admission = generator.integers(0, 90 * 365, rows), skewed(5000, 0.8), skewed(1000, 0)
    stay = generator.geometric(0.2, rows)
    columns = {
        "age": birth // 365, "birth": birth, "postcode": postcode, "town": postcode // 4, "province": postcode // 100,
        "admission": admission, "stay": stay, "discharge": admission + stay, "sex": skewed(2, 0), "race": skewed(5, 2),
    }  # fmt: skip
    columns |= {f"other {size}": skewed(size) for size in (3, 4, 6, 7, 8, 12, 15, 30, 40, 60)}
    return pl.DataFrame(columns)


def test_the_published_example_with_881_combinations_needs_all_three_columns(table):
    frame = published_ages()
    counted = [
        frame.select(some).n_unique() for some in (["Edad", "Sexo"], ["Edad", "Raza"], ["Sexo", "Raza"])
    ]
    assert counted == [182, 449, 10]
    proposal = propose_quasi_identifiers(table(frame), frame.columns)
    assert proposal.columns == ("Edad", "Sexo", "Raza")
    assert (proposal.distinct, proposal.maximum, proposal.proven) == (881, 881, True)


def test_the_published_example_with_22188_combinations_needs_the_postcode_alone(table):
    frame = published_postcodes()
    counted = [
        frame.select(some).n_unique() for some in (["CP", "Sexo"], ["CP", "Raza"], ["Sexo", "Raza"], ["CP"])
    ]
    assert counted == [22019, 21942, 10, 21648]
    proposal = propose_quasi_identifiers(table(frame), frame.columns)
    assert proposal.columns == ("CP",)
    assert (proposal.distinct, proposal.maximum, proposal.proven) == (21648, 22188, True)
    assert str(proposal.reason) == (
        "21,648 distinct combinations, 97.6% of the 22,188 of all nominated columns; 95% are asked for; "
        "no smaller set reaches that"
    )


def test_the_tolerance_decides_how_many_columns_are_needed(table):
    source = table(published_postcodes())
    chosen = [
        propose_quasi_identifiers(source, ["CP", "Sexo", "Raza"], tolerance=t).columns
        for t in (0, 0.01, 0.05)
    ]
    assert chosen == [("CP", "Sexo", "Raza"), ("CP", "Sexo"), ("CP",)]


def test_the_threshold_itself_is_reached(table):
    frame = pl.DataFrame({"a": [*range(19), 0], "b": [0] * 19 + [1]})
    assert frame.n_unique() == 20
    assert propose_quasi_identifiers(table(frame), ["a", "b"], tolerance=0.05).columns == ("a",)
    assert propose_quasi_identifiers(table(frame), ["a", "b"], tolerance=0.049).columns == ("a", "b")


def test_among_sets_of_one_size_the_most_distinct_wins_and_then_the_first(table):
    frame = pl.DataFrame({"a": [0, 1, 2, 2], "b": [0, 1, 2, 3], "c": [3, 2, 1, 0]})
    assert propose_quasi_identifiers(table(frame), ["a", "b", "c"], tolerance=0.5).columns == ("b",)
    assert propose_quasi_identifiers(table(frame), ["c", "a", "b"], tolerance=0.5).columns == ("c",)


def test_a_missing_value_tells_people_apart_like_any_other(table):
    frame = pl.DataFrame({"a": ["x", "x"], "b": [None, "y"]})
    assert propose_quasi_identifiers(table(frame), ["a", "b"]).columns == ("b",)


def test_columns_that_are_not_nominated_play_no_part(table):
    source = table(published_postcodes())
    everything = source.count_by(["Raza", "CP", "Sexo"])
    proposal = propose_quasi_identifiers(everything, ["Sexo", "Raza"])
    assert (proposal.columns, proposal.maximum) == (("Sexo", "Raza"), 10)


def test_the_table_is_counted_once(table):
    source = table(published_ages())
    propose_quasi_identifiers(source, ["Edad", "Sexo"])
    assert source.asked == [("Edad", "Sexo")]


def test_progress_only_grows_and_ends_at_one(table):
    shares: list[float] = []
    frame = wide(2000)
    propose_quasi_identifiers(table(frame), frame.columns, progress=lambda _, share: shares.append(share))
    assert len(shares) > 1
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_twenty_columns_of_a_hundred_thousand_rows_need_few_of_a_million_subsets(table):
    frame = wide(100_000)
    assert frame.width == 20
    proposal = propose_quasi_identifiers(table(frame), frame.columns)
    assert proposal.proven
    pairs = {pair: frame.select(pair).n_unique() for pair in combinations(frame.columns, 2)}
    assert max(frame[column].n_unique() for column in frame.columns) < 0.95 * frame.n_unique()
    assert proposal.columns == max(pairs, key=pairs.__getitem__)
    assert proposal.examined < 400


def test_twenty_equal_columns_stop_at_the_limit_and_say_so():
    generator = np.random.default_rng(2)
    codes = tuple(generator.integers(0, 6, 30_000).astype(np.int32) for _ in range(20))
    columns = tuple(f"c{i}" for i in range(20))
    counts = Counts(columns, (pl.Series(list("abcdef")),) * 20, codes, np.ones(30_000, np.int64))
    proposal = propose_quasi_identifiers(counts, columns, limit=20_000_000)
    assert not proposal.proven
    assert proposal.reason.code == "not-proven-smallest"
    assert "a smaller set may exist" in str(proposal.reason)
    assert proposal.distinct >= 0.95 * proposal.maximum
    assert 7 <= len(proposal.columns) <= 8


def test_more_sets_than_can_be_listed_are_not_listed(monkeypatch, table):
    monkeypatch.setattr(subsets, "CANDIDATES", 2)
    proposal = propose_quasi_identifiers(table(published_ages()), ["Edad", "Sexo", "Raza"], tolerance=0.5)
    assert not proposal.proven
    assert proposal.distinct >= 0.5 * 881


def test_keys_wider_than_64_bits_are_counted_exactly(table):
    generator = np.random.default_rng(3)
    frame = pl.DataFrame({f"c{i}": generator.permutation(3000) for i in range(7)})
    frame = pl.concat([frame, frame.with_columns(c6=pl.col("c6").reverse())])
    proposal = propose_quasi_identifiers(table(frame), frame.columns, tolerance=0)
    assert (proposal.maximum, proposal.distinct, proposal.columns) == (6000, 6000, ("c0", "c6"))


def test_a_constant_table_needs_its_first_column_and_an_empty_one_none(table):
    constant = propose_quasi_identifiers(table({"a": [1, 1], "b": [2, 2]}), ["b", "a"])
    assert (constant.columns, constant.distinct) == (("b",), 1)
    empty = propose_quasi_identifiers(table(pl.DataFrame(schema={"a": pl.Int64})), ["a"])
    assert (empty.columns, empty.distinct, empty.reason.code) == ((), 0, "no-rows")


def test_the_proposal_can_be_saved_as_json(table):
    saved = json.loads(json.dumps(propose_quasi_identifiers(table({"a": [1, 2]}), ["a"]).to_dict()))
    assert saved["columns"] == ["a"]
    assert (saved["distinct"], saved["maximum"], saved["examined"], saved["proven"]) == (2, 2, 1, True)
    assert saved["reason"]["code"] == "smallest-set"


@pytest.mark.parametrize(
    ("nominated", "tolerance", "message"),
    [
        (
            [],
            0.05,
            "memory: no column is nominated as quasi-identifier; name at least one column that others could know",
        ),
        (["agee"], 0.05, "memory: column 'agee' does not exist; did you mean 'age'?"),
        (["age", "age"], 0.05, "memory: column 'age' is nominated twice; name it once"),
        (["age"], 1.0, "memory: the tolerance is 1.0; give a share of at least 0 and below 1, such as 0.05"),
        (["age"], -0.1, "memory: the tolerance is -0.1; give"),
        (["age"], float("nan"), "memory: the tolerance is nan; give"),
    ],
)
def test_what_cannot_be_answered_is_refused_before_counting(table, nominated, tolerance, message):
    source = table({"age": [1], "sex": ["F"]})
    with pytest.raises(ProjectError) as refused:
        propose_quasi_identifiers(source, nominated, tolerance=tolerance)
    assert str(refused.value).startswith(message)
    assert source.asked == []
