"""Which domain of the world a column belongs to, and the hierarchy of its values in it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import HierarchyError
from celosia.hierarchies.building import stack
from celosia.hierarchies.files import words_of
from celosia.hierarchies.hierarchy import Hierarchy
from celosia.hierarchies.world.domain import KnownDomain, Path
from celosia.hierarchies.world.registry import known_domains
from celosia.say import say
from celosia.types import nearest

__all__ = ["Recognition", "build_known", "known_domain", "recognize"]

MOST_VALUES = 200_000
"""Columns with more distinct values are not looked up: nearly every row has its own."""
SAMPLE = 2_000
SHARE, SHARE_NAMED = 0.9, 0.6
"""The rows whose value a domain must know, without the help of the column's name and with it."""
FEWEST, FEWEST_CODES = 3, 8
"""Distinct values that a domain must know where the name says nothing: short codes may mean anything."""
OTHER = {"en": "not recognized", "es": "no reconocido"}


@dataclass(frozen=True)
class Recognition:
    """A domain that knows most values of a column: the share of the rows, and the values that it does not know."""

    domain: KnownDomain
    share: float
    unknown: tuple[str, ...]
    hierarchy: Hierarchy


def known_domain(name: str) -> KnownDomain:
    """A domain of the world by its name.

    >>> known_domain("spain").title
    'provinces and communities of Spain'
    """
    domains = known_domains()
    if name not in domains:
        raise HierarchyError(
            say("there is no list of the world called {name!r}", name=name),
            remedy=nearest(name, tuple(sorted(domains))),
        )
    return domains[name]


def recognize(
    column: str,
    texts: pl.Series,
    *,
    counts: Sequence[int] | npt.NDArray[np.int64] | None = None,
    language: str = "en",
) -> Recognition | None:
    """The domain that knows the distinct ``texts`` of a column, with their hierarchy; None if no domain does.

    ``counts`` are the rows of each text: a few with typing errors do not matter, whatever their number.

    >>> found = recognize("origen", pl.Series(["España", "Francia", "Perú", "Narnia"]), counts=[50, 30, 19, 1])
    >>> found.domain.name, found.unknown, found.hierarchy.rows()[0]
    ('countries', ('Narnia',), ('España', 'Europe', '*'))
    """
    if texts.is_empty() or len(texts) > MOST_VALUES:
        return None
    rows = np.ones(len(texts)) if counts is None else np.asarray(counts, dtype=np.float64)
    most_frequent = np.argsort(-rows, kind="stable")[:SAMPLE]
    some = texts.gather(most_frequent).to_list()
    weights = rows[most_frequent]
    fits: list[tuple[tuple[bool, float, int], KnownDomain]] = []
    for domain in known_domains().values():
        named = _names(domain, column)
        if domain.needs_name and not named:
            continue
        fit = _fit(domain.paths(some, language), some, weights, named=named)
        if fit is not None:
            fits.append(((named, *fit), domain))
    best = max((fit for fit, _ in fits), default=None)
    fitting = [domain for fit, domain in fits if fit == best]
    # Five digits may be postcodes of two countries: what values and name do not decide is not guessed.
    return _recognition(column, texts, rows, fitting[0], language) if len(fitting) == 1 else None


def _names(domain: KnownDomain, column: str) -> bool:
    """Whether the words of a column's name are those of a domain."""
    spelled = set(words_of(column))
    return any(spelled.issuperset(phrase.split()) for phrase in domain.words)


def _fit(
    paths: Sequence[Path | None], texts: Sequence[str], weights: npt.NDArray[np.float64], *, named: bool
) -> tuple[float, int] | None:
    """How well a domain knows some values: the share of their rows, and how many; None if not well enough."""
    known = np.array([path is not None for path in paths])
    share = float(weights[known].sum() / max(weights.sum(), 1.0))
    values = [text for text, is_known in zip(texts, known, strict=True) if is_known]
    short = sum(len(text.strip()) <= 2 or text.strip().isdecimal() for text in values) > len(values) / 2
    fewest = 2 if named else FEWEST_CODES if short else FEWEST
    if short and not named and all(text.strip().isdecimal() for text in values):
        return None
    if len(values) < fewest or share < (SHARE_NAMED if named else SHARE):
        return None
    return share, len(values)


def _recognition(
    column: str, texts: pl.Series, rows: npt.NDArray[np.float64], domain: KnownDomain, language: str
) -> Recognition | None:
    values = texts.to_list()
    paths = domain.paths(values, language)
    unknown = [place for place, path in enumerate(paths) if path is None]
    hierarchy = _stack(column, texts, paths, language)
    if hierarchy.height < 2:
        return None
    by_rows = sorted(unknown, key=lambda place: -rows[place])
    share = 1.0 - float(rows[unknown].sum() / max(rows.sum(), 1.0))
    return Recognition(domain, share, tuple(values[place] for place in by_rows), hierarchy)


def build_known(column: str, texts: pl.Series, *, domain: str, language: str = "en") -> Hierarchy:
    """The hierarchy of the distinct ``texts`` of a column in a domain of the world.

    What the domain does not know becomes one group below the root, which says so.

    >>> build_known("p", pl.Series(["Lugo", "Orense", "Mordor"]), domain="spain", language="es").rows()[2]
    ('Mordor', 'no reconocido', '*')
    """
    paths = known_domain(domain).paths(texts.to_list(), language)
    return _stack(column, texts, paths, language)


def _stack(column: str, texts: pl.Series, paths: Sequence[Path | None], language: str) -> Hierarchy:
    height = next((len(path) for path in paths if path is not None), 0)
    filled = [path or (OTHER[language],) * height for path in paths]
    levels = [pl.Series([path[level] for path in filled], dtype=pl.String) for level in range(height)]
    return stack(column, texts, levels=levels)
