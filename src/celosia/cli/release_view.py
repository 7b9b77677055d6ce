"""What a person reads after a release: risk before and after, rows, node, measures, search, verification."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from celosia.api.registries import is_share, utility_measures
from celosia.api.releasing import record_place
from celosia.cli.language import figure, render, tr, tr_count
from celosia.cli.show import heading, per_cent, print_columns, print_line

if TYPE_CHECKING:
    from celosia.api.results import (
        ClassRisk,
        DistributionComparison,
        Hierarchy,
        Release,
        SearchResult,
        Verdict,
        Verification,
    )

__all__ = ["print_findings", "print_release", "print_verdict"]


def print_release(release: "Release") -> None:
    """Print the evidence of a release and where it lies."""
    for text in (*release.record["changes"], *release.record["weaknesses"]):
        print_line(tr("Note: {note}", note=text), colour="yellow")
    if release.risk_before is not None and release.risk_after is not None:
        unique = tr("unique people") if "people" in release.record else tr("unique rows")
        _print_risk(release.risk_before, release.risk_after, unique)
    _print_rows(release)
    _print_operations(release)
    if release.technique_plan is not None:
        _print_recoding(release)
        _print_measures(release)
    if release.comparison is not None:
        _print_distributions(release.comparison)
    print_findings(release.verification)
    print_verdict(release.verdict)
    if "ledger" in release.record:
        _print_ledger(release.record["ledger"])
    heading(tr("Written"))
    print_line(tr("  release  {place}", place=release.table))
    record = record_place(release)
    if record is not None:
        print_line(tr("  record   {place}", place=record))


def print_findings(verification: "Verification") -> None:
    """Print what reading back a release has shown."""
    heading(tr("Verified, from what was written"))
    for finding in verification.findings:
        print_line(f"  {render(finding.text)}", colour="green" if finding.passed else "red")


COLOURS = {"protected": "green", "protected-as-declared": "yellow", "broken": "red"}
"""How each verdict is shown."""


MOST_SHOWN = 20
"""Exposed columns that are shown with their remedies: those that single out most come first."""


def print_verdict(verdict: "Verdict") -> None:
    """Print what a release is worth, what stands against it, and what somebody answers for."""
    heading(tr("Verdict"))
    print_line("  " + render(verdict.sentence), colour=COLOURS[verdict.kind], bold=True)
    for exposed in verdict.exposed[:MOST_SHOWN]:
        print_line(f"  {exposed.column}: {render(exposed.reason)}", colour="yellow")
        print_line("    " + "; ".join(render(remedy) for remedy in exposed.remedies))
    if len(verdict.exposed) > MOST_SHOWN:
        more = len(verdict.exposed) - MOST_SHOWN
        print_line(f"  {tr('{count:,} more columns, which the record lists', count=more)}", colour="yellow")
    for some in verdict.together:
        text = tr(
            "{columns} together: {alone:,} people alone, {small:,} in small groups",
            columns=", ".join(some.columns),
            alone=some.alone,
            small=some.small,
        )
        print_line(f"  {text}", colour="yellow")
    for guarded in verdict.guarded:
        print_line(f"  {guarded.column}: {render(guarded.reason)}")
    for signed in verdict.accepted:
        text = tr(
            "{column}: accepted by {by} on {on}: {why}",
            column=signed.column,
            by=signed.by,
            on=signed.on,
            why=signed.why,
        )
        print_line(f"  {text}")


def _print_ledger(checked: Mapping[str, Any]) -> None:
    heading(tr("Together with earlier releases"))
    for check in checked["checks"]:
        numbers = ", ".join(map(str, check["against"]))
        if "k" in check:
            way = check["way"]
            text = tr(
                "k {k:,} remains once joined with {releases}, by the {way} of people",
                k=check["k"],
                releases=numbers,
                way=tr(way),
            )
            print_line(f"  {text}", colour="green" if check["passed"] else "red")
        for text in check.get("unknown", ()):
            print_line("  " + tr("not known: {what}", what=text), colour="yellow")
    print_line("  " + tr("recorded in {file} as {anchor}", file=checked["file"], anchor=checked["anchor"]))


def _print_risk(before: "ClassRisk", after: "ClassRisk", unique: str) -> None:
    print_line(tr("Risk of being singled out"), bold=True)
    under = tr("in classes under {size:,}", size=after.threshold)
    rows = [
        (tr("smallest class (k)"), figure(before.k), figure(after.k)),
        (tr("highest risk"), per_cent(before.highest), per_cent(after.highest)),
        (tr("average risk"), per_cent(before.average), per_cent(after.average)),
        (unique, figure(before.uniques), figure(after.uniques)),
        (under, *(figure(round(r.at_risk * r.rows)) for r in (before, after))),
    ]
    print_columns(rows, ["", tr("before"), tr("after")], right=[1, 2])


def _print_rows(release: "Release") -> None:
    written = release.written
    heading(tr("Rows"))
    rows = [(tr("released"), written.written)]
    if release.technique_plan is not None:
        rows += [
            (tr("suppressed, in too small classes"), written.suppressed),
            (tr("left out, with missing or unknown values"), written.excluded),
        ]
    if release.dropped:
        rows.append((tr("dropped by operations"), release.dropped))
    source = max(1, written.source + release.dropped)
    print_columns([(label, figure(n), per_cent(n / source)) for label, n in rows], right=[1, 2])


def _print_operations(release: "Release") -> None:
    """What operations did to columns, whether it can be undone, and what it still tells."""
    done = release.record["operations"]["columns"]
    rows = [
        (name, operation["what"], operation["reversible"], operation["leaks"])
        for name, chain in done.items()
        for operation in chain
    ]
    if rows:
        heading(tr("Operations"))
        print_columns(rows, [tr("column"), "", tr("reversible"), tr("still tells")])


def _print_recoding(release: "Release") -> None:
    plan = release.plan
    if plan.choice is not None:
        heading(tr("Technique"))
        for line in plan.choice.lines:
            print_line(f"  {render(line)}")
    if plan.result is None:
        heading(tr("Recoding ({technique})", technique=release.record["technique"]["name"]))
        print_columns([(column, text, plan.reasons.get(column, "")) for column, text in plan.shown.items()])
        return
    heading(tr("Generalization"))
    rows = []
    for column, level in release.levels.items():
        hierarchy = plan.hierarchies[column]
        reached = tr("{level} of {height}", level=level, height=hierarchy.height)
        rows.append((column, reached, _example(hierarchy, level), plan.reasons[column]))
    print_columns(rows, [tr("column"), tr("level"), tr("for example"), tr("hierarchy")])


def _example(hierarchy: "Hierarchy", level: int) -> str:
    """What a value in the middle of the hierarchy becomes."""
    if level == 0:
        return tr("as it is")
    value = hierarchy.values[len(hierarchy.values) // 2]
    return tr("{value} becomes {label}", value=value, label=hierarchy.level(level)[value])


def _print_measures(release: "Release") -> None:
    plan = release.plan
    heading(tr("What it cost (lower is better)"))
    rows = []
    for name, measure in utility_measures().items():
        if name in plan.measures:
            value = plan.measures[name]
            shown = per_cent(value) if is_share(measure) else figure(value, ",.6g")
            rows.append((name, shown, tr(measure.meaning)))
    print_columns(rows, right=[1])
    if plan.result is not None:
        _print_search(plan.result)
    elif plan.note:
        print_line(f"  {render(plan.note)}")
    if "one_step" in release.record:
        print_line(f"  {render(release.record['one_step']['line'])}")


def _print_distributions(comparison: "DistributionComparison") -> None:
    heading(tr("What is left of the distributions"))
    rows = []
    for column in comparison.columns:
        distance = "" if column.distance is None else figure(column.distance, ".5f")
        significance = "" if column.significance is None else figure(column.significance, ".6g")
        moved = "" if column.wasserstein_share is None else per_cent(column.wasserstein_share)
        kept = tr("preserved") if column.is_kept else tr("changed")
        rows.append((column.column, distance, significance, moved, figure(column.variation, ".4f"), kept))
    heads = [
        tr("column"),
        tr("KS distance"),
        tr("significance"),
        tr("moved"),
        tr("variation"),
        tr("within {limit:g}", limit=0.05),
    ]
    print_columns(rows, heads, right=range(1, 5))
    largest = comparison.correlation_largest
    if largest is not None:
        print_line("  " + tr("correlations changed by at most {largest:.4f}", largest=largest))


def _print_search(result: "SearchResult") -> None:
    nodes = tr_count(
        "{checks:,} of {count:,} node looked at in {seconds:.2f} s",
        "{checks:,} of {count:,} nodes looked at in {seconds:.2f} s",
        result.nodes,
        checks=result.checks,
        seconds=result.seconds,
    )
    if result.search == "picked":
        verdict = tr("picked by hand")
    elif result.is_proven:
        verdict = tr("no generalization has a lower {measure} (proven)", measure=result.measure)
    else:
        verdict = tr("not proven to be the lowest {measure}", measure=result.measure)
    print_line(f"  {result.search}: {verdict}; {nodes}")
    if result.note and result.search != "picked":
        print_line(f"  {render(result.note)}")
