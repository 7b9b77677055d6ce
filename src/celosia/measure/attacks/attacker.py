"""What an attacker knows about people: which of their columns, and how exactly."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from celosia.tables.table import Table

__all__ = ["Attacker", "Knowledge"]


@dataclass(frozen=True)
class Knowledge:
    """How exactly a column is known: ``error`` is the share of people of whom another value is believed.

    For numbers and dates ``within`` is how far off the known value may be, in the column's own unit (days for dates,
    seconds for dates with time); 0 is exactly.
    """

    within: float = 0.0
    error: float = 0.0


@dataclass(frozen=True)
class Attacker:
    """What is known of the people attacked: ``knows[column]``, or all quasi-identifiers exactly where it is empty.

    ``table`` is what the attacker holds, if it is not rows of the original: people with the same column names.
    ``people`` is how many of them are attacked, chosen by the seed of the subject. ``sides`` are the columns of two
    sources that tell of the same people and are to be linked; without them, what is known is dealt out to two.
    """

    knows: Mapping[str, Knowledge] = field(default_factory=dict)
    table: Table | None = None
    people: int = 2_000
    sides: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
