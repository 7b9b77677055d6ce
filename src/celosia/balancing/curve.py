"""The curve over k: which of its points keep the distributions, the best of them, and the curve as table and chart."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import polars as pl

from celosia.balancing.evaluate import BalanceEvaluation
from celosia.errors import ProjectError
from celosia.recode.techniques import Technique
from celosia.say import say
from celosia.types import either

if TYPE_CHECKING:
    from celosia.report.charts import Chart

__all__ = ["RULES", "Balance", "Rule"]

Rule = Literal["published", "sound"]
RULES: tuple[Rule, ...] = get_args(Rule)

_HEIGHTS = {
    "published": say("significance (Kolmogorov-Smirnov)"),
    "sound": say("distance from the original"),
}


@dataclass(frozen=True)
class Balance:
    """What a table keeps and risks at every k, in ascending order: ``points[k]``.

    Two rules say which k are good enough. ``published``: the significance of the test of Kolmogorov and Smirnov is at
    least ``threshold`` for every column of numbers. ``sound``: every column of numbers is at most ``tolerance`` from
    the original in the distance of Kolmogorov and Smirnov, every other column in total variation. Both look only at
    columns ``kept`` as values of their own type: labels have no distribution to compare, what they cost is in the
    losses. ``left_out`` are values of k that are more than the rows.
    """

    technique: Technique
    quasi_identifiers: tuple[str, ...]
    kept: tuple[str, ...]
    points: Mapping[int, BalanceEvaluation]
    tolerance: float
    threshold: float
    left_out: tuple[int, ...] = ()

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules there are."""
        return RULES

    @property
    def ks(self) -> tuple[int, ...]:
        """The values of k that were tried."""
        return tuple(self.points)

    def judged(self, rule: Rule = "published") -> tuple[str, ...]:
        """The columns that a rule looks at."""
        _check(rule)
        if rule == "sound":
            return self.kept
        first = next(iter(self.points.values()))
        return tuple(name for name in self.kept if first.column(name).significance is not None)

    def passes(self, k: int, rule: Rule = "published") -> bool:
        """Whether every column that the rule looks at keeps its distribution; False if it looks at none."""
        columns = [self.points[k].column(name) for name in self.judged(rule)]
        if rule == "sound":
            return bool(columns) and all(column.is_kept for column in columns)
        return bool(columns) and all(column.is_kept_published for column in columns)

    def best(self, rule: Rule = "published") -> int | None:
        """The largest k that passes; None if there is none, or nothing that the rule could look at.

        A. P. Ortiz Pulido, J. S. Corredor Merchán: Sistema de anonimización de datos estructurados. Pontificia
        Universidad Javeriana, Bogotá, 2017.
        """
        return max((k for k in self.points if self.passes(k, rule)), default=None)

    def to_dict(self) -> dict[str, object]:
        """The balance of every k as a document that JSON takes."""
        return {
            "technique": {
                "name": self.technique.name,
                **self.technique.model_dump(mode="json", exclude_none=True),
            },
            "quasi_identifiers": list(self.quasi_identifiers),
            "tolerance": self.tolerance,
            "threshold": self.threshold,
            "judged": {rule: list(self.judged(rule)) for rule in RULES},
            "best": {rule: self.best(rule) for rule in RULES},
            "left_out": list(self.left_out),
            "points": [
                {**point.to_dict(), "passes": {rule: self.passes(k, rule) for rule in RULES}}
                for k, point in self.points.items()
            ],
        }

    def to_frame(self) -> pl.DataFrame:
        """One row per k."""
        rows = []
        for k, point in self.points.items():
            row: dict[str, object] = {"k": k}
            for compared in point.columns:
                name = compared.column
                if name in self.kept and compared.kind == "numeric":
                    row |= {f"{name} D": compared.distance, f"{name} p": compared.significance}
                elif name in self.kept:
                    row[f"{name} variation"] = compared.variation
                row[f"{name} loss"] = point.losses[name]
            row |= {**point.measures, "classes": point.after.classes, "singled out": point.after.uniques}
            rows.append(row | {rule: self.passes(k, rule) for rule in RULES})
        return pl.DataFrame(rows, infer_schema_length=None)

    def chart(self, rule: Rule = "published", *, language: str = "en") -> "Chart":
        """What the rule looks at over k, its limit and its best k; the losses if it looks at nothing."""
        from celosia.report.charts import Chart, translate_chart

        best, judged = self.best(rule), self.judged(rule)
        limit = self.threshold if rule == "published" else self.tolerance
        sign = "p ≥" if rule == "published" else "D, TV ≤"
        chart = Chart(
            title=say("What each k keeps ({technique})", technique=self.technique.name),
            x_title="k",
            y_title=_HEIGHTS[rule] if judged else say("loss"),
            x=self.ks,
            lines=tuple(self._lines(rule)),
            mark=best,
            mark_label="" if best is None else f"k = {best}",
            limit=limit if judged else None,
            limit_label=f"{sign} {limit:g}" if judged else "",
        )
        return translate_chart(chart, language)

    def _lines(self, rule: Rule) -> Any:
        from celosia.report.charts import ChartSeries

        points, judged = list(self.points.values()), self.judged(rule)
        if not judged:
            yield ChartSeries(say("all columns"), tuple(point.measures["loss"] for point in points))
            for name in self.quasi_identifiers:
                yield ChartSeries(name, tuple(point.losses[name] for point in points))
            return
        for name in judged:
            columns = [point.column(name) for point in points]
            if rule == "published":
                yield ChartSeries(name, tuple(column.significance for column in columns))
            else:
                apart = (
                    column.variation if column.distance is None else column.distance for column in columns
                )
                yield ChartSeries(name, tuple(apart))


def _check(rule: str) -> None:
    if rule not in RULES:
        raise ProjectError(
            say("there is no rule {rule!r}", rule=rule),
            where="rule",
            remedy=say("use {names}", names=either(RULES)),
        )
