"""What promises take others to know, and what they assume that nobody does."""

from collections.abc import Sequence
from dataclasses import dataclass

from celosia.privacy import KnownColumns, PrivacyModel
from celosia.release.group_checks import known_sets

__all__ = ["AssumedKnowledge"]


@dataclass(frozen=True)
class AssumedKnowledge:
    """What the promises take others to know: the quasi-identifiers that they are about, and which of them together.

    ``assumed`` says what nobody is taken to know; nothing where all quasi-identifiers are taken to be known at once.
    """

    columns: tuple[str, ...]
    sets: tuple[tuple[str, ...], ...]
    assumed: tuple[str, ...] = ()

    @classmethod
    def of(cls, models: Sequence[PrivacyModel], columns: Sequence[str]) -> "AssumedKnowledge":
        """What models say together; one that hides people in classes takes all columns to be known.

        >>> from celosia.privacy import NamedAttacker, KAnonymity
        >>> neighbour = NamedAttacker(who="neighbour", knows="age", k=5)
        >>> AssumedKnowledge.of([neighbour], ["age", "zip"]).columns
        ('age',)
        >>> AssumedKnowledge.of([neighbour, KAnonymity(k=2)], ["age", "zip"]).sets
        (('age', 'zip'),)
        """
        of_groups = [model for model in models if isinstance(model, KnownColumns)]
        others = [model for model in models if not isinstance(model, KnownColumns)]
        if not of_groups or any(model.hides_everybody for model in others):
            return cls(tuple(columns), (tuple(columns),))
        sets = tuple(dict.fromkeys(some for model in of_groups for some in known_sets(model, columns)))
        known = {name for some in sets for name in some}
        assumed = tuple(dict.fromkeys(model.assumption() for model in of_groups))
        return cls(tuple(name for name in columns if name in known), sets, assumed)
