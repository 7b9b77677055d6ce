"""Perturbations: how long MDAV takes, and how it grows.

    .venv/bin/python benchmarks/perturb.py               from 1,000 to 100,000 rows
    ... --rows 1000 10000                                other sizes
    ... --write                                          and put what was printed into docs/*/benchmarks.md

Six columns, groups of 3 or more. Seconds are those of finding the groups, on one core, with kernels that an earlier run
compiled and cached. Looking at all rows is the same algorithm without boxes, in NumPy.
"""

import argparse
import sys

import numpy as np

from measuring import ROOT, fill, show, timed

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)
PLAIN = 10_000
"""The plain twin is quadratic: it is run up to here."""


def draw(kind: str, rows: int):
    """Points in six columns, from a fixed seed."""
    rng = np.random.default_rng(8)
    if kind == "even":
        return rng.random((rows, 6))
    return rng.normal(size=(rows, 6)) if kind == "normal" else rng.lognormal(size=(rows, 6))


def main(sizes) -> None:
    from celosia.kernels.mdav import mdav_groups
    from celosia.perturb.groups import standardize

    sys.path.insert(0, str(ROOT / "tests" / "property"))
    from plain_perturbations import plain_mdav

    mdav_groups(draw("normal", 100), 3)
    rows = []
    for size in sizes:
        points = {kind: standardize(draw(kind, size)) for kind in ("normal", "even", "lognormal")}
        found = {kind: timed(lambda each=each: mdav_groups(each, 3)) for kind, each in points.items()}
        plain = timed(lambda each=points["normal"]: plain_mdav(each, 3)) if size <= PLAIN else None
        if plain is not None:
            assert (plain.result == found["normal"].result).all()
        rows.append(
            [size, *(run.processor for run in found.values()), "" if plain is None else plain.processor]
        )
    show(
        "MDAV, groups of 3, six columns: seconds of processor",
        ["rows", "normal", "even", "lognormal", "looking at all rows, NumPy, normal"],
        rows,
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, nargs="+", default=SIZES)
    parser.add_argument("--write", action="store_true")
    told = parser.parse_args()
    main(told.rows)
    if told.write:
        fill("perturb")
