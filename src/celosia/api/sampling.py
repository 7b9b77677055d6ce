"""Tables of people who do not exist, to try things on."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

    from celosia.api.results import Hierarchy
    from celosia.types import Role

__all__ = ["sample_columns", "sample_hierarchies", "sample_roles", "sample_table", "write_sample"]


def sample_table(rows: int, *, seed: int = 7, language: str = "en") -> "pl.DataFrame":
    """Hospital discharges of people who do not exist, in English or Spanish.

    >>> sample_table(3).height
    3
    """
    from celosia.sample import discharges

    return discharges(rows, seed=seed, language=language)


def sample_columns(language: str = "en") -> dict[str, str]:
    """What every column of the English sample is called in a language.

    >>> sample_columns("es")["sex"], sample_columns("en")["sex"]
    ('sexo', 'sex')
    """
    from celosia.sample import roles

    return dict(zip(roles(), roles(language), strict=True))


def sample_roles(language: str = "en") -> "dict[str, Role]":
    """The roles of the columns of the sample."""
    from celosia.sample import roles

    return roles(language)


def sample_hierarchies(language: str = "en") -> "dict[str, Hierarchy]":
    """The hierarchies of the categories of the sample, by column.

    >>> "sex" in sample_hierarchies() or len(sample_hierarchies()) > 0
    True
    """
    from celosia.hierarchies import Hierarchy
    from celosia.sample import discharge_hierarchies

    tables = discharge_hierarchies(language)
    return {column: Hierarchy.from_rows(column, rows) for column, rows in tables.items()}


def write_sample(frame: "pl.DataFrame", path: Path, *, language: str = "en", encoding: str = "utf-8") -> None:
    """Write a sample to a file, in the format that its name says; Spanish texts are written as offices there do.

    Those have ``;`` between values, a comma before decimals, and the day first in dates.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "altas.csv")
    ...     write_sample(sample_table(1, language="es").select("fecha_alta", "coste"), path, language="es")
    ...     path.read_text().splitlines()[0]
    'fecha_alta;coste'
    """
    from celosia.tables import write_frame

    if language == "es" and path.suffix.lower() in (".csv", ".txt"):
        write_frame(frame, path, separator=";", encoding=encoding, decimal=",", date_format="%d/%m/%Y")
    else:
        write_frame(frame, path, encoding=encoding)
