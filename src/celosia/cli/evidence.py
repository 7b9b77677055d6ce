"""What a person reads after a release: risk before and after, rows, node, measures, search, verification."""

from pathlib import Path
from typing import TYPE_CHECKING

from celosia.cli.show import count, heading, per_cent, print_columns, print_line
from celosia.release.publish import record_path

if TYPE_CHECKING:
    from celosia.hierarchies import Hierarchy
    from celosia.measure.risk import ClassRisk
    from celosia.run import Release

__all__ = ["print_release"]


def print_release(release: "Release") -> None:
    """Print the evidence of a release and where it lies."""
    _print_risk(release.risk_before, release.risk_after)
    _print_rows(release)
    _print_node(release)
    _print_measures(release)
    heading("Verified, from what was written")
    for finding in release.verification.findings:
        print_line(f"  {finding.text}", colour="green" if finding.passed else "red")
    destination = Path(str(release.table))
    heading("Written")
    print_line(f"  release  {destination}")
    print_line(f"  record   {record_path(destination)}")


def _print_risk(before: "ClassRisk", after: "ClassRisk") -> None:
    print_line("Risk of being singled out", bold=True)
    rows = [
        ("smallest class (k)", f"{before.k:,}", f"{after.k:,}"),
        ("highest risk", per_cent(before.highest), per_cent(after.highest)),
        ("average risk", per_cent(before.average), per_cent(after.average)),
        ("unique rows", f"{before.uniques:,}", f"{after.uniques:,}"),
    ]
    print_columns(rows, ["", "before", "after"], right=[1, 2])


def _print_rows(release: "Release") -> None:
    written = release.written
    heading("Rows")
    rows = [
        ("released", written.written),
        ("suppressed, in too small classes", written.suppressed),
        ("left out, with missing or unknown values", written.excluded),
    ]
    print_columns([(what, f"{n:,}", per_cent(n / max(1, written.source))) for what, n in rows], right=[1, 2])


def _print_node(release: "Release") -> None:
    heading("Generalization")
    rows = []
    for column, level in release.levels.items():
        hierarchy = release.hierarchies[column]
        rows.append(
            (column, f"{level} of {hierarchy.height}", _example(hierarchy, level), release.reasons[column])
        )
    print_columns(rows, ["column", "level", "for example", "hierarchy"])


def _example(hierarchy: "Hierarchy", level: int) -> str:
    """What a value in the middle of the hierarchy becomes."""
    if level == 0:
        return "as it is"
    value = hierarchy.values[len(hierarchy.values) // 2]
    return f"{value} becomes {hierarchy.level(level)[value]}"


def _print_measures(release: "Release") -> None:
    from celosia.measure.utility import CellMeasure, utility_measures

    result = release.result
    heading("What it cost (lower is better)")
    rows = []
    for name, measure in utility_measures().items():
        value = release.candidate.measures[name]
        is_share = isinstance(measure, CellMeasure) and measure.is_share
        rows.append((name, per_cent(value) if is_share else f"{value:,.6g}", measure.meaning))
    print_columns(rows, right=[1])
    nodes = f"{result.checks:,} of {count(result.nodes, 'node')} looked at in {result.seconds:.2f} s"
    if result.search == "picked":
        verdict = "picked by hand"
    elif result.is_proven:
        verdict = f"no generalization has a lower {result.measure} (proven)"
    else:
        verdict = f"not proven to be the lowest {result.measure}"
    print_line(f"  {result.search}: {verdict}; {nodes}")
    if result.note and result.search != "picked":
        print_line(f"  {result.note}")
