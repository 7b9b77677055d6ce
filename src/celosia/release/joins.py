"""Proof that tables which could be joined before their release still can: what matched still matches, and no more.

Rows are released in random order and values under other names, so neither can be compared one by one. What must be
left is how values are spread: how many there are, how many of them both tables have, and how many rows share each.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import polars as pl

from celosia.release.verify import Finding
from celosia.say import join_texts, say, say_count
from celosia.tables.table import Table

__all__ = ["check_joins"]

Place = tuple[str, str]


def check_joins(
    before: Mapping[str, Table],
    after: Mapping[str, Table],
    groups: Sequence[Sequence[Place]],
    *,
    exact: bool = True,
) -> tuple[Finding, ...]:
    """Check for every two places (table, column) of a group that their join survived; ``exact`` if no row was left out.

    Whatever is done to both columns, if it does the same to the same value, then

    1. there are no more distinct values after than before, in either column and in both together. Two keys or two
       operations would make two values of one, and break this;
    2. as long as a column lost no values, no value of the other lacks a partner in it that it had: values without a
       partner, and the rows that have them, have not become more;
    3. if nothing was left out of either column and as many distinct values are in both together as before, each
       became exactly one: then for all numbers m and n as many values as before are in m rows of the one and n rows
       of the other, so that every join and every count by key gives as many rows as it did;
    4. if ``exact``, there are as many rows.

    The third is the strongest that can be told without knowing which value became which. It asks nothing of
    operations that are meant to merge values, as rounding does, nor of columns that lost values with rows or cells
    that were left out; for those the others hold. Missing values have no partner; where they are given a text, they
    count as a value there was. A column that only one of the two
    tables still has fails; one that both have lost is not looked at. Memory grows with the distinct values.

    >>> from celosia.tables import open_table
    >>> def tables(ids, persons):
    ...     frames = {"people": pl.DataFrame({"id": ids}), "visits": pl.DataFrame({"person": persons})}
    ...     return {name: open_table(frame) for name, frame in frames.items()}
    >>> group = [("visits", "person"), ("people", "id")]
    >>> [found] = check_joins(tables([1, 2, 3], [1, 1, 3]), tables(["x", "y", "z"], ["z", "x", "x"]), [group])
    >>> found.passed, found.text
    (True, 'the join of visits.person and people.id: 2 values matched, 2 match')
    >>> [found] = check_joins(tables([1, 2], [1, 1]), tables(["x", "y"], ["q", "q"]), [group])
    >>> found.passed, found.text.split("; ")[1]
    (False, 'there are 3 values in both, and there were 2')
    """
    findings = []
    for group in groups:
        places = list(dict.fromkeys(group))
        left = [place for place in places if _has(after, place)]
        counted = {
            place: _JoinColumn(_count(before, place), _count(after, place) if place in left else None)
            for place in (places if left else ())
        }
        for first, other in combinations(counted, 2):
            if first in left or other in left:
                names = (".".join(first), ".".join(other))
                findings.append(_check(names, (counted[first], counted[other]), exact=exact))
    return tuple(findings)


@dataclass(frozen=True)
class _JoinColumn:
    """The distinct texts of a column, and the rows of each, before and after; null is there for missing values."""

    before: pl.DataFrame
    after: pl.DataFrame | None


def _has(tables: Mapping[str, Table], place: Place) -> bool:
    return place[0] in tables and place[1] in tables[place[0]].columns()


def _count(tables: Mapping[str, Table], place: Place) -> pl.DataFrame:
    counts = tables[place[0]].count_by([place[1]])
    return pl.DataFrame({"text": counts.texts[0].gather(counts.codes[0]), "rows": counts.counts})


def _missing(column: pl.DataFrame) -> int:
    return int(column.filter(pl.col("text").is_null())["rows"].sum())


def _present(column: pl.DataFrame) -> pl.DataFrame:
    return column.drop_nulls("text")


def _check(names: tuple[str, str], columns: tuple[_JoinColumn, _JoinColumn], *, exact: bool) -> Finding:
    both = {"one": names[0], "other": names[1]}
    afters = [column.after for column in columns if column.after is not None]
    if len(afters) < 2:
        gone = names[0] if columns[0].after is None else names[1]
        text = say(
            "the join of {one} and {other}: {gone} is not in the release, and the other is", **both, gone=gone
        )
        return Finding("joins", " = ".join(names), None, None, 1, False, text)
    befores = [_values_before(column.before, after) for column, after in zip(columns, afters, strict=True)]
    old, new = _match(*befores), _match(*map(_present, afters))
    problems = list(
        _problems(names, old, new, [_is_complete(*pair) for pair in zip(befores, afters, strict=True)])
    )
    if exact:
        problems += [
            say(
                "{column} had {before} rows and has {after}",
                column=name,
                before=column.before["rows"].sum(),
                after=after["rows"].sum(),
            )
            for name, column, after in zip(names, columns, afters, strict=True)
            if column.before["rows"].sum() != after["rows"].sum()
        ]
    matched, match = old.matching, new.matching
    said = say_count(
        "the join of {one} and {other}: {count} value matched, {match} match",
        "the join of {one} and {other}: {count} values matched, {match} match",
        matched,
        **both,
        match=match,
    )
    text = join_texts("; ", [said, *problems])
    return Finding("joins", " = ".join(names), matched, match, len(problems), not problems, text)


def _values_before(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """The values there were; where a missing value was given a text, missing is one of them."""
    return before if _missing(after) < _missing(before) else _present(before)


def _is_complete(before: pl.DataFrame, after: pl.DataFrame) -> bool:
    """Whether every row that had a value has one, so that all values there were became values there are."""
    return int(_present(after)["rows"].sum()) >= int(before["rows"].sum())


@dataclass(frozen=True)
class _Matched:
    """Every value of two columns with its ``rows`` in the one and the ``others`` in the other, 0 for none."""

    values: pl.DataFrame

    @property
    def matching(self) -> int:
        return self.values.filter((pl.col("rows") > 0) & (pl.col("others") > 0)).height

    def distinct(self, side: str) -> int:
        return self.values.filter(pl.col(side) > 0).height

    def alone(self, side: str) -> tuple[int, int]:
        """Values that only this side has, and their rows."""
        other = "others" if side == "rows" else "rows"
        alone = self.values.filter(pl.col(other) == 0)
        return alone.height, int(alone[side].sum())

    def spread(self) -> pl.DataFrame:
        """How many values have so many rows here and so many there."""
        return self.values.group_by("rows", "others").len().sort("rows", "others")


def _match(table: pl.DataFrame, other: pl.DataFrame) -> _Matched:
    others = other.rename({"rows": "others"})
    joined = table.join(others, on="text", how="full", coalesce=True, nulls_equal=True)
    return _Matched(joined.select(pl.col("rows", "others").fill_null(0)))


def _problems(
    names: tuple[str, str], old: _Matched, new: _Matched, complete: Sequence[bool]
) -> Iterator[str]:
    sides = ("rows", "others")
    more = [
        (name, new.distinct(side), old.distinct(side)) for name, side in zip(names, sides, strict=True)
    ] + [(say("both"), len(new.values), len(old.values))]
    for name, there_are, there_were in more:
        if there_are > there_were:
            yield say(
                "there are {now} values in {column}, and there were {before}",
                now=there_are,
                column=name,
                before=there_were,
            )
    has_orphans = False
    for name, side, is_complete in zip(names, sides, reversed(complete), strict=True):
        (values, rows), (values_before, rows_before) = new.alone(side), old.alone(side)
        if is_complete and values > values_before:
            has_orphans = True
            yield say_count(
                "{count} value of {column} has no partner, and {before} had none",
                "{count} values of {column} have no partner, and {before} had none",
                values,
                column=name,
                before=values_before,
            )
        elif is_complete and rows > rows_before:
            has_orphans = True
            yield say(
                "{rows} rows of {column} have no partner, and {before} had none",
                rows=rows,
                column=name,
                before=rows_before,
            )
    is_one_to_one = all(complete) and len(old.values) == len(new.values)
    if is_one_to_one and not has_orphans and not old.spread().equals(new.spread()):
        yield say("the rows of the values are not those that they had")
