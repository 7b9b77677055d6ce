"""Every column of a table said in one command: what a person declared, and what a profile proposes for the rest."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from celosia.api.requests import ColumnRoles
from celosia.types import Role

if TYPE_CHECKING:
    from celosia.profile import Profile

__all__ = ["DeclaredColumns", "declare_rest", "option_words"]

DROP = "drop"
LEAST_DIVERSITY = 2
"""Values that every class shows of a sensitive column: as few as protect anybody, so that a release is found."""


@dataclass(frozen=True)
class DeclaredColumns:
    """A role for every column that has one, operations as ``--mask`` takes them, and columns that -l is asked of."""

    roles: ColumnRoles = field(default_factory=ColumnRoles)
    masks: Mapping[str, str] = field(default_factory=dict)
    diverse: tuple[str, ...] = ()

    @property
    def left_out(self) -> tuple[str, ...]:
        """Columns that others may know and that are in no promise: they are dropped."""
        return tuple(name for name, operation in self.masks.items() if operation == DROP)


def declare_rest(
    profile: "Profile",
    declared: Sequence[str] = (),
    *,
    treatments: Mapping[str, str] | None = None,
    with_quasi_identifiers: bool = True,
) -> DeclaredColumns:
    """The columns that nobody declared, with the roles proposed for them and the treatments that were worked out.

    Without quasi-identifiers, those that look like one are dropped: what was found for some columns holds for no more.

    >>> import polars as pl
    >>> from celosia.api.profiling import profile_table
    >>> people = profile_table(pl.DataFrame({"age": [31, 32], "sex": ["f", "m"], "dni": ["1", "2"], "x": [1, 2]}))
    >>> rest = declare_rest(people, ["age"], with_quasi_identifiers=False)
    >>> rest.roles.identifiers, rest.roles.common, rest.masks
    (('dni',), (), {'sex': 'drop', 'x': 'drop'})
    """
    rest = [column for column in profile if column.name not in declared]

    def named(role: Role) -> tuple[str, ...]:
        return tuple(column.name for column in rest if column.role is role)

    quasi_identifiers = named(Role.QUASI_IDENTIFIER)
    masks = dict.fromkeys(() if with_quasi_identifiers else quasi_identifiers, DROP)
    roles = ColumnRoles(
        quasi_identifiers if with_quasi_identifiers else (),
        named(Role.SENSITIVE),
        named(Role.IDENTIFIER),
        named(Role.COMMON),
    )
    kept = (*roles.sensitive, *roles.common)
    offered = {name: operation for name, operation in (treatments or {}).items() if name in kept}
    # The word sensitive protects nobody; where there are two values, every class can show both.
    diverse = tuple(
        name
        for name in roles.sensitive
        if profile[name].distinct >= LEAST_DIVERSITY and offered.get(name) != DROP
    )
    return DeclaredColumns(roles, masks | offered, diverse)


def option_words(columns: DeclaredColumns) -> list[str]:
    """The declared columns as words of a command; a shell's quoting is up to whoever joins them.

    >>> option_words(DeclaredColumns(ColumnRoles(sensitive=("disease",)), diverse=("disease",)))
    ['--sensitive', 'disease', '-l', 'disease=2']

    >>> option_words(DeclaredColumns(ColumnRoles(("age", "last, first")), {"cost": "round:to=500"}))
    ['--qi', 'age', '--qi', 'last, first', '--mask', 'cost=round:to=500']
    """
    roles = columns.roles
    words: list[str] = []
    for flag, names in (
        ("--qi", roles.quasi_identifiers),
        ("--sensitive", roles.sensitive),
        ("--identifier", roles.identifiers),
        ("--common", roles.common),
    ):
        words += _naming(flag, names)
    for name, operation in columns.masks.items():
        words += _said("--mask", f"{name}={operation}")
    for name in columns.diverse:
        words += (
            [f"-l{name}={LEAST_DIVERSITY}"] if name.startswith("-") else ["-l", f"{name}={LEAST_DIVERSITY}"]
        )
    return words


def _naming(flag: str, names: Sequence[str]) -> list[str]:
    """An option that names columns; one that commas would tear apart is named on its own."""
    plain = [name for name in names if name and "," not in name and name == name.strip()]
    words = _said(flag, ",".join(plain)) if plain else []
    return [*words, *_alone(flag, [name for name in names if name not in plain])]


def _alone(flag: str, names: Sequence[str]) -> Iterator[str]:
    for name in names:
        yield from _said(flag, name)


def _said(flag: str, value: str) -> list[str]:
    """An option and its value; one that begins like an option is joined to its own."""
    return [f"{flag}={value}"] if value.startswith("-") else [flag, value]
