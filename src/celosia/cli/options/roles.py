"""Options about the columns: their roles, whose rows they are, what is done to them, and their hierarchies."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from celosia.cli import completion
from celosia.cli.options.declare import option

__all__ = ["PERSON", "HierarchyOptions", "MaskOptions", "PersonOption", "RoleOptions"]


def _role(names: str, help: str) -> Any:
    return option(names, "COLUMNS", help, panel="Roles", autocompletion=completion.columns)


@dataclass(frozen=True)
class RoleOptions:
    """What the columns tell about a person."""

    qi: Annotated[list[str], _role("--qi", "Quasi-identifiers, as in age,sex,zip; may be repeated.")] = field(
        default_factory=list
    )
    sensitive: Annotated[list[str], _role("--sensitive", "Sensitive columns; may be repeated.")] = field(
        default_factory=list
    )
    identifier: Annotated[
        list[str], _role("--identifier", "Columns that never reach a release; may be repeated.")
    ] = field(default_factory=list)
    common: Annotated[
        list[str],
        _role("--common", "Columns that leave as they are, and that the verdict names; may be repeated."),
    ] = field(default_factory=list)
    accept: Annotated[
        list[str],
        option(
            "--accept",
            "COLUMN=WHY",
            "A column that leaves though it tells people apart, and why nobody outside can know it; may be repeated.",
            panel="Roles",
            autocompletion=completion.pairs,
        ),
    ] = field(default_factory=list)


PERSON = "The column that tells people apart, where one may have several rows; it need not leave."
PersonOption = Annotated[
    str | None, option("--person", "COLUMN", PERSON, panel="Roles", autocompletion=completion.columns)
]


@dataclass(frozen=True)
class MaskOptions:
    """What is done to columns besides, so that their values tell nobody apart."""

    mask: Annotated[
        list[str],
        option(
            "--mask",
            "COLUMN=OPERATION",
            "What is done to a column, as in note=drop or age=code:top=90; see `operations`; may be repeated.",
            panel="Roles",
            autocompletion=completion.columns,
        ),
    ] = field(default_factory=list)


@dataclass(frozen=True)
class HierarchyOptions:
    """Where the hierarchies are; a quasi-identifier without file gets a proposed one."""

    folder: Annotated[
        Path | None,
        option(
            "--hierarchies",
            "FOLDER",
            "Folder with files whose names contain the names of their columns.",
            panel="Hierarchies",
        ),
    ] = None
    files: Annotated[
        list[str],
        option(
            "--hierarchy",
            "COLUMN=FILE",
            "Hierarchy of one column; may be repeated, and comes before the folder.",
            panel="Hierarchies",
            autocompletion=completion.pairs,
        ),
    ] = field(default_factory=list)
