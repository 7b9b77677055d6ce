"""A promise to one attacker: whoever knows some of the quasi-identifiers, and not the others."""

from collections.abc import Sequence
from typing import Annotated, ClassVar

from pydantic import BeforeValidator, Field

from celosia.privacy.known_columns import ValuesInGroups
from celosia.say import say

__all__ = ["NamedAttacker"]


def _names(value: object) -> object:
    """Names of columns: a text has them between commas."""
    return tuple(name.strip() for name in value.split(",")) if isinstance(value, str) else value


class NamedAttacker(ValuesInGroups):
    """attacker: whoever knows these quasi-identifiers, and no others, finds at least k rows that look alike in them.

    Few people know everything. A neighbour knows age, sex and postcode, an insurer the job and the dates of
    treatment; each of them is asked for with a k of its own, and with ``l`` for different values of a sensitive column.
    What no attacker knows need not be generalized. The promise holds as long as nobody knows more than was said: two
    attackers who tell each other what they know are a third one, and have to be named.

    B. C. M. Fung, K. Wang, P. S. Yu: Anonymizing classification data for privacy preservation. IEEE Transactions on
    Knowledge and Data Engineering 19(5), 2007: k-anonymity for several virtual identifiers, each with its own k.

    Rows of 30/nurse, 30/cook, 40/nurse and 40/cook, k = 2: age is shared by two, and so is the job. To whoever knows
    both, everybody is alone.

    >>> import numpy as np
    >>> from celosia.privacy.classes import Classes
    >>> labels = {"age": np.array([0, 0, 1, 1]), "job": np.array([0, 1, 0, 1])}
    >>> classes = Classes(counts=np.ones(4, np.int64), labels=labels)
    >>> NamedAttacker(who="neighbour", knows=["age"], k=2).violations(classes).any()
    np.False_
    >>> NamedAttacker(who="insurer", knows="age, job", k=2).violations(classes).tolist()
    [True, True, True, True]
    """

    name: ClassVar[str] = "attacker"
    example: ClassVar[str] = "who=neighbour,knows=age,sex,zip,k=5"

    who: str = Field(min_length=1, description="who that is, in a word: neighbour, insurer")
    knows: Annotated[tuple[str, ...], BeforeValidator(_names)] = Field(
        min_length=1, description="the quasi-identifiers known"
    )

    def views(self, columns: Sequence[str]) -> list[tuple[str, ...]]:
        """What the attacker knows of them.

        >>> NamedAttacker(who="neighbour", knows=["age"], k=2).views(["age", "zip"])
        [('age',)]
        """
        known = tuple(name for name in columns if name in self.knows)
        return [known] if known else []

    def assumption(self) -> str:
        """That the attacker knows these columns alone."""
        return say("{who} knows no more than {columns}", who=self.who, columns=", ".join(self.knows))

    def describe(self) -> str:
        """What the model promises.

        >>> NamedAttacker(who="neighbour", knows=["age", "sex"], k=5).describe()
        'neighbour, who knows age, sex, finds at least 5 rows that look alike'
        """
        if self.column is None:
            return say(
                "{who}, who knows {columns}, finds at least {k} rows that look alike",
                who=self.who,
                columns=", ".join(self.knows),
                k=self.k,
            )
        return say(
            "{who}, who knows {columns}, finds at least {k} rows that look alike, with {l} different values of "
            "{column!r}",
            who=self.who,
            columns=", ".join(self.knows),
            k=self.k,
            l=self.l,
            column=self.column,
        )
