"""Free text redacted: how long a million notes take, and how much of what tells who somebody is gets found.

    .venv/bin/python benchmarks/redact.py                a million notes of a hundred characters; about two minutes
    ... --rows 100000                                    another number
    ... --write                                          and put what was printed into docs/*/benchmarks.md

Notes come from the generator of the tests, in Spanish and English, with the places of all passages. Half of the
surnames and some first names are on no list, and some are typed without capitals. The generator was written by those
who wrote the search: in real notes expect less of names.
"""

import argparse
import sys
from typing import TYPE_CHECKING

import polars as pl

from measuring import ROOT, WORK, call, fill, show, timed

sys.path.insert(0, str(ROOT / "tests" / "property"))
if TYPE_CHECKING:
    from clinical_notes import Score

BATCH = 1 << 16
KINDS = ("email", "device", "phone", "identity", "account", "date", "record", "person", "place")


def take_time(rows: int) -> tuple[float, list[list[object]]]:
    """Characters of a note, and what redacting so many of them and looking at what is left takes."""
    from clinical_notes import make_notes

    from celosia.mask import make_operation
    from celosia.mask.keys import Keys
    from celosia.mask.operation import OperationSubject

    half = [
        note.text[:100]
        for language in ("es", "en")
        for note in make_notes(BATCH // 2, language=language, seed=1)
    ]
    # The digits change from batch to batch, so that no candidate is judged once for all of them.
    batches = [
        pl.Series("notes", half[: min(BATCH, rows - start)]).str.replace_all("5", str(number % 10))
        for number, start in enumerate(range(0, rows, BATCH))
    ]
    operation = make_operation("redact")
    mask = operation.start(OperationSubject(column="notes", dtype=pl.String(), keys=Keys({}), seed=1))
    mask(batches[0].head(100), pl.DataFrame())
    done: list[pl.Series] = []
    made = timed(lambda: done.extend(mask(batch, pl.DataFrame()) for batch in batches))
    looked = timed(lambda: [operation.broken(batch) for batch in done])
    steps = {"everything found and replaced": made, "what is left, looked for by other code": looked}
    return sum(map(len, half)) / len(half), [
        [name, took.seconds, took.processor, int(rows / took.processor)] for name, took in steps.items()
    ]


def speed(rows: int) -> None:
    """How long it takes."""
    length, lines = call(take_time, rows)
    show(
        f"{rows:,} notes of {length:.0f} characters, redacted",
        ["step", "seconds", "seconds of a core", "notes per second of a core"],
        lines,
    )


def shares(score: "Score") -> tuple[str, str]:
    """Of the passages those found, and of those found the right ones."""
    return f"{score.recall:.1%}", f"{score.precision:.1%}"


def found() -> None:
    """How much of what is there gets found."""
    from clinical_notes import make_notes, score_notes

    from celosia.profile import PassageKind

    scores = {
        language: score_notes(make_notes(10_000, language=language, seed=5)) for language in ("es", "en")
    }
    lines = [
        [kind, *(share for score in scores.values() for share in shares(score[PassageKind(kind)]))]
        for kind in KINDS
    ]
    show(
        "Passages found in 10,000 generated notes of each language",
        ["kind", "Spanish: found", "Spanish: right", "English: found", "English: right"],
        lines,
        "Found: passages that were covered whole, under whatever name. Right: of what was found, what is a passage.",
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=1_000_000, help="Notes that are redacted.")
    parser.add_argument("--write", action="store_true", help="Put what is printed into the pages.")
    asked = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    speed(asked.rows)
    found()
    if asked.write:
        fill("redact")
