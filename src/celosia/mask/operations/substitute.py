"""Values replaced by a table of pairs."""

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, ClassVar, Literal

import polars as pl
from pydantic import Field, PrivateAttr, WithJsonSchema, field_validator, model_validator

from celosia.errors import ProjectError, TableError
from celosia.mask.distinct import PerDistinct
from celosia.mask.operation import ColumnFacts, ColumnOperation, Mask, OperationSubject
from celosia.say import say

__all__ = ["Substitute"]

ORIGINS = ("origin", "origin_val", "initial_val", "original", "from", "value", "origen")
TARGETS = ("target", "target_val", "replacement", "to", "substitute", "destino")
"""What the two sides of a pair are called, in a document or on the first line of a file."""


TEXT = {"type": ["string", "number", "boolean"]}
SIDES = dict.fromkeys((*ORIGINS, *TARGETS), TEXT)
WRITTEN = {
    "anyOf": [
        {"type": "object", "additionalProperties": TEXT},
        {
            "type": "array",
            "items": {
                "anyOf": [
                    {"type": "object", "properties": SIDES, "additionalProperties": False},
                    {"type": "array", "items": TEXT, "minItems": 2, "maxItems": 2},
                ]
            },
        },
        {"type": "null"},
    ]
}
"""How pairs may be written, for editors that check a project."""


class Substitute(ColumnOperation):
    """Replace values by others, pair by pair: with ``pairs: {Soria: North, Cádiz: South}``, Soria becomes North.

    Pairs are written in the project or stand in a ``file`` of two columns. A value that no pair speaks of stops the
    run, for it would be released as it is; say ``others: keep`` to allow that, ``others: suppress`` to leave such cells
    empty, or give a ``default`` that takes their place. Values are compared as texts, letter by letter.

    Use it for codes with an agreed translation, and to join rare values. Whoever has the pairs can undo it if no two
    values share a target; so keep the file as safe as the original table.
    """

    name: ClassVar[str] = "substitute"
    reversible: ClassVar[str] = say("by whoever has the pairs, where no two values share a target")
    leaks: ClassVar[str] = say("which rows have the same value, and so how common each is")

    pairs: Annotated[tuple[tuple[str, str], ...] | None, WithJsonSchema(WRITTEN)] = Field(
        default=None,
        description="what becomes of values: {value: replacement}, or a list of {origin, target}",
    )
    file: Path | None = Field(default=None, description="a file of two columns, instead of pairs")
    others: Literal["refuse", "keep", "suppress", "replace"] = Field(
        default="refuse",
        description="what becomes of other values: refuse, keep, suppress or replace by the default",
    )
    default: str | None = Field(default=None, description="what replaces all other values")
    _read: dict[str, str] | None = PrivateAttr(default=None)

    @field_validator("pairs", mode="before")
    @classmethod
    def _as_pairs(cls, value: object) -> object:
        if isinstance(value, Mapping):
            return tuple((_written(origin), _written(target)) for origin, target in value.items())
        if isinstance(value, Iterable) and not isinstance(value, str):
            return tuple(_pair(entry, place) for place, entry in enumerate(value, 1))
        return value

    @model_validator(mode="before")
    @classmethod
    def _default_means_replace(cls, value: object) -> object:
        if isinstance(value, Mapping) and value.get("default") is not None:
            return {"others": "replace", **value, "default": _written(value["default"])}
        return value

    @model_validator(mode="after")
    def _fits(self) -> "Substitute":
        if (self.pairs is None) == (self.file is None):
            raise ValueError(say("give either pairs or a file"))
        if (self.others == "replace") != (self.default is not None):
            raise ValueError(say("others: replace and a default go together"))
        if self.pairs is not None:
            _check(
                ((say("pair {number}", number=place), *pair) for place, pair in enumerate(self.pairs, 1)),
                ValueError,
            )
        return self

    def describe(self) -> str:
        """Such as: replaced by 12 pairs; or: replaced by the pairs of regions.csv."""
        return (
            say("replaced by the pairs of {name}", name=self.file.name)
            if self.file
            else say("replaced by {count} pairs", count=len(self.pairs or ()))
        )

    def weaknesses(self, facts: ColumnFacts) -> tuple[str, ...]:
        """Values without a pair are released."""
        return (say("values without a pair are released as they are"),) if self.others == "keep" else ()

    @property
    def looks_at_facts(self) -> bool:
        """Whether weaknesses depend on the values of the column: they do not."""
        return self.others == "keep"

    def start(self, subject: OperationSubject) -> Mask:
        """Replace the values of a batch."""
        table = self.table()
        work = PerDistinct(lambda texts: self._replaced(texts, table, subject), location=subject.where)
        return lambda values, _: work(values)

    def table(self) -> dict[str, str]:
        """The pairs, read from the file if they are there."""
        if self._read is None:
            # A path is as seen from where the run was started: a project has been read with its own beside it.
            self._read = dict(self.pairs) if self.pairs is not None else read_pairs(self.file or Path())
        return self._read

    def _replaced(self, texts: pl.Series, table: Mapping[str, str], subject: OperationSubject) -> pl.Series:
        if self.others == "keep":
            return texts.replace(list(table), list(table.values()))
        targets = [*dict.fromkeys([*table.values(), *([self.default] if self.default is not None else [])])]
        dtype = pl.Enum(targets)
        if not table:
            replaced = pl.Series([None], dtype=dtype).new_from_index(0, len(texts))
        else:
            replaced = texts.replace_strict(
                list(table), list(table.values()), default=None, return_dtype=dtype
            )
        if self.default is not None:
            replaced = replaced.fill_null(self.default)
        elif self.others == "refuse" and (missing := replaced.null_count()):
            raise TableError(
                say(
                    "column {column!r} holds {missing} values that no pair speaks of",
                    column=subject.column,
                    missing=missing,
                ),
                where=subject.where,
                remedy=say("add pairs for them, give a default, or say others: keep or suppress"),
            )
        return replaced

    def broken(self, values: pl.Series) -> int:
        """Values that are no target or, where others are kept, that should have been replaced."""
        table = dict(self.pairs) if self.pairs is not None else self._read
        if table is None:
            return 0
        texts = values.cast(pl.String)
        targets = [*table.values(), *([self.default] if self.default is not None else [])]
        wrong = ~texts.is_in(targets)
        if self.others == "keep":
            wrong &= texts.is_in(list(table))
        return int(wrong.sum())


def read_pairs(path: Path) -> dict[str, str]:
    """The pairs in a file of two columns, between commas, semicolons or tabs; a first line of titles is skipped."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            sample = file.readline()
            file.seek(0)
            separates = (mark for mark in "\t;," if len(next(csv.reader([sample], delimiter=mark), [])) == 2)
            delimiter = next(separates, ",")
            reader = csv.reader(file, delimiter=delimiter, strict=True)
            lines = [
                (say("{file}, line {line}", file=path.name, line=reader.line_num), line)
                for line in reader
                if line
            ]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ProjectError(
            say("the pairs cannot be read ({reason})", reason=reason),
            where=str(path),
            remedy=say("give a UTF-8 file of two columns"),
        ) from None
    if lines and [cell.strip().lower() for cell in lines[0][1]] in [[o, t] for o in ORIGINS for t in TARGETS]:
        lines = lines[1:]
    for place, line in lines:
        if len(line) != 2:
            raise ProjectError(
                say("there are {count} fields, and a pair has two", count=len(line)),
                where=place,
                remedy=say("write: origin,target"),
            )
    return _check(((place, line[0], line[1]) for place, line in lines), ProjectError)


def _check(pairs: Iterable[tuple[str, str, str]], error: type[Exception]) -> dict[str, str]:
    """The pairs as a table, unless one origin stands there twice: with one target or two, that is a mistake."""
    table: dict[str, str] = {}
    places: dict[str, str] = {}
    for place, origin, target in pairs:
        if origin in table:
            if table[origin] == target:
                raise error(
                    say(
                        "{place} has the origin of {other} and the same target; keep one of the two",
                        place=place,
                        other=places[origin],
                    )
                )
            raise error(
                say(
                    "{place} has the origin of {other} and another target; keep one of the two",
                    place=place,
                    other=places[origin],
                )
            )
        table[origin], places[origin] = target, place
    return table


def _pair(entry: object, place: int) -> tuple[str, str]:
    """A pair from {origin, target}, in any spelling of the two, or from a list of two."""
    if isinstance(entry, Mapping):
        sides = [[entry[name] for name in names if name in entry] for names in (ORIGINS, TARGETS)]
        if len(entry) == 2 and all(len(side) == 1 for side in sides):
            return _written(sides[0][0]), _written(sides[1][0])
    elif isinstance(entry, list | tuple) and len(entry) == 2:
        return _written(entry[0]), _written(entry[1])
    raise ValueError(say("pair {number} is not of the form {{origin: ..., target: ...}}", number=place))


def _written(value: object) -> str:
    """The text of what a document holds: YAML takes 31 for a number and yes for true."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float):
        return str(value)
    if hasattr(value, "isoformat"):
        return str(value.isoformat())
    raise ValueError(say("origins and targets are texts or numbers"))
