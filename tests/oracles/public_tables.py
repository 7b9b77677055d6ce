"""Public tables that tests and benchmarks read: where they are looked for, and where to get one that is missing.

python tests/oracles/public_tables.py        says which are missing, one sentence each
"""

import os
import sys
from pathlib import Path

VARIABLE = "CELOSIA_SHARED"
BESIDE = Path(__file__).resolve().parents[3] / "shared"
ADULT = "https://archive.ics.uci.edu/dataset/2/adult"
TABLES = {
    "adult_arx/adult.csv": (
        "Adult, complete rows, with the hierarchy of every column: adult.csv and adult_hierarchy_*.csv from "
        "https://github.com/arx-deidentifier/arx/tree/master/data"
    ),
    "adult_uci/adult-train.csv": f"Adult as published, without a header: adult.data from {ADULT}",
    "adult_trees/adult_marital_status.txt": (
        "the hierarchies of Adult's categories, as paths: adult_*.txt from "
        "https://github.com/qiyuangong/Basic_Mondrian/tree/master/data"
    ),
    "adult_taxonomies_sparktptds.json": "the hierarchies of Adult's categories, as trees: from SparkTPTDS",
    "medical/diabetes_392.arff": (
        "Pima diabetes without rows in which pressure, glucose, body mass, skin or insulin is 0: diabetes.arff from "
        "the data folder of Weka, https://ml.cms.waikato.ac.nz/weka"
    ),
    "medical/heart_297_numeric.arff": (
        "Cleveland heart disease without incomplete rows, as numbers: processed.cleveland.data from "
        "https://archive.ics.uci.edu/dataset/45/heart+disease"
    ),
    "medical/wdbc_550.arff": (
        "breast cancer of Wisconsin (diagnostic) without rows with a value below 0.001, and without id: wdbc.data from "
        "https://archive.ics.uci.edu/dataset/17/breast+cancer+wisconsin+diagnostic"
    ),
    "sdcmicro/testdata.csv": (
        "sample data of the R package sdcMicro: data(testdata) written with write.csv, "
        "https://cran.r-project.org/package=sdcMicro"
    ),
}
"""What benchmarks read, by its path below the folder of tables, and where it comes from."""


class PublicTableMissingError(Exception):
    """A table that anybody can get is not where it is looked for."""


def shared_folder() -> Path:
    """The folder that holds ``data``, the public tables, and ``oracles``, other programs' answers about them."""
    given = os.environ.get(VARIABLE)
    return Path(given).expanduser().resolve() if given else BESIDE


def public_table(name: str) -> Path:
    """Where a table of ``TABLES`` is.

    Raises PublicTableMissingError with the table to get and the place to put it.
    """
    path = shared_folder() / "data" / name
    if not path.exists():
        raise PublicTableMissingError(
            f"A public table is missing: {path}. It is {TABLES[name]}. Put it there, or set {VARIABLE} to a folder "
            f"that has it as data/{name}."
        )
    return path


def missing_tables() -> list[str]:
    """What to say of every table of ``TABLES`` that is not there."""
    said = []
    for name in TABLES:
        try:
            public_table(name)
        except PublicTableMissingError as missing:
            said.append(str(missing))
    return said


if __name__ == "__main__":
    sys.exit("\n".join(missing_tables()) or None)
