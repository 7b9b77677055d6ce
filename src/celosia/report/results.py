"""The answers of measures as charts: risks before and after, attacks with their intervals, columns before and after."""

from collections.abc import Iterable

from celosia.measure.release_measure import MeasuredValue, MeasureFamily
from celosia.measure.results import MeasureResult, MeasureResults
from celosia.report.bars import BarChart, Bars

__all__ = ["charts_of"]


def charts_of(results: MeasureResults) -> dict[str, BarChart]:
    """Every chart by the name of its file, as far as there is something to draw.

    >>> import polars as pl
    >>> from celosia.measure.registry import choose_measures
    >>> from celosia.measure.results import measure_subject
    >>> from celosia.measure.subject import MeasureSubject
    >>> people, release = pl.DataFrame({"age": [31, 38]}), pl.DataFrame({"age": ["[30-39]", "[30-39]"]})
    >>> subject = MeasureSubject.of(people, release, quasi_identifiers=["age"])
    >>> list(charts_of(measure_subject(subject, choose_measures(["prosecutor-mean", "variation"]))))
    ['risk', 'histogram-age']
    """
    charts: dict[str, BarChart] = {}
    risks = [result for result in results if result.measure.family is MeasureFamily.RISK and result.before]
    bars = _before_and_after(risks)
    if bars is not None:
        charts["risk"] = bars
    attacks = [result for result in results if result.measure.family is MeasureFamily.ATTACK]
    bars = _attacks(attacks)
    if bars is not None:
        charts["attacks"] = bars
    for result in results:
        for answer in result.answers:
            histogram = answer.details.get("histogram")
            if histogram is not None and answer.about is not None:
                charts.setdefault(f"histogram-{answer.about}", _histogram(answer))
    return charts


def _is_share(result: MeasureResult) -> bool:
    return (result.measure.low, result.measure.high) == (0.0, 1.0)


def _called(result: MeasureResult, answer: MeasuredValue) -> str:
    return result.measure.name if answer.about is None else f"{result.measure.name}, {answer.about}"


def _told(results: Iterable[MeasureResult]) -> list[tuple[MeasureResult, MeasuredValue]]:
    return [
        (result, answer)
        for result in results
        for answer in result.answers
        if answer.value is not None and _is_share(result)
    ]


def _before_and_after(results: Iterable[MeasureResult]) -> BarChart | None:
    told = _told(results)
    if not told:
        return None
    before = [result.before_of(answer) for result, answer in told]
    return BarChart(
        "What is risked",
        tuple(_called(*entry) for entry in told),
        (
            Bars("before", tuple(None if answer is None else answer.value for answer in before)),
            Bars(
                "after",
                tuple(answer.value for _, answer in told),
                tuple(answer.interval for _, answer in told),
            ),
        ),
        "share",
    )


def _attacks(results: Iterable[MeasureResult]) -> BarChart | None:
    told = _told(results)
    if not told:
        return None
    values = Bars(
        "success", tuple(answer.value for _, answer in told), tuple(answer.interval for _, answer in told)
    )
    return BarChart("How attacks fare", tuple(_called(*entry) for entry in told), (values,), "share")


def _histogram(answer: MeasuredValue) -> BarChart:
    shares = answer.details["histogram"]
    return BarChart(
        str(answer.about),
        tuple(shares["groups"]),
        (Bars("before", tuple(shares["before"])), Bars("after", tuple(shares["after"]))),
        "share of rows",
    )
