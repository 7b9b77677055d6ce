"""k^m-anonymity: whoever knows up to m of the quasi-identifiers finds at least k rows."""

from collections.abc import Sequence
from typing import ClassVar

from pydantic import Field

from celosia.privacy.known_columns import ValuesInGroups, choose_columns
from celosia.say import say_count

__all__ = ["KMAnonymity"]


class KMAnonymity(ValuesInGroups):
    """k^m-anonymity: every combination of up to m quasi-identifiers is shared by at least k rows.

    Nobody knows all nine columns of a person whom they look for. Where it can be said how many they know at most, but
    not which, every choice of so many columns is guarded; with ``l`` each of these groups has so many different values
    of a sensitive column besides. With m all quasi-identifiers it is k-anonymity.

    M. Terrovitis, N. Mamoulis, P. Kalnis: Privacy-preserving anonymization of set-valued data. VLDB 2008, where known
    are items of a set; here values of columns.

    Rows of 30/nurse/Lima, 30/cook/Cali, 40/nurse/Cali and 40/cook/Lima, k = 2: every value is shared by two rows, no
    pair of values is.

    >>> import numpy as np
    >>> from celosia.privacy.classes import Classes
    >>> labels = {"age": [0, 0, 1, 1], "job": [0, 1, 0, 1], "city": [0, 1, 1, 0]}
    >>> classes = Classes(np.ones(4, np.int64), labels={name: np.array(codes) for name, codes in labels.items()})
    >>> KMAnonymity(k=2, known=1).violations(classes).any(), KMAnonymity(k=2, known=2).violations(classes).all()
    (np.False_, np.True_)
    """

    name: ClassVar[str] = "km-anonymity"
    example: ClassVar[str] = "k=5,known=3"

    known: int = Field(ge=1, description="quasi-identifiers that somebody knows of a person at most (m)")

    def views(self, columns: Sequence[str]) -> list[tuple[str, ...]]:
        """Every choice of so many columns.

        >>> KMAnonymity(k=2, known=1).views(["age", "zip"])
        [('age',), ('zip',)]
        """
        return choose_columns(columns, self.known)

    def assumption(self) -> str:
        """That nobody knows more of them.

        >>> KMAnonymity(k=2, known=3).assumption()
        'nobody knows more than 3 quasi-identifiers of a person'
        """
        return say_count(
            "nobody knows more than {count} quasi-identifier of a person",
            "nobody knows more than {count} quasi-identifiers of a person",
            self.known,
        )

    def describe(self) -> str:
        """What the model promises.

        >>> KMAnonymity(k=5, known=3).describe()
        'whoever knows up to 3 quasi-identifiers of a person finds at least 5 rows that look alike'
        """
        if self.column is None:
            return say_count(
                "whoever knows {count} quasi-identifier of a person finds at least {k} rows that look alike",
                "whoever knows up to {count} quasi-identifiers of a person finds at least {k} rows that look alike",
                self.known,
                k=self.k,
            )
        return say_count(
            "whoever knows {count} quasi-identifier of a person finds at least {k} rows that look alike, with {l} "
            "different values of {column!r}",
            "whoever knows up to {count} quasi-identifiers of a person finds at least {k} rows that look alike, with "
            "{l} different values of {column!r}",
            self.known,
            k=self.k,
            l=self.l,
            column=self.column,
        )
