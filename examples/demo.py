"""A first look at Celosía: make up a hospital, see who could be recognized, and release what may leave.

Every step is one command that you can type yourself; this script only types it for you.

    python examples/demo.py          twenty thousand discharges into ./demo
    python examples/demo.py 1000000  as many as you like (or ROWS=1000000 make demo)
"""

import os
import shlex
import sys
import time
from pathlib import Path

from celosia.cli import main as celosia

FOLDER = Path("demo")
TABLE = FOLDER / "discharges.csv"
HIERARCHIES = FOLDER / "hierarchies"
RELEASE = FOLDER / "safe.csv"
NUMBERS = FOLDER / "numbers.csv"

QUASI_IDENTIFIERS = "age,sex,postcode,education,nationality,admission_date"
SENSITIVE = "diagnosis,diagnosis_code,severity,outcome"
# Who names a column as identifier says that it does not leave. The last four are quasi-identifiers by nature, but
# nobody who reads this release needs them, and every quasi-identifier makes the others less precise.
IDENTIFIERS = "record_number,patient_name,national_id,birth_date,discharge_date,marital_status,occupation"
NOT_NEEDED = "postcode,education,nationality,admission_date"
COST = "cost=round:to=1000+code:top=20000"
"""An exact cost tells almost everybody apart."""


def say(*lines: str) -> None:
    print("\n" + "\n".join(lines) + "\n")


def run(*arguments: object) -> None:
    """Show a command as it would be typed, then run it."""
    words = [str(argument) for argument in arguments]
    typed = shlex.join(["celosia", *words])
    if len(typed) > 110:
        typed = typed.replace(" --", " \\\n    --")
    print(f"$ {typed}\n", flush=True)
    try:
        celosia(words)
    except SystemExit as end:
        if end.code:
            raise


def show(release: Path) -> None:
    """The first rows of a file."""
    with release.open(encoding="utf-8") as file:
        for _, line in zip(range(6), file, strict=False):
            print("  " + line.rstrip())


def demo(rows: int) -> None:
    started = time.perf_counter()
    FOLDER.mkdir(exist_ok=True)

    say("1. A table about people. Nobody in it exists.")
    run("sample", "--rows", rows, "--out", TABLE, "--hierarchies", HIERARCHIES, "--overwrite")

    say("2. What is in it? Each column gets a proposed role, with the reason.")
    run("profile", TABLE)

    say(
        "3. Release it. Everybody is to hide among at least five rows with two different diagnoses;",
        "   up to 5 % of the rows may be left out if that spares the others.",
    )
    run(
        *(
            "anonymize",
            TABLE,
            "--qi",
            QUASI_IDENTIFIERS,
            "--sensitive",
            SENSITIVE,
            "--identifier",
            IDENTIFIERS,
        ),
        *("--common", "department,length_of_stay", "--mask", COST),
        *("-k", 5, "-l", "diagnosis=2", "--suppression", "5%", "--hierarchies", HIERARCHIES),
        *("--out", RELEASE, "--overwrite"),
    )

    say("4. Do not take our word for it: anybody can check the file.")
    run("verify", RELEASE, "--qi", QUASI_IDENTIFIERS, "--sensitive", SENSITIVE, "-k", 5, "-l", "diagnosis=2")

    say("Some rows of the release:")
    show(RELEASE)

    say(
        "5. Ages have become labels. Mondrian releases numbers: classes are cut to measure, and each shows one age,",
        "   so that it can be averaged and plotted as before. (Publish one of the two files, not both: each is safe,",
        "   and together they tell more than either.)",
    )
    run(
        *("anonymize", TABLE, "--qi", "age,sex,length_of_stay", "--sensitive", SENSITIVE),
        *("--identifier", f"{IDENTIFIERS},{NOT_NEEDED}", "-k", 5, "-l", "diagnosis=2"),
        *("--common", "department", "--mask", COST),
        *("--technique", "mondrian", "--represent", "mode", "--hierarchies", HIERARCHIES),
        *("--out", NUMBERS, "--overwrite"),
    )
    say("Some rows of it:")
    show(NUMBERS)
    say(f"Done in {time.perf_counter() - started:.1f} s. Everything is in {FOLDER}/; run it again any time.")


if __name__ == "__main__":
    demo(int(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("ROWS", "20000")))
