"""Random small projects of every kind, many of them mistaken in one way or another."""

import random as randomness
from pathlib import Path
from typing import Any

import polars as pl

__all__ = ["random_project", "random_table"]

OPERATIONS = (
    {"name": "suppress"},
    {"name": "suppress", "where": "age > 40"},
    {"name": "suppress", "label": "withheld"},
    {"name": "round", "to": 10},
    {"name": "bin", "width": 5},
    {"name": "truncate", "first": 1},
    {"name": "truncate", "first": 1, "missing": "refuse"},
    {"name": "truncate", "first": 1, "missing": "drop"},
    {"name": "encrypt"},
    {"name": "encrypt", "mode": "gcm"},
    {"name": "pseudonymize"},
    {"name": "hash"},
    {"name": "pseudonymize", "key": "nowhere"},
    {"name": "shuffle"},
    {"name": "mask-characters"},
    {"name": "substitute", "pairs": {"f": "1", "m": "2"}, "others": "keep"},
    {"name": "substitute", "pairs": {"f": "1", "m": "2"}},
    {"name": "generalize", "hierarchy": "sexes", "level": 1},
    {"name": "generalize", "hierarchy": "sexes", "level": 3},
    {"name": "shift-dates", "days": 30},
)
ROWS = (
    {"name": "drop-rows", "where": "age > 45"},
    {"name": "drop-rows", "where": "agee > 45"},
    {"name": "drop-rows", "where": "sex = 'f'"},
    {"name": "drop-rows", "where": "age >= 0 or age is null"},
    {"name": "sample", "share": 0.5},
)
TECHNIQUES: tuple[Any, ...] = (
    "full-domain",
    {"name": "full-domain", "search": "samarati"},
    {"name": "full-domain", "search": "incognito"},
    {"name": "full-domain", "search": "datafly"},
    {"name": "full-domain", "node": [1]},
    {"name": "full-domain", "node": [0, 0, 0]},
    "local",
    "mondrian",
    {"name": "mondrian", "split": "gain", "target": "ill"},
    {"name": "mondrian", "split": "gain", "target": "nobody"},
    {"name": "mondrian", "memory": 1000},
    {"name": "mondrian", "relaxed": True},
    {"name": "mondrian", "split": "distribution", "represent": "mode", "width": "deviation"},
    "distribution-mondrian",
    "clustering",
    {"name": "clustering", "effort": "quick", "blind": True},
    "top-down",
    {"name": "top-down", "target": "ill"},
    {"name": "top-down", "score": "gain"},
    "two-phase",
    {"name": "two-phase", "partitions": 2, "k_partition": 3},
    ["mondrian", "full-domain"],
    [{"name": "distribution-mondrian", "columns": ["age"]}, "full-domain"],
    [{"name": "mondrian", "columns": ["agee"]}, "local"],
)
MODELS: tuple[dict[str, Any], ...] = (
    {"model": "k-anonymity", "k": 2},
    {"model": "k-anonymity", "k": 3},
    {"model": "k-anonymity", "k": 12},
    {"model": "distinct-l-diversity", "l": 2, "column": "ill"},
    {"model": "entropy-l-diversity", "l": 1.5, "column": "ill"},
    {"model": "t-closeness", "t": 0.6, "column": "ill"},
    {"model": "t-closeness", "t": 0.6, "column": "ill", "distance": "hierarchical"},
    {"model": "t-closeness", "t": 0.6, "column": "dose", "distance": "ordered"},
    {"model": "distinct-l-diversity", "l": 2, "column": "nothing"},
    {"model": "population-uniqueness", "share": 0.9},
    {"model": "population-uniqueness", "share": 0.9, "fraction": 0.1},
    {"model": "profitability", "benefit": 1200, "loss": 300, "gain": 300, "cost": 4},
    {"model": "delta-presence", "low": 0, "high": 0.9},
    {"model": "average-risk", "risk": 0.5},
)
HIERARCHIES = {
    "sex": ([["f", "*"], ["m", "*"]], [["f", "*"]], [["f", "a"], ["m", "b"]], "nowhere.csv"),
    "ill": ([["flu", "lung", "*"], ["asthma", "lung", "*"], ["gout", "joint", "*"]], [["flu", "*"]]),
    "age": ([[str(age), f"{age // 10}0s", "*"] for age in range(20, 60)],),
}
COLUMNS = ("id", "age", "sex", "zip", "dose", "day", "ill")


def random_table(random: randomness.Random, rows: int) -> pl.DataFrame:
    """People with an identifier, numbers, categories, a date, and some holes."""
    holes = random.random() < 0.3

    def some(values: list[Any]) -> list[Any]:
        return [None if holes and random.random() < 0.15 else random.choice(values) for _ in range(rows)]

    return pl.DataFrame(
        {
            "id": [f"P{number:05d}" for number in random.sample(range(max(rows, 1) * 3), rows)],
            "age": some(list(range(20, 60, random.choice([1, 5, 10])))),
            "sex": some(["f", "m"]),
            "zip": some(["28001", "28002", "08001", "08002"]),
            "dose": some([0.5, 1.0, 1.5, 2.25]),
            "day": some(["2024-01-05", "2024-02-01", "2023-12-31"]),
            "ill": some(["flu", "asthma", "gout"]),
        },
        schema_overrides={"age": pl.Int64, "dose": pl.Float64},
    ).select(COLUMNS)


def random_project(random: randomness.Random, folder: Path) -> dict[str, Any]:
    """The fields of a project about one or two tables, which are written to a folder; half of them are careful."""
    slips = random.choice([0.0, 1.0])
    fields: dict[str, Any] = {"kind": random.choice(["complete", "complete", "light"])}
    fields["hierarchies"] = {"sexes": [["f", "*"], ["m", "*"]]}
    names = ["people", "visits"][: random.choice([1, 1, 2])]
    fields["tables"] = {name: _table(random, name, folder, fields["kind"], slips) for name in names}
    is_complete = fields["kind"] == "complete"
    if is_complete or random.random() < 0.05 * slips:
        some = MODELS if random.random() < 0.5 * slips else MODELS[3:6]
        fields["models"] = [random.choice(MODELS[:2]), *random.sample(some, random.choice([0, 1]))]
    if random.random() < (0.7 if is_complete else 0.03 * slips):
        fields["technique"] = random.choice(TECHNIQUES)
    for name, values, chance in (
        ("suppression", [0.0, 0.3, 1.0], 0.3),
        ("measure", ["loss", "precision", "class-size", "entropy", "lost"], 0.15 * slips),
        ("missing", ["category", "drop", "mode"], 0.2),
        ("unknown", ["error", "suppress"], 0.2),
    ):
        if random.random() < (chance if is_complete else chance * slips / 10):
            fields[name] = random.choice(values)
    if len(names) == 2 and random.random() < 0.5:
        column = random.choice(["id", "id", "sex", "ill"])
        fields["repeated_attributes"] = [[f"people.{column}", f"visits.{column}"]]
    fields["seed"] = 7  # without one, samples of a check and of a run are others
    return fields


def _table(random: randomness.Random, name: str, folder: Path, kind: str, slips: float) -> dict[str, Any]:
    source = folder / f"{name}.{random.choice(['csv', 'parquet'])}"
    frame = random_table(random, random.choice([0, 1, 4, 12, 25, 25]) if random.random() < slips else 25)
    frame.write_csv(source) if source.suffix == ".csv" else frame.write_parquet(source)
    places = ["safe.csv", "no/safe.csv"] if random.random() < 0.1 * slips else [f"safe_{name}.csv"]
    table: dict[str, Any] = {
        "source": str(source),
        "destination": str(folder / random.choice(places)),
        "columns": {
            column: _column(random, column, kind, slips)
            for column in COLUMNS
            if column in ("id", "age") or random.random() < 0.9
        },
    }
    for field, value, chance in (
        ("rows", [random.choice(ROWS if slips else ROWS[:1])], 0.2),
        ("unlisted", random.choice(["common", "drop", "drop"] + ["stop"] * int(slips)), 0.7),
        ("person", random.choice(["id", "idd", "age"] if slips else ["id"]), 0.1),
        ("order", "kept", 0.05 * slips),
        ("kind", random.choice(["light", "complete"]), 0.1 * slips),
    ):
        if random.random() < chance:
            table[field] = value
    if random.random() < 0.05 * slips:
        table["columns"]["agee"] = "common"
    return table


def _column(random: randomness.Random, name: str, kind: str, slips: float) -> dict[str, Any]:
    likely = {"id": "identifier", "age": "quasi-identifier", "sex": "quasi-identifier", "ill": "sensitive"}
    column: dict[str, Any] = {"role": likely.get(name, "common")}
    if random.random() < 0.1 * slips:
        column["role"] = random.choice(["identifier", "quasi-identifier", "sensitive", "common", None])
    if random.random() < (0.5 if kind == "light" else 0.12):
        some = OPERATIONS if random.random() < 0.25 * slips else _fitting(name)
        column["operation"] = [random.choice(some) for _ in range(random.choice([1, 1, 1, 2]))]
    if name in HIERARCHIES and random.random() < 0.3:
        column["hierarchy"] = random.choice(HIERARCHIES[name][: None if slips else 1])
    if random.random() < 0.05 * slips:
        column["keep_type"] = random.choice([True, False])
    if random.random() < 0.05 * slips:
        column["type"] = random.choice(["integer", "text", "date", "real"])
    return {field: value for field, value in column.items() if value is not None}


def _fitting(name: str) -> list[dict[str, Any]]:
    """Operations that a column with this name can take, whatever its values."""
    kinds = {"age": ("round", "bin"), "dose": ("round", "bin"), "day": ("shift-dates",)}
    every = ("suppress", "encrypt", "hash", "shuffle", "truncate", "mask-characters")
    fitting = [one for one in OPERATIONS if one["name"] in (*every, *kinds.get(name, ()))]
    return [one for one in fitting if one.get("missing") != "refuse"]
