"""What the alternatives were: the other candidates, and what other values of k would have cost."""

from collections.abc import Sequence
from typing import Any

from celosia.report.elements import Html, heading, join, table, tag
from celosia.report.evidence import Document, ReleaseEvidence
from celosia.report.frontier import Point, dominated
from celosia.report.plots import choices_figure, curve_figure

__all__ = ["alternatives_section"]

MOST, DRAWN = 12, 400
"""Candidates in the table, and dots in the chart: the best ones."""


NamedCandidate = tuple[str, Document]
"""A candidate under the name that its levels give it."""


def alternatives_section(evidence: ReleaseEvidence) -> Html:
    """Releases that were not chosen, other generalizations and other k; nothing where none was looked at."""
    return join([_candidates(evidence), _balance(evidence)])


def _candidates(evidence: ReleaseEvidence) -> Html:
    words, explored = evidence.words, evidence.candidates
    if explored is None or not explored["candidates"]:
        return Html("")
    node = evidence.record.get("node", {})
    chosen = _name([node.get(name) for name in explored["columns"]])
    listed = [(_name(candidate["node"]), candidate) for candidate in explored["candidates"]]
    listed = [entry for place, entry in enumerate(listed) if place < DRAWN or entry[0] == chosen]
    measure = str(explored.get("measure", "loss"))
    points = _points(evidence, listed, measure)
    names = (words("another one risks and loses less"), words("no other is better in both"), words("chosen"))
    title = words("Candidates by what they risk and what they lose")
    return join(
        [
            heading(words("Other generalizations that keep the promises")),
            tag(
                "p",
                words(
                    "Of {nodes} generalizations that exist, {valid} keep all promises. Each dot is one of them; "
                    "further to the left it risks less, further down it loses less.",
                    nodes=evidence.number(explored.get("nodes")),
                    valid=evidence.number(explored.get("valid")),
                ),
            ),
            choices_figure(
                title,
                points,
                chosen=chosen,
                titles=(words("average risk of a person"), words("Loss ({measure})", measure=measure)),
                told=(evidence.share, lambda value: _worth(evidence, value)),
                names=names,
            ),
            _table(evidence, listed, points, measure=measure, chosen=chosen),
        ]
    )


def _points(evidence: ReleaseEvidence, listed: Sequence[NamedCandidate], measure: str) -> list[Point]:
    """What every candidate risks and loses, and whether another one is better in both."""
    rows = evidence.record["rows"]
    whole = rows["source"] - rows["excluded"] - rows.get("dropped", 0)
    points = [
        Point(
            name,
            candidate["classes"] / max(1, whole - candidate["suppressed"]),
            candidate["measures"][measure],
        )
        for name, candidate in listed
    ]
    beaten = dominated(points, x_better="lower", y_better="lower")
    return [
        Point(point.name, point.x, point.y, is_dominated=flag)
        for point, flag in zip(points, beaten, strict=True)
    ]


def _table(
    evidence: ReleaseEvidence,
    listed: Sequence[NamedCandidate],
    points: Sequence[Point],
    *,
    measure: str,
    chosen: str,
) -> Html:
    """The best candidates, and the chosen one wherever it stands."""
    words, explored = evidence.words, evidence.candidates or {}
    risks = {point.name: point.x for point in points}
    shown = [
        (
            join([name, " ", tag("b", words("chosen"))]) if name == chosen else name,
            evidence.number(candidate["suppressed"]),
            evidence.number(candidate["classes"]),
            evidence.share(risks[name]),
            _worth(evidence, candidate["measures"][measure]),
        )
        for place, (name, candidate) in enumerate(listed)
        if place < MOST or name == chosen
    ]
    heads = [
        words("Levels of {columns}", columns=", ".join(map(str, explored["columns"]))),
        words("Rows left out"),
        words("Classes"),
        words("Average risk"),
        words("Loss ({measure})", measure=measure),
    ]
    return table(heads, shown, title=words("The best candidates"), right=[1, 2, 3, 4])


def _worth(evidence: ReleaseEvidence, value: float) -> str:
    return evidence.share(value) if 0 <= value <= 1 else evidence.number(value)


def _name(node: Any) -> str:
    return ", ".join(map(str, node))


def _balance(evidence: ReleaseEvidence) -> Html:
    words, balance = evidence.words, evidence.balance
    if balance is None or not balance["points"]:
        return Html("")
    points = balance["points"]
    ks = [point["k"] for point in points]
    losses = [point["measures"]["loss"] for point in points]
    asked = next(
        (model.get("k") for model in evidence.plan.get("models", ()) if model["model"] == "k-anonymity"), None
    )
    yes, no = words("yes"), words("no")
    rows = [
        (
            join([str(point["k"]), " ", tag("b", words("chosen"))])
            if point["k"] == asked
            else str(point["k"]),
            evidence.share(point["measures"]["loss"]),
            evidence.number(point["classes"]["after"]),
            evidence.number(point["singled_out"]["after"]),
            yes if point["passes"]["sound"] else no,
            yes if point["passes"]["published"] else no,
        )
        for point in points
    ]
    heads = [
        "k",
        words("Detail lost"),
        words("Classes"),
        words("Rows alone in their class"),
        words("Distributions kept (distance)"),
        words("Distributions kept (significance)"),
    ]
    return join(
        [
            heading(words("Other sizes of the crowd")),
            tag(
                "p",
                words(
                    "The larger the class in which everybody hides (k), the less can be told about one person, and "
                    "the more detail is lost. The line marks the k that was chosen. The curve was computed with "
                    "the technique {technique}.",
                    technique=str(balance.get("technique", {}).get("name", "")),
                ),
            ),
            curve_figure(
                words("What each k loses"),
                ks,
                [(words("Detail lost"), losses)],
                titles=("k", words("Detail lost")),
                told=(lambda value: f"{value:g}", evidence.share),
                mark=asked,
            ),
            table(heads, rows, title=words("What each k loses"), right=[1, 2, 3]),
        ]
    )
