"""Random tables released in every way and read back by others: how many releases were tried, and how many broke.

    .venv/bin/python benchmarks/fuzz.py                  20,000 releases on two cores; a quarter of an hour
    ... --releases 1000 --processes 1                    fewer
    ... --seed 7                                         other tables
    ... --case 1234                                      one of them, with as few rows as show the same

Every release is read back as raw text, by pandas, by Polars and by DuckDB as they come, and every promise is counted
again by brute force (tests/fuzz), which shares nothing with the product. It ends with 1 if any broke.
"""

import argparse
import sys
import time
from collections import Counter, defaultdict
from multiprocessing import get_context
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "fuzz"))

from fuzz_cases import Case, draw_case  # noqa: E402
from fuzz_judge import Outcome, carry_out, plain_reason, shrink  # noqa: E402

COMMAND_EVERY = 200
"""One release of so many is asked for by the command line, which takes a process of its own."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--releases", type=int, default=20_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument(
        "--seed", type=int, default=1, help="the first million of cases, the second, and so on"
    )
    parser.add_argument("--case", type=int, help="only this one")
    asked = parser.parse_args()
    if asked.case is not None:
        show_case(asked.case)
        return
    started = time.perf_counter()
    first = asked.seed * 1_000_000
    cases = range(first, first + asked.releases)
    with get_context("spawn").Pool(asked.processes) as pool:
        outcomes = list(pool.imap_unordered(try_case, cases, chunksize=20))
    sys.exit(report(outcomes, time.perf_counter() - started))


def try_case(seed: int) -> Outcome:
    case = draw_case(seed)
    return carry_out(case, by_command=is_by_command(case))


def is_by_command(case: Case) -> bool:
    is_plain = (
        not case.hierarchies
        and not case.population
        and case.source not in ("pandas", "polars", "arrow", "duckdb")
    )
    return is_plain and case.seed % COMMAND_EVERY == 0


def report(outcomes: list[Outcome], seconds: float) -> int:
    kinds = Counter(one.kind for one in outcomes)
    broken = [one for one in outcomes if one.problems]
    print(f"tried                   {len(outcomes):>7,}   in {seconds:,.0f} s")
    print(f"released                {kinds['released']:>7,}")
    print(f"refused                 {kinds['refused']:>7,}")
    print(f"planned, then withdrawn {kinds['withdrawn']:>7,}")
    print(f"raised a traceback      {kinds['raised']:>7,}")
    print(f"broke                   {len(broken):>7,}")
    for kind in ("raised", "withdrawn", "refused"):
        groups = defaultdict(list)
        for one in outcomes:
            if one.kind == kind:
                groups[plain_reason(one.reason)].append(one.seed)
        show_groups(kind, groups)
    problems = defaultdict(list)
    for one in broken:
        for category, text in one.problems:
            problems[category].append((one.seed, text))
    show_groups("broke", problems)
    unread = defaultdict(list)
    for one in outcomes:
        for text in one.unread:
            unread[plain_reason(text)].append(one.seed)
    show_groups("could not be read by", unread)
    return int(bool(broken or kinds["raised"] or kinds["withdrawn"]))


def show_groups(title: str, groups: dict[str, list]) -> None:
    for reason, seeds in sorted(groups.items(), key=lambda group: -len(group[1])):
        print(f"\n{title}, {len(seeds)} times: {reason[:300]}")
        print(
            "   ",
            *(
                f"--case {seed}" if isinstance(seed, int) else f"--case {seed[0]}: {seed[1]}"
                for seed in seeds[:3]
            ),
        )


def show_case(seed: int) -> None:
    """A case and what became of it, with as few rows as end in the same way."""
    case = draw_case(seed)
    outcome = carry_out(case)
    if outcome.problems or outcome.kind in ("raised", "withdrawn"):
        case = shrink(case, outcome)
        outcome = carry_out(case)
    print(outcome.kind, outcome.reason)
    for category, text in outcome.problems:
        print(f"broke: {category}: {text}")
    print(f"from {case.source} to {case.out or 'a frame'}, by {case.way}, {case.options}")
    for model in case.models:
        print("model", model)
    for name, rows in case.hierarchies.items():
        print("hierarchy", repr(name), rows)
    for column in case.columns:
        print(f"{column.role:<17} {column.name!r:<9} {column.kind:<8} {list(column.values)}")
    if case.population:
        print("population", case.population)


if __name__ == "__main__":
    main()
