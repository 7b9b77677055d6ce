"""Multidimensional and local recoding: how fast, how close to the data, against plain NumPy and another package.

    make bench                                           everything but the table larger than memory
    .venv/bin/python benchmarks/mondrian.py --adult --gcp    some parts; see PARTS below
    ... --large                                          50 million rows in 2 GB; takes minutes
    ... --jobs --counting --against ../before            and another version of the package beside this one, in turns
    ... --all --write                                    everything, and put what was printed into docs/*/benchmarks.md

Seconds of cutting are those of ``mondrian(space, rules)`` with kernels that an earlier run compiled and cached.
"""

import argparse
import json
import math
import os
import tempfile
import time
from functools import partial
from pathlib import Path

from full_domain import CELOSIA, COLUMNS, adult_evaluator
from measuring import (
    JOB_NOTE,
    ROOT,
    WORK,
    Run,
    best,
    call,
    compare_jobs,
    fill,
    job_head,
    peak_memory,
    public_table,
    run,
    show,
    timed,
)

NUMBERS = ("age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week")
NAMES = [
    *("age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation"),
    *("relationship", "race", "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country", "income"),
]  # fmt: skip
EIGHT = ["age", "workclass", "education-num", "marital-status", "occupation", "race", "sex", "native-country"]
# Nested: the easiest to know about somebody, then what acquaintances know, then everything that may be one.
ONE = ["age"]
SIX = [*ONE, "sex", "marital-status", "education-num", "occupation", "native-country"]
TWELVE = [*SIX, *(name for name in NAMES if name not in (*SIX, "race", "education", "income"))]
SPLITS = ("loss", "median", "distribution")


# Tables


def read_adult(*, is_complete: bool = True):
    """Adult with numbers as numbers; without the rows that lack something, 30,162 of 32,561."""
    import polars as pl

    frame = pl.read_csv(
        public_table("adult_uci/adult-train.csv"),
        has_header=False,
        new_columns=NAMES,
        schema_overrides=[pl.String] * 15,
    )
    frame = frame.with_columns(pl.all().str.strip_chars().replace({"?": None, "": None}))
    frame = frame.drop_nulls() if is_complete else frame.filter(~pl.all_horizontal(pl.all().is_null()))
    return frame.with_columns(pl.col(NUMBERS).cast(pl.Int64))


def trees_folder() -> Path:
    """The hierarchies of Adult's categories, as paths."""
    return public_table("adult_trees/adult_marital_status.txt").parent


def read_trees(names) -> dict:
    """The hierarchies of categorical columns; that of education comes from the other folder of Adult."""
    from celosia.hierarchies import read_hierarchy

    files = {name: trees_folder() / f"adult_{name.replace('-', '_')}.txt" for name in names}
    files["education"] = public_table("adult_arx/adult.csv").with_name("adult_hierarchy_education.csv")
    return {name: read_hierarchy(files[name], name) for name in names if files[name].exists()}


def draw_mixed(rows: int):
    """Eight columns of all kinds from a fixed seed: whole numbers, texts, an amount and a date."""
    import datetime

    import numpy as np
    import polars as pl

    from celosia.sample import people

    random = np.random.default_rng(8)
    days = pl.Series(random.integers(0, 3650, rows, dtype=np.int32)).cast(pl.Date)
    return people(rows, seed=8, quasi_identifiers=6, other=0).with_columns(
        pl.format("r{}", "region").alias("region"),
        pl.format("o{}", "occupation").alias("occupation"),
        pl.Series("income", random.lognormal(10, 0.6, rows).round(0)),
        (days + datetime.timedelta(days=14_600)).alias("admitted"),
    )


def space_of(frame, names, hierarchies=None):
    """What is cut: the distinct combinations of some columns as points."""
    from celosia.recode.space import build_space
    from celosia.tables import open_table

    table = open_table(frame)
    types = {column.name: column.type for column in table.schema()}
    return build_space(
        table.count_by(list(names)), quasi_identifiers=list(names), types=types, hierarchies=hierarchies or {}
    )


def rules_of(split: str, k: int = 5, **others):
    from celosia.privacy import KAnonymity
    from celosia.recode.mondrian import CutRules, Split

    return CutRules(models=(KAnonymity(k=k),), split=Split(split), **others)


# Adult against others


def adult() -> None:
    """Adult, eight quasi-identifiers, k = 5: cutting alone, and what every way of it loses."""
    from celosia.recode.local import partition_measures
    from celosia.recode.mondrian import mondrian

    frame, trees = read_adult(), read_trees(EIGHT)
    prepared = best(5, lambda: timed(lambda: space_of(frame, EIGHT)))
    spaces = {"": prepared.result, ", hierarchies": space_of(frame, EIGHT, trees)}
    runs = [(split, "", False) for split in ("loss", "median", "up-to-median", "distribution")]
    runs.append(("loss", "", True))
    runs += [("loss", ", hierarchies", False), ("median", ", hierarchies", False)]
    contenders = []
    for split, given, is_relaxed in runs:
        space, rules = spaces[given], rules_of(split, is_relaxed=is_relaxed)
        found = best(10, lambda space=space, rules=rules: timed(lambda: mondrian(space, rules)))
        classes = classes_of_rows(found.result, frame)
        name = f"Celosía, {'relaxed ' * is_relaxed}{split}{given}"
        contenders.append((name, found.seconds, found.processor, classes))
        if given:  # the function that measures everybody agrees with what a release says of itself
            own = partition_measures(found.result)["loss"]
            assert math.isclose(own, losses(frame, classes, trees)[2], rel_tol=1e-9), name
    points = places(frame)
    cut = best(2, lambda: timed(lambda: cut_plainly(points, least=5)))
    contenders.append(("plain recursive NumPy, median", cut.seconds, cut.processor, cut.result))
    contenders += anonypy(frame)
    first = contenders[0][2]
    rows = [["wanted, at most", 0.05, "", "", "", 1.5, "3.60 %", "", ""]]
    for name, seconds, processor, classes in contenders:
        count = int(classes.max()) + 1
        average = len(frame) / count / 5
        lost = [f"{100 * loss:.2f} %" for loss in losses(frame, classes, trees)]
        rows.append([name, seconds, processor, processor / first, count, average, *lost])
    head = ["", "cutting s", "processor s", "x processor", "classes", "average class / k"]
    head += ["loss by order", "loss by distinct", "loss by label"]
    note = (
        "Loss is the mean over rows and columns of what the class of a row really holds, 0 for one value. Numbers: "
        "(highest - lowest) / (range of the column). Categories by order: the same with their places in alphabetical "
        "order; by distinct: (distinct values - 1) / (values of the column - 1); by label: leaves of the lowest label "
        f"that covers them / all leaves, hierarchies of adult_trees. Counting and laying out: {prepared.seconds:.3f} s."
    )
    show("Adult, 30,162 rows, 8 quasi-identifiers, k = 5: cutting", head, rows, note)


def classes_of_rows(partition, frame):
    """The class of every row; of equal rows that a relaxed cut parted, as many in each class as it says."""
    import numpy as np
    import polars as pl

    space = partition.space
    points = pl.DataFrame(
        {axis.name: axis.values.gather(space.codes[:, number]) for number, axis in enumerate(space.axes)}
    )
    order = points.with_columns(n=np.arange(len(points))).sort(space.names)["n"].to_numpy()
    mine = frame.select(space.names).with_columns(n=np.arange(len(frame))).sort(space.names)["n"].to_numpy()
    found = np.empty(len(frame), np.int64)
    found[mine] = np.repeat(partition.classes[order], space.weights[order])
    return found


def losses(frame, classes, trees) -> tuple[float, float, float]:
    """What classes lose of the eight columns: by order, by distinct values, by covering label; see the note."""
    import numpy as np

    order = np.argsort(classes, kind="stable")
    sizes = np.bincount(classes)
    starts = np.cumsum(sizes) - sizes

    def ends(values):
        ordered = values[order]
        return np.minimum.reduceat(ordered, starts), np.maximum.reduceat(ordered, starts)

    total = np.zeros(3)
    for name in EIGHT:
        column = frame[name]
        codes = column.rank("dense").to_numpy().astype(np.int64) - 1
        low, high = ends(column.to_numpy() if name in NUMBERS else codes)
        by_order = by_distinct = by_label = (high - low) / (high.max() - low.min())
        if name not in NUMBERS:
            values = codes.max() + 1
            distinct = np.bincount(np.unique(classes * values + codes) // values)
            by_distinct = (distinct - 1) / (values - 1)
            by_label = covering(trees[name], column, ends) * (low < high)
        total += [shares @ sizes for shares in (by_order, by_distinct, by_label)]
    return tuple((total / (len(EIGHT) * len(frame))).tolist())


def covering(tree, column, ends):
    """The part of all leaves under the lowest label that all values of a class share."""
    import numpy as np

    leaf = tree.find(column.to_list())
    share = np.zeros(0)
    for level in range(tree.height, 0, -1):
        low, high = ends(tree.codes[level][leaf])
        here = tree.leaves(level)[low] / len(tree.values)
        share = np.where(low == high, here, share) if len(share) else here
    return share


def places(frame):
    """The eight columns as numbers from 0 to 1, categories in alphabetical order."""
    import numpy as np

    columns = [
        (frame[name] if name in NUMBERS else frame[name].rank("dense")).to_numpy().astype(float)
        for name in EIGHT
    ]
    return np.stack([(column - column.min()) / np.ptp(column) for column in columns], axis=1)


def cut_plainly(points, *, least: int):
    """Mondrian as a textbook has it: cut the widest column that can be at its median, then both sides."""
    import numpy as np

    found = np.empty(len(points), np.int64)
    classes = iter(range(len(points)))

    def cut(rows) -> None:
        part = points[rows]
        widths = np.ptp(part, axis=0)
        for column in np.argsort(-widths, kind="stable"):
            is_left = part[:, column] <= np.median(part[:, column])
            if least <= is_left.sum() <= len(rows) - least:
                cut(rows[is_left])
                cut(rows[~is_left])
                return
        found[rows] = next(classes)

    cut(np.arange(len(points)))
    return found


def anonypy(frame) -> list[tuple]:
    """The package anonypy in its own environment: its cuts alone."""
    import numpy as np

    interpreter = ROOT / ".venv-rivals" / "bin" / "python"
    if not interpreter.exists():
        print("anonypy is not installed; `make bench` does that\n")
        return []
    table, classes = WORK / "adult-8.csv", WORK / "anonypy.npy"
    frame.select(EIGHT).write_csv(table)
    done = run(
        str(interpreter), str(ROOT / "benchmarks" / "rivals.py"), "anonypy", str(table), str(classes), "5"
    )
    spent = json.loads(done.output.splitlines()[-1])
    return [("anonypy", spent["seconds"], spent["processor"], np.load(classes))]


# Growing tables


def speed() -> None:
    """1 and 5 million rows, and how the time grows from ten thousand rows to ten million."""
    sizes = {10**power: call(grow, 10**power, list(SPLITS)) for power in (4, 5, 6)}
    sizes[5_000_000] = call(grow, 5_000_000, ["loss", "median"])
    sizes[10**7] = call(grow, 10**7, ["loss", "median"]) if memory_allows(10**7) else {}
    rows = []
    for size, bar in ((1_000_000, 1.5), (5_000_000, 10.0)):
        for split in ("loss", "median"):
            one = sizes[size][split]
            cores = one["processor"] / one["seconds"]
            rows.append([f"{size:,} rows, {split}", bar, one["seconds"], cores, one["classes"], one["loss"]])
    head = ["8 mixed columns, k = 5", "wanted, at most s", "cutting s", "processor s / s", "classes", "loss"]
    show("Large tables in memory: cutting", head, rows)
    rows = []
    for split in SPLITS:
        for size, found in sizes.items():
            if split in found:
                one = found[split]
                scaled = one["seconds"] / (size * math.log2(size)) * 1e9
                cores = one["processor"] / one["seconds"]
                rows.append([split, size, found["points"], one["seconds"], scaled, cores, one["peak"]])
    head = ["split", "rows", "combinations", "cutting s", "ns / (n log2 n)", "processor s / s", "peak GB"]
    prepared = ", ".join(f"{size:,} rows {found['prepared']:.2f} s" for size, found in sizes.items() if found)
    note = (
        f"Counting and laying out come before, once: {prepared}. The peak is that of the whole process up to there, "
        "drawing the table and counting it included."
    )
    show("Growth: 8 mixed columns, k = 5", head, rows, note)


def counting(against: Path | None = None) -> None:
    """Counting and laying out 1 and 10 million rows, beside sorting one number for each of them."""
    rows = []
    for size in (10**6, 10**7):
        if not memory_allows(size):
            continue
        versions = {"now": ROOT} | ({} if against is None else {"before": against})
        runs: dict[str, list[dict]] = {name: [] for name in versions}
        for _ in range(3):
            for name, source in versions.items():
                runs[name].append(call(count_rows, size, source=source))
        # The smallest of each: whatever else the machine does only adds to it.
        best_of = {
            name: {key: min(one[key] for one in those) for key in those[0]} for name, those in runs.items()
        }
        now = best_of["now"]
        row = [f"{size:,} rows", now["floor"], now["touching"], now["seconds"], now["processor"], now["peak"]]
        if against is not None:
            before = best_of["before"]
            row += [before["seconds"], before["processor"], before["peak"]]
            row += [before["seconds"] / now["seconds"], before["processor"] / now["processor"]]
        rows.append(row)
    head = ["8 mixed columns", "sorting s", "touching s", "counting s", "processor s", "peak GB"]
    if against is not None:
        head += ["before s", "before processor s", "before GB", "before / now", "before / now, processor"]
    note = (
        "Nearly all combinations are different. Sorting: Polars puts one number of 64 bits per row into order, which "
        "is the least that counting does; touching: as many bytes as the codes, counts and keys of all rows take are "
        "written once. Every number is the smallest of three runs in fresh processes, all of them taken in turns."
    )
    show("Counting and laying out, 8 mixed columns", head, rows, note)


def count_rows(rows: int) -> dict:
    """Seconds and peak memory of counting so many rows and laying them out; for a fresh process."""
    import numpy as np
    import polars as pl

    space_of(draw_mixed(1_000), draw_mixed(1).columns)
    frame = draw_mixed(rows)
    done = timed(partial(space_of, frame, frame.columns))
    peak = peak_memory()
    assert done.result.rows == rows
    seconds, processor = done.seconds, done.processor
    del done, frame
    keys = pl.Series(np.random.default_rng(1).integers(0, 1 << 62, rows))
    floor = timed(keys.arg_sort)
    touching = timed(lambda: np.full((2 * 4 * 8 + 8 + 8 + 8) * rows, 1, np.uint8).nbytes)
    return {
        "seconds": seconds,
        "processor": processor,
        "peak": peak,
        "floor": floor.seconds,
        "touching": touching.seconds,
    }


def memory_allows(rows: int) -> bool:
    """Whether the system has some 1 kB for every row."""
    text = Path("/proc/meminfo").read_text(encoding="ascii")
    free = int(text.partition("MemAvailable:")[2].split()[0]) * 1024
    return free > 1_000 * rows


def grow(rows: int, splits: list[str]) -> dict:
    """Seconds and peak memory of cutting so many rows; for a fresh process."""
    from celosia.recode.local import partition_measures
    from celosia.recode.mondrian import mondrian

    small = draw_mixed(30_000)
    for (
        split
    ) in splits:  # the kernels are read from where they are cached, the way of one core and that of several
        mondrian(space_of(small[:1_000], small.columns), rules_of(split))
        mondrian(space_of(small, small.columns), rules_of(split))
    frame = draw_mixed(rows)
    prepared = timed(partial(space_of, frame, frame.columns))
    space = prepared.result
    del frame
    found = {"prepared": prepared.seconds, "points": len(space.weights)}
    for split in splits:
        times = 3 if rows <= 1_000_000 else 1
        one = best(times, lambda split=split: timed(lambda: mondrian(space, rules_of(split))))
        assert one.result.rows.min() >= 5
        assert one.result.rows.sum() == rows
        found[split] = {
            "seconds": one.seconds,
            "processor": one.processor,
            "classes": len(one.result),
            "loss": partition_measures(one.result)["loss"],
            "peak": peak_memory(),
        }
    return found


# Local recoding


def local() -> None:
    """Adult, nine quasi-identifiers: repeated search against the best single node."""
    from celosia.measure.utility import get_measure
    from celosia.recode.optimal import optimal_search
    from celosia.recode.repeated import repeated_search

    loss = get_measure("loss")

    def search(how, limit: float):
        evaluator = adult_evaluator(COLUMNS, limit, [loss])
        return timed(lambda: how(evaluator, loss))

    search(repeated_search, 0.0)  # the kernels are read from where they are cached
    found = best(5, lambda: search(repeated_search, 0.0))
    result, lost = found.result, found.result.measures["loss"]
    rows: list[list[object]] = [
        ["wanted, at most", 0.5, "", "", "", "", ""],
        ["Celosía, local", found.seconds, found.processor, lost, 1.0, result.suppressed, f"{result.classes:,} classes"],
    ]  # fmt: skip
    for limit in (0.0, 1.0):
        one = best(5, lambda limit=limit: search(optimal_search, limit))
        node = one.result.best
        value = node.measures["loss"]
        name = f"best full-domain node, suppression up to {limit:.0%}"
        rows.append(
            [name, one.seconds, one.processor, value, value / lost, node.suppressed, "optimum proven"]
        )
    published = "published elsewhere, not measured here"
    rows.append(["local recoding by a Java tool", 8.7, "", "", "", "", published])
    head = ["", "search s", "processor s", "loss", "x loss", "rows suppressed", ""]
    show("Adult, 30,162 rows, 9 quasi-identifiers, k = 5: local recoding", head, rows)


# Whole jobs


def jobs(against: Path | None = None) -> None:
    """From file to verified file by the command line, each in a fresh process."""
    adult_table, mixed_table = WORK / "adult-complete.csv", WORK / "mixed-1000000.parquet"
    read_adult().write_csv(adult_table)
    if not mixed_table.exists():
        draw_mixed(1_000_000).write_parquet(mixed_table)
    others = ",".join(name for name in NAMES if name not in EIGHT)
    eight = ("--hierarchies", str(trees_folder()), "--common", others)
    rows = []
    for name, table, columns, more in (
        ("Adult, 30,162 rows, CSV", adult_table, EIGHT, eight),
        ("1,000,000 rows, Parquet", mixed_table, draw_mixed(1).columns, ()),
    ):
        out = WORK / f"safe{table.suffix}"
        asked = [
            "anonymize",
            str(table),
            "--qi",
            ",".join(columns),
            "-k",
            "5",
            "--technique",
            "mondrian",
            *more,
        ]
        for split in SPLITS:
            asked_here = [*asked, "--split", split, "--out", str(out), "--overwrite"]

            def job(source: Path, arguments: list[str] = asked_here) -> Run:
                return run(CELOSIA, *arguments, source=source)

            rows.append(compare_jobs(f"{name}, {split}", table, columns, job, against, times=3))
        out.unlink()
    head = job_head("8 quasi-identifiers, k = 5", against)
    show("Mondrian by the command line: read, cut, write, read back, verify", head, rows, JOB_NOTE)


def first(against: Path | None = None) -> None:
    """The first use on a machine, when nothing is compiled yet, and the second."""
    rows = []
    for size in (1_000, 5_000):
        table, out = WORK / f"mixed-{size}.csv", WORK / "safe.csv"
        draw_mixed(size).write_csv(table)
        columns = ",".join(draw_mixed(1).columns)
        for split in ("loss", "distribution"):
            asked = ["anonymize", str(table), "--qi", columns, "-k", "5", "--technique", "mondrian"]
            asked += ["--split", split, "--out", str(out), "--overwrite"]
            row: list[object] = [f"{size:,} rows, {split}"]
            for source in (ROOT, against):
                if source is not None:
                    row += _first_and_second(asked, source)
            rows.append(row)
    head = ["8 quasi-identifiers, k = 5, CSV", *FIRST_HEAD]
    head += [f"{name}, before" for name in FIRST_HEAD] if against is not None else []
    note = "The second run begins when whatever the first one had compiled beside it is there."
    show("Mondrian by the command line at its first use", head, rows, note)


FIRST_HEAD = ["first s", "processor s", "second s", "processor s"]


def _first_and_second(asked: list[str], source: Path) -> list[object]:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["NUMBA_CACHE_DIR"] = folder
        try:
            one = run(CELOSIA, *asked, source=source)
            while any(Path(folder).rglob("*.compiling")):
                time.sleep(0.2)
            two = run(CELOSIA, *asked, source=source)
        finally:
            del os.environ["NUMBA_CACHE_DIR"]
    return [one.seconds, one.processor, two.seconds, two.processor]


# What is lost and what is kept


def gcp() -> None:
    """The loss of Adult by k and number of quasi-identifiers."""
    from celosia.recode.local import partition_measures
    from celosia.recode.mondrian import mondrian

    frame, ks = read_adult(), (2, 5, 10, 25, 50, 100)
    rows = []
    for names in (ONE, SIX, TWELVE):
        space = space_of(frame, names, read_trees(names))
        for split in ("loss", "median"):
            found = [partition_measures(mondrian(space, rules_of(split, k)))["loss"] for k in ks]
            rows.append(
                [f"{len(names)} quasi-identifiers, {split}", *(f"{100 * one:.2f} %" for one in found)]
            )
    note = (
        f"GCP: of numbers the range of the class over that of the column, of categories the leaves of the covering "
        f"label over all. One: {ONE[0]}. Six: and {', '.join(SIX[1:])}. Twelve: and {', '.join(TWELVE[6:])}."
    )
    show("GCP of Adult, 30,162 rows", ["", *(f"k = {k}" for k in ks)], rows, note)


def numbers() -> None:
    """Numbers that stay numbers: all twelve quasi-identifiers together, beside the four that are numbers alone."""
    import celosia
    from celosia.measure.distribution import Marginal, ks_distance

    frame = read_adult(is_complete=False)
    twelve = [name for name in NAMES if name not in ("fnlwgt", "education-num", "income")]
    four = [name for name in twelve if name in NUMBERS]
    trees = read_trees([name for name in twelve if name not in four])

    def uniques(table) -> int:
        return int((table.group_by(twelve).len()["len"] == 1).sum())

    def release(names, **asked):
        given = {name: tree for name, tree in trees.items() if name in names}
        return celosia.anonymize(
            frame, quasi_identifiers=names, hierarchies=given, common=["fnlwgt"], k=5, seed=1, **asked
        )

    rows = [["original", "", "", *[""] * len(four), uniques(frame)]]
    for title, names, asked in (
        (
            "mondrian, distribution",
            twelve,
            {"name": "mondrian", "split": "distribution", "represent": "mode"},
        ),
        ("mondrian, loss", twelve, {"name": "mondrian", "represent": "mode"}),
        ("distribution-mondrian", four, {"name": "distribution-mondrian"}),
    ):
        done = release(names, **asked)
        assert all(done.table[name].dtype.is_integer() for name in four), title
        assert done.verification.passed
        distances = [
            ks_distance(Marginal.of(frame[name].to_numpy()), Marginal.of(done.table[name].to_numpy()))
            for name in four
        ]
        verified = f"k = {done.verification.risk.k} over {len(names)}"
        rows.append([title, f"{len(names)} of 12", verified, *distances, uniques(done.table)])
    head = ["", "protected", "verified", *(f"D of {name}" for name in four), "unique rows over all 12"]
    note = (
        "D is the distance of Kolmogorov and Smirnov to the original: the largest difference between the shares of "
        "people up to a value. Numbers are released as whole numbers, the mode of their class or its median."
    )
    show(f"Adult, {len(frame):,} rows, k = 5: numbers that stay numbers", head, rows, note)


# Larger than memory


def large(rows: int = 50_000_000, budget: int = 2_000_000_000) -> None:
    """50 million rows with four numbers, cut inside a budget of memory."""
    table, out = WORK / f"numbers-{rows}.parquet", WORK / "safe-large.parquet"
    if not table.exists():
        call(draw_numbers, rows, str(table))
    found = []
    for split in ("distribution",):
        done = run(
            CELOSIA, "anonymize", str(table), "--qi", "age,income,stay,visits", "-k", "5", "--technique", "mondrian",
            "--split", split, "--memory", f"{budget // 10**6}MB", "--out", str(out), "--overwrite",
            timeout=7200,
        )  # fmt: skip
        record = json.loads(out.with_suffix(".record.json").read_text(encoding="utf-8"))
        assert record["verification"]["passed"]
        smallest = record["risk"]["after"]["k"]
        peak = done.peak * 1024**3 / 1e9
        speed = rows / done.seconds / 1e6
        found.append([split, done.seconds, speed, peak, budget / 1e9, f"k = {smallest}"])
        out.unlink()
        out.with_suffix(".record.json").unlink()
    head = ["4 numbers, k = 5", "whole job s", "million rows / s", "peak, 10^9 bytes", "budget", "verified"]
    show(f"{rows:,} rows, Parquet to Parquet, inside a budget of memory", head, found)


def draw_numbers(rows: int, path: str) -> None:
    """Four numeric columns, a million rows at a time."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    random, writer = np.random.default_rng(4), None
    for start in range(0, rows, 1_000_000):
        size = min(1_000_000, rows - start)
        part = pa.table(
            {
                "age": random.integers(16, 100, size, dtype=np.int16),
                "income": random.lognormal(10, 0.6, size).astype(np.int32),
                "stay": random.geometric(0.1, size).astype(np.int16),
                "visits": random.poisson(4, size).astype(np.int16),
            }
        )
        writer = writer or pq.ParquetWriter(path, part.schema)
        writer.write_table(part)
    if writer:
        writer.close()


PARTS = {part.__name__: part for part in (adult, speed, counting, local, jobs, first, gcp, numbers, large)}

if __name__ == "__main__":
    WORK.mkdir(parents=True, exist_ok=True)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, part in PARTS.items():
        parser.add_argument(f"--{name}", action="store_true", help=part.__doc__)
    parser.add_argument("--all", action="store_true", help="All parts.")
    parser.add_argument(
        "--against", type=Path, help="The folder of another version, for --jobs, --counting and --first."
    )
    parser.add_argument("--write", action="store_true", help="Put what is printed into the pages.")
    asked = vars(parser.parse_args())
    chosen = [name for name in PARTS if asked[name] or asked["all"]]
    for name in chosen or [name for name in PARTS if name != "large"]:
        PARTS[name](asked["against"]) if name in ("jobs", "counting", "first") else PARTS[name]()
    if asked["write"]:
        fill("mondrian")
