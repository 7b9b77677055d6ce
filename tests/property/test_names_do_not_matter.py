"""What a column is called changes nothing: Polars takes some names for patterns, engines others for their own."""

import datetime
from typing import Any

import numpy as np
import polars as pl
import pytest

import celosia
from celosia.measure.registry import release_measures
from celosia.perturb import make_perturbation, perturb_frame

PLAIN = ("number", "sex", "dose", "ill", "day")
ODD = [
    ("*", "^a$", "a.b", "len", "rows"),
    ("^a$", "*", "count", "c0", "literal"),
    ("new\nline", '"q"', "^.*$", "it's", "n"),
    ("value", "text", "class", "^a$", "*"),
    ("a,b", "a;b", "*", "place", "^.*$"),
]
TECHNIQUES: list[dict[str, Any]] = [
    {"technique": "full-domain"},
    {"technique": "full-domain", "search": "incognito"},
    {"technique": "local"},
    {"technique": "mondrian"},
    {"technique": "mondrian", "represent": "mode"},
    {"technique": "mondrian", "split": "gain", "target": "ill"},
    {"technique": "mondrian", "relaxed": True},
    {"technique": "clustering"},
    {"technique": "top-down"},
    {"technique": "two-phase"},
]
PERTURBATIONS: dict[str, dict[str, Any]] = {
    "mdav": {"k": 3},
    "rank-swapping": {},
    "data-swapping": {"columns": ["dose"]},
    "partly-synthetic": {"columns": ["dose"]},
    "pram": {},
    "cpda-noise": {},
    "random-rounding": {"base": 5},
    "local-suppression": {},
    "synthetic": {},
}


def people(names: tuple[str, ...] = PLAIN) -> pl.DataFrame:
    random = np.random.default_rng(3)
    columns = [
        random.integers(20, 50, 60).tolist(),
        random.choice(["f", "m"], 60).tolist(),
        random.choice([0.5, 1.0, 2.5, 3.25], 60).tolist(),
        random.choice(["flu", "gout", "cold"], 60).tolist(),
        [datetime.date(2024, 1, 1) + datetime.timedelta(int(day)) for day in random.integers(0, 90, 60)],
    ]
    return pl.DataFrame([pl.Series(name, values) for name, values in zip(names, columns, strict=True)])


def called(value: Any, names: tuple[str, ...]) -> Any:
    """What is said of columns, of columns under other names."""
    if isinstance(value, list):
        return [called(one, names) for one in value]
    return names[PLAIN.index(value)] if value in PLAIN else value


def anonymized(technique: dict[str, Any], names: tuple[str, ...], source: Any = None, **more: Any) -> Any:
    asked = {field: called(value, names) for field, value in technique.items()}
    return celosia.anonymize(
        people(names) if source is None else source,
        quasi_identifiers=called(["number", "sex", "day"], names),
        sensitive=called(["ill"], names),
        common=called(["dose"], names),
        k=3,
        seed=1,
        **asked,
        **more,
    )


def under_plain_names(frame: pl.DataFrame, names: tuple[str, ...]) -> pl.DataFrame:
    return pl.DataFrame([column.alias(PLAIN[names.index(column.name)]) for column in frame.iter_columns()])


@pytest.mark.parametrize("technique", TECHNIQUES, ids=lambda one: "-".join(map(str, one.values())))
def test_a_technique_makes_the_same_of_columns_called_anything(technique):
    expected = anonymized(technique, PLAIN).table
    for names in ODD:
        assert under_plain_names(anonymized(technique, names).table, names).equals(expected), names


@pytest.mark.parametrize("ending", ["csv", "parquet", "ndjson", "xlsx", "arff"])
def test_files_hold_columns_called_anything(tmp_path, ending):
    for number, names in enumerate(ODD):
        source = tmp_path / f"{number}.parquet"
        people(names).write_parquet(source)
        out = tmp_path / f"safe {number}.{ending}"
        release = anonymized({"technique": "mondrian", "memory": 10**9}, names, str(source), out=str(out))
        assert release.verification.smallest >= 3
        assert [column.name for column in celosia.profile_table(out).columns] == list(names)


def test_measures_find_the_same_of_columns_called_anything():
    def measured(names: tuple[str, ...]) -> dict[str, str]:
        found = celosia.measure_release(
            people(names),
            anonymized({"technique": "mondrian"}, names).table,
            quasi_identifiers=called(["number", "sex", "day"], names),
            sensitive=called(["ill"], names),
            targets=called(["ill"], names),
            seed=1,
            threshold=3,
        )
        return {name: _value(found, name) for name in release_measures()}

    expected = measured(PLAIN)
    assert sum(value[0].isdigit() for value in expected.values()) > 20
    for names in ODD[:2]:
        assert measured(names) == expected


def _value(found: Any, name: str) -> str:
    """A number that was found; why there is none where none was."""
    try:
        return f"{found.value(name):.9g}"
    except (celosia.CelosiaError, KeyError, TypeError, ValueError) as error:
        return type(error).__name__


@pytest.mark.parametrize("name", PERTURBATIONS)
def test_a_perturbation_makes_the_same_of_columns_called_anything(name):
    def perturbed(names: tuple[str, ...]) -> pl.DataFrame:
        parameters = {field: called(value, names) for field, value in PERTURBATIONS[name].items()}
        return perturb_frame(people(names), make_perturbation(name, seed=1, **parameters))

    expected = perturbed(PLAIN)
    for names in ODD:
        assert under_plain_names(perturbed(names), names).equals(expected), names


def test_databases_hold_columns_called_anything(tmp_path):
    for number, names in enumerate(ODD):
        source, address = tmp_path / f"{number}.parquet", f"sqlite:///{tmp_path}/{number}.db"
        people(names).write_parquet(source)
        celosia.import_table(str(source), out=address, out_table="people")
        columns = dict.fromkeys(names, "common") | dict.fromkeys(names[:2], "quasi-identifier")
        table = {
            "source": {"path": address, "table": "people"},
            "destination": {"table": "safe"},
            "columns": columns,
        }
        released = celosia.run_project(
            {"version": 2, "tables": {"people": table}, "models": [{"model": "k-anonymity", "k": 3}]}
        )
        assert released["people"].verification.smallest >= 3


def test_a_comparison_of_columns_called_anything():
    for names in ODD[:2]:
        found = celosia.compare_techniques(
            people(names), called("ill", names), ["mdav(k=3)"], ["one-rule"], folds=2, jobs=1
        )
        assert "mdav(k=3)" in [table.name for table in found.results]


def test_people_with_several_rows_may_have_any_name():
    for names in ODD:
        columns = dict.fromkeys(names, "common") | {names[0]: "identifier", names[1]: "quasi-identifier"}
        document = {
            "version": 2,
            "tables": {"people": {"person": names[0], "columns": columns}},
            "models": [{"model": "k-anonymity", "k": 2}],
            "suppression": 1.0,
        }
        released = celosia.run_project(document, sources={"people": people(names)})
        assert released["people"].verification.smallest >= 2
