"""Attackers as they are: what a release of Adult keeps where nobody knows more than m of its nine columns.

    .venv/bin/python benchmarks/attackers.py             full-domain and local recoding, k = 5
    ... --write                                          and put what was printed into docs/*/benchmarks.md

Losses need no clock; the seconds are those of the processor.
"""

import argparse
import time

from full_domain import COLUMNS, adult_folder
from measuring import WORK, fill, show

KNOWN = (1, 2, 3, 4, len(COLUMNS))
LIMITS = (0.0, 0.01, 0.05)
ATTACKERS = {
    "neighbour": (["sex", "age", "race", "marital-status"], 5),
    "employer": (["sex", "age", "education", "occupation", "salary-class"], 5),
    "registry": (["sex", "native-country", "workclass"], 10),
}


def released(
    technique: str, *, suppression: float = 0.0, **promises: object
) -> tuple[float, int, float, str]:
    """The loss, the rows that go, seconds, and what the verification of the written release says."""
    from celosia import anonymize

    folder = adult_folder()
    WORK.mkdir(exist_ok=True)
    start = time.process_time()
    release = anonymize(
        adult_folder() / "adult.csv",
        separator=";",
        out=WORK / "adult-attackers.csv",
        overwrite=True,
        quasi_identifiers=COLUMNS,
        hierarchies={name: folder / f"adult_hierarchy_{name}.csv" for name in COLUMNS},
        technique=technique,
        suppression=suppression,
        evaluate=(),
        **promises,
    )
    seconds = time.process_time() - start
    assert release.verification.passed
    assert release.technique_plan is not None
    loss = release.technique_plan.measures["loss"]
    kept = "proven" if getattr(release.technique_plan.result, "is_proven", False) else ""
    return loss, release.written.suppressed, seconds, kept


def at_most() -> None:
    """k^m-anonymity by full-domain generalization and local recoding."""
    rows = []
    for known in KNOWN:
        promises = {"k": 5} if known == len(COLUMNS) else {"k": 5, "known": known}
        title = "all nine" if known == len(COLUMNS) else f"any {known}"
        losses = [released("full-domain", suppression=limit, **promises) for limit in LIMITS]
        local = released("local", **promises)
        cells = [f"{100 * (1 - loss):.1f} %" for loss, *_ in losses]
        rows.append([title, *cells, f"{100 * (1 - local[0]):.1f} %", losses[0][2], local[2]])
    show(
        "Adult, nine quasi-identifiers, k = 5: detail kept where others know at most m columns",
        [
            "columns known",
            *(f"full-domain, {limit:.0%} may go" for limit in LIMITS),
            "local, nobody goes",
            "full-domain s",
            "local s",
        ],
        rows,
        "Detail kept is 1 minus the loss. Full-domain results are proven best; each release was written, read back and "
        "verified. Seconds are those of the whole job on the processor.",
    )


def several() -> None:
    """Three attackers who know different columns, beside one who knows everything."""
    attackers = [{"who": who, "knows": knows, "k": k} for who, (knows, k) in ATTACKERS.items()]
    rows = []
    for technique in ("full-domain", "local"):
        named, everything = released(technique, attackers=attackers), released(technique, k=10)
        rows.append([technique, *(f"{100 * (1 - loss):.1f} %" for loss, *_ in (named, everything))])
    told = "; ".join(f"{who}: {', '.join(knows)}, k = {k}" for who, (knows, k) in ATTACKERS.items())
    show(
        "Adult: three attackers who each know some columns, and one who knows all nine with k = 10",
        ["technique", "three attackers", "all nine, k = 10"],
        rows,
        f"{told}.",
    )


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    at_most()
    several()
    if given.write:
        fill("attackers")


if __name__ == "__main__":
    main()
