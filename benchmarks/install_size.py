"""What a base install fills on the disk, package by package, in an empty environment."""

import subprocess
import sys
import tempfile
import venv
from collections import Counter
from importlib import metadata
from pathlib import Path

from measuring import ROOT, fill, show

WHY = {
    "polars": "columns in memory: reading, grouping and joining tables",
    "pyarrow": "Parquet, and batches of rows between Polars, DuckDB and Spark",
    "numba": "the compiler of the inner loops (Mondrian, microaggregation, suppression)",
    "scipy": "estimates of risk, tests of distributions, groups of values that look alike",
    "duckdb": "tables larger than memory, and tables in files of DuckDB",
    "numpy": "arrays under all of this",
    "babel": "numbers and dates as every language writes them",
    "sqlalchemy": "statements for databases",
    "cryptography": "encryption, pseudonyms, signed ledgers",
    "celosia": "Celosía itself",
    "fastexcel": "reads spreadsheets",
    "python-stdnum": "identity numbers of dozens of countries",
}
"""Why each of the larger ones is in the base."""
TOGETHER = {"polars-runtime-32": "polars", "llvmlite": "numba"}
"""Packages that are parts of others."""


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="celosia-size-") as folder:
        venv.create(folder, with_pip=True)
        pip = [f"{folder}/bin/python", "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", str(ROOT)], check=True)
        sizes = measure(next(Path(folder).glob("lib/python*/site-packages")))
    total = sum(sizes.values())
    rows: list[list[object]] = [[name, round(sizes.pop(name) / 1e6), why] for name, why in WHY.items()]
    rows.sort(key=lambda row: -int(str(row[1])))
    rows.append([f"{len(sizes)} others", round(sum(sizes.values()) / 1e6), "the smaller ones"])
    rows.append(["all", round(total / 1e6), ""])
    show("A base install, with the code that Python compiles", ["package", "MB", "what for"], rows)


def measure(site_packages: Path) -> Counter[str]:
    """Bytes of every package that is installed there; what an environment itself begins with is left out."""
    sizes: Counter[str] = Counter()
    for package in metadata.distributions(path=[str(site_packages)]):
        name = package.metadata["Name"].lower()
        if name not in ("pip", "setuptools"):
            paths = [Path(str(path.locate())) for path in package.files or ()]
            sizes[TOGETHER.get(name, name)] += sum(path.stat().st_size for path in paths if path.exists())
    return sizes


if __name__ == "__main__":
    main()
    if "--readme" in sys.argv:
        fill("install_size", ROOT / "docs/en/how-to/install.md", ROOT / "docs/es/how-to/install.md")
