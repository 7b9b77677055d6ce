"""Hierarchies whose values are written as in a file, with plain values."""

import polars as pl

from celosia.hierarchies.hierarchy import Hierarchy
from celosia.values.forms import ValueForm, read_exactly

__all__ = ["read_in_form"]


def read_in_form(hierarchy: Hierarchy, form: ValueForm | None) -> Hierarchy:
    """A hierarchy with plain values, whether a person wrote them plainly or as the file of the table does.

    >>> from celosia.values.forms import DateForm
    >>> born = Hierarchy.from_rows("born", [("15/05/1972", "05/1972", "*"), ("16/05/1972", "05/1972", "*")])
    >>> read_in_form(born, DateForm("%d/%m/%Y")).rows()
    [('1972-05-15', '1972-05', '*'), ('1972-05-16', '1972-05', '*')]
    """
    if form is None or not _is_written_so(hierarchy, form):
        return hierarchy
    columns = [
        read_exactly(form, pl.Series(level)).to_list() for level in zip(*hierarchy.rows(), strict=True)
    ]
    return Hierarchy.from_levels(hierarchy.column, columns)


def _is_written_so(hierarchy: Hierarchy, form: ValueForm) -> bool:
    """Whether the values are those of the file: some are not plain, or all may be grouped by points."""
    values = pl.DataFrame({"value": hierarchy.values})
    matches, plain = form.matches(pl.col("value")), form.is_plain(pl.col("value"))
    others = values.select((matches & ~plain).any()).item()
    is_grouped = getattr(form, "thousands", "") == "." and values.select(matches.all()).item()
    return bool(others or is_grouped)
