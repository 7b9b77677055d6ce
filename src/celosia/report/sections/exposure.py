"""The columns that tell people apart, with what can be done about each, and those that somebody answers for."""

from collections.abc import Mapping
from typing import Any

from celosia.report.elements import Html, join, points, table, tag
from celosia.report.evidence import ReleaseEvidence

__all__ = ["accepted_table", "exposure_tables"]


def exposure_tables(evidence: ReleaseEvidence) -> Html:
    """Nothing where no column that leaves singles anybody out."""
    return join([_exposed(evidence), _together(evidence), _guarded(evidence), accepted_table(evidence)])


def _exposed(evidence: ReleaseEvidence) -> Html:
    words = evidence.words
    rows = [
        (
            tag("code", exposed["column"]),
            evidence.number(exposed["alone"]),
            evidence.number(exposed["small"]),
            evidence.number(exposed["small_with"]),
            join(
                [
                    evidence.said(exposed["reason"]),
                    points(evidence.said(text) for text in exposed["remedies"]),
                ]
            ),
        )
        for exposed in evidence.verdict.get("exposed", ())
    ]
    if not rows:
        return Html("")
    heads = [
        words("Column"),
        words("People alone by its values"),
        words("People in small groups"),
        words("The same, with the quasi-identifiers"),
        words("What it means, and what can be done"),
    ]
    return table(
        heads, rows, title=words("Columns that tell people apart to whoever knows them"), right=[1, 2, 3]
    )


def _together(evidence: ReleaseEvidence) -> Html:
    words = evidence.words
    rows = [
        (_names(columns), evidence.number(columns["alone"]), evidence.number(columns["small"]))
        for columns in evidence.verdict.get("together", ())
    ]
    if not rows:
        return Html("")
    heads = [words("Columns"), words("People alone"), words("People in small groups")]
    return table(heads, rows, title=words("Columns that tell people apart together"), right=[1, 2])


def _guarded(evidence: ReleaseEvidence) -> Html:
    """The premise of what models promise."""
    words = evidence.words
    rows = [
        (tag("code", column["column"]), evidence.said(column["reason"]))
        for column in evidence.verdict.get("guarded", ())
    ]
    if not rows:
        return Html("")
    return table([words("Column"), words("What it means")], rows, title=words("Columns that a model guards"))


def _names(exposed: Mapping[str, Any]) -> Html:
    return join(tag("code", name) + Html(" ") for name in exposed["columns"])


def accepted_table(evidence: ReleaseEvidence) -> Html:
    """Columns that leave though they tell people apart, because a person answers for them."""
    words = evidence.words
    rows = [
        (tag("code", accepted["column"]), accepted["by"], accepted["on"], accepted["why"])
        for accepted in evidence.verdict.get("accepted", ())
    ]
    if not rows:
        return Html("")
    heads = [words("Column"), words("Accepted by"), words("On"), words("Because")]
    return table(heads, rows, title=words("Columns that somebody answers for"))
