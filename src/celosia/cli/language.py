"""The language of the command line: found once when a process starts, and used by all that it prints.

English is the language of the code: nothing is looked up for it, and no catalogue is loaded.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from celosia.errors import ProjectError
from celosia.say import say
from celosia.words import Words, language_of, spoken_language

__all__ = [
    "LANGUAGE_OPTION",
    "current_words",
    "figure",
    "find_language",
    "language_of_document",
    "named_language",
    "render",
    "spoken_labels",
    "tr",
    "tr_count",
    "use_language",
]

LANGUAGE_OPTION = "--language"
VARIABLE = "CELOSIA_LANGUAGE"
_in_use = [(Words("en"), False)]
"""The words of the language, and whether somebody named it in an option; the last counts."""


def named_language(arguments: Sequence[str]) -> str | None:
    """The language that arguments name, wherever they do: help is told in it before they are parsed.

    >>> named_language(["anonymize", "--language", "es", "people.csv"]), named_language(["--language=es"])
    ('es', 'es')
    >>> named_language(["erase", "--", "--language"])
    """
    language = None
    words = iter(arguments)
    for word in words:
        if word == "--":
            break
        if word.startswith(f"{LANGUAGE_OPTION}="):
            language = word.partition("=")[2]
        elif word == LANGUAGE_OPTION:
            language = next(words, None)
    return language


def find_language(named: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """The language that an option names, or else CELOSIA_LANGUAGE, or else the shell.

    >>> find_language(None, {"LANG": "es_MX.UTF-8"}), find_language("en", {"LANG": "es_MX.UTF-8"})
    ('es', 'en')
    >>> find_language(None, {"LANG": "de_DE.UTF-8"})
    'en'
    """
    for place, text in ((LANGUAGE_OPTION, named), (VARIABLE, environment.get(VARIABLE) or None)):
        if text is not None:
            return _known(text, place)
    return language_of(environment)


def _known(text: str, place: str) -> str:
    language = spoken_language(text)
    if language is None:
        raise ProjectError(
            say("there is no language {language!r}", language=text),
            where=place,
            remedy=say("choose en or es"),
        )
    return language


@contextmanager
def use_language(language: str, *, is_named: bool = False) -> Iterator[None]:
    """Print in a language; ``is_named`` if an option names it.

    >>> with use_language("es"):
    ...     tr("release")
    'publicación'
    >>> tr("release")
    'release'
    """
    _in_use.append((Words(language), is_named))
    try:
        yield
    finally:
        _in_use.pop()


def current_words() -> Words:
    """The words of the language of this process."""
    return _in_use[-1][0]


def spoken_labels(*, as_json: bool) -> str | None:
    """The language of labels that are proposed, where it is not English; whoever calls for JSON has to name it.

    >>> with use_language("es"):
    ...     spoken_labels(as_json=False), spoken_labels(as_json=True)
    ('es', None)
    """
    language = language_of_document(as_json=as_json)
    return None if language == "en" else language


def language_of_document(*, as_json: bool) -> str:
    """The language of a document that a command writes; one that calls for JSON gets English unless it names another.

    >>> with use_language("es"):
    ...     language_of_document(as_json=False), language_of_document(as_json=True)
    ('es', 'en')
    """
    words, is_named = _in_use[-1]
    return words.language if is_named or not as_json else "en"


def render(text: str) -> str:
    """What another room said in the language of this process; any other text is somebody's own, and stays.

    >>> with use_language("es"):
    ...     render(say("column {name!r} does not exist", name="release")), render("release")
    ("la columna 'release' no existe", 'release')
    """
    return current_words().render(text)


def tr(text: str, **values: object) -> str:
    """A text of the code, or what another room said, in the language of this process.

    >>> tr("{rows:,} of them", rows=1200)
    '1,200 of them'
    """
    return current_words()(text, **values)


def tr_count(singular: str, many: str, count: int, **values: object) -> str:
    """A text about so many things, which stand in it as ``count``.

    >>> tr_count("{count:,} row", "{count:,} rows", 1), tr_count("{count:,} row", "{count:,} rows", 30162)
    ('1 row', '30,162 rows')
    """
    return current_words().counted(singular, many, count, **values)


def figure(value: float, form: str = ",") -> str:
    """A number as the readers of the language write it.

    >>> figure(30162), figure(0.25, ".3f")
    ('30,162', '0.250')
    >>> with use_language("es"):
    ...     figure(30162), figure(0.25, ".3f")
    ('30.162', '0,250')
    """
    if current_words().language == "en":
        return format(value, form)
    template = "{value:" + form + "}"
    return tr(template, value=value)
