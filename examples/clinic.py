"""Two tables and one project: patients and their stays leave with pseudonyms, still join, and nobody is found.

    python examples/clinic.py        three thousand stays into ./clinic
    python examples/clinic.py 50000  as many as you like

The project is examples/clinic.yaml; ``celosia check`` and ``celosia run`` do the same from a shell.
"""

import shutil
import sys
from pathlib import Path

import polars as pl

import celosia
from celosia.check import check_project
from celosia.cli import main as command
from celosia.sample import discharges

FOLDER = Path("clinic")
PROJECT = FOLDER / "clinic.yaml"
KEY = FOLDER / "clinic.key"


def make_up(rows: int) -> None:
    """Patients, each once, and their stays; nobody in them exists."""
    stays = discharges(rows).rename({"national_id": "patient"})
    people = stays.unique("patient", maintain_order=True).rename({"patient": "id", "patient_name": "name"})
    people.select("id", "name", "birth_date", "sex", "education").write_csv(FOLDER / "people.csv")
    stays.select("patient", "admission_date", "length_of_stay", "cost", "diagnosis").write_csv(
        FOLDER / "stays.csv"
    )


def make_key() -> None:
    """A key, unless there is one: with another one, people would have other pseudonyms."""
    if not KEY.exists():
        try:
            command(["key", "new", "--file", str(KEY)])
        except SystemExit as end:
            if end.code:
                raise


def release(rows: int) -> None:
    """Make everything up, check the project, run it, and look at what came out."""
    FOLDER.mkdir(exist_ok=True)
    shutil.copy(Path(__file__).with_suffix(".yaml"), PROJECT)
    make_up(rows)
    make_key()

    project = celosia.load_project(PROJECT)
    for remark in check_project(project):
        print(f"{remark.kind}: {remark}")

    for name, done in celosia.run_project(project, overwrite=True).items():
        print(f"\n{name}: {done.written.written:,} of {done.written.source:,} rows")
        for finding in done.verification.findings:
            print(f"  {finding.text}")
        print(f"  {done.verdict.sentence}")

    people, stays = (
        pl.read_csv(FOLDER / f"{name}_safe.csv", infer_schema=False) for name in ("people", "stays")
    )
    joined = people.join(stays, left_on="id", right_on="patient")
    print(f"\n{joined.height:,} of {stays.height:,} released stays join a released patient; some of them:")
    print(joined.head(3))


if __name__ == "__main__":
    release(int(sys.argv[1]) if len(sys.argv) > 1 else 3_000)
