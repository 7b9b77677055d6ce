"""Releases of random tables keep their promises for everybody who reads them; one that is broken is noticed."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pandas as pd
import polars as pl
import pytest
from fuzz_cases import Case, Column, draw_case
from fuzz_judge import carry_out, judge
from fuzz_models import MODELS, Classes, complaint, partition
from fuzz_readers import read_release
from fuzz_sources import as_source
from fuzz_values import MISSING, fold, join_readings, sharp

import celosia

SEEDS, PARTS = 480, 12


@pytest.mark.parametrize(
    "part",
    [
        *range(PARTS // 2),
        *(pytest.param(part, marks=pytest.mark.exhaustive) for part in range(PARTS // 2, PARTS)),
    ],
)
def test_releases_keep_their_promises_for_every_reader(part):
    outcomes = [carry_out(draw_case(seed)) for seed in range(part, SEEDS, PARTS)]
    assert sum(one.kind == "released" for one in outcomes) > SEEDS / PARTS / 2
    assert [(one.seed, one.problems) for one in outcomes if one.problems] == []
    assert [(one.seed, one.reason) for one in outcomes if one.kind in ("raised", "withdrawn")] == []


@pytest.mark.parametrize("seed", [3, 8, 17])
def test_releases_by_the_command_line_keep_their_promises(seed):
    case = next(
        one
        for one in map(draw_case, range(1000 * seed, 1000 * seed + 200))
        if one.source in ("csv", "ndjson")
        and one.out
        and not one.hierarchies
        and not one.options.get("memory")
    )
    outcome = carry_out(replace(case, way="project"), by_command=True)
    assert outcome.kind in ("released", "refused")
    assert outcome.problems == []


# --- a release that was broken on purpose

AGES = Column("age", "integer", "quasi_identifiers", (30, 30, 30, 40, 40, 40))
ILL = Column("ill", "disease", "sensitive", ("HIV", "flu", "HIV", "gout", "flu", "gout"))
K3 = {"model": "k-anonymity", "k": 3}
L2 = {"model": "distinct-l-diversity", "l": 2, "column": "ill"}


def released(tmp_path: Path, *, out: str, models=(K3, L2), ages=AGES, ill=ILL) -> tuple[Case, Path]:
    """A release that is right."""
    case = Case(0, (ages, ill), "csv", out, models, {"technique": "full-domain"})
    place = tmp_path / f"released.{out}"
    asked = [celosia.KAnonymity(k=3), celosia.DistinctLDiversity(column="ill", l=2)]
    celosia.anonymize(
        as_source(case, tmp_path),
        out=place,
        quasi_identifiers=["age"],
        sensitive=["ill"],
        models=asked[: len(models)],
        hierarchies={"age": [("30", "*"), ("40", "*")]},
        seed=1,
    )
    return case, place


def found(case: Case, place) -> set[str]:
    views, _ = read_release(place, names=["age", "ill"])
    return {category for category, _ in judge(case, views)}


@pytest.mark.parametrize("out", ["csv", "json", "ndjson", "arff"])
@pytest.mark.parametrize(
    ("before", "after", "noticed"),
    [
        ("30", "40", "k-anonymity"),
        ("30", "30.0", "k-anonymity"),
        ("flu", "hiv", "distinct-l-diversity"),
        ("flu", "HIV\u200b", "distinct-l-diversity"),
        ("flu", "gout ", "distinct-l-diversity"),
        ("flu", "\uff28\uff29\uff36", "distinct-l-diversity"),
        ("flu", "measles", "values"),
        ("age", "Age", "columns"),
    ],
)
def test_a_file_that_was_changed_is_noticed(tmp_path, out, before, after, noticed):
    case, place = released(tmp_path, out=out)
    assert found(case, place) == set()
    text = place.read_text("utf-8")
    header, start, rows = text.partition("@data") if out == "arff" else ("", "", text)
    if noticed == "columns":
        header, rows = header.replace(before, after), rows.replace(before, after)
    else:
        pieces = rows.split(before)
        times = (
            len(pieces) - 1 if before == "flu" else 1
        )  # in both classes, so that either value is the only one
        rows = after.join(pieces[: times + 1]) + "".join(before + piece for piece in pieces[times + 1 :])
    place.write_text(header + start + rows, "utf-8")
    assert noticed in found(case, place)


def test_a_row_that_is_gone_is_noticed(tmp_path):
    case, place = released(tmp_path, out="csv")
    lines = place.read_text().splitlines(keepends=True)
    place.write_text("".join(lines[:-1]))
    assert "k-anonymity" in found(case, place)
    views, _ = read_release(place, names=["age", "ill"])
    assert [category for category, _ in judge(case, views, gone=0)] == ["rows"]


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame({"age": [0.0, 0.0, -0.0], "ill": ["a", "b", "c"]}),
        pl.DataFrame({"age": [0.0, 0.0, -0.0], "ill": ["a", "b", "c"]}).to_arrow(),
        pd.DataFrame({"age": [0.0, 0.0, -0.0], "ill": ["a", "b", "c"]}),
        pd.DataFrame({"age": pd.Series([1, 1, "1"], dtype=object), "ill": ["a", "b", "c"]}),
        pd.DataFrame({"age": pd.Series([1, 1, 1.0], dtype=object), "ill": ["a", "b", "c"]}),
    ],
)
def test_a_frame_whose_cells_differ_for_one_reader_is_noticed(frame):
    ages, ill = replace(AGES, values=(0.0, 0.0, 0.0)), replace(ILL, values=("a", "b", "c"))
    assert "k-anonymity" in found(Case(0, (ages, ill), "polars", "", (K3,), {}), frame)


def test_a_sheet_and_a_parquet_file_are_read_cell_by_cell(tmp_path):
    ages, ill = replace(AGES, kind="real", values=(0.0, 0.0, -0.0)), replace(ILL, values=("a", None, "1.10"))
    case = Case(0, (ages, ill), "parquet", "", (K3,), {})
    broken = replace(case, columns=(replace(ages, values=(5.0, 5.0, 7.0)), ill))
    for ending, given in (("parquet", case), ("xlsx", broken)):
        path = as_source(replace(given, source=ending), tmp_path)
        views, _ = read_release(path, names=["age", "ill"])
        assert [fold(value) for value in views[0].values[1]] == [fold("a"), MISSING, fold("1.1")]
        assert "k-anonymity" in {category for category, _ in judge(given, views)}


# --- what the judge rests on


def test_cells_are_told_apart_sharply_and_folded_bluntly():
    same = [
        ["HIV", "hiv", " HIV ", "H\u200bIV", "\uff28\uff29\uff36"],
        ["caf\u00e9", "cafe\u0301", "CAF\u00c9"],
        ["1.10", "1.1", 1.1, "1.100", "11e-1"],
        [0.0, -0.0, "0", "-0.0", 0],
        [None, float("nan"), "NaN", "null", "None", "NA", "N/A", "", "-", " ", "?", pd.NA, pd.NaT],
        [2**64 + 1, str(2**64 + 1), "18446744073709551617.0", 2**64],
        ["1.5", "1,5"],
        ["2021-05-01", "2021-05-01 00:00", "2021-05-01T00:00:00.000"],
        ["2020-01-01T01:00:00+01:00", "2020-01-01 00:00:00+00:00", pd.Timestamp("2020-01-01", tz="UTC")],
        [True, "true", "TRUE"],
    ]
    folded = [{fold(value) for value in values} for values in same]
    assert [len(one) for one in folded] == [1] * len(same)
    assert len(set.union(*folded)) == len(same)
    assert all(len({sharp(value) for value in values}) == len(values) for values in same)


@pytest.mark.parametrize(
    ("values", "groups"),
    [
        (["01/02/2020", "2020-02-01", "2020-1-2", "2020-03-01"], [0, 0, 0, 3]),
        (["2020-02-01", "2020-01-02", "flu"], [0, 1, 2]),  # nobody takes one for the other
        (["13.01.2020", date(2020, 1, 13), "01/13/2020"], [0, 0, 0]),
        (["0x1f", 31, "0b11111", "0x1g"], [0, 0, 0, 3]),
        (["yes", True, "no", "F", "maybe"], [0, 0, 2, 2, 4]),
        (["NA", None, "0"], [0, 0, 2]),
    ],
)
def test_values_that_somebody_takes_for_one_are_one(values, groups):
    one = join_readings(values)
    found = [one[fold(value)] for value in values]
    assert [found.index(value) for value in found] == groups
    assert set(found) <= {fold(value) for value in values}


def classes_of(text: str, **given) -> Classes:
    """Classes written as ``aab ccd``: a letter for every row's sensitive value."""
    letters = [(place, fold(one)) for place, rows in enumerate(text.split()) for one in rows]
    return Classes(
        partition([place for place, _ in letters]), {"s": [value for _, value in letters]}, **given
    )


TREE = {fold(one): (one, "x" if one in "ab" else "y", "*") for one in "abcd"}
NINE = {"s": [fold(value) for value in (3, 4, 5, 6, 8, 11, 7, 9, 10)]}
PATHS = {"q": {one: (one, "x" if one in "ab" else "y", "*") for one in "abcd"}}
FOUR = [{"q": one} for one in "aabcccd"]


@pytest.mark.parametrize(
    ("model", "good", "bad"),
    [
        ({"model": "k-anonymity", "k": 3}, classes_of("aaa bbb"), classes_of("aaaa bb")),
        ({"model": "maximum-risk", "risk": 0.34}, classes_of("aaa bbb"), classes_of("aaaa bb")),
        ({"model": "average-risk", "risk": 0.34}, classes_of("aaaaa b"), classes_of("aaa b c")),
        ({"model": "rows-at-risk", "risk": 0.34, "share": 0.25}, classes_of("aaa b"), classes_of("aaa b c")),
        ({"model": "no-attack", "gain": 300, "cost": 100}, classes_of("aaa bbb"), classes_of("aaaa bb")),
        (
            {"model": "population-uniqueness", "share": 0.2, "fraction": 0.5, "estimator": "zayatz"},
            classes_of("a b cc dd"),  # 1.9 of 12 people
            classes_of("a b c dd"),
        ),
        ({"model": "distinct-l-diversity", "l": 2, "column": "s"}, classes_of("ab cd"), classes_of("ab cc")),
        ({"model": "entropy-l-diversity", "l": 1.75, "column": "s"}, classes_of("aaab"), classes_of("aaaab")),
        (
            {"model": "recursive-l-diversity", "c": 2, "l": 2, "column": "s"},
            classes_of("aaabbc"),
            classes_of("aab"),
        ),
        (
            {"model": "alpha-k-anonymity", "alpha": 0.5, "k": 2, "column": "s"},
            classes_of("ab"),
            classes_of("aab"),
        ),
        (
            {"model": "alpha-k-anonymity", "alpha": 0.5, "k": 2, "column": "s", "value": "B"},
            classes_of("aab"),
            classes_of("abb"),
        ),
        (
            {"model": "beta-likeness", "beta": 4, "kind": "basic", "column": "s"},
            classes_of("hf ffffffff"),
            classes_of("hf fffffffff"),
        ),
        (
            {"model": "beta-likeness", "beta": 4, "column": "s"},
            classes_of("hf hf"),
            classes_of("hf ffffffff"),
        ),
        (
            {"model": "delta-disclosure", "delta": 0.7, "column": "s"},
            classes_of("aaab abbb"),
            classes_of("aaaab abbb"),
        ),
        ({"model": "delta-disclosure", "delta": 9, "column": "s"}, classes_of("ab ab"), classes_of("aa ab")),
        ({"model": "t-closeness", "t": 0.3, "column": "s"}, classes_of("aab abb"), classes_of("aaab bbb")),
        (
            {"model": "t-closeness", "t": 0.376, "distance": "ordered", "column": "s"},
            Classes(
                [[0, 1, 2], [3, 4, 5], [6, 7, 8]], NINE
            ),  # the nine salaries of Li, Li and Venkatasubramanian
            Classes([[0, 1], [2, 3, 4, 5], [6, 7, 8]], NINE),
        ),
        (
            {"model": "t-closeness", "t": 0.25, "distance": "hierarchical", "column": "s"},
            classes_of("ac bd", paths={"s": TREE}),
            classes_of("ab cd", paths={"s": TREE}),
        ),
        (
            {"model": "t-closeness", "t": 1, "distance": "ordered", "column": "s"},
            classes_of("12 12"),
            classes_of("ab ab"),
        ),
        (
            {"model": "k-map", "k": 3},
            Classes([[0], [1]], labels=[{"q": "x"}, {"q": "c"}], paths=PATHS, people=FOUR),
            Classes([[0], [1]], labels=[{"q": "x"}, {"q": "d"}], paths=PATHS, people=FOUR),
        ),
        (
            {"model": "delta-presence", "low": 0.3, "high": 0.5},
            Classes([[0], [1, 2]], labels=[{"q": "x"}, {"q": "y"}], paths=PATHS, people=FOUR),
            Classes([[0], [1, 2]], labels=[{"q": "x"}, {"q": "c"}], paths=PATHS, people=FOUR),
        ),
        (
            {"model": "attacker", "who": "neighbour", "knows": ["q"], "k": 2},
            Classes([[0], [1]], labels=[{"q": "x", "r": "a"}, {"q": "x", "r": "b"}]),
            Classes([[0], [1]], labels=[{"q": "x", "r": "a"}, {"q": "y", "r": "a"}]),
        ),
        (
            {"model": "km-anonymity", "known": 1, "k": 2},
            Classes(
                [[0], [1, 2], [3]], labels=[{"q": "x", "r": "a"}, {"q": "x", "r": "b"}, {"q": "x", "r": "a"}]
            ),
            Classes([[0], [1]], labels=[{"q": "x", "r": "a"}, {"q": "x", "r": "b"}]),
        ),
        (
            {"model": "lkc-privacy", "known": 1, "k": 2, "confidence": 0.5, "column": "s"},
            Classes([[0], [1]], {"s": ["flu", "gout"]}, labels=[{"q": "x"}, {"q": "x"}]),
            Classes([[0], [1]], {"s": ["flu", "flu"]}, labels=[{"q": "x"}, {"q": "x"}]),
        ),
        (
            {"model": "profitability", "benefit": 1200, "loss": 700, "gain": 300, "cost": 4},
            Classes([[0]], labels=[{"q": "a"}], paths=PATHS),
            Classes([[0]], labels=[{"q": "x"}], paths=PATHS),
        ),
    ],
)
def test_the_judge_knows_good_from_bad(model, good, bad):
    assert complaint(model, good) == ""
    assert complaint(model, bad) != ""


def test_the_judge_knows_every_model():
    assert set(MODELS) == set(celosia.privacy.MODELS)
