"""The five validations of SparkTPTDS."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from celosia.errors import HierarchyError, ProjectError, ReleaseError
from celosia.say import join_texts, say
from celosia.sparktptds.methods import LevelCut, as_k
from celosia.types import MISSING_MARKERS

if TYPE_CHECKING:
    from celosia.release.counting import Counting
    from celosia.release.verify import Finding

__all__ = ["Test"]


class Test:
    """The five validations, on anything that can be opened as a table: frames of any kind, and paths.

    ``al`` and ``al_0`` are the anonymization levels that a method came to and began from. Every run has made the same
    checks before it let anything go; this is for results that come from elsewhere, or were kept for long.

    >>> import polars as pl
    >>> from celosia import Hierarchy
    >>> sex = Hierarchy.from_rows("sex", [("f", "*"), ("m", "*")])
    >>> people, safe = pl.DataFrame({"sex": ["f", "m"]}), pl.DataFrame({"sex": ["*", "f"]})
    >>> Test(safe, 2, people, {"sex": LevelCut(sex, 1)}, {"sex": LevelCut(sex, 1)}).check()
    Traceback (most recent call last):
    ...
    celosia.errors.ReleaseError: k-anonymity: asked 2, reached 1; 2 classes violate it; 1 different value of 'sex' is
    not on level 1 of its hierarchy; do not let it go
    """

    __test__ = False  # pytest takes any class of this name for tests of its own

    def __init__(
        self, anonymised: Any, k: int, original: Any, al: Mapping[str, LevelCut], al_0: Mapping[str, LevelCut]
    ) -> None:
        self.anonymised, self.k, self.original, self.al, self.al_0 = (
            anonymised,
            as_k(k, "k"),
            original,
            al,
            al_0,
        )

    def check(self) -> None:
        """Make all five validations; raises the first problem before the anonymization, and all of them after it."""
        self.check_before()
        self.check_after()

    def check_before(self) -> None:
        """There are k rows or more, and every tree is sound and has one root, where specialization begins."""
        from celosia.hierarchies import check

        rows = _count(self.original)
        if self.k > rows:
            raise ProjectError(
                say("k = {k} is more than the {rows} rows of the table", k=self.k, rows=rows),
                where="k",
                remedy=say("ask for less"),
            )
        for name, cut in self.al_0.items():
            where = say("the tree of {column!r}", column=name)
            for problem in check(cut.hierarchy.rows()):
                raise HierarchyError(problem.what, where=where, remedy=problem.remedy)
            if len(cut.labels) != 1:
                raise HierarchyError(
                    say("it is not begun at its root"), where=where, remedy=say("begin at the top")
                )

    def check_after(self) -> None:
        """The result is k-anonymous, has all rows, and holds nothing but labels of the levels that were chosen."""
        from celosia.privacy import KAnonymity
        from celosia.release.verify import verify
        from celosia.tables import close_table, open_table

        table = open_table(self.anonymised, missing=())
        try:
            verification = verify(
                table,
                quasi_identifiers=tuple(self.al),
                models=(KAnonymity(k=self.k),),
                further=self._on_levels,
            )
        finally:
            close_table(table)
        wrong = [finding.text for finding in verification.findings if not finding.passed]
        rows = _count(self.original)
        if verification.rows != rows:
            wrong.append(say("there are {written} rows of {rows}", written=verification.rows, rows=rows))
        if wrong:
            raise ReleaseError(join_texts("; ", wrong), remedy=say("do not let it go"))

    def _on_levels(self, counting: "Counting") -> "tuple[Finding, ...]":
        from celosia.release.level_check import check_cut

        levels = {name: cut.level for name, cut in self.al.items()}
        hierarchies = {name: cut.hierarchy for name, cut in self.al.items()}
        return check_cut(counting.values, levels, hierarchies, missing=MISSING_MARKERS)


def _count(source: Any) -> int:
    from celosia.release.masked import count_written
    from celosia.tables import close_table, open_table

    table = open_table(source)
    try:
        return count_written(table)
    finally:
        close_table(table)
