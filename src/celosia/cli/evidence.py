"""What a person reads after a release: risk before and after, rows, node, measures, search, verification."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from celosia.cli.show import count, heading, per_cent, print_columns, print_line
from celosia.release.publish import record_path
from celosia.tables.spark.address import record_beside

if TYPE_CHECKING:
    from celosia.hierarchies import Hierarchy
    from celosia.measure.distribution.compare import Comparison
    from celosia.measure.risk import ClassRisk
    from celosia.recode.result import SearchResult
    from celosia.run import Release

__all__ = ["print_release"]


def print_release(release: "Release") -> None:
    """Print the evidence of a release and where it lies."""
    for text in (*release.record["changes"], *release.record["weaknesses"]):
        print_line(f"Note: {text}", colour="yellow")
    if release.risk_before is not None and release.risk_after is not None:
        _print_risk(release.risk_before, release.risk_after)
    _print_rows(release)
    _print_operations(release)
    if release.technique_plan is not None:
        _print_recoding(release)
        _print_measures(release)
    if release.comparison is not None:
        _print_distributions(release.comparison)
    heading("Verified, from what was written")
    for finding in release.verification.findings:
        print_line(f"  {finding.text}", colour="green" if finding.passed else "red")
    if "ledger" in release.record:
        _print_ledger(release.record["ledger"])
    heading("Written")
    print_line(f"  release  {release.table}")
    record = release.record["destination"].get("record")
    if isinstance(release.table, Path):
        record = record_path(release.table)
    elif record is None and isinstance(release.table, str):
        record = record_beside(release.table)
    if record is not None:
        print_line(f"  record   {record}")


def _print_ledger(found: Mapping[str, Any]) -> None:
    heading("Together with earlier releases")
    for check in found["checks"]:
        numbers = ", ".join(map(str, check["against"]))
        if "k" in check:
            text = f"k {check['k']:,} remains once joined with {numbers}, by the {check['way']} of people"
            print_line(f"  {text}", colour="green" if check["passed"] else "red")
        for text in check.get("unknown", ()):
            print_line(f"  not known: {text}", colour="yellow")
    print_line(f"  recorded in {found['file']} as {found['anchor']}")


def _print_risk(before: "ClassRisk", after: "ClassRisk") -> None:
    print_line("Risk of being singled out", bold=True)
    rows = [
        ("smallest class (k)", f"{before.k:,}", f"{after.k:,}"),
        ("highest risk", per_cent(before.highest), per_cent(after.highest)),
        ("average risk", per_cent(before.average), per_cent(after.average)),
        ("unique rows", f"{before.uniques:,}", f"{after.uniques:,}"),
        (f"in classes under {after.threshold}", *(f"{round(r.at_risk * r.rows):,}" for r in (before, after))),
    ]
    print_columns(rows, ["", "before", "after"], right=[1, 2])


def _print_rows(release: "Release") -> None:
    written = release.written
    heading("Rows")
    rows = [("released", written.written)]
    if release.technique_plan is not None:
        rows += [
            ("suppressed, in too small classes", written.suppressed),
            ("left out, with missing or unknown values", written.excluded),
        ]
    if release.dropped:
        rows.append(("dropped by operations", release.dropped))
    source = max(1, written.source + release.dropped)
    print_columns([(what, f"{n:,}", per_cent(n / source)) for what, n in rows], right=[1, 2])


def _print_operations(release: "Release") -> None:
    """What operations did to columns, whether it can be undone, and what it still tells."""
    done = release.record["operations"]["columns"]
    rows = [
        (name, one["what"], one["reversible"], one["leaks"]) for name, chain in done.items() for one in chain
    ]
    if rows:
        heading("Operations")
        print_columns(rows, ["column", "", "reversible", "still tells"])


def _print_recoding(release: "Release") -> None:
    plan = release.plan
    if plan.result is None:
        heading(f"Recoding ({release.record['technique']['name']})")
        print_columns([(column, text, plan.reasons.get(column, "")) for column, text in plan.shown.items()])
        return
    heading("Generalization")
    rows = []
    for column, level in release.levels.items():
        hierarchy = plan.hierarchies[column]
        rows.append(
            (column, f"{level} of {hierarchy.height}", _example(hierarchy, level), plan.reasons[column])
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

    plan = release.plan
    heading("What it cost (lower is better)")
    rows = []
    for name, measure in utility_measures().items():
        if name in plan.measures:
            value = plan.measures[name]
            is_share = isinstance(measure, CellMeasure) and measure.is_share
            rows.append((name, per_cent(value) if is_share else f"{value:,.6g}", measure.meaning))
    print_columns(rows, right=[1])
    if plan.result is not None:
        _print_search(plan.result)
    elif plan.note:
        print_line(f"  {plan.note}")


def _print_distributions(comparison: "Comparison") -> None:
    heading("What is left of the distributions")
    rows = []
    for column in comparison.columns:
        distance = "" if column.distance is None else f"{column.distance:.5f}"
        significance = "" if column.significance is None else f"{column.significance:.6g}"
        moved = "" if column.wasserstein_share is None else per_cent(column.wasserstein_share)
        kept = "kept" if column.is_kept else "changed"
        rows.append((column.column, distance, significance, moved, f"{column.variation:.4f}", kept))
    heads = ["column", "KS distance", "significance", "moved", "variation", "within 0.05"]
    print_columns(rows, heads, right=range(1, 5))
    if comparison.correlation_largest is not None:
        print_line(f"  correlations changed by at most {comparison.correlation_largest:.4f}")


def _print_search(result: "SearchResult") -> None:
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
