"""Catalogues of what people read: gettext's, extracted from the code by Babel.

    make words      bring the catalogue up to date with the code, and compile it; then fill in what has no translation

A text is found where it is said: ``say``, ``say_count``, ``phrase``, ``words``. Explanations are the docstrings of
operations, models and techniques, and so are the helps of commands.
"""

import ast
import sys
from collections.abc import Iterator
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from runpy import run_path
from typing import IO

from babel.messages.catalog import Catalog
from babel.messages.extract import extract as extract_source
from babel.messages.extract import extract_from_dir, extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

SOURCE = Path(__file__).parents[1] / "src" / "celosia"
SPANISH = SOURCE / "words" / "catalogues" / "es" / "LC_MESSAGES" / "celosia.po"
HOOKS = Path(__file__).parents[1] / "docs" / "hooks.py"
KEYWORDS = {
    **dict.fromkeys(("say", "phrase", "words", "_words", "tr")),
    **dict.fromkeys(("say_count", "counted", "tr_count"), (1, 2)),
}


def extract() -> Catalog:
    """Everything there is to translate."""
    found = Catalog(project="celosia", charset="utf-8")
    for path, _, text, _, context in extract_from_dir(
        SOURCE, method_map=[("**.py", "python")], keywords=KEYWORDS
    ):
        found.add(text, None, [(path, 0)], context=context)
    for text, path in _inside_texts():
        found.add(text, None, [(path, 0)])
    for text, path in _explanations():
        found.add(text, None, [(path, 0)])
    return found


def _inside_texts() -> Iterator[tuple[str, str]]:
    """What is said inside the braces of an f-string, where Babel looks on Python 3.12 and later only."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FormattedValue):
                source = BytesIO(ast.unparse(node.value).encode())
                for _, text, _, _ in extract_source("python", source, keywords=KEYWORDS):
                    yield text, str(path.relative_to(SOURCE))


def _explanations() -> Iterator[tuple[str, str]]:
    """What is told of things in their docstrings, of commands in their helps, and around them on pages."""
    from typer.main import get_command

    from celosia.cli.app import app
    from celosia.cli.help_texts import help_texts
    from celosia.concepts import concept_texts
    from celosia.hierarchies.world import known_domains

    yield from ((domain.title, "hierarchies") for domain in known_domains().values())
    yield from ((text, "concepts") for text in sorted(concept_texts()))
    yield from ((text, "cli") for text in sorted(set(help_texts(get_command(app)))))
    yield from ((text, "docs") for text in sorted(set(run_path(str(HOOKS))["page_texts"]())))
    for _, text, _, _ in extract_from_file("python", HOOKS, keywords=KEYWORDS):
        yield text, "docs"


def read_spanish() -> Catalog:
    """The Spanish catalogue as it is."""
    with SPANISH.open("rb") as file:
        return read_po(file, locale="es")


def update() -> Catalog:
    """The Spanish catalogue with every text of the code and no other."""
    spanish, found = read_spanish(), extract()
    found.creation_date = spanish.creation_date  # or every run would change the files
    spanish.update(found, no_fuzzy_matching=True)
    spanish.obsolete.clear()
    for message in spanish:
        message.flags.discard("fuzzy")
    return spanish


def write(catalogue: Catalog) -> None:
    """Both forms of a catalogue: the one that people edit, and the one that is read."""
    with SPANISH.open("wb") as file:
        save(file, catalogue)
    SPANISH.with_suffix(".mo").write_bytes(compiled(catalogue))


def save(file: IO[bytes], catalogue: Catalog) -> None:
    """A catalogue as people edit it."""
    catalogue.header_comment = "# Celosía in Spanish; `make words` brings this file up to date with the code."
    catalogue.version = version("celosia")
    catalogue.msgid_bugs_address = catalogue.last_translator = catalogue.language_team = "Celosía"
    write_po(file, catalogue, width=100, sort_output=True, no_location=True)


def compiled(catalogue: Catalog) -> bytes:
    """A catalogue as it is read."""
    written = BytesIO()
    write_mo(written, catalogue)
    return written.getvalue()


def untranslated(catalogue: Catalog) -> list[str]:
    """Texts that have no translation."""
    return [
        str(message.id)
        for message in catalogue
        if message.id
        and not (all(message.string) if isinstance(message.string, tuple | list) else message.string)
    ]


if __name__ == "__main__":
    whole = update()
    write(whole)
    missing = untranslated(whole)
    print("\n".join(missing))
    sys.exit(f"{len(missing)} texts have no Spanish" if missing else 0)
