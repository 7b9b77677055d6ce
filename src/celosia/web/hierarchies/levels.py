"""Editing a hierarchy: rows of a value and its labels, level by level, and what people do to them.

A group of a level holds labels of the level below. Whatever moves to a group takes what is above it along, and
everything under it goes with it, so that editing never tears values apart that were together.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = [
    "HierarchyEditor",
    "add_level",
    "add_missing",
    "add_root",
    "find_rows",
    "groups_of",
    "move",
    "relabel",
    "remove_level",
    "rename",
    "summaries",
]

Row = tuple[str, ...]
Rows = tuple[Row, ...]
ROOT = "*"
REMEMBERED = 100


@dataclass
class HierarchyEditor:
    """A hierarchy while it is edited, with what it was before.

    >>> editing = HierarchyEditor((("F", "*"), ("M", "*")))
    >>> editing.change(add_level(editing.rows, 1))
    >>> editing.is_changed, editing.undo(), editing.is_changed
    (True, True, False)
    """

    rows: Rows
    saved: Rows = ()
    past: list[Rows] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.saved = self.saved or self.rows

    @property
    def is_changed(self) -> bool:
        """Whether there is something to save."""
        return self.rows is not self.saved and self.rows != self.saved

    def change(self, rows: Iterable[Sequence[str]]) -> None:
        """Go on with other rows."""
        changed = rows if isinstance(rows, tuple) else tuple(tuple(row) for row in rows)
        if changed != self.rows:
            self.past = [*self.past[-REMEMBERED:], self.rows]
            self.rows = changed

    def undo(self) -> bool:
        """Go back by one change; whether there was one."""
        if not self.past:
            return False
        self.rows = self.past.pop()
        return True

    def keep(self) -> None:
        """It was saved as it is."""
        self.saved = self.rows


def move(rows: Rows, level: int, labels: Iterable[str], group: str) -> Rows:
    """Put labels of the level below under a group of a level, an old one or a new one.

    >>> towns = (("Lugo", "North", "*"), ("Vigo", "North", "*"), ("Cádiz", "South", "*"))
    >>> move(towns, 1, ["Vigo"], "South")[1]
    ('Vigo', 'South', '*')
    """
    moved = frozenset(labels)
    above = next(
        (row[level + 1 :] for row in rows if row[level] == group and row[level - 1] not in moved), None
    )
    return tuple(
        (*row[:level], group, *(row[level + 1 :] if above is None else above))
        if row[level - 1] in moved
        else row
        for row in rows
    )


def rename(rows: Rows, level: int, old: str, new: str) -> Rows:
    """Call a group of a level differently; with the name of another, both become one.

    >>> rename((("Lugo", "North", "*"), ("Vigo", "North", "*")), 1, "North", "Galicia")[0]
    ('Lugo', 'Galicia', '*')
    """
    return move(rows, level, {row[level - 1] for row in rows if row[level] == old}, new)


def relabel(rows: Rows, index: int, level: int, label: str) -> Rows:
    """Give one value another label at a level; values that are together with it below go along.

    >>> ages = (("31", "[30-34]", "[30-39]", "*"), ("33", "[30-34]", "[30-39]", "*"))
    >>> [row[2] for row in relabel(ages, 0, 2, "thirties")]
    ['thirties', 'thirties']
    """
    return move(rows, level, {rows[index][level - 1]}, label)


def add_level(rows: Rows, level: int) -> Rows:
    """A new level with this number, which joins nothing yet; those from there on move up.

    >>> add_level((("Lugo", "*"),), 1), add_level((("Lugo", "*"),), 2)
    ((('Lugo', 'Lugo', '*'),), (('Lugo', '*', '*'),))
    """
    return tuple((*row[:level], row[level - 1], *row[level:]) for row in rows)


def remove_level(rows: Rows, level: int) -> Rows:
    """Without a level; the values themselves stay.

    >>> remove_level((("Lugo", "North", "*"),), 1)
    (('Lugo', '*'),)
    """
    return tuple((*row[:level], *row[level + 1 :]) for row in rows)


def add_root(rows: Rows) -> Rows:
    """With a last level that is the same for all.

    >>> add_root((("Lugo", "North"), ("Cádiz", "South")))
    (('Lugo', 'North', '*'), ('Cádiz', 'South', '*'))
    """
    return tuple((*row, ROOT) for row in rows)


def add_missing(rows: Rows, values: Iterable[str]) -> Rows:
    """With a row for every value of the column that has none, by itself up to the last level.

    >>> add_missing((("Lugo", "North", "*"),), ["Lugo", "Cádiz"])[1]
    ('Cádiz', 'Cádiz', '*')
    """
    known = {row[0] for row in rows}
    height = len(rows[0]) if rows else 2
    root = rows[0][-1] if rows else ROOT
    new = ((*[value] * (height - 1), root) for value in dict.fromkeys(values) if value not in known)
    return (*rows, *new)


def find_rows(rows: Rows, search: str, most: int) -> tuple[list[int], int]:
    """The first rows in which a text occurs, and how many there are.

    >>> find_rows((("Lugo", "*"), ("Vigo", "*"), ("Cádiz", "*")), "go", 1)
    ([0], 2)
    """
    wanted = search.casefold().strip()
    if not wanted:
        return list(range(min(most, len(rows)))), len(rows)
    places = [index for index, row in enumerate(rows) if any(wanted in cell.casefold() for cell in row)]
    return places[:most], len(places)


def groups_of(rows: Rows, level: int, counts: Mapping[str, int], search: str = "") -> list[dict[str, Any]]:
    """The groups of a level: their labels of the level below, and how many rows of the table each holds.

    >>> towns = (("Lugo", "North", "*"), ("Vigo", "North", "*"))
    >>> groups_of(towns, 1, {"Lugo": 3, "Vigo": 4})
    [{'label': 'North', 'rows': 7, 'values': 2, 'items': [{'label': 'Lugo', 'rows': 3}, {'label': 'Vigo', 'rows': 4}]}]
    """
    wanted = search.casefold().strip()
    groups: dict[str, dict[str, int]] = {}
    values: dict[str, int] = {}
    totals: dict[str, int] = {}
    for row in rows:
        group, rows_of_value = row[level], counts.get(row[0], 0)
        values[group] = values.get(group, 0) + 1
        totals[group] = totals.get(group, 0) + rows_of_value
        items = groups.setdefault(group, {})
        items[row[level - 1]] = items.get(row[level - 1], 0) + rows_of_value
    return [
        {
            "label": group,
            "rows": totals[group],
            "values": values[group],
            "items": [
                {"label": label, "rows": count}
                for label, count in items.items()
                if wanted in label.casefold() or wanted in group.casefold()
            ],
        }
        for group, items in groups.items()
    ]


def summaries(rows: Rows, counts: Mapping[str, int], examples: int = 3) -> list[dict[str, Any]]:
    """Of every level: how many labels it has, the rows of the smallest, and what frequent values become.

    >>> summaries((("Lugo", "*"), ("Vigo", "*")), {"Lugo": 3, "Vigo": 4}, 1)[1]
    {'level': 1, 'labels': 1, 'smallest': 7, 'examples': [('Vigo', '*')]}
    """
    frequent = sorted(rows, key=lambda row: -counts.get(row[0], 0))[:examples]
    result = []
    for level in range(len(rows[0]) if rows else 0):
        sizes: dict[str, int] = {}
        for row in rows:
            sizes[row[level]] = sizes.get(row[level], 0) + counts.get(row[0], 0)
        held = [size for size in sizes.values() if size]
        result.append(
            {
                "level": level,
                "labels": len(sizes),
                "smallest": min(held, default=0),
                "examples": [(row[0], row[level]) for row in frequent],
            }
        )
    return result
