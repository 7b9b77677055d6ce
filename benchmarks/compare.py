"""Comparisons: the published grid of three medical tables, six techniques, seven models and ten folds.

    .venv/bin/python benchmarks/compare.py               the whole grid
    ... --tables heart_297_numeric                       some tables
    ... --jobs 1                                         other numbers of processes; all cores unless said
    ... --write                                          and put what was printed into docs/*/benchmarks.md

The techniques are the published ones, made here: noise of a standard deviation and a half for R's noise, and local
suppression to k = 2 for R's k-anonymity; the sixth table is the original. Models learn from every table and are tested
on rows of it and of the original; the models also learn from the original on one scale. Seconds are from the file to
the answers, those of the risks of every table included; processor seconds are of all processes.
"""

import argparse
import resource
from time import perf_counter

from measuring import fill, public_table, show

TABLES = ("diabetes_392", "heart_297_numeric", "wdbc_550")
TECHNIQUES = {
    "generalization": "cpda-generalization",
    "noise": "cpda-noise",
    "deletion": "cpda-deletion",
    "noise, R": "noise(percent=150)",
    "2-anonymity": "local-suppression(k=2)",
}
WANTED = 120


def main(tables, jobs) -> None:
    from celosia import compare_techniques

    rows, seconds, processor = [], 0.0, 0.0
    for name in tables:
        path = public_table(f"medical/{name}.arff")
        begun, used = perf_counter(), spent()
        found = compare_techniques(path, None, TECHNIQUES, seed=1, jobs=jobs)
        took, worked = perf_counter() - begun, spent() - used
        seconds, processor = seconds + took, processor + worked
        for table in found.results:
            scores = [found.find(table.name, model) for model in found.models]
            shown = ["" if one is None else f"{100 * one.value:.3f}" for one in scores]
            rows.append([name, table.name, table.rows, *shown])
    show("Accuracy, %, tested on rows of the same table", ["", "table", "rows", *found.models], rows)
    show(
        "The whole grid",
        ["", "seconds", "processor seconds"],
        [["wanted, at most", WANTED, ""], ["took", f"{seconds:.1f}", f"{processor:.1f}"]],
    )


def spent() -> float:
    """Processor seconds of this process and of those it has waited for."""
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in both)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", nargs="+", choices=TABLES, default=TABLES)
    parser.add_argument("--jobs", type=int, default=None)
    parser.add_argument("--write", action="store_true")
    told = parser.parse_args()
    main(told.tables, told.jobs)
    if told.write:
        fill("compare")
