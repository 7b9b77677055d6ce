"""The people of a population who fit the classes of a table, counted through the same hierarchies.

The population has a frequency set of its own, rolled up beside that of the table. Labels are what both have in common:
the classes of a node are looked up among those of the population at the same node.
"""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import HierarchyError
from celosia.hierarchies import Hierarchy
from celosia.recode.domain import Domain, MissingPolicy, UnknownPolicy, build_domain
from celosia.recode.frequency import FrequencySets, Keys
from celosia.tables.table import Counts

__all__ = ["PopulationCounts"]

Integers = npt.NDArray[np.int64]


class PopulationCounts:
    """How many people of a population are in the classes of any node of a table's domain.

    ``counts`` are the combinations of the population. A value that a hierarchy does not know is a mistake, or with
    ``unknown`` suppress nobody's: such people fit no class, and are absent from all. So are those with a missing value
    where the table has none in the classes because it drops or fills them.

    >>> counted = Counts(("sex",), (pl.Series(["f", "m"]),), (np.array([0, 1], np.int32),), np.array([3, 4]))
    >>> sex = {"sex": Hierarchy.from_rows("sex", [("f", "*"), ("m", "*")])}
    >>> women = Counts(("sex",), (pl.Series(["f"]),), (np.array([0], np.int32),), np.array([2]))
    >>> domain = build_domain(women, sex, quasi_identifiers=["sex"])
    >>> found = PopulationCounts(counted, domain, sex)
    >>> sets = FrequencySets(domain)
    >>> [found.of(sets.at(node).keys, sets.fields, node) for node in [(0,), (1,)]]
    [(array([3]), 4), (array([7]), 0)]
    """

    def __init__(
        self,
        counts: Counts,
        domain: Domain,
        hierarchies: Mapping[str, Hierarchy],
        *,
        missing: MissingPolicy = MissingPolicy.CATEGORY,
        unknown: UnknownPolicy = UnknownPolicy.ERROR,
    ) -> None:
        is_category = missing is MissingPolicy.CATEGORY
        try:
            people = build_domain(
                counts,
                hierarchies,
                quasi_identifiers=domain.names,
                missing=MissingPolicy.CATEGORY if is_category else MissingPolicy.DROP,
                unknown=unknown,
            )
        except HierarchyError as error:
            raise HierarchyError(error.what, where="population", remedy=error.remedy) from None
        self.rows = int(counts.counts.sum())
        self._sets = FrequencySets(people)
        self._translations = [
            [
                _translation(here, there)
                for here, there in zip(
                    (own.entries, *own.labels[1:]), (others.entries, *others.labels[1:]), strict=True
                )
            ]
            for own, others in zip(domain.columns, people.columns, strict=True)
        ]

    def of(self, keys: Keys, fields: Keys, node: tuple[int | None, ...]) -> tuple[Integers, int]:
        """``people[class]`` of the classes of a node, as keys of the table, and how many people are in none."""
        wanted = np.zeros((len(keys), self._sets.words), np.uint64)
        is_known = np.ones(len(keys), bool)
        for column, level in enumerate(node):
            if level is None:
                continue
            word, shift, mask = fields[column]
            codes = ((keys[:, word] >> shift) & mask).astype(np.int64)
            translated = self._translations[column][level][codes]
            is_known &= translated >= 0
            word, shift, _ = self._sets.fields[column]
            wanted[:, word] |= np.maximum(translated, 0).astype(np.uint64) << shift
        found = self._sets.at(node)
        names = [f"word {number}" for number in range(self._sets.words)]
        there = pl.DataFrame(found.keys, schema=names, orient="row").with_columns(people=found.counts)
        asked = pl.DataFrame(wanted, schema=names, orient="row")
        people = asked.join(there, on=names, how="left", maintain_order="left").get_column("people")
        counted = np.where(is_known, people.fill_null(0).to_numpy(), 0).astype(np.int64)
        return counted, self.rows - int(counted.sum())


def _translation(labels: tuple[str | None, ...], others: tuple[str | None, ...]) -> Integers:
    """``codes[code]``: what the population calls a label of the table at the same level; -1 where nobody has it."""
    places = {label: code for code, label in enumerate(others)}
    return np.array([places.get(label, -1) for label in labels], np.int64)
