"""Whether two columns of different tables are called by the same thing: ``people.id``, ``visits.person_id``."""

from functools import cache

from celosia.profile.names import split_name

__all__ = ["names_match"]

GENERIC = """
    cod | code | codigo | fk | id | ids | identificador | identifier | key | clave | llave | no | nr | nro | num |
    number | numero | pk | ref | uid | uuid
"""
"""Words that say that something is meant, and not what."""
OF_TABLES = "all | data | datos | dim | dimension | fact | list | lista | master | table | tabla | tbl"
"""Words that say that a table is one."""
PERSON = """
    individual | individuo | pacient | participant | patient | peopl | person | persona | subject | sujeto
"""
"""Words for the people that a table is about, as :func:`_stem` leaves them."""


def names_match(one: tuple[str, str], other: tuple[str, str], *, is_key: bool = False) -> bool:
    """Whether the names of two columns, each given with its table, say the same; with ``is_key`` the other is a key.

    A name that says nothing by itself speaks of its table, so two tables' ``id`` are two things; and a column may be
    called like the table whose key it holds.

    >>> names_match(("visits", "person_id"), ("people", "id")), names_match(("visits", "id"), ("people", "id"))
    (True, False)
    >>> [names_match(("orders", "city"), ("cities", "name"), is_key=is_key) for is_key in (False, True)]
    [False, True]
    >>> names_match(("visits", "person_dni"), ("people", "dni")), names_match(("a", "q1"), ("b", "q2"))
    (True, False)
    """
    mine, theirs = _words(one[1]), _words(other[1])
    my_table, their_table = _table_words(one[0]), _table_words(other[0])
    if (mine or my_table) == (theirs or their_table):
        return bool(mine or my_table)
    if mine and mine in (their_table + theirs, theirs + their_table, their_table if is_key else None):
        return True
    return bool(theirs) and theirs in (my_table + mine, mine + my_table)


@cache
def _listed(words: str) -> frozenset[str]:
    return frozenset(word.strip() for word in words.split("|"))


@cache
def _words(column: str) -> tuple[str, ...]:
    """The words of a column's name that say something."""
    return tuple(_one(word) for word in split_name(column) if word not in _listed(GENERIC))


@cache
def _table_words(table: str) -> tuple[str, ...]:
    """The words of a table's name: no schema, and no year behind it."""
    words = split_name(table.rpartition(".")[2])
    return tuple(_one(word) for word in words if not word.isdigit() and word not in _listed(OF_TABLES))


def _stem(word: str) -> str:
    """A word without what makes it plural, in English and Spanish alike: cities, city; doctores, doctor."""
    stem = word.removesuffix("s").removesuffix("e")
    return stem[:-1] + "i" if stem.endswith("y") else stem


def _one(word: str) -> str:
    """What a word stands for."""
    stem = _stem(word)
    return "person" if stem in _listed(PERSON) else stem
