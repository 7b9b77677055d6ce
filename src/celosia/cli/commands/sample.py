"""``celosia sample``: a table of people who do not exist, to try things on."""

from pathlib import Path
from typing import Annotated

import typer

from celosia.api.hierarchies import write_hierarchy
from celosia.api.sampling import sample_hierarchies, sample_roles, sample_table, write_sample
from celosia.cli.command import command
from celosia.cli.destination import ensure_free, fresh_file
from celosia.cli.language import language_of_document
from celosia.cli.options import OutputOptions, option
from celosia.cli.progress import progress_bar
from celosia.cli.show import print_json, print_line, table_size
from celosia.say import say

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(sample)


def sample(
    *,
    out: Annotated[Path, option("--out -o", "FILE", "Where the table goes; its name says the format.")],
    rows: Annotated[int, option("--rows", "N", "How many discharges; 10,000 by default.", min=1)] = 10_000,
    seed: Annotated[
        int, option("--seed", "NUMBER", "The same seed, the same table; 7 by default.", min=0)
    ] = 7,
    hierarchies: Annotated[
        Path | None,
        option("--hierarchies", "FOLDER", "Write the hierarchies of its categories there as well."),
    ] = None,
    encoding: Annotated[
        str, option("--encoding", "NAME", "How a text file is encoded, as in windows-1252; UTF-8 by default.")
    ] = "utf-8",
    overwrite: Annotated[bool, option("--overwrite", None, "Replace files of the same names.")] = False,
    output: OutputOptions,
) -> None:
    """Write a generated table of hospital discharges; nobody in it exists.

    With --language es it is the Spanish twin: Spanish columns and words, written as Spanish offices write them.
    """
    ensure_free(out, overwrite=overwrite)
    # Only an option asks for the twin: the commands of the documents are the same in every shell.
    language = language_of_document(as_json=True)
    with progress_bar() as progress:
        progress(say("making up people"), 0.0)
        frame = sample_table(rows, seed=seed, language=language)
        with fresh_file(out) as path:
            write_sample(frame, path, language=language, encoding=encoding)
    files = [] if hierarchies is None else _write_hierarchies(hierarchies, language, overwrite=overwrite)
    if output.as_json:
        named = {name: str(role) for name, role in sample_roles(language).items()}
        print_json({"table": str(out), "rows": rows, "seed": seed, "roles": named, "hierarchies": files})
        return
    print_line(f"{out}: {table_size(rows, len(frame.columns))}", bold=True)
    for file in files:
        print_line(f"  {file}")


def _write_hierarchies(folder: Path, language: str, *, overwrite: bool) -> list[str]:
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for column, hierarchy in sample_hierarchies(language).items():
        path = folder / f"{column}.csv"
        ensure_free(path, overwrite=overwrite)
        with fresh_file(path) as hidden:
            write_hierarchy(hierarchy, hidden)
        files.append(str(path))
    return files
