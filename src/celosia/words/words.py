"""What people read, in their language: English is written in the code, other languages are gettext catalogues.

A text is looked up as it stands in the code, with its places: ``words("{k} others", k=5)``. What other rooms say
arrives as a :class:`~celosia.say.Text` that remembers its template and its values, and is rendered here.
"""

import gettext
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import cache
from numbers import Real
from pathlib import Path
from string import Formatter

from celosia.errors import CelosiaError
from celosia.say import Text

__all__ = ["CATALOGUES", "LANGUAGES", "Words", "language_of", "phrase", "spoken_language"]

LANGUAGES = ("en", "es")
LOCALES = ("CELOSIA_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Variables that say the language of a person; the first that is set counts."""
CATALOGUES = Path(__file__).parent / "catalogues"
UNGROUPED = 10_000
"""Numbers below it are written without a separator in Spanish."""


def spoken_language(locale: str) -> str | None:
    """The language of a locale such as es_ES.UTF-8, if it is one of ours.

    >>> spoken_language("es_MX.UTF-8"), spoken_language("de_DE.UTF-8")
    ('es', None)
    """
    language = locale.partition(".")[0].partition("@")[0].partition("_")[0].lower()
    return language if language in LANGUAGES else None


def language_of(environment: Mapping[str, str]) -> str:
    """The language of a person, by CELOSIA_LANGUAGE or else by what the shell says of its messages.

    >>> language_of({"LANG": "es_ES.UTF-8"}), language_of({"CELOSIA_LANGUAGE": "en", "LANG": "es_ES.UTF-8"})
    ('es', 'en')
    """
    said = next((environment[name] for name in LOCALES if environment.get(name)), "")
    return spoken_language(said) or "en"


def phrase(text: str) -> str:
    """Mark a text that is translated where it is shown, so that it is found when catalogues are made.

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
        if isinstance(text, Text):
            return self.render(text)
        translated = self._lookup(text)
        return self._fill(translated, values) if values else translated

    def counted(self, singular: str, many: str, count: int, **values: object) -> str:
        """A text about so many things, which stand in it as ``count``.

        >>> Words("en").counted("{count} row", "{count} rows", 2)
        '2 rows'
        """
        return self._fill(self._lookup_count(singular, many, count), {"count": count, **values})

    def knows(self, text: str) -> bool:
        """Whether there is such a text in this language; in English there always is."""
        return self.language == "en" or self._lookup(text) is not text

    def render(self, text: str) -> str:
        """What another room said in this language; a text that was not said so is somebody's own, and stays.

        >>> from celosia.say import say
        >>> Words("es").render(say("column {name!r} does not exist", name="male or female"))
        "la columna 'male or female' no existe"
        """
        if not isinstance(text, Text) or self.language == "en":
            return str(text)
        if not text.template:
            return text.separator.join(self.render(value) for value in text.values.values())
        if text.plural:
            assert text.number is not None
            return self._fill(self._lookup_count(text.template, text.plural, text.number), text.values)
        return self._fill(self._lookup(text.template), text.values)

    def error(self, error: CelosiaError) -> CelosiaError:
        """A mistake in this language.

        >>> from celosia.errors import TableError
        >>> from celosia.say import say
        >>> str(Words("es").error(TableError(say("column {name!r} does not exist", name="x"), where="a.csv")))
        "a.csv: la columna 'x' no existe"
        """
        where, remedy = self.render(error.where), self.render(error.remedy)
        return type(error)(self.render(error.what), where=where, remedy=remedy)

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

    def _lookup(self, text: str) -> str:
        return text if self.language == "en" or not text else _catalogue(self.language).gettext(text)

    def _lookup_count(self, singular: str, many: str, count: int) -> str:
        if self.language == "en":
            return singular if count == 1 else many
        return _catalogue(self.language).ngettext(singular, many, count)

    def _fill(self, template: str, values: Mapping[str, object]) -> str:
        return _Filler(self).vformat(template, (), values)


class _Filler(Formatter):
    """Puts values into a template as the readers of a language write them."""

    def __init__(self, words: Words) -> None:
        self._words = words

    def get_value(self, key: int | str, args: Sequence[object], kwargs: Mapping[str, object]) -> object:
        """The value of a place; one that was said is shown in the language, too."""
        value = super().get_value(key, args, kwargs)
        return self._words.render(value) if isinstance(value, Text) else value

    def parse(self, format_string: str) -> Iterator[tuple[str, str | None, str | None, str | None]]:
        """The parts of a template; a place in what is typed or pasted, as ``-t pay={t:g}``, is marked as such."""
        for before, name, spec, conversion in super().parse(format_string):
            is_typed = name is not None and _TYPED.search(before) is not None
            yield before, name, f"{spec or ''}{_AS_TYPED}" if is_typed else spec, conversion

    def format_field(self, value: object, format_spec: str) -> str:
        """A value in its place; a number that is typed is written as programs read it, whatever the language."""
        if format_spec.endswith(_AS_TYPED):
            return str(super().format_field(value, format_spec.removesuffix(_AS_TYPED)))
        shown = str(super().format_field(value, format_spec))
        if self._words.language == "en" or isinstance(value, bool) or not isinstance(value, Real):
            return shown
        if abs(float(value)) < UNGROUPED:
            shown = shown.replace(",", "")
        return shown.translate(_MARKS).replace("%", "\N{NO-BREAK SPACE}%")


_TYPED = re.compile(r"[=:]$|(^|[\s`])--?[a-z][a-z-]*[ =]$")
"""What comes before a place in a command, an option or an assignment."""
_AS_TYPED = "\N{NULL}"
_MARKS = str.maketrans(",.", ".,")


@cache
def _catalogue(language: str) -> gettext.GNUTranslations:
    with (CATALOGUES / language / "LC_MESSAGES" / "celosia.mo").open("rb") as file:
        return gettext.GNUTranslations(file)
