"""What is seen in the columns of a release: what their names and their values say, as evidence in both languages."""

from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from celosia.measure.rules.rule import Evidence
from celosia.measure.rules.said import Said
from celosia.measure.subject import Subject
from celosia.profile.columns import profile_column
from celosia.profile.names import match_name, spellings
from celosia.profile.reasons import Reason
from celosia.types import Column, ColumnType, Role

__all__ = ["Seen", "evidence_of", "look_at_columns", "nothing_seen", "phrases", "says"]

HIDDEN = r"^\**$"
"""A label of stars alone shows nothing."""


@dataclass(frozen=True, eq=False)
class Seen:
    """One column of a release that shows something.

    ``values`` are its distinct released labels, without those that hide everything; ``words`` of its name and their
    ``meaning``, the ``role`` that these suggest; ``content`` is why its values are identifiers, ``shape`` why they
    single people out (near-unique, free text), where they do.
    """

    name: str
    type: ColumnType
    values: pl.Series
    words: str = ""
    meaning: str = ""
    role: Role | None = None
    content: Reason | None = None
    shape: Reason | None = None


def look_at_columns(subject: Subject) -> tuple[Seen, ...]:
    """Every column of the release that shows more than stars and missing values.

    >>> release = pl.DataFrame({"name": ["*", "*"], "Ciudad": ["Cali", "*"]})
    >>> [(seen.name, seen.meaning, seen.values.to_list()) for seen in look_at_columns(Subject.of(None, release))]
    [('Ciudad', 'a place', ['Cali'])]
    """
    seen = (_look(subject, column) for column in subject.release.schema())
    return tuple(one for one in seen if one.type is ColumnType.OTHER or len(one.values))


def _look(subject: Subject, column: Column) -> Seen:
    by_name = match_name(column.name)
    facts = dict(by_name.reason.facts) if by_name else {}
    words, meaning = facts.get("words", ""), facts.get("meaning", "")
    role = by_name.role if by_name else None
    if column.type is ColumnType.OTHER:  # pictures and the like: their values are no texts
        return Seen(column.name, column.type, pl.Series([], dtype=pl.String), words, meaning, role)
    counts = subject.counts(column.name)
    values = counts.values[0].drop_nulls().str.strip_chars()
    reasons = {reason.code: reason for reason in profile_column(column, counts).reasons}
    shape = reasons.get("free-text") or reasons.get("near-unique")
    content = next((reason for code, reason in reasons.items() if code in CONTENT), None)
    return Seen(
        name=column.name,
        type=column.type,
        values=values.filter(~values.str.contains(HIDDEN)),
        words=words,
        meaning=meaning,
        role=role,
        content=content,
        shape=shape,
    )


def phrases(text: str) -> frozenset[str]:
    """Phrases separated by bars, each glued together.

    >>> sorted(phrases("fax | zip code"))
    ['fax', 'zipcode']
    """
    return frozenset("".join(phrase.split()) for phrase in text.split("|"))


def says(seen: Seen, known: frozenset[str]) -> bool:
    """Whether the words that were recognized in the name of a column are one of some phrases, singular or plural.

    >>> says(Seen("Fax numbers", ColumnType.TEXT, pl.Series(["x"]), words="faxes"), phrases("fax"))
    True
    """
    return any(one.replace(" ", "") in known for one in spellings(tuple(seen.words.split())))


CONTENT = {
    "e-mail": Said(en="e-mail addresses", es="direcciones de correo electrónico"),
    "ip-address": Said(en="IP addresses", es="direcciones IP"),
    "mac-address": Said(en="addresses of devices (MAC)", es="direcciones de dispositivos (MAC)"),
    "url": Said(en="web addresses", es="direcciones web"),
    "uuid": Said(en="universally unique identifiers", es="identificadores únicos universales"),
    "telephone": Said(en="telephone numbers", es="números de teléfono"),
    "identity-number": Said(en="valid numbers of the form {form}", es="números válidos de la forma {form}"),
}
"""What values can be recognized as, by the code of the reason."""

_SHAPES = {
    "free-text": Said(
        en="free text, in which people may be named", es="texto libre, en el que puede nombrarse a personas"
    ),
    "near-unique": Said(
        en="{share:.0%} of the values differ, so a value singles a row out",
        es="el {share:.0%} de los valores son distintos, así que un valor señala una fila",
    ),
}


def evidence_of(seen: Seen, why: Said | None = None) -> Evidence:
    """Why a column is what it is said to be: by its values, else by its name, else by its shape.

    >>> evidence_of(Seen("Correo", ColumnType.TEXT, pl.Series(["x"]), words="correo")).why.es
    "el nombre de la columna dice 'correo'"
    """
    if why is None and seen.content:
        share = float(seen.content.facts.get("share", 1.0))
        called = CONTENT[seen.content.code].filled(form=seen.content.facts.get("format", ""))
        told = Said(
            en="{share:.0%} of the values are {called}", es="el {share:.0%} de los valores son {called}"
        )
        why = told.filled(share=share, called=called)
    elif why is None and seen.words:
        told = Said(en="the name of the column says {words!r}", es="el nombre de la columna dice {words!r}")
        why = told.filled(words=seen.words)
    elif why is None and seen.shape:
        why = _SHAPES[seen.shape.code].filled(share=float(seen.shape.facts.get("share", 1.0)))
    return Evidence(why or _SHOWN, column=seen.name)


_SHOWN = Said(en="the release shows this column", es="la publicación muestra esta columna")
_NOTHING = Said(
    en="neither names nor values of the {number} columns that show something say so",
    es="ni los nombres ni los valores de las {number} columnas que muestran algo lo dicen",
)


def nothing_seen(columns: Iterable[Seen]) -> Evidence:
    """That no column says anything of the kind."""
    return Evidence(_NOTHING.filled(number=len(tuple(columns))))
