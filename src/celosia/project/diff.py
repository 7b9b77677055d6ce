"""What differs between two projects, field by field, in the order in which a person reads them."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from celosia.say import join_texts, say, say_count

__all__ = ["Change", "diff"]

ORDER = (
    *(
        "version",
        "name",
        "owner",
        "purpose",
        "kind",
        "connections",
        "keys",
        "hierarchies",
        "columns",
        "tables",
    ),
    *("source", "destination", "person", "unlisted", "rows"),
    *("population", "attacker", "control", "targets", "key"),
    *("type", "length", "role", "operation", "hierarchy", "weight", "finest", "coarsest", "keep_type"),
    *("models", "technique", "suppression", "measure", "missing", "unknown"),
    *("same_labels", "keep_numbers", "seed", "evaluate"),
    *("ledger", "processing", "study", "compare", "repeated_attributes"),
)
"""The fields in the order of a project; columns of a table come after what is said about the table itself."""
TABLE_ORDER = (*(field for field in ORDER if field != "columns"), "columns")
NOUNS = {
    "tables": say("table"),
    "columns": say("column"),
    "hierarchies": say("hierarchy"),
    "connections": say("connection"),
    "keys": say("key"),
    "models": say("model"),
    "rows": say("row operation"),
}
UNORDERED = frozenset(("models", "evaluate", "repeated_attributes"))
"""Lists whose order means nothing."""
CHAINS = frozenset(("operation", "technique"))
"""Fields that hold one thing, or a list of things that are done one after the other."""
LONGEST_SHOWN = 60
ENTRY = say("entry")
_NOTHING = object()

Kind = Literal["added", "removed", "changed"]


@dataclass(frozen=True)
class Change:
    """One field that one of two projects has and the other has not, or that says something else.

    >>> Change("changed", ("tables", "people", "columns", "age", "role"), "common", "sensitive").sentence
    'table people, column age, role: common became sensitive'
    """

    kind: Kind
    path: tuple[str, ...]
    before: object = None
    after: object = None

    @property
    def sentence(self) -> str:
        """The change in words."""
        if self.kind == "changed":
            told = _tabulated(self.path, self.before, self.after)
            told = told or say(
                "{before} became {after}", before=_shown(self.before), after=_shown(self.after)
            )
        elif self.kind == "added":
            told = say("added, {value}", value=_shown(self.after))
        else:
            told = say("removed, {value}", value=_shown(self.before))
        return join_texts(": ", [_subject(self.path), told])

    def document(self) -> dict[str, Any]:
        """The change for programs."""
        return {
            "change": self.kind,
            "field": list(self.path),
            **({} if self.kind == "added" else {"before": self.before}),
            **({} if self.kind == "removed" else {"after": self.after}),
            "sentence": self.sentence,
        }


def diff(a: Mapping[str, object], b: Mapping[str, object]) -> list[Change]:
    """What was added, removed and changed from one plain document to the other.

    Entries of lists are compared by what they are called (a model, an operation), not by where they stand.

    >>> before = {"models": [{"model": "k-anonymity", "k": 5}], "seed": 7}
    >>> after = {"models": [{"model": "k-anonymity", "k": 10}], "suppression": 0.05}
    >>> for change in diff(before, after):
    ...     print(change.sentence)
    model k-anonymity, k: 5 became 10
    suppression: added, 0.05
    seed: removed, 7
    """
    return list(_mappings(a, b, ()))


def _mappings(a: Mapping[str, object], b: Mapping[str, object], path: tuple[str, ...]) -> Iterator[Change]:
    for key in _ordered(a, b, path):
        yield from _values(a.get(key, _NOTHING), b.get(key, _NOTHING), (*path, key))


def _ordered(a: Mapping[str, object], b: Mapping[str, object], path: tuple[str, ...]) -> list[str]:
    """All keys: those that projects have in their order, the others (names of tables and columns) as written."""
    keys = list(dict.fromkeys([*a, *b]))
    if path and path[-1] in NOUNS and len(path) % 2 == 1:
        return keys
    order = TABLE_ORDER if len(path) == 2 and path[0] == "tables" else ORDER
    return sorted(keys, key=lambda key: order.index(key) if key in order else len(order))


def _values(a: Any, b: Any, path: tuple[str, ...]) -> Iterator[Change]:
    if path[-1] in CHAINS and _is_list(a) != _is_list(b):
        a, b = (value if _is_list(value) or value is _NOTHING else [value] for value in (a, b))
    if a is _NOTHING:
        yield Change("added", path, after=b)
    elif b is _NOTHING:
        yield Change("removed", path, before=a)
    elif _same(a, b):
        return
    elif _is_table(path):
        yield Change("changed", path, a, b)
    elif isinstance(a, Mapping) and isinstance(b, Mapping) and not _are_different_things(a, b, path):
        yield from _mappings(a, b, path)
    elif _is_list(a) and _is_list(b) and (path[-1] in UNORDERED or _are_named(a) or _are_named(b)):
        yield from _lists(a, b, path)
    else:
        yield Change("changed", path, a, b)


def _are_different_things(a: Mapping[str, object], b: Mapping[str, object], path: tuple[str, ...]) -> bool:
    """Whether one operation or technique took the place of another, whose parameters are no fields of it."""
    return path[-1] in CHAINS and a.get("name") != b.get("name")


def _same(a: object, b: object) -> bool:
    """Whether two values are the same; true is not 1, as Python has it."""
    return json.dumps(a, sort_keys=True, default=str) == json.dumps(b, sort_keys=True, default=str)


def _lists(a: Sequence[object], b: Sequence[object], path: tuple[str, ...]) -> Iterator[Change]:
    before, after = _labelled(a), _labelled(b)
    for label in dict.fromkeys([*before, *after]):
        yield from _values(before.get(label, _NOTHING), after.get(label, _NOTHING), (*path, label))
    common = [
        [label for label in labels if label in other] for labels, other in ((before, after), (after, before))
    ]
    if path[-1] not in UNORDERED and common[0] != common[1]:
        yield Change("changed", path, common[0], common[1])


def _labelled(items: Sequence[object]) -> dict[str, object]:
    """Entries by what they are called; those that are called the same are numbered."""
    seen: Counter[str] = Counter()
    labelled: dict[str, object] = {}
    for item in items:
        label = _label(item)
        seen[label] += 1
        number = seen[label]
        labelled[label if number == 1 else say("{label} ({number})", label=label, number=number)] = item
    return labelled


def _label(item: Any) -> str:
    if not isinstance(item, Mapping):
        return ", ".join(map(str, item)) if _is_list(item) else str(item)
    name = next((str(item[key]) for key in ("model", "name") if key in item), ENTRY)
    return say("{name} of {column}", name=name, column=item["column"]) if "column" in item else name


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _are_named(items: Sequence[object]) -> bool:
    return bool(items) and all(isinstance(item, Mapping) for item in items)


def _is_table(path: tuple[str, ...]) -> bool:
    """Whether a field holds as many entries as a column has values: those are counted, not told one by one."""
    return path[-1] in ("pairs", "hierarchy") or (len(path) == 2 and path[0] == "hierarchies")


def _tabulated(path: tuple[str, ...], before: object, after: object) -> str:
    """How two tables of pairs or rows differ; nothing if one of them is a file, or a tree."""
    if not _is_table(path):
        return ""
    a, b = _rows(before), _rows(after)
    if a is None or b is None:
        return ""
    added, removed = len(b.keys() - a.keys()), len(a.keys() - b.keys())
    changed = sum(1 for key in a.keys() & b.keys() if not _same(a[key], b[key]))
    told = [
        *([say_count("{count:,} added", "{count:,} added", added)] if added else []),
        *([say_count("{count:,} removed", "{count:,} removed", removed)] if removed else []),
        *([say_count("{count:,} changed", "{count:,} changed", changed)] if changed else []),
    ]
    if not told:
        return say("in another order")
    return say("of {entries:,} entries {changes}", entries=len(a), changes=join_texts(", ", told))


def _rows(table: Any) -> dict[str, Any] | None:
    if isinstance(table, Mapping):
        return None if "children" in table else dict(table)
    if _is_list(table) and all(_is_list(row) and row for row in table):
        return {str(row[0]): list(row) for row in table}
    return None


def _subject(path: tuple[str, ...]) -> str:
    """A path in words."""
    words: list[str] = []
    parts = iter(path)
    for part in parts:
        name = next(parts, None) if part in NOUNS else None
        words.append(part if name is None else say("{kind} {name}", kind=NOUNS[part], name=name))
    return join_texts(", ", words)


def _shown(value: Any) -> str:
    """A value in a sentence; long ones by their size."""
    if isinstance(value, str) and value:
        return value if len(value) <= LONGEST_SHOWN else f"{value[: LONGEST_SHOWN - 3]}..."
    if (
        isinstance(value, Mapping)
        and value
        and not any(isinstance(v, Mapping | list) for v in value.values())
    ):
        text = ", ".join(f"{key} {_shown(inner)}" for key, inner in value.items())
    else:
        text = json.dumps(value, ensure_ascii=False, default=str)
    if len(text) <= LONGEST_SHOWN:
        return text
    if _is_list(value):
        return say("a list of {count:,}", count=len(value))
    return say("a mapping of {count:,} fields", count=len(value))
