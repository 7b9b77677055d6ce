"""What was lost: utility measures, column by column, and distributions before and after."""

from collections.abc import Mapping, Sequence
from typing import Any

from celosia.report.bars import Bars
from celosia.report.elements import Html, heading, join, table, tag
from celosia.report.evidence import MeasureAnswer, ReleaseEvidence
from celosia.report.figures import bars_figure, histogram_figure, legend
from celosia.words import phrase

__all__ = ["information_loss_section"]

NAMES = {
    "loss": phrase("Detail lost (general loss)"),
    "precision": phrase("Levels climbed (precision lost)"),
    "entropy": phrase("Information lost (entropy)"),
    "variation": phrase("Distributions moved (total variation)"),
    "ks": phrase("Numbers moved (Kolmogorov-Smirnov)"),
    "wasserstein": phrase("Numbers moved on average (Wasserstein)"),
    "information-change": phrase("Relations between columns changed"),
    "correlation-change": phrase("Correlations changed"),
    "query-error": phrase("Error of counts that somebody may ask for"),
    "class-size": phrase("Rows per class"),
    "discernibility": phrase("Discernibility"),
    "rows-kept": phrase("Rows kept"),
    "columns-kept": phrase("Columns kept"),
    "cells-suppressed": phrase("Cells that say nothing"),
    "missing-added": phrase("Missing values added"),
    "propensity": phrase("How well a model tells release and original apart (pMSE)"),
    "height": phrase("Sum of levels"),
    "sum-of-heights": phrase("Sum of level over height"),
    "model-quality-on-release": phrase("Accuracy of models trained on the release"),
    "model-quality-on-original": phrase("The same models on the original people"),
    "model-quality-lost": phrase("Accuracy lost by training on the release"),
}
REST = (phrase("(others)"), phrase("(missing)"), phrase("(hidden)"))
"""How histograms call what they do not list."""
SHARES = ("rows-kept", "query-error", "wasserstein", "missing-added")
"""Measures that may be below 0 or above 1, and are read as percent all the same."""
MOST = 12


def information_loss_section(evidence: ReleaseEvidence) -> Html:
    """What the release is still good for."""
    words = evidence.words
    parts = [
        _general(evidence),
        _columns(evidence),
        _histograms(evidence),
        _measured(evidence),
        _compared(evidence),
    ]
    if not any(parts):
        return tag("p", words("What was lost was not measured in this run."), class_="note")
    intro = words(
        "What leaves is less precise than what came in. These measures say how much in general; whether a certain "
        "analysis still works, only that analysis can say."
    )
    return join([tag("p", intro), *parts])


def _general(evidence: ReleaseEvidence) -> Html:
    from celosia.measure.utility import utility_measures

    words, measures = evidence.words, evidence.record.get("measures", {})
    if not measures:
        return Html("")
    shares = {name: measures[name] for name in ("loss", "precision", "entropy") if name in measures}
    known = utility_measures()
    rows = [
        (
            _called(evidence, name),
            evidence.share(value) if name in shares else evidence.number(value),
            evidence.said(known[name].meaning) if name in known else "",
        )
        for name, value in measures.items()
    ]
    figure = bars_figure(
        words("Share that was lost, from nothing (0 %) to everything (100 %)"),
        [_called(evidence, name) for name in shares],
        [Bars("", tuple(shares.values()))],
        texts=[[evidence.share(value) for value in shares.values()]],
    )
    heads = [words("Measure, lower is better"), words("Value"), words("What it means")]
    return join(
        [
            heading(words("In general")),
            figure if shares else "",
            table(heads, rows, title=words("What it cost"), right=[1]),
        ]
    )


def _called(evidence: ReleaseEvidence, name: str) -> str:
    words = evidence.words
    return words(NAMES[name]) if name in NAMES else name


def _columns(evidence: ReleaseEvidence) -> Html:
    words = evidence.words
    losses = [
        answer
        for answer in evidence.answers("utility")
        if answer.measure == "loss" and answer.about and answer.value is not None
    ]
    if not losses:
        return Html("")
    names = [str(loss.about) for loss in losses]
    texts = [evidence.share(loss.value) for loss in losses]
    return join(
        [
            heading(words("Column by column")),
            bars_figure(
                words("Detail lost in each column"),
                names,
                [Bars("", tuple(loss.value for loss in losses))],
                texts=[texts],
            ),
            table(
                [words("Column"), words("Detail lost")],
                list(zip(names, texts, strict=True)),
                title=words("Detail lost in each column"),
                right=[1],
            ),
        ]
    )


def _histograms(evidence: ReleaseEvidence) -> Html:
    words = evidence.words
    shown = {
        answer.about: answer.details["histogram"]
        for answer in evidence.answers("utility")
        if answer.about is not None and "histogram" in answer.details
    }
    if not shown:
        return Html("")
    sides = (words("before"), words("after"))
    drawn = [_histogram(evidence, name, answer, sides) for name, answer in shown.items()]
    return join(
        [
            heading(words("Distributions before and after")),
            tag(
                "p",
                words(
                    "Share of rows. Labels of the release are spread evenly over the values that they stand for; "
                    "values that the release does not show are not named."
                ),
            ),
            legend(sides),
            tag("div", *drawn, class_="pair"),
        ]
    )


def _histogram(
    evidence: ReleaseEvidence, name: str, shares: Mapping[str, Any], sides: tuple[str, str]
) -> Html:
    words = evidence.words
    groups, before, after = _cut(shares["groups"], shares["before"], shares["after"])
    groups = [words(group) if group in REST else group for group in groups]
    drawing = histogram_figure(name, groups, [Bars(sides[0], tuple(before)), Bars(sides[1], tuple(after))])
    rows = [
        (group, evidence.share(old), evidence.share(other))
        for group, old, other in zip(groups, before, after, strict=True)
    ]
    numbers = table(
        [name, *sides], rows, title=words("Distribution of “{column}”", column=name), right=[1, 2]
    )
    return tag(
        "div", drawing, tag("details", tag("summary", words("The numbers")), numbers), class_="histogram"
    )


def _cut(
    groups: Sequence[str], before: Sequence[float], after: Sequence[float]
) -> tuple[list[str], list[float], list[float]]:
    """Categories, which come most frequent first, cut to the first ones; bins of numbers as they are.

    >>> _cut(["a", "b", "(others)"], [0.5, 0.3, 0.2], [0.6, 0.3, 0.1])
    (['a', 'b', '(others)'], [0.5, 0.3, 0.2], [0.6, 0.3, 0.1])
    >>> bins = [*map(str, range(20)), "(hidden)"]
    >>> _cut(bins, [0.05] * 20 + [0.0], [0.0] * 20 + [1.0])[0] == bins
    True
    """
    named = [value for group, value in zip(groups, after, strict=True) if group not in REST]
    # Every category is shown by somebody; a bin may be empty, and all are where numbers are hidden.
    if len(groups) <= MOST or named != sorted(named, reverse=True) or not all(named):
        return list(groups), list(before), list(after)
    kept = MOST - 1
    return (
        [*groups[:kept], REST[0]],
        [*before[:kept], sum(before[kept:])],
        [*after[:kept], sum(after[kept:])],
    )


def _measured(evidence: ReleaseEvidence) -> Html:
    """The other measures, about the release as a whole."""
    words, known = evidence.words, set(evidence.record.get("measures", {}))
    answers = [
        answer
        for answer in evidence.answers("utility")
        if answer.measure in NAMES
        and answer.measure not in known
        and answer.value is not None
        and _is_whole(answer)
    ]
    if not answers:
        return Html("")
    better = {"lower": words("lower"), "higher": words("higher")}
    rows = [
        (
            words(NAMES[answer.measure]) + (f" ({words.render(answer.about)})" if answer.about else ""),
            evidence.share(answer.value)
            if answer.is_share or answer.measure in SHARES
            else evidence.number(answer.value),
            better.get(answer.better, answer.better),
            evidence.said(answer.meaning),
        )
        for answer in answers
    ]
    heads = [words("Measure"), words("Value"), words("Better"), words("What it means")]
    return join(
        [heading(words("Further measures")), table(heads, rows, title=words("Further measures"), right=[1])]
    )


def _is_whole(answer: MeasureAnswer) -> bool:
    return answer.about is None or answer.measure.startswith("model-")


def _compared(evidence: ReleaseEvidence) -> Html:
    """How distributions of columns that keep their type came through, from the record."""
    words = evidence.words
    columns = evidence.record.get("distributions", {}).get("columns", ())
    rows = [
        (
            str(column["column"]),
            evidence.number(column.get("distance")),
            evidence.number(column.get("variation")),
        )
        for column in columns
    ]
    if not rows:
        return Html("")
    heads = [words("Column"), words("Kolmogorov-Smirnov distance"), words("Total variation")]
    return join(
        [
            heading(words("Columns that keep their type")),
            table(
                heads, rows, title=words("Distances between the distributions before and after"), right=[1, 2]
            ),
        ]
    )
