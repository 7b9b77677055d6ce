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


def figures(study: Study) -> dict[str, AnyChart]:
    """Every figure by the name of its file: accuracy against k per model, loss against k, intervals, the frontier."""
    question = study.question
    drawn: dict[str, AnyChart] = {}
    for model in question.models:
        drawn[f"accuracy-{model}"] = _by_k(study, model)
    drawn["loss"] = _losses(study)
    for target in (*question.targets, *question.sensitive):
        drawn[f"intervals-{target}"] = _intervals(study, target)
    points = _points(study)
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


def _ks(study: Study) -> list[int]:
    return sorted({result.k for result in study.results if result.k is not None and result.why_not is None})


def _by_k(study: Study, model: str) -> Chart:
    """As published: models learn from a release and are tested on held-out rows of it."""
    ks, lines = _ks(study), []
    for choice, called in study.choices.items():
        by_k = {result.k: result for result in study.of(choice)}
        for target in (*study.question.targets, *study.question.sensitive):
            scored = [by_k[k].find(model, target, RELEASE, RELEASE) if k in by_k else None for k in ks]
            lines.append(
                ChartSeries(
                    join_texts(", ", [target, called]),
                    tuple(None if scores is None else scores.value for scores in scored),
                )
            )
    return Chart(
        say("What {model} predicts", model=model),
        "k",
        say("accuracy, or R2 of numbers"),
        tuple(map(float, ks)),
        tuple(lines),
    )


def _losses(study: Study) -> Chart:
    ks, lines = _ks(study), []
    for choice, called in study.choices.items():
        by_k = {result.k: result.measures.get(LOSS) for result in study.of(choice)}
        lines.append(ChartSeries(called, tuple(by_k.get(k) for k in ks)))
    return Chart(say("What is lost (GCP)"), "k", say("loss"), tuple(map(float, ks)), tuple(lines))


def _intervals(study: Study, target: str) -> BarChart:
    """People kept out, predicted from the original and from every release with all quasi-identifiers of the study."""
    widest = max(study.choices, key=len)
    shown = [study.baseline, *(result for result in study.of(widest) if result.why_not is None)]
    series = []
    for model in study.question.models:
        scored = [use_of(result, model, target) for result in shown]
        series.append(
            Bars(
                model,
                tuple(None if scores is None else scores.value for scores in scored),
                tuple(None if scores is None else scores.interval for scores in scored),
            )
        )
    groups = tuple(say("original") if result.k is None else f"k = {result.k}" for result in shown)
    title = say("{target} of people kept out, {choice}", target=target, choice=study.choices[widest])
    return BarChart(title, groups, tuple(series), say("accuracy, or R2 of numbers"))


def _points(study: Study) -> list[Point]:
    if not study.question.targets or not study.question.sensitive:
        return []
    points = []
    for result in (study.baseline, *study.results):
        told, used = _told(study, result), _used(study, result)
        if told is None or used is None:
            continue
        choice = study.choices[result.quasi_identifiers] if result.k is not None else ""
        called = say("original") if result.k is None else join_texts(", ", [f"k = {result.k}", choice])
        points.append(Point(called, told[0], used[0], told[1], used[1]))
    return points


Valued = tuple[float, Interval | None]


def _told(study: Study, result: CellResult) -> Valued | None:
    """What the best attacker gets right about a sensitive column beyond guessing the most frequent value."""
    tried = [
        (value, interval)
        for model in study.question.models
        for column in study.question.sensitive
        if (learnt := attack_on(result, model, column)) is not None
        for value, interval in [learnt.beyond_guessing]
        if value is not None
    ]
    return max(tried, key=lambda attack: attack[0], default=None)


def _used(study: Study, result: CellResult) -> Valued | None:
    """What the best model makes of the first target, of people kept out."""
    tried: list[ModelScores] = [
        learnt
        for model in study.question.models
        if (learnt := use_of(result, model, study.question.targets[0])) is not None
        and learnt.value is not None
    ]
    best = max(tried, key=lambda scores: scores.value or 0.0, default=None)
    return None if best is None or best.value is None else (best.value, best.interval)
