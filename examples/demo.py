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

QUASI_IDENTIFIERS = "age,sex,postcode,education,admission_date"
SENSITIVE = "diagnosis,outcome"
# Who names a column as identifier says that it does not leave. Most of these are quasi-identifiers by nature, or tell
# the diagnosis in other words; nobody who reads this release needs them, and each would make the others less precise.
LEFT_OUT = (
    "record_number,patient_name,national_id,birth_date,discharge_date,marital_status,occupation,nationality,"
    "department,length_of_stay,diagnosis_code,severity"
)
NUMBERS_LEFT_OUT = LEFT_OUT.replace("length_of_stay,", "") + ",notes,postcode,education,admission_date"
PROMISES = ("-k", 5, "-l", "diagnosis=2")
# What is sensitive is what others do not know. Somebody answers for that, by name; the report prints it to be signed.
ACCEPTED = (
    "--accept",
    "diagnosis=only the hospital knows it",
    "--accept",
    "outcome=only the hospital knows it",
)


def say(*lines: str) -> None:
    print("\n" + "\n".join(lines) + "\n")


def run(*arguments: object, refused: bool = False) -> None:
    """Show a command as it would be typed, then run it; ``refused`` says that it must not go through."""
    words = [str(argument) for argument in arguments]
    typed = shlex.join(["celosia", *words])
    if len(typed) > 110:
        typed = typed.replace(" --", " \\\n    --")
    print(f"$ {typed}\n", flush=True)
    try:
        celosia(words)
    except SystemExit as end:
        if bool(end.code) != refused:
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

    say(
        "2. What is in it? Each column gets a proposed role, with the reason. Notice three things: the notes are",
        "   sentences with names and telephones inside, nearly every cost occurs once, and some patients came back.",
    )
    run("profile", TABLE)

    say(
        "3. Release it, and forget two columns. Nothing leaves by accident: the run stops, and says what to do."
    )
    run(
        *("anonymize", TABLE, "--qi", QUASI_IDENTIFIERS, "--sensitive", SENSITIVE, "--identifier", LEFT_OUT),
        *("-k", 5, "--out", RELEASE, "--overwrite"),
        refused=True,
    )

    say(
        "4. Answer for every column. Notes and costs stay here. Everybody is to hide among at least five people,",
        "   each counted once however often they came, with two different diagnoses; up to 5 % of the rows may be",
        "   left out if that spares the others.",
    )
    run(
        *("anonymize", TABLE, "--qi", QUASI_IDENTIFIERS, "--sensitive", SENSITIVE),
        *("--identifier", f"{LEFT_OUT},notes,cost", "--person", "national_id", *ACCEPTED, *PROMISES),
        *("--suppression", "5%", "--hierarchies", HIERARCHIES, "--out", RELEASE, "--overwrite"),
    )

    say("5. Do not take our word for it: anybody can check the file.")
    run("verify", RELEASE, "--qi", QUASI_IDENTIFIERS, "--sensitive", SENSITIVE, *ACCEPTED, *PROMISES)

    say("Some rows of the release:")
    show(RELEASE)

    say(
        "6. Who needs the cost gets it like this: rounded, and part of the promise. Mondrian cuts classes to measure,",
        "   and each shows one number, so that ages and costs can be averaged and plotted as before. (Publish one of",
        "   the two files, not both: each is safe, and together they tell more than either.)",
    )
    run(
        *("anonymize", TABLE, "--qi", "age,sex,length_of_stay,cost", "--mask", "cost=round:to=100"),
        *("--sensitive", SENSITIVE, "--identifier", NUMBERS_LEFT_OUT, "--person", "national_id"),
        *(*ACCEPTED, *PROMISES, "--technique", "mondrian", "--represent", "mode"),
        *("--out", NUMBERS, "--overwrite"),
    )
    say("Some rows of it:")
    show(NUMBERS)
    say(f"Done in {time.perf_counter() - started:.1f} s. Everything is in {FOLDER}/; run it again any time.")


if __name__ == "__main__":
    demo(int(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("ROWS", "20000")))
