"""The figures of a comparison: metrics of all models and tables as bars, and what is risked against what is kept."""

from celosia.compare.comparison import SCALED, SEEN, Comparison
from celosia.measure.registry import choose_measures
from celosia.report.bars import BarChart, Bars
from celosia.report.frontier import FrontierChart, Point
from celosia.say import Text, say
from celosia.study.model_scores import ModelScores

__all__ = ["figures"]

CHARTED = {"accuracy": "accuracy", "precision": "precision", "recall": "recall", "f1": "F-measure"}
OF_NUMBERS = {"r2": "R2", "mean_absolute_error": "mean absolute error"}
METRICS = {
    "accuracy": say("accuracy"),
    "precision": say("precision"),
    "recall": say("recall"),
    "F-measure": say("F-measure"),
    "R2": say("R2"),
    "mean absolute error": say("mean absolute error"),
}
"""What metrics are called on charts."""


def figures(comparison: Comparison) -> dict[str, BarChart | FrontierChart]:
    """Every figure by the name of its file: bars for every metric, and a frontier for every measure of risk."""
    drawn: dict[str, BarChart | FrontierChart] = {}
    for metric, called in (CHARTED if comparison.is_classification else OF_NUMBERS).items():
        drawn[called] = _bars(comparison, metric, called, "release")
    main, called = ("accuracy", "accuracy") if comparison.is_classification else ("r2", "R2")
    drawn[f"{called}-on-original"] = _bars(comparison, main, called, "original")
    for measure in comparison.measures:
        points = _points(comparison, measure)
        if points:
            drawn[f"frontier-{measure}"] = FrontierChart.of(
                say("What each table risks, and what it is good for"),
                points,
                x_title=measure,
                y_title=_height(METRICS[called], has_seen=any(_is_seen(point) for point in points)),
                x_better=choose_measures([measure])[0].better,
            )
    return drawn


def _height(metric: Text, *, has_seen: bool) -> Text:
    if has_seen:
        return say("{metric} on the original, best model (seen: in training)", metric=metric)
    return say("{metric} on the original, best model", metric=metric)


def _is_seen(point: Point) -> bool:
    return point.name.endswith("(seen)")


def _bars(comparison: Comparison, metric: str, called: str, tested_on: str) -> BarChart:
    shown = [table for table in comparison.results if table.why_not is None]
    series = []
    for model in comparison.models:
        scores = [
            (None, None) if learnt is None else learnt.scores.get(metric, (None, None))
            for learnt in (comparison.find(table.name, model, tested_on=tested_on) for table in shown)
        ]
        series.append(
            Bars(model, tuple(value for value, _ in scores), tuple(interval for _, interval in scores))
        )
    title = (
        say(
            "{table}: {metric}, tested on rows of the same table",
            table=comparison.given.name,
            metric=METRICS[called],
        )
        if tested_on == "release"
        else say(
            "{table}: {metric}, tested on the original", table=comparison.given.name, metric=METRICS[called]
        )
    )
    return BarChart(title, tuple(t.name for t in shown), tuple(series), METRICS[called])


def _points(comparison: Comparison, measure: str) -> list[Point]:
    points = []
    for table in comparison.results:
        risk = table.risks.get(measure)
        if table.name == SCALED or risk is None or risk.value is None:
            continue
        best = _best(comparison, table.name)
        if best is not None and best.value is not None:
            name = say("{table} (seen)", table=table.name) if best.tested_on == SEEN else table.name
            points.append(Point(name, risk.value, best.value, risk.interval, best.interval))
    return points


def _best(comparison: Comparison, table: str) -> ModelScores | None:
    """What the best model makes of a table, asked about people of the original."""
    ways = [comparison.find(table, model, tested_on="original") for model in comparison.models]
    known = [scores for scores in ways if scores is not None and scores.value is not None]
    return max(known, key=lambda scores: scores.value or 0.0, default=None)
