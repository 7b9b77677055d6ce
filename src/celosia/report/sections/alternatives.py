"""What the alternatives were: the other candidates, and what other values of k would have cost."""

from typing import Any

from celosia.report.elements import Html, heading, join, table, tag
from celosia.report.evidence import ReleaseEvidence
from celosia.report.frontier import Point, dominated
from celosia.report.plots import choices_figure, curve_figure

__all__ = ["alternatives_section"]

MOST, DRAWN = 12, 400
"""Candidates in the table, and dots in the chart: the best ones."""


def alternatives_section(evidence: ReleaseEvidence) -> Html:
    """Nothing where nothing else was looked at."""
    return join([_candidates(evidence), _balance(evidence)])


def _candidates(evidence: ReleaseEvidence) -> Html:
    words, found = evidence.words, evidence.candidates
    if found is None or not found["candidates"]:
        return Html("")
    rows = evidence.record["rows"]
    whole = rows["source"] - rows["excluded"] - rows.get("dropped", 0)
    node = evidence.record.get("node", {})
    chosen = _name([node.get(name) for name in found["columns"]])
    listed = [(_name(one["node"]), one) for one in found["candidates"]]
    listed = [one for place, one in enumerate(listed) if place < DRAWN or one[0] == chosen]
    measure = str(found.get("measure", "loss"))
    points = [
        Point(name, one["classes"] / max(1, whole - one["suppressed"]), one["measures"][measure])
        for name, one in listed
    ]
    beaten = dominated(points, x_better="lower", y_better="lower")
    flagged = [
        Point(one.name, one.x, one.y, is_dominated=flag) for one, flag in zip(points, beaten, strict=True)
    ]
    risks = {one.name: one.x for one in points}
    shown = [
        (
            join([name, " ", tag("b", words("chosen"))]) if name == chosen else name,
            evidence.number(one["suppressed"]),
            evidence.number(one["classes"]),
            evidence.share(risks[name]),
            _worth(evidence, one["measures"][measure]),
        )
        for place, (name, one) in enumerate(listed)
        if place < MOST or name == chosen
    ]
    heads = [
        words("Levels of {columns}", columns=", ".join(map(str, found["columns"]))),
        words("Rows left out"),
        words("Classes"),
        words("Average risk"),
        words("Loss ({measure})", measure=measure),
    ]
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
                    nodes=evidence.number(found.get("nodes")),
                    valid=evidence.number(found.get("valid")),
                ),
            ),
            choices_figure(
                title,
                flagged,
                chosen=chosen,
                titles=(words("average risk of a person"), words("Loss ({measure})", measure=measure)),
                told=(evidence.share, lambda value: _worth(evidence, value)),
                names=names,
            ),
            table(heads, shown, title=words("The best candidates"), right=[1, 2, 3, 4]),
        ]
    )


def _worth(evidence: ReleaseEvidence, value: float) -> str:
    return evidence.share(value) if 0 <= value <= 1 else evidence.number(value)


def _name(node: Any) -> str:
    return ", ".join(map(str, node))


def _balance(evidence: ReleaseEvidence) -> Html:
    words, found = evidence.words, evidence.balance
    if found is None or not found["points"]:
        return Html("")
    points = found["points"]
    ks = [one["k"] for one in points]
    losses = [one["measures"]["loss"] for one in points]
    asked = next(
        (one.get("k") for one in evidence.plan.get("models", ()) if one["model"] == "k-anonymity"), None
    )
    yes, no = words("yes"), words("no")
    rows = [
        (
            join([str(one["k"]), " ", tag("b", words("chosen"))]) if one["k"] == asked else str(one["k"]),
            evidence.share(one["measures"]["loss"]),
            evidence.number(one["classes"]["after"]),
            evidence.number(one["singled_out"]["after"]),
            yes if one["passes"]["sound"] else no,
            yes if one["passes"]["published"] else no,
        )
        for one in points
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
                    technique=str(found.get("technique", {}).get("name", "")),
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
