"""A plain table of codes for measuring speed: skewed, correlated, far fewer combinations than rows."""

import numpy as np
import polars as pl

from celosia.sample.drawing import LevelTable, by_group, draw, zipf

__all__ = ["people", "people_hierarchies"]

SIZES = {"age": 75, "sex": 2, "region": 25, "education": 8, "occupation": 12, "nationality": 12}
"""Values of the first quasi-identifiers; further ones are called ``trait_7`` and so on."""

FURTHER = (3, 5, 8, 12, 20, 2)
YOUNGEST = 16


def people(rows: int, *, seed: int = 7, quasi_identifiers: int = 6, other: int = 2) -> pl.DataFrame:
    """People by age, sex, region, education, occupation, nationality and more, all whole numbers.

    Ten million rows have some 750,000 combinations of the first six. ``other`` columns hold numbers that no
    recoding touches.

    >>> people(2, quasi_identifiers=3, other=1).columns
    ['age', 'sex', 'region', 'other_1']
    """
    generator = np.random.default_rng(seed)
    age = draw(generator, [min(10.0, 2 + i, (80 - i) / 4) for i in range(SIZES["age"])], rows)
    columns = {"age": (age + YOUNGEST).astype(np.int16)}
    for name, size in list(sizes(quasi_identifiers).items())[1:]:
        if name == "education":  # the old went to school for fewer years
            codes = by_group(
                generator, age // 25, [np.roll(zipf(size, 1.2), shift).tolist() for shift in (4, 3, 1)]
            )
        elif name == "occupation" and "education" in columns:
            weights = [
                np.roll(zipf(size, 1.5), shift * 2 % size).tolist() for shift in range(SIZES["education"])
            ]
            codes = by_group(generator, columns["education"].astype(np.int32), weights)
        else:
            codes = draw(generator, zipf(size, 3.0 if name == "nationality" else 0.9), rows)
        columns[name] = codes.astype(np.int16)
    for number in range(1, other + 1):
        columns[f"other_{number}"] = generator.integers(0, 1000, rows, dtype=np.int16)
    return pl.DataFrame(columns)


def people_hierarchies(quasi_identifiers: int = 6) -> dict[str, LevelTable]:
    """Level tables of the quasi-identifiers of ``people``: ranges of growing width.

    >>> people_hierarchies(2)["age"][4]
    ('20', '20-24', '20-29', '20-39', '*')
    """
    tables = {}
    for name, size in sizes(quasi_identifiers).items():
        first = YOUNGEST if name == "age" else 0
        widths = [width for width in (5, 10, 20) if width < size]
        tables[name] = [
            (str(value), *(span(value, width) for width in widths), "*")
            for value in range(first, first + size)
        ]
    return tables


def sizes(quasi_identifiers: int) -> dict[str, int]:
    """The first so many quasi-identifiers and how many values each has.

    >>> sizes(7)["trait_7"]
    3
    """
    further = {f"trait_{i + 1}": FURTHER[i % len(FURTHER)] for i in range(len(SIZES), quasi_identifiers)}
    return dict(list({**SIZES, **further}.items())[:quasi_identifiers])


def span(value: int, width: int) -> str:
    """The range of ``width`` whole numbers that holds ``value``.

    >>> span(23, 10)
    '20-29'
    """
    low = value // width * width
    return f"{low}-{low + width - 1}"
