"""English is written in the code; every other language is a folder of PO files beside this one.

A text is looked up as it stands in the code, with its placeholders: ``words("{k} others", k=5)``. Mistakes arrive as
finished sentences, from rooms that know of no language; they are recognized by the template they were made from.
"""

from collections.abc import Mapping
from datetime import date, datetime
from functools import cache
from pathlib import Path
from types import MappingProxyType

from celosia.errors import CelosiaError
from celosia.words.telling import Teller

__all__ = ["LANGUAGES", "Words", "phrase"]

LANGUAGES = ("en", "es")
HERE = Path(__file__).parent


def phrase(text: str) -> str:
    """Mark a text that is translated where it is shown, so that it is found when translations are complete or not.

    >>> phrase("release")
    'release'
    """
    return text


class Words:
    """The words of one language.

    >>> spanish = Words("es")
    >>> spanish("release"), spanish.number(1234567.891), spanish.percent(0.0512)
    ('publicación', '1.234.567,89', '5,1\\xa0%')
    >>> Words("en").day(date(2026, 3, 9)), spanish.day(date(2026, 3, 9))
    ('Mar 9, 2026', '9 mar 2026')
    """

    def __init__(self, language: str = "en") -> None:
        if language not in LANGUAGES:
            raise ValueError(f"{language!r} is none of {', '.join(LANGUAGES)}")
        self.language = language

    def __call__(self, text: str, **values: object) -> str:
        """A text of the code in this language, with its values in place."""
        found = _catalogue(self.language).get(text, text)
        return found.format(**values) if values else found

    def known(self, text: str) -> bool:
        """Whether there is such a text in this language; in English there always is."""
        return self.language == "en" or text in _catalogue(self.language)

    def told(self, sentence: str) -> str:
        """A finished sentence of another room in this language, or as it is where its template is not known.

        >>> Words("es").told("column 'agee' does not exist")
        "la columna 'agee' no existe"
        """
        return sentence if self.language == "en" else _teller(self.language).tell(sentence)

    def error(self, error: CelosiaError) -> CelosiaError:
        """A mistake in this language.

        >>> from celosia.errors import TableError
        >>> str(Words("es").error(TableError("column 'agee' does not exist", where="people.csv")))
        "people.csv: la columna 'agee' no existe"
        """
        # A single word is a field of a project or the name of a file: these are written as they are.
        where = self.told(error.where) if " " in error.where else error.where
        return type(error)(self.told(error.what), where=where, remedy=self.told(error.remedy))

    def number(self, value: float, digits: int = 2) -> str:
        """A number with at most so many digits behind the point."""
        from babel.numbers import format_decimal

        return str(format_decimal(round(value, digits), format="#,##0." + "#" * digits, locale=self.language))

    def percent(self, share: float, digits: int = 1) -> str:
        """A share of one as percent."""
        from babel.numbers import format_percent

        pattern = "#,##0." + "#" * digits + ("%" if self.language == "en" else "\N{NO-BREAK SPACE}%")
        return str(format_percent(round(share, digits + 2), format=pattern, locale=self.language))

    def day(self, value: date) -> str:
        """A day, with the name of its month."""
        from babel.dates import format_date

        return str(format_date(value, format="medium", locale=self.language))

    def moment(self, value: datetime) -> str:
        """A day and a time of it, in the time zone that it has."""
        from babel.dates import format_datetime

        return str(format_datetime(value, format="medium", locale=self.language))


@cache
def _catalogue(language: str) -> Mapping[str, str]:
    """Every text of a language by the text in the code; English needs none."""
    if language == "en":
        return MappingProxyType({})
    from babel.messages.pofile import read_po

    found: dict[str, str] = {}
    for path in sorted((HERE / language).glob("*.po")):
        with path.open("rb") as file:
            found |= {
                str(entry.id): str(entry.string) for entry in read_po(file) if entry.id and entry.string
            }
    return MappingProxyType(found)


@cache
def _teller(language: str) -> Teller:
    return Teller(_catalogue(language))
