"""The order of the values of a column, for whoever needs "how far apart" and has only texts."""

import re
from collections.abc import Sequence
from decimal import Decimal

import numpy as np
import numpy.typing as npt

__all__ = ["rank_values"]

NUMBER = re.compile(r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,9})?|inf)|NaN", re.ASCII)
"""A number as a table writes it: neither thousands separators nor blanks."""


def rank_values(values: Sequence[str | None]) -> npt.NDArray[np.int64]:
    """``ranks[value]``: the place of each value, from 0.

    Numbers by size if all values are numbers, else by text, which is the order of time for ISO dates. A value
    that is not a number (NaN) comes after all numbers, a missing one (None) last; equal numbers follow their
    text.

    >>> rank_values(["10", "9", None, "-1.5"]).tolist()
    [2, 1, 3, 0]
    >>> rank_values(["2024-10-01", "2024-09-30", "unknown"]).tolist()
    [1, 0, 2]
    """
    present = [position for position, value in enumerate(values) if value is not None]
    missing = [position for position, value in enumerate(values) if value is None]
    texts = [text for text in values if text is not None]
    order = _numeric_order(texts) if all(map(NUMBER.fullmatch, texts)) else _text_order(texts)
    ranks = np.empty(len(values), dtype=np.int64)
    ranks[np.array(present, dtype=np.int64)[order]] = np.arange(len(present))
    ranks[np.array(missing, dtype=np.int64)] = np.arange(len(present), len(values))
    return ranks


def _text_order(texts: Sequence[str]) -> npt.NDArray[np.int64]:
    return np.array(sorted(range(len(texts)), key=texts.__getitem__), dtype=np.int64)


def _numeric_order(texts: Sequence[str]) -> npt.NDArray[np.int64]:
    numbers = np.array([float(text) for text in texts])
    # Rounding to double never swaps two numbers, it only makes some equal; then the exact decimals decide.
    if len(np.unique(numbers)) == len(numbers):
        return np.argsort(numbers)
    return np.array(sorted(range(len(texts)), key=lambda position: _exact(texts[position])), dtype=np.int64)


def _exact(text: str) -> tuple[bool, Decimal, str]:
    unordered = text == "NaN"
    return (unordered, Decimal(0) if unordered else Decimal(text), text)
