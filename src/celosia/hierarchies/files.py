"""Hierarchies in files: level tables (CSV, TXT) and nested trees (JSON)."""

import json
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from celosia.errors import HierarchyError
from celosia.hierarchies.checks import name_some
from celosia.hierarchies.hierarchy import Hierarchy
from celosia.hierarchies.level_tables import parse_levels, spell_levels
from celosia.say import say

__all__ = ["find_hierarchies", "read_hierarchy", "words_of", "write_hierarchy"]

SUFFIXES = (".csv", ".txt", ".tsv", ".json")


def read_hierarchy(
    path: str | Path, column: str, *, separator: str | None = None, encoding: str = "utf-8"
) -> Hierarchy:
    """The hierarchy of ``column`` in a file: a level table, or a tree where the name ends in ``.json``.

    A level table has one line per value: the value, then its labels up to the root. Lines may differ in
    length: shorter ones join at the root. Without ``separator`` the one that fits is taken. A JSON file holds
    one tree (``value``, ``children``) or a mapping from columns to trees.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "sex.csv")
    ...     write_hierarchy(Hierarchy.from_rows("sex", [("F", "*"), ("M", "*")]), path)
    ...     read_hierarchy(path, "sex").rows()
    [('F', '*'), ('M', '*')]
    """
    path = Path(path)
    text = _read_text(path, encoding)
    try:
        if path.suffix.lower() == ".json":
            return Hierarchy.from_tree(column, _pick_tree(_parse_json(text), column))
        return Hierarchy.from_rows(column, parse_levels(text, separator))
    except HierarchyError as error:
        raise HierarchyError(error.what, where=str(path), remedy=error.remedy) from None


def write_hierarchy(
    hierarchy: Hierarchy, path: str | Path, *, separator: str = ";", encoding: str = "utf-8"
) -> None:
    """Write a level table, or a tree where the name ends in ``.json``; a file of that name is replaced.

    >>> write_hierarchy(Hierarchy.from_rows("sex", [("F", "*")]), "none/sex.csv")
    Traceback (most recent call last):
    celosia.errors.HierarchyError: none/sex.csv: cannot write: No such file or directory; is the folder there?
    """
    path = Path(path)
    if path.suffix.lower() == ".json":
        text = json.dumps(hierarchy.tree(), ensure_ascii=False, indent=1) + "\n"
    else:
        text = spell_levels(hierarchy.rows(), separator)
    try:
        path.write_bytes(text.encode(encoding))
    except OSError as error:
        raise HierarchyError(
            say("cannot write: {cause}", cause=error.strerror),
            where=str(path),
            remedy=say("is the folder there?"),
        ) from None
    except (UnicodeError, LookupError) as error:
        raise HierarchyError(
            say("cannot write as {encoding}: {cause}", encoding=encoding, cause=error),
            where=str(path),
            remedy=say("use utf-8"),
        ) from None


def find_hierarchies(folder: str | Path, columns: Iterable[str]) -> dict[str, Path]:
    """The file of each column that has one in ``folder``: the file whose name contains the column's name.

    Whole words count more than parts of words (``age`` is not looked for in ``marriage`` where a file says
    ``age``), the end of a name more than its middle, and a file belongs to the column it names best. Two
    files that name a column equally well are an error.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("adult_age.csv", "adult_marriage.csv", "adult_marital-status.csv"):
    ...         _ = Path(folder, name).write_text("x;*")
    ...     found = find_hierarchies(folder, ["age", "marital-status", "sex"])
    >>> {column: path.name for column, path in found.items()}
    {'age': 'adult_age.csv', 'marital-status': 'adult_marital-status.csv'}
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise HierarchyError(
            say("the folder does not exist"), where=str(folder), remedy=say("check its name")
        )
    columns = list(dict.fromkeys(columns))
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.suffix.lower() in SUFFIXES)
    claims: dict[str, list[tuple[int, Path]]] = {column: [] for column in columns}
    for path in files:
        fits = {column: _fit(column, path.stem) for column in columns}
        best = max(fits.values(), default=(0, 0))
        for column, fit in fits.items():
            if fit[0] and fit == best:
                claims[column].append((fit[0], path))
    return {column: _choose(column, claimed, folder) for column, claimed in claims.items() if claimed}


def _choose(column: str, claimed: list[tuple[int, Path]], folder: Path) -> Path:
    best = max(rank for rank, _ in claimed)
    paths = [path for rank, path in claimed if rank == best]
    if len(paths) > 1:
        raise HierarchyError(
            say(
                "{count} files could be the hierarchy of {column!r}: {files}",
                count=len(paths),
                column=column,
                files=name_some([p.name for p in paths]),
            ),
            where=str(folder),
            remedy=say("name the file to use for the column, or take the others away"),
        )
    return paths[0]


def _fit(column: str, stem: str) -> tuple[int, int]:
    """How well a file names a column: 4 exactly, 3 at its end, 2 in whole words, 1 in part; then how much."""
    words, name = words_of(column), words_of(stem)
    size = sum(map(len, words))
    if not words:
        return (0, 0)
    if words == name:
        return (4, size)
    places = [i for i in range(len(name) - len(words) + 1) if name[i : i + len(words)] == words]
    if places:
        return (3 if places[-1] == len(name) - len(words) else 2, size)
    return (1, size) if "".join(words) in "".join(name) else (0, 0)


def words_of(name: str) -> list[str]:
    """The words of a name in lower case and without accents.

    >>> words_of("Código-postal_2")
    ['codigo', 'postal', '2']
    """
    plain = unicodedata.normalize("NFKD", name.casefold())
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return [word for word in re.split(r"[\W_]+", plain) if word]


def _read_text(path: Path, encoding: str) -> str:
    try:
        return path.read_bytes().decode(encoding).removeprefix("\ufeff")
    except OSError as error:
        raise HierarchyError(
            say("cannot read: {cause}", cause=error.strerror),
            where=str(path),
            remedy=say("is the name right?"),
        ) from None
    except (UnicodeError, LookupError) as error:
        raise HierarchyError(
            say("it is not {encoding}: {cause}", encoding=encoding, cause=error),
            where=str(path),
            remedy=say("say its encoding, latin-1 for example"),
        ) from None


def _parse_json(text: str) -> Any:
    try:
        document = json.loads(text)
        # Half a surrogate pair is valid JSON and no text: it could never be written again.
        json.dumps(document, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise HierarchyError(
            say("it is no JSON: {cause}", cause=error), remedy=say("correct it in an editor")
        ) from None
    return document


def _pick_tree(document: Any, column: str) -> Any:
    """The tree of ``column``: the document itself, or its part of that name."""
    if not isinstance(document, dict):
        raise HierarchyError(
            say("it is neither a tree nor trees by column"),
            remedy=say('write {{"value": label, "children": [ ... ]}}'),
        )
    if "value" in document and not isinstance(document["value"], dict):
        return document
    if column not in document:
        raise HierarchyError(
            say("it has no tree for {column!r}", column=column),
            remedy=(
                say("its columns are {names}", names=name_some(list(document)))
                if document
                else say("its columns are none")
            ),
        )
    return document[column]
