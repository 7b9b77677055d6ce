"""Measures of a release: what a million rows cost, and another package on Adult.

    .venv/bin/python benchmarks/measure.py               everything
    ... --only classes pycanon                           some parts; see PARTS below
    ... --write                                          and put what was printed into docs/*/benchmarks.md

Seconds are those of measures in a process that has loaded them, from a frame in memory to the answers, counting
included.
"""

import argparse
import json

from full_domain import adult_folder
from measuring import ROOT, WORK, best, call, fill, run, show, timed

PEOPLE = ["age", "sex", "region", "education", "occupation"]
ADULT_COLUMNS = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass"]
GROUPS = {
    "prosecutor, marketer, k, uniques": [
        *("k", "average-class", "uniques", "prosecutor-highest", "prosecutor-mean", "prosecutor-above", "marketer"),
    ],
    "journalist and individual risk, sample of a tenth": [
        *("journalist-highest", "journalist-mean", "journalist-above", "individual-highest", "individual-mean"),
    ],
    "l: distinct, entropy, recursive": ["distinct-l", "entropy-l", "recursive-l", "recursive-c"],
    "t: equal, ordered, hierarchical": ["t-equal", "t-ordered", "t-hierarchical"],
    "alpha, beta, delta, homogeneity, skewness": [
        *("alpha", "beta-likeness", "delta-disclosure", "homogeneity", "skewness"),
    ],
}  # fmt: skip


# A million rows


def classes() -> None:
    """All risks and privacy models that rest on classes, of 1,000,000 rows; each table in a fresh process."""
    found = {name: call(measure_people, values) for name, values in {"12": 12, "1,000": 1_000}.items()}
    rows: list[list[object]] = [["wanted together, at most", *(1.0 for _ in found)]]
    for name in next(iter(found.values()))["seconds"]:
        rows.append([name, *(one["seconds"][name] for one in found.values())])
    rows.append(["together", *(sum(one["seconds"].values()) for one in found.values())])
    rows.append(["processor s", *(one["processor"] for one in found.values())])
    head = ["seconds", *(f"sensitive column of {name} values" for name in found)]
    note = "; ".join(
        f"{name} values: {one['classes']:,} classes, {one['combinations']:,} combinations with the sensitive column"
        for name, one in found.items()
    )
    note += ". The sensitive column is a number with a hierarchy, so that it has all three distances."
    show(
        "All risks and privacy models of the classes of 1,000,000 rows, 5 quasi-identifiers", head, rows, note
    )


def measure_people(values: int) -> dict:
    """Seconds of every group of measures; for a fresh process."""
    from celosia.hierarchies import Hierarchy
    from celosia.measure.registry import release_measures
    from celosia.measure.subject import MeasureSubject, Population

    release, known = draw_release(values), release_measures()
    levels = [(str(i), f"[{i // 10 * 10}-{i // 10 * 10 + 9}]", "*") for i in range(values)]
    tree = {"disease": Hierarchy.from_rows("disease", levels)}

    def measured() -> dict:
        subject = MeasureSubject.of(
            None,
            release,
            quasi_identifiers=PEOPLE,
            sensitive=["disease"],
            hierarchies=tree,
            population=Population(fraction=0.1),
        )
        seconds = {"counting": timed(lambda: subject.classes).seconds}
        for group, names in GROUPS.items():
            done = timed(lambda names=names: [known[name].answers(subject) for name in names])
            assert all(
                answer.value is not None or "only one value" in answer.why_not
                for one in done.result
                for answer in one
            )
            seconds[group] = done.seconds
        return {
            "seconds": seconds,
            "classes": len(subject.class_counts),
            "combinations": len(subject.counts(*PEOPLE, "disease")),
        }

    runs = [timed(measured) for _ in range(3)]
    one = min(runs, key=lambda one: one.seconds)
    return {**one.result, "processor": one.processor}


def draw_release(values: int):
    """People with their ages in decades and regions in fives, and a sensitive number of so many values."""
    import polars as pl

    from celosia.sample import people

    frame = people(1_000_000, seed=8, quasi_identifiers=5)

    def intervals(name: str, width: int) -> pl.Expr:
        low = pl.col(name) // width * width
        return pl.format("[{}-{}]", low, low + width - 1).alias(name)

    disease = (pl.col("other_1") % values).alias("disease")
    return frame.select(
        intervals("age", 10), "sex", intervals("region", 5), "education", "occupation", disease
    )


# Another package


def pycanon() -> None:
    """k, l and t of Adult, by pyCANON in its own environment and by us."""
    import polars as pl

    from celosia.measure.registry import choose_measures
    from celosia.measure.subject import MeasureSubject

    frame = pl.read_csv(adult_folder() / "adult.csv", separator=";")
    measures = choose_measures(["k", "distinct-l", "t-equal"])

    def ours() -> list:
        subject = MeasureSubject.of(None, frame, quasi_identifiers=ADULT_COLUMNS, sensitive=["occupation"])
        return [measure.answers(subject)[0].value for measure in measures]

    ours()
    mine = best(5, lambda: timed(ours))
    answers = dict(zip((measure.name for measure in measures), mine.result, strict=True))
    rows = [["Celosía", mine.seconds, mine.processor, 1.0, *_shown(*answers.values())]]
    theirs = ask_pycanon(frame)
    if theirs is not None:
        found = [theirs["k"], theirs["l"], theirs["t"]]
        assert [answers["k"], answers["distinct-l"]] == found[:2]
        assert abs(answers["t-equal"] - found[2]) < 1e-9
        times = theirs["processor"] / mine.processor
        rows.append(["pyCANON", theirs["seconds"], theirs["processor"], times, *_shown(*found)])
        rows.append(["wanted, at least", "", "", 200.0, "", "", ""])
    head = ["", "s", "processor s", "x processor", "k", "l", "t"]
    note = f"Quasi-identifiers: {', '.join(ADULT_COLUMNS)}. Sensitive: occupation. From a frame in memory."
    show("Adult, 30,162 rows, 7 quasi-identifiers: k, l and t", head, rows, note)


def _shown(k: float, distinct: float, t: float) -> list[str]:
    return [f"{k:g}", f"{distinct:g}", f"{t:.6f}"]


def ask_pycanon(frame) -> dict | None:
    """What it finds and how long it takes; None where it is not installed."""
    interpreter = ROOT / ".venv-rivals" / "bin" / "python"
    if not interpreter.exists():
        print("pyCANON is not installed; `make bench` does that\n")
        return None
    table = WORK / "adult-pycanon.csv"
    frame.write_csv(table)
    program = str(ROOT / "benchmarks" / "rivals.py")
    done = run(str(interpreter), program, "pycanon", str(table), ",".join(ADULT_COLUMNS), "occupation")
    return json.loads(done.output.splitlines()[-1])


PARTS = {"classes": classes, "pycanon": pycanon}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), help="Parts to measure.")
    parser.add_argument("--write", action="store_true", help="Put what is printed into the pages.")
    asked = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    for part in asked.only:
        PARTS[part]()
    if asked.write:
        fill("measure")
