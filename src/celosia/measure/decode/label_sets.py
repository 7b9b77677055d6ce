"""Labels that stand for several values by name: nodes of hierarchies, sets, ranges of texts."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.hierarchies import Hierarchy

__all__ = ["find_ranges", "node_values", "split_sets"]

Places = npt.NDArray[np.int64]
APART = " - "
BETWEEN_TEXTS = (",", "~", ";", "|")


def node_values(hierarchy: Hierarchy, values: pl.Series, *, least: int = 1) -> pl.DataFrame:
    """The labels above the values (``text``) and each of the original's values under them (``code``).

    Only labels with ``least`` values or more.

    >>> cities = Hierarchy.from_rows("city", [("Soria", "Castilla", "*"), ("León", "Castilla", "*")])
    >>> node_values(cities, pl.Series(["León", "Soria"])).sort("text", "code").rows()
    [('*', 0), ('*', 1), ('Castilla', 0), ('Castilla', 1)]
    """
    known = pl.DataFrame({"value": values, "code": np.arange(len(values))})
    leaves = pl.DataFrame(
        {"value": pl.Series(hierarchy.values, dtype=pl.String), "leaf": np.arange(len(hierarchy.values))}
    )
    both = known.join(leaves, on="value")
    leaf, code = both["leaf"].to_numpy(), both["code"]
    empty = pl.DataFrame({"text": pl.Series([], dtype=pl.String), "code": pl.Series([], dtype=pl.Int64)})
    levels = [
        pl.DataFrame(
            {
                "text": pl.Series(hierarchy.labels[n], dtype=pl.String).gather(hierarchy.codes[n][leaf]),
                "code": code,
            }
        )
        for n in range(1, hierarchy.height + 1)
    ]
    nodes = pl.concat([empty, *levels]).unique()
    return nodes if least == 1 else nodes.filter(pl.len().over("text") >= least)


def split_sets(labels: Sequence[str], known: set[str]) -> tuple[Places, list[str]]:
    """The parts of all labels that are sets, and the place of the label of each.

    In braces anything is a part; without them all parts must be values or nodes.

    >>> owners, parts = split_sets(["{a, b}", "a,c", "x,y"], {"a", "b", "c"})
    >>> owners.tolist(), parts
    ([0, 0, 1, 1], ['a', 'b', 'a', 'c'])
    """
    owners: list[int] = []
    all_parts: list[str] = []
    for place, label in enumerate(labels):
        is_braced = label.startswith("{") and label.endswith("}")
        inner = label[1:-1] if is_braced else label
        for sign in BETWEEN_TEXTS:
            if sign not in inner and not (is_braced and sign == BETWEEN_TEXTS[0]):
                continue
            parts = _parts(inner, sign, known)
            is_set = all(part in known for part in parts) and len(parts) > 1
            if is_set or (is_braced and sign == BETWEEN_TEXTS[0]):
                owners += [place] * len(parts)
                all_parts += parts
                break
    return np.array(owners, np.int64), all_parts


def _parts(inner: str, sign: str, known: set[str]) -> list[str]:
    """What stands between signs; a value may hold the sign itself."""
    pieces = inner.split(sign)
    parts = [piece.strip() for piece in pieces]
    if all(part in known for part in parts) or len(pieces) > 200:
        return parts
    known_parts, start = [], 0
    while start < len(pieces):
        ends = range(len(pieces), start, -1)
        joined = (sign.join(pieces[start:end]).strip() for end in ends)
        end, part = next(
            ((end, part) for end, part in zip(ends, joined, strict=True) if part in known),
            (start + 1, parts[start]),
        )
        known_parts.append(part)
        start = end
    return known_parts


def find_ranges(labels: Sequence[str], values: pl.Series) -> tuple[Places, Places]:
    """For labels like ``[ant - cow]``, by their place, all values between two in the order of their letters.

    >>> owners, codes = find_ranges(["[ant - cow]"], pl.Series(["cow", "dog", "bee", "ant"]))
    >>> owners.tolist(), sorted(codes.tolist())
    ([0, 0, 0], [0, 2, 3])
    """
    order = values.arg_sort(nulls_last=True).to_numpy().astype(np.int64)
    rank = {text: place for place, text in enumerate(values.gather(order).to_list()) if text is not None}
    first, count = np.zeros(len(labels), np.int64), np.zeros(len(labels), np.int64)
    for place, label in enumerate(labels):
        if not (label.startswith("[") and label.endswith("]")):
            continue
        pieces = label[1:-1].split(APART)
        for cut in range(1, len(pieces)):
            low, high = (rank.get(APART.join(part)) for part in (pieces[:cut], pieces[cut:]))
            if low is not None and high is not None and low <= high:
                first[place], count[place] = low, high - low + 1
                break
    owners = np.repeat(np.arange(len(labels)), count)
    within = np.arange(len(owners)) - np.repeat(np.cumsum(count) - count, count)
    return owners, order[np.repeat(first, count) + within]
