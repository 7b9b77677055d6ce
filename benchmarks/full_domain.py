"""Full-domain generalization against the floor, a naive implementation and other packages, in one run.

    make bench                                   everything
    .venv/bin/python benchmarks/full_domain.py adult start     some parts; see PARTS below
    ... large --against ../before                and another version of the package beside this one, in turns
    ... --write                                  and put what was printed into docs/*/benchmarks.md

The floor is what nobody can beat: Polars reads the file, groups by the quasi-identifiers and writes the file again. A
release is in random order, so the floor is shown with the rows shuffled, too.
"""

import argparse
import sys
import time
from pathlib import Path

from measuring import (
    FLOOR,
    JOB_NOTE,
    ROOT,
    WORK,
    Run,
    best,
    compare_jobs,
    fill,
    job_head,
    public_table,
    python,
    run,
    show,
)

OTHERS = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "salary-class"]
COLUMNS = [*OTHERS[:7], "occupation", "salary-class"]
CELOSIA = str(Path(sys.executable).with_name("celosia"))
LIMITS = (0.0, 0.05, 1.0)


def adult_folder() -> Path:
    """Adult and a hierarchy for each of its columns."""
    return public_table("adult_arx/adult.csv").parent


def adult_job(suppression: float, out: Path):
    """The whole job as a user runs it: a fresh process that reads, searches, writes, reads back and verifies."""
    folder = adult_folder()
    return run(
        CELOSIA,
        *(
            "anonymize",
            str(folder / "adult.csv"),
            "--separator",
            ";",
            "--qi",
            ",".join(COLUMNS),
            "--technique",
            "full-domain",
            "-k",
            "5",
        ),
        *("--hierarchies", str(folder), "--suppression", str(suppression), "--out", str(out), "--overwrite"),
    )


def adult_evaluator(columns, suppression, measures):
    from celosia.api import ReleaseRequest, build_project
    from celosia.run import prepare

    folder = adult_folder()
    project = build_project(
        ReleaseRequest.of(
            folder / "adult.csv",
            quasi_identifiers=columns,
            hierarchies={name: folder / f"adult_hierarchy_{name}.csv" for name in columns},
            k=5,
            suppression=suppression,
        )
    )
    return prepare(project).evaluator.with_measures(measures)


def adult() -> None:
    """Adult, nine quasi-identifiers, k = 5: search and whole job."""
    from celosia.measure.utility import get_measure
    from celosia.recode.optimal import optimal_search

    loss = get_measure("loss")
    out = WORK / "adult-safe.csv"
    table = str(adult_folder() / "adult.csv")
    floor = best(3, lambda: python(FLOOR, table, str(WORK / "floor.csv"), ",".join(COLUMNS), ";"))
    import celosia.kernels.frequency  # noqa: F401  the kernels were compiled and cached by an earlier run

    rows = [["floor (Polars: read, group by, write)", "", "", floor.seconds, 1.0, "", ""]]
    for limit in LIMITS:
        results = [optimal_search(adult_evaluator(COLUMNS, limit, [loss]), loss) for _ in range(5)]
        fastest = min(results, key=lambda result: result.seconds)
        job = best(3, lambda limit=limit: adult_job(limit, out))
        rows.append(
            [
                "Celosía",
                f"{limit:.0%}",
                fastest.seconds,
                job.seconds,
                job.seconds / floor.seconds,
                fastest.best.measures["loss"],
                f"optimum proven, {fastest.checks} of {fastest.nodes:,} nodes checked",
            ]
        )
    rows += [naive(loss, floor), anjana(floor), ["anonypy", "", "", "cannot", "", "", "Mondrian only"]]
    head = ["", "suppression", "search s", "whole job s", "x floor", "loss", ""]
    show("Adult, 30,162 rows, 9 quasi-identifiers, k = 5", head, rows)


def naive(loss, floor) -> list[object]:
    """Nodes by growing loss, each recoded and grouped from the rows with Polars, until one is valid."""
    import numpy as np
    import polars as pl

    started = time.perf_counter()
    evaluator = adult_evaluator(COLUMNS, 0.0, [loss])
    frame = pl.read_csv(adult_folder() / "adult.csv", separator=";", infer_schema_length=0)
    base = evaluator.base(loss)
    for checks, place in enumerate(np.argsort(base, axis=None), 1):
        node = np.unravel_index(place, base.shape)
        maps = [
            pl.col(column.name).replace_strict(
                dict(
                    zip(
                        column.values,
                        np.array(column.labels[level], object)[column.levels[level]],
                        strict=True,
                    )
                )
            )
            for column, level in zip(evaluator.domain.columns, node, strict=True)
        ]
        if frame.select(maps).group_by(COLUMNS).len()["len"].min() >= 5:
            break
        if time.perf_counter() - started > 120:
            return ["naive", "0%", "over 120", "", "", "", f"stopped after {checks:,} of {base.size:,} nodes"]
    seconds = time.perf_counter() - started
    return [
        "naive",
        "0%",
        seconds,
        seconds,
        seconds / floor.seconds,
        float(base[node]),
        f"{checks:,} nodes checked",
    ]


def anjana(floor) -> list[object]:
    """The package anjana, in its own environment; its search is greedy and proves nothing."""
    interpreter = ROOT / ".venv-rivals" / "bin" / "python"
    if not interpreter.exists():
        return ["anjana", "0%", "", "not installed", "", "", "`make bench` installs it"]
    try:
        job = run(
            str(interpreter), str(ROOT / "benchmarks" / "rivals.py"), str(adult_folder()), ",".join(COLUMNS)
        )
    except SystemExit as error:
        return ["anjana", "0%", "", "failed", "", "", str(error).strip().splitlines()[-1][:80]]
    return [
        "anjana",
        "0%",
        "",
        job.seconds,
        job.seconds / floor.seconds,
        "",
        job.output.strip().splitlines()[-1],
    ]


def lattice() -> None:
    """The whole lattice, and Incognito's complete answer."""
    from celosia.measure.utility import get_measure, utility_measures
    from celosia.recode.explore import explore
    from celosia.recode.incognito import incognito
    from celosia.recode.optimal import optimal_search

    every = list(utility_measures().values())
    rows = []
    for columns in (COLUMNS, OTHERS):
        explored = min(
            (explore(adult_evaluator(columns, 0.0, every)) for _ in range(3)), key=lambda one: one.seconds
        )
        found = min(
            (incognito(adult_evaluator(columns, 0.0, [])) for _ in range(3)), key=lambda one: one.seconds
        )
        loss = get_measure("loss")
        optimum = optimal_search(adult_evaluator(columns, 0.0, [loss]), loss)
        published = {12_960: ["", ""], 4_320: [1_302, 115]}[explored.lattice.size]
        rows += [
            [
                f"{explored.lattice.size:,} nodes",
                "explore, 6 measures",
                explored.seconds,
                explored.lattice.size,
                "",
                "",
            ],
            [
                "",
                "Incognito",
                found.seconds,
                found.checks,
                published[0],
                f"{len(found.nodes)} valid, {len(found.minimal)} minimal",
            ],
            ["", "optimal for loss", optimum.seconds, optimum.checks, published[1], "proven"],
        ]
    show(
        "Adult's lattice, k = 5, no suppression",
        ["", "search", "seconds", "checks", "published checks", ""],
        rows,
    )


def _people(rows: int, suffix: str) -> tuple[Path, list[str], Path]:
    """A generated table and its hierarchies, made once."""
    from celosia.hierarchies import Hierarchy, write_hierarchy
    from celosia.sample import people, people_hierarchies
    from celosia.tables import write_frame

    path = WORK / f"people-{rows}{suffix}"
    folder = WORK / "people-hierarchies"
    folder.mkdir(parents=True, exist_ok=True)
    hierarchies = people_hierarchies()
    for name, paths in hierarchies.items():
        write_hierarchy(Hierarchy.from_rows(name, paths), folder / f"{name}.csv")
    if not path.exists():
        write_frame(people(rows, seed=1), path)
    return path, list(hierarchies), folder


def large(against: Path | None = None) -> None:
    """1 and 10 million rows x 6 quasi-identifiers, reading, writing and verification included."""
    rows = []
    for count in (1_000_000, 10_000_000):
        for suffix in (".csv", ".parquet"):
            path, columns, folder = _people(count, suffix)
            out = WORK / f"safe{suffix}"

            asked = [
                "anonymize",
                str(path),
                "--qi",
                ",".join(columns),
                "--technique",
                "full-domain",
                "-k",
                "5",
                "--suppression",
                "0.02",
            ]
            asked += ["--hierarchies", str(folder), "--out", str(out), "--overwrite"]

            def job(source: Path, arguments: list[str] = asked) -> Run:
                return run(CELOSIA, *arguments, source=source)

            rows.append(compare_jobs(f"{count:,} rows {suffix}", path, columns, job, against, times=3))
            out.unlink()
    head = job_head("6 quasi-identifiers, k = 5, 2 % suppression", against)
    show("Large tables, fresh process", head, rows, JOB_NOTE)


def wide() -> None:
    """1 million rows x 800 columns in Parquet, 6 of them quasi-identifiers."""
    import numpy as np
    import polars as pl
    import pyarrow as pa
    import pyarrow.parquet as pq

    from celosia.sample import people

    path = WORK / "wide.parquet"
    _, columns, folder = _people(1_000_000, ".parquet")
    if not path.exists():
        random = np.random.default_rng(5)
        writer = None
        frame = people(1_000_000, seed=2).select(columns)
        for start in range(0, len(frame), 50_000):
            part = frame.slice(start, 50_000)
            noise = random.normal(size=(794, len(part)))
            part = part.with_columns(pl.Series(f"x{i}", noise[i]) for i in range(794)).to_arrow()
            writer = writer or pq.ParquetWriter(path, part.schema)
            writer.write_table(part)
        writer.close()
        assert isinstance(part, pa.Table)
    out = WORK / "wide-safe.parquet"
    job = run(
        CELOSIA, "anonymize", str(path), "--qi", ",".join(columns), "--technique", "full-domain", "-k", "5",
        "--hierarchies", str(folder),
        "--suppression", "0.02", "--out", str(out), "--overwrite",
    )  # fmt: skip
    out.unlink()
    size = path.stat().st_size / 1024**3
    show(
        "1,000,000 rows x 800 columns, Parquet",
        ["file GB", "whole job s", "peak GB"],
        [[size, job.seconds, job.peak]],
    )


def huge() -> None:
    """A lattice too large to finish: how good the anytime search is after 1, 5 and 20 seconds."""
    from celosia.api import ReleaseRequest, build_project
    from celosia.run import prepare, search
    from celosia.sample import discharges

    frame = discharges(100_000, seed=3)
    frame = frame.with_columns(
        seen_day=frame["admission_date"].dt.day(),
        seen_week=frame["admission_date"].dt.week(),
        birth_year=frame["birth_date"].dt.year(),
        birth_day=frame["birth_date"].dt.ordinal_day(),
    )
    columns = [name for name in frame.columns if frame[name].n_unique() < 40_000][-20:]
    rows = []
    for seconds in (1, 5, 20):
        project = build_project(
            ReleaseRequest.of(
                frame, quasi_identifiers=columns, k=5, suppression=0.05, seconds=seconds, seed=1
            )
        )
        result = search(prepare(project, source=frame))
        rows.append(
            [seconds, f"{result.nodes:.1e}", result.checks, result.best.measures["loss"], "not proven"]
        )
    show(f"{len(columns)} quasi-identifiers, 100,000 rows", ["seconds", "nodes", "checks", "loss", ""], rows)


def start() -> None:
    """What it costs to start."""
    bare = best(5, lambda: python("pass"))
    package = best(5, lambda: python("import celosia"))
    help_page = best(5, lambda: run(CELOSIA, "--help"))
    show(
        "Start-up",
        ["", "seconds"],
        [["import celosia adds", package.seconds - bare.seconds], ["celosia --help", help_page.seconds]],
    )


PARTS = {part.__name__: part for part in (start, adult, lattice, large, wide, huge)}

if __name__ == "__main__":
    WORK.mkdir(parents=True, exist_ok=True)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="Which parts; all by default.")
    parser.add_argument("--against", type=Path, help="The folder of another version, for the part large.")
    parser.add_argument("--write", action="store_true", help="Put what is printed into the pages.")
    asked = parser.parse_args()
    for name in asked.parts or PARTS:
        large(asked.against) if name == "large" else PARTS[name]()
    if asked.write:
        fill("full_domain")
