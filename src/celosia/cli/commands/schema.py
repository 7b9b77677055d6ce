"""``celosia schema``: the JSON Schema of the project language."""

import json
from pathlib import Path
from typing import Annotated

import typer

from celosia.api.projects import json_schema
from celosia.cli.command import command
from celosia.cli.destination import ensure_free, fresh_file
from celosia.cli.language import tr
from celosia.cli.options import option
from celosia.cli.show import print_json, print_line

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(schema)


def schema(
    *,
    out: Annotated[
        Path | None, option("--out -o", "FILE", "Where to write it; by default it is only shown.")
    ] = None,
    overwrite: Annotated[bool, option("--overwrite", None, "Replace a file of that name.")] = False,
) -> None:
    """Show the JSON Schema of projects, by which editors complete and check them."""
    if out is not None:
        ensure_free(out, overwrite=overwrite)
    document = json_schema()
    if out is None:
        print_json(document)
        return
    with fresh_file(out) as path:
        path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    print_line(tr("written to {file}; projects name it in their first line:", file=out))
    print_line(f"  # yaml-language-server: $schema={out.name}")
