"""Random small tables with odd values and names, and what is asked of their release."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

from fuzz_models import MODELS
from fuzz_values import fold, join_readings

__all__ = ["FILES", "FRAMES", "Case", "Column", "draw_case"]

FILES = ("csv", "txt", "parquet", "xlsx", "json", "ndjson", "arff")
FRAMES = ("pandas", "polars", "arrow", "duckdb")

TEXTS: dict[str, list[Any]] = {
    "disease": ["HIV", "hiv", "HIV ", " HIV", "Flu", "flu\u200b", "FLU", "asthma", "as\u00adthma", "gout"],
    "accent": [
        "caf\u00e9",
        "cafe\u0301",
        "CAF\u00c9",
        "cafe",
        "\ufb01n",
        "fin",
        "stra\u00dfe",
        "strasse",
        "\uff11",
        "1",
    ],
    "marks": [
        "NaN",
        "null",
        "None",
        "NA",
        "N/A",
        "",
        "-",
        "?",
        "nan",
        "NULL",
        "yes",
        "no",
        "#N/A",
        "#N/A N/A",
    ],
    "spelt": ["1.10", "1.1", "1.100", "2.5", "2.50", "3", "3.0", "10", "1e1", "-0.0", "0.0", "0", "-0"],
    "codes": ["01", "1", "001", "+1", "1.0", "28013", "08001", "8001", "1_000", "1,5", "0x1", "1e400", "inf"],
    "labels": [
        "*",
        "^a$",
        "a,b",
        'a"b',
        "it's",
        "a\nb",
        "[1, 2]",
        "{a, b}",
        "1-2",
        "<1",
        "a\\b",
        "a;b",
        "a\tb",
    ],
    "blanks": [" ", "a", " a", "a ", "a\u00a0", "\u200b", "\ufeffa", "A", "\u202ea", "a\u2060"],
    "words": ["north", "south", "east", "west", "centre", "coast"],
    "truth": ["true", "True", "TRUE", "false", "False", "yes", "1", "0"],
    "moments": [
        "2020-01-01",
        "2020-1-1",
        "2020-01-01T00:00:00",
        "2020-01-01 00:00:00",
        "01/02/2020",
        "2020-02-01",
    ],
}
ZONE = timezone(timedelta(hours=1))
TYPED: dict[str, list[Any]] = {
    "integer": [0, 1, 2, 3, 10, 20, 30, 31, 40, -1, -5, 100],
    "real": [0.0, -0.0, 1.1, 2.5, 0.1, 0.30000000000000004, 1e300, -3.75, 1e-7, 100.0, 5.0],
    "infinite": [float("inf"), float("-inf"), 0.0, -0.0, float("nan"), 1.5, 2.0],
    "large": [
        2**64,
        2**64 + 1,
        2**64 + 2,
        2**63,
        2**63 - 1,
        -(2**63) - 1,
        2**53,
        2**53 + 1,
        10**30,
        10**30 + 1,
        1,
    ],
    "decimal": [
        Decimal(text).scaleb(-10) for text in ("11000000000", "1" + "0" * 37, "1" + "0" * 36 + "1", "25", "0")
    ]
    + [Decimal("1234567890123456789012345678.0000000001"), Decimal("-5.5000000000"), Decimal("2.0000000000")],
    "date": [
        date(2020, 1, 1),
        date(2020, 1, 2),
        date(1899, 12, 31),
        date(2021, 6, 30),
        date(1970, 1, 1),
        date(9999, 12, 31),
    ],
    "datetime": [
        datetime(2020, 1, 1),
        datetime(2020, 1, 1, 12, 30),
        datetime(2020, 1, 1, 12, 30, 0, 1),
        datetime(1960, 5, 5),
    ],
    "zoned": [
        datetime(2020, 1, 1, tzinfo=UTC),
        datetime(2020, 7, 1, 12, tzinfo=UTC),
        datetime(2020, 1, 1, 0, 30, tzinfo=UTC),
    ],
    "boolean": [True, False],
    "category": ["low", "mid", "high", "Low", "high "],
    "mixed": [
        1,
        "1",
        1.0,
        "a",
        2,
        "2",
        True,
        "True",
        None,
        date(2020, 1, 1),
        "2020-01-01",
        Decimal("1.0"),
        float("nan"),
    ],
}
POOLS = TEXTS | TYPED
NUMBERS = ("integer", "real", "decimal", "large", "infinite", "date", "datetime", "zoned")

NAMES = [
    *(
        "age",
        "zip",
        "sex",
        "dose",
        "*",
        "^a$",
        "a.b",
        " ",
        "a b",
        '"q"',
        "it's",
        "a,b",
        "\u00e1",
        "a\u0301",
        "Age",
    ),
    *(
        "AGE",
        "count",
        "len",
        "index",
        "literal",
        "class",
        "row",
        "rows",
        "value",
        "code",
        "^.*$",
        "",
        "a\nb",
        "a=b",
    ),
    *(
        "__index_level_0__",
        "column_1",
        "column0",
        "0",
        "a;b",
        "{}",
        "%s",
        "\u200b",
        "weight",
        "key",
        "group",
        "size",
    ),
    *(
        "line",
        "text",
        "label",
        "level",
        "part",
        "name",
        "select",
        "_",
        "a_right",
        "age ",
        "ag\u200be",
        "null",
        "$1",
    ),
]
OF_WHOLE = ("average-risk", "rows-at-risk", "population-uniqueness")
"""Models of all classes together, which only one technique takes."""
PLAIN_NAMES = [*NAMES[:4], "town", "job", "pay", "ill"]


@dataclass(frozen=True)
class Column:
    """One column: its values are objects of Python, None where one is missing."""

    name: str
    kind: str
    role: str
    values: tuple[Any, ...]


@dataclass(frozen=True)
class Case:
    """A table and what is asked of its release; ``out`` is a format, or empty for a frame like the source."""

    seed: int
    columns: tuple[Column, ...]
    source: str
    out: str
    models: tuple[dict[str, Any], ...]
    options: dict[str, Any]
    hierarchies: dict[str, list[tuple[Any, ...]]] = field(default_factory=dict)
    population: tuple[tuple[Any, ...], ...] = ()
    separator: str = ","
    way: str = "call"
    shape: int = 0
    """Which of the types a frame is built of, where a kind of value has several."""

    @property
    def rows(self) -> int:
        """How many rows the table has."""
        return len(self.columns[0].values)

    @property
    def is_of_office(self) -> bool:
        """Whether numbers and dates are written as Spanish offices do: 1,5 and 31/12/1999."""
        return self.source in ("csv", "txt") and self.seed % 3 == 1

    def of_role(self, role: str) -> list[str]:
        """The names of the columns of a role."""
        return [column.name for column in self.columns if column.role == role]

    def taking(self, rows: Sequence[int]) -> "Case":
        """The same case with some of its rows."""
        columns = tuple(replace(one, values=tuple(one.values[row] for row in rows)) for one in self.columns)
        return replace(self, columns=columns)


def draw_case(seed: int) -> Case:
    """The case of a seed, the same each time."""
    rng = random.Random(seed)
    source = rng.choice(FILES + FRAMES)
    if rng.random() < 0.12:
        return _with_population(rng, seed, source)
    rows = rng.randint(6, 36)
    names = _names(rng)
    count = rng.choices((1, 2, 3), (4, 4, 2))[0]
    technique = _technique(rng)
    only_numbers = technique["technique"] == "distribution-mondrian" and rng.random() < 0.9
    columns = []
    for place, name in enumerate(names[:count]):
        kind = rng.choice(NUMBERS[:5]) if only_numbers else _kind(rng, source)
        columns.append(
            Column(
                name,
                kind,
                "quasi_identifiers",
                _values(rng, kind, rows, distinct=rng.randint(1, 4 if place else 7)),
            )
        )
    columns.append(
        Column(
            names[3],
            kind := _kind(rng, source),
            "sensitive",
            _values(rng, kind, rows, distinct=rng.randint(2, 6)),
        )
    )
    if rng.random() < 0.3:
        columns.append(
            Column(names[4], kind := _kind(rng, source), "common", _values(rng, kind, rows, distinct=3))
        )
    if rng.random() < 0.2:
        columns.append(Column(names[5], "words", "identifiers", tuple(f"p{row}" for row in range(rows))))
    rng.shuffle(columns)
    if source == "pandas" and rng.random() < 0.02:  # half of a character, which frames hold and files do not
        last = columns[-1]
        columns[-1] = replace(last, kind="mixed", values=("a\ud800", *last.values[1:]))
    sensitive = next(column for column in columns if column.role == "sensitive")
    hierarchies = {
        column.name: _hierarchy(rng, column)
        for column in columns
        if column.kind in TEXTS and column.role == "quasi_identifiers" and rng.random() < 0.25
    }
    models = _models(rng, sensitive, technique["technique"])
    if any(model.get("distance") == "hierarchical" for model in models):
        hierarchies[sensitive.name] = _hierarchy(rng, sensitive)
    options = _options(rng, technique, columns)
    if (
        options.get("technique") in ("mondrian", "distribution-mondrian", "clustering")
        and source in FILES
        and rng.random() < 0.1
    ):
        options["memory"] = rng.choice((1, 4096, 100_000))
    out = rng.choice(FILES) if source in FILES or rng.random() < 0.3 else ""
    case = Case(
        seed,
        tuple(columns),
        source,
        out,
        models,
        options,
        hierarchies,
        (),
        rng.choice(",,;\t|"),
        "call",
        rng.randint(0, 3),
    )
    if not out:
        case.options.pop("memory", None)
    way = rng.random()
    if way < 0.06:
        case = replace(case, way="project")
        if rng.random() < 0.5 and not case.options.get("memory"):
            case = replace(case, way="chain")
    return case


def _with_population(rng: random.Random, seed: int, source: str) -> Case:
    """Models that look at a population or at what labels take away: with hierarchies for all, and plain texts."""
    rows, extra = rng.randint(6, 30), rng.randint(0, 40)
    names = rng.sample(PLAIN_NAMES, 4)
    columns, hierarchies, drawn = [], {}, []
    for name in names[: rng.randint(1, 2)]:
        values = _values(rng, "words", rows + extra, distinct=rng.randint(2, 6), missing=0.0)
        columns.append(Column(name, "words", "quasi_identifiers", values[:rows]))
        drawn.append(values)
        paths = {value: (value, f"half {value < 'north'}", "*") for value in sorted(set(values))}
        hierarchies[name] = list(paths.values())
    columns.append(Column(names[3], "disease", "sensitive", _values(rng, "disease", rows, distinct=4)))
    model = rng.choice(
        [
            {"model": "k-map", "k": rng.randint(2, 8)},
            {
                "model": "delta-presence",
                "low": rng.choice((0.0, 0.0, 0.2)),
                "high": rng.choice((0.4, 0.6, 0.8, 1.0)),
            },
            {
                "model": "profitability",
                "benefit": 1200.0,
                "loss": rng.choice((300.0, 2000.0)),
                "gain": 300.0,
                "cost": rng.choice((4.0, 60.0)),
            },
        ]
    )
    options: dict[str, Any] = {
        "technique": "full-domain",
        "seed": rng.randint(0, 99),
        "suppression": rng.choice((0.0, 0.2, 0.5, 1.0)),
    }
    if rng.random() < 0.3 and model["model"] == "k-map":
        options["technique"] = rng.choice(("local", "top-down", "two-phase"))
    people = tuple(zip(*drawn, strict=True)) if model["model"] != "profitability" else ()
    out = rng.choice(FILES) if source in FILES or rng.random() < 0.3 else ""
    return Case(
        seed,
        tuple(columns),
        source,
        out,
        (model,),
        options,
        hierarchies,
        people,
        ",",
        "call",
        rng.randint(0, 3),
    )


def _names(rng: random.Random) -> list[str]:
    pool = NAMES if rng.random() < 0.35 else PLAIN_NAMES
    return rng.sample(pool, 6)


def _kind(rng: random.Random, source: str) -> str:
    kind = rng.choice(list(POOLS))
    return "words" if kind == "mixed" and source != "pandas" else kind


def _values(
    rng: random.Random, kind: str, rows: int, *, distinct: int, missing: float | None = None
) -> tuple[Any, ...]:
    pool = rng.sample(POOLS[kind], min(distinct, len(POOLS[kind])))
    if rng.random() < 0.5:  # some that look like each other
        twins = [one for one in POOLS[kind] if fold(one) == fold(pool[0]) and one is not pool[0]]
        pool = [pool[0], *twins[: rng.randint(1, 3)], *pool[1 : max(1, distinct - 1)]]
    weights = [rng.choice((1, 1, 3, 8)) for _ in pool]
    share = rng.choice((0.0, 0.0, 0.0, 0.1, 0.4)) if missing is None else missing
    values = [None if rng.random() < share else rng.choices(pool, weights)[0] for _ in range(rows)]
    return tuple(values)


def _hierarchy(rng: random.Random, column: Column) -> list[tuple[Any, ...]]:
    """Two levels above the values; those that are one value to somebody go the same way."""
    paths = []
    one = join_readings(column.values)
    for value in dict.fromkeys(column.values):
        if value is not None:
            group = sum(map(ord, str(one[fold(value)]))) % 2
            paths.append((value, f"group {group}", "*"))
    return paths


def _technique(rng: random.Random) -> dict[str, Any]:
    technique = rng.choices(
        ("full-domain", "local", "mondrian", "distribution-mondrian", "top-down", "two-phase", "clustering"),
        (6, 3, 7, 2, 3, 2, 5),
    )[0]
    options: dict[str, Any] = {"technique": technique}
    if technique == "full-domain" and rng.random() < 0.6:
        options["search"] = rng.choice(("optimal", "incognito", "datafly", "samarati"))
    if technique == "mondrian":
        options["split"] = rng.choice(("loss", "loss", "median", "distribution", "gain"))
        options["represent"] = rng.choice(("range", "range", "node", "mode", "median", "mean"))
        options["width"] = rng.choice(("share", "deviation"))
        options["relaxed"] = options["split"] != "distribution" and rng.random() < 0.3
    if technique == "distribution-mondrian" and rng.random() < 0.3:
        options["split"] = "median"
    if technique == "clustering":
        options["effort"] = rng.choice(("quick", "normal", "thorough"))
        options["represent"] = rng.choice(("set", "set", "range", "node", "mode", "mean"))
        options["blind"] = rng.random() < 0.2
    if technique in ("top-down", "two-phase"):
        options["score"] = rng.choice(("gain-per-privacy", "gain", "loss-per-privacy", "loss"))
        options["numbers"] = rng.choice(("gain", "proposed"))
    if technique == "two-phase":
        options["partitions"] = rng.randint(1, 3)
    return options


def _options(rng: random.Random, technique: dict[str, Any], columns: Sequence[Column]) -> dict[str, Any]:
    options = {**technique, "seed": rng.randint(0, 99)}
    if options.get("split") == "gain":
        options["target"] = next(column.name for column in columns if column.role == "sensitive")
    options["missing"] = rng.choice(("category", "category", "category", "drop", "mode"))
    if options["technique"] not in ("mondrian", "distribution-mondrian", "clustering"):
        options["suppression"] = rng.choice((0.0, 0.0, 0.1, 0.3, 1.0))
        if options["technique"] in ("full-domain", "local"):
            options["measure"] = rng.choice(("loss", "loss", "precision"))
        if options["technique"] == "full-domain":
            options["measure"] = rng.choice(
                ("loss", "class-size", "discernibility", "entropy", "height", "precision", "sum-of-heights")
            )
    elif rng.random() < 0.4:
        known = [column.name for column in columns if column.role == "quasi_identifiers"]
        options["keep_type"] = {name: rng.random() < 0.7 for name in known if rng.random() < 0.6}
    return options


def _models(rng: random.Random, sensitive: Column, technique: str) -> tuple[dict[str, Any], ...]:
    models: list[dict[str, Any]] = []
    if rng.random() < 0.75:
        models.append({"model": "k-anonymity", "k": rng.randint(2, 5)})
    about = {"column": sensitive.name}
    further = [
        {"model": "distinct-l-diversity", "l": rng.randint(2, 3), **about},
        {"model": "distinct-l-diversity", "l": 2, **about},
        {"model": "entropy-l-diversity", "l": rng.choice((1.2, 1.5, 2.0)), **about},
        {"model": "recursive-l-diversity", "c": rng.choice((1.1, 2.0, 3.0)), "l": 2, **about},
        {"model": "t-closeness", "t": rng.choice((0.2, 0.4, 0.6)), "distance": "equal", **about},
        {"model": "t-closeness", "t": rng.choice((0.2, 0.4)), "distance": "ordered", **about},
        {"model": "t-closeness", "t": rng.choice((0.2, 0.4, 0.6)), "distance": "hierarchical", **about},
        {"model": "alpha-k-anonymity", "alpha": rng.choice((0.5, 0.7, 0.9)), "k": 2, **about},
        {
            "model": "beta-likeness",
            "beta": rng.choice((1.0, 2.0, 4.0)),
            "kind": rng.choice(("basic", "enhanced")),
            **about,
        },
        {"model": "delta-disclosure", "delta": rng.choice((1.0, 2.0)), **about},
        {"model": "maximum-risk", "risk": rng.choice((0.2, 0.34, 0.5))},
        {"model": "average-risk", "risk": rng.choice((0.2, 0.34, 0.5))},
        {"model": "rows-at-risk", "risk": 0.34, "share": rng.choice((0.0, 0.1, 0.3))},
        {"model": "no-attack", "gain": 300.0, "cost": rng.choice((75.0, 100.0, 150.0))},
        {
            "model": "population-uniqueness",
            "share": rng.choice((0.0, 0.02, 0.1)),
            "fraction": rng.choice((0.1, 0.5, 1.0)),
            "estimator": rng.choice(("zayatz", "dankar", "pitman", "negative-binomial")),
        },
        {"model": "km-anonymity", "k": rng.randint(2, 5), "known": rng.randint(1, 3)},
        {"model": "km-anonymity", "k": rng.randint(2, 5), "known": rng.randint(1, 2), "l": 2, **about},
        {
            "model": "lkc-privacy",
            "k": 2,
            "known": rng.randint(1, 2),
            "confidence": rng.choice((0.6, 0.8)),
            **about,
        },
    ]
    for model in rng.sample(further, rng.choices((0, 1, 2), (3, 5, 2))[0] or (0 if models else 1)):
        if model.get("distance") == "hierarchical" and sensitive.kind not in ("words", "disease", "accent"):
            continue
        if model.get("distance") == "ordered" and sensitive.kind in TEXTS and rng.random() < 0.5:
            continue
        if model["model"] in OF_WHOLE and technique != "full-domain" and rng.random() < 0.95:
            continue
        models.append(model)
    assert all(model["model"] in MODELS for model in models)
    return tuple(models) or ({"model": "k-anonymity", "k": 2},)
