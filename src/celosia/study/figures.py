"""The figures of a study: what models predict at every k, what is lost, and which choices are worth it."""

from celosia.measure.release_measure import Interval
from celosia.report.bars import BarChart, Bars
from celosia.report.charts import Chart, ChartSeries
from celosia.report.frontier import FrontierChart, Point
from celosia.say import join_texts, say
from celosia.study.cell import CellResult
from celosia.study.model_scores import ModelScores
from celosia.study.study import Study
from celosia.study.summary import LOSS, RELEASE, attack_on, use_of

__all__ = ["figures"]

AnyChart = Chart | BarChart | FrontierChart


def figures(found: Study) -> dict[str, AnyChart]:
    """Every figure by the name of its file: accuracy against k per model, loss against k, intervals, the frontier."""
    question = found.question
    drawn: dict[str, AnyChart] = {}
    for model in question.models:
        drawn[f"accuracy-{model}"] = _by_k(found, model)
    drawn["loss"] = _losses(found)
    for target in (*question.targets, *question.sensitive):
        drawn[f"intervals-{target}"] = _intervals(found, target)
    points = _points(found)
    if points:
        drawn["frontier"] = FrontierChart.of(
            say("Which choices are worth it"),
            points,
            x_title=say("{columns} told beyond guessing", columns=_listed(question.sensitive)),
            y_title=say("{columns} predicted", columns=_listed(question.targets)),
        )
    return drawn


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names)


def _ks(found: Study) -> list[int]:
    return sorted({one.k for one in found.results if one.k is not None and one.why_not is None})


def _by_k(found: Study, model: str) -> Chart:
    """As published: models learn from a release and are tested on held-out rows of it."""
    ks, lines = _ks(found), []
    for choice, called in found.choices.items():
        by_k = {one.k: one for one in found.of(choice)}
        for target in (*found.question.targets, *found.question.sensitive):
            scored = [by_k[k].find(model, target, RELEASE, RELEASE) if k in by_k else None for k in ks]
            lines.append(
                ChartSeries(
                    join_texts(", ", [target, called]),
                    tuple(None if one is None else one.value for one in scored),
                )
            )
    return Chart(
        say("What {model} predicts", model=model),
        "k",
        say("accuracy, or R2 of numbers"),
        tuple(map(float, ks)),
        tuple(lines),
    )


def _losses(found: Study) -> Chart:
    ks, lines = _ks(found), []
    for choice, called in found.choices.items():
        by_k = {one.k: one.measures.get(LOSS) for one in found.of(choice)}
        lines.append(ChartSeries(called, tuple(by_k.get(k) for k in ks)))
    return Chart(say("What is lost (GCP)"), "k", say("loss"), tuple(map(float, ks)), tuple(lines))


def _intervals(found: Study, target: str) -> BarChart:
    """People kept out, predicted from the original and from every release with all quasi-identifiers of the study."""
    widest = max(found.choices, key=len)
    shown = [found.baseline, *(one for one in found.of(widest) if one.why_not is None)]
    series = []
    for model in found.question.models:
        scored = [use_of(one, model, target) for one in shown]
        series.append(
            Bars(
                model,
                tuple(None if one is None else one.value for one in scored),
                tuple(None if one is None else one.interval for one in scored),
            )
        )
    groups = tuple(say("original") if one.k is None else f"k = {one.k}" for one in shown)
    title = say("{target} of people kept out, {choice}", target=target, choice=found.choices[widest])
    return BarChart(title, groups, tuple(series), say("accuracy, or R2 of numbers"))


def _points(found: Study) -> list[Point]:
    if not found.question.targets or not found.question.sensitive:
        return []
    points = []
    for one in (found.baseline, *found.results):
        told, used = _told(found, one), _used(found, one)
        if told is None or used is None:
            continue
        choice = found.choices[one.quasi_identifiers] if one.k is not None else ""
        called = say("original") if one.k is None else join_texts(", ", [f"k = {one.k}", choice])
        points.append(Point(called, told[0], used[0], told[1], used[1]))
    return points


Valued = tuple[float, Interval | None]


def _told(found: Study, one: CellResult) -> Valued | None:
    """What the best attacker gets right about a sensitive column beyond guessing the most frequent value."""
    tried = [
        (value, interval)
        for model in found.question.models
        for column in found.question.sensitive
        if (learnt := attack_on(one, model, column)) is not None
        for value, interval in [learnt.beyond_guessing]
        if value is not None
    ]
    return max(tried, key=lambda each: each[0], default=None)


def _used(found: Study, one: CellResult) -> Valued | None:
    """What the best model makes of the first target, of people kept out."""
    tried: list[ModelScores] = [
        learnt
        for model in found.question.models
        if (learnt := use_of(one, model, found.question.targets[0])) is not None and learnt.value is not None
    ]
    best = max(tried, key=lambda each: each.value or 0.0, default=None)
    return None if best is None or best.value is None else (best.value, best.interval)
