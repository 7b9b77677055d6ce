"""What a comparison found: every table beside the original, what models make of it and what it risks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from celosia.compare.cell import CellAnswer, ComparedTable, ComparisonQuestion, Risk
from celosia.compare.input_table import InputTable
from celosia.measure.learning.scores import Difference
from celosia.say import say
from celosia.study.model_scores import ModelScores, find_model_scores

__all__ = ["DETAILS", "ORIGINAL", "SCALED", "SEEN", "SUMMARY", "Comparison", "TableResult"]

ORIGINAL, SCALED = "original", "original, scaled"
RELEASE, SEEN = "release", "seen"
HELD_OUT = ("original", SEEN)

DETAILS = {
    "accuracy": "accuracy",
    "mean_absolute_error": "mean absolute error",
    "root_mean_squared_error": "root mean squared error",
}
SUMMARY = {
    "recall": "TP rate",
    "false_positive_rate": "FP rate",
    "precision": "precision",
    "f1": "F-measure",
    "mcc": "MCC",
    "auc": "ROC area",
    "prc": "PRC area",
}
NUMBERS = {"r2": "R2"} | {name: text for name, text in DETAILS.items() if name != "accuracy"}


@dataclass(frozen=True)
class TableResult:
    """One table: its rows, what every model made of it, what it risks; or ``why_not`` it has none of that."""

    name: str
    rows: int
    answers: Mapping[str, CellAnswer]
    risks: Mapping[str, Risk]
    cautions: tuple[str, ...] = ()
    why_not: str | None = None

    def find(self, model: str, target: str, *, tested_on: str = RELEASE) -> ModelScores | None:
        """What a model learnt from it, tested on rows of its own, or on people as the ``original`` has them."""
        answer = self.answers.get(model)
        ways = (RELEASE,) if tested_on == RELEASE else HELD_OUT
        if answer is None:
            return None
        candidates = (
            find_model_scores(answer.learnt, model=model, target=target, trained_on=RELEASE, tested_on=way)
            for way in ways
        )
        # The original's own folds are people as the original has them.
        own = find_model_scores(
            answer.learnt, model=model, target=target, trained_on=RELEASE, tested_on=RELEASE
        )
        is_own = self.name in (ORIGINAL, SCALED)
        return next((scores for scores in candidates if scores is not None), own if is_own else None)

    def why_not_of(self, model: str) -> str | None:
        """Why a model has nothing to say of it, where it has not."""
        if self.why_not is not None:
            return self.why_not
        answer = self.answers.get(model)
        if answer is None:
            return say("it learns from tables as they are only")
        return answer.why_not or say("it is asked about rows of the same table only")

    def to_dict(self) -> dict[str, object]:
        """The results of one table as a document that JSON takes."""
        return {
            "name": self.name,
            "rows": self.rows,
            "why_not": self.why_not,
            "cautions": list(self.cautions),
            "risks": {name: vars(risk) for name, risk in self.risks.items()},
            "models": {name: answer.to_dict() for name, answer in self.answers.items()},
        }


@dataclass(frozen=True)
class Comparison:
    """All tables, the original first; ``tables`` are the rows of each by its name."""

    given: InputTable
    question: ComparisonQuestion
    models: tuple[str, ...]
    results: tuple[TableResult, ...]
    tables: Mapping[str, ComparedTable]

    def __getitem__(self, name: str) -> TableResult:
        return next(result for result in self.results if result.name == name)

    @property
    def original(self) -> TableResult:
        """The table as it is."""
        return self.results[0]

    @property
    def is_classification(self) -> bool:
        """Whether models predict classes, not numbers."""
        learnt = [
            scores for table in self.results for answer in table.answers.values() for scores in answer.learnt
        ]
        return not learnt or learnt[0].main == "accuracy"

    def find(self, table: str, model: str, *, tested_on: str = RELEASE) -> ModelScores | None:
        """What a model learnt from a table."""
        return self[table].find(model, self.given.target, tested_on=tested_on)

    def difference(self, table: str, model: str, *, tested_on: str = RELEASE) -> Difference | None:
        """How much better a model does after learning from a table than from the original, paired fold by fold.

        None where they cannot be compared: one that has seen the people it is asked about has an easier task.
        """
        after, before = (self.find(name, model, tested_on=tested_on) for name in (table, ORIGINAL))
        if after is None or before is None or len(after.folds) != len(before.folds):
            return None
        if after.tested_on == SEEN:
            return None
        return after.beyond(before)

    def correct(self, table: str, model: str, *, tested_on: str = RELEASE) -> tuple[float, float] | None:
        """Rows that a model classified correctly and incorrectly, over all folds of one deal."""
        scores = self.find(table, model, tested_on=tested_on)
        if scores is None or not scores.confusion:
            return None
        right = sum(scores.confusion[place][place] for place in range(len(scores.confusion)))
        total = sum(map(sum, scores.confusion))
        return right / self.question.repeats, (total - right) / self.question.repeats

    def details(self, *, tested_on: str = RELEASE) -> pl.DataFrame:
        """One row per table and model: rows classified correctly and incorrectly, errors, accuracy with its interval.

        ``against original`` is the difference of the paired test, ``p`` its significance. A row without figures says
        ``why not``.
        """
        rows = []
        for table, model in self._pairs():
            scores = self.find(table.name, model, tested_on=tested_on)
            counted = self.correct(table.name, model, tested_on=tested_on) or (None, None)
            low, high = (None, None) if scores is None or scores.interval is None else scores.interval
            against = (
                None if table is self.original else self.difference(table.name, model, tested_on=tested_on)
            )
            rows.append(
                {
                    "table": table.name,
                    "model": model,
                    "rows": table.rows,
                    **({"correct": counted[0], "incorrect": counted[1]} if self.is_classification else {}),
                    **_values(scores, DETAILS if self.is_classification else NUMBERS),
                    "low": low,
                    "high": high,
                    "against original": None if against is None else against.value,
                    "p": None if against is None else against.p_value,
                    "tested on": None if scores is None else _people(scores),
                    **{
                        name: table.risks[name].value if name in table.risks else None
                        for name in self.measures
                    },
                    "why not": None if scores is not None else table.why_not_of(model),
                }
            )
        return _frame(rows)

    def summary(self, *, tested_on: str = RELEASE) -> pl.DataFrame:
        """One row per table and model: rates, precision, F, correlation and areas, classes counting as their rows."""
        rows = []
        for table, model in self._pairs():
            scores = self.find(table.name, model, tested_on=tested_on)
            rows.append(
                {
                    "table": table.name,
                    "model": model,
                    **_values(scores, SUMMARY if self.is_classification else NUMBERS),
                    "why not": None if scores is not None else table.why_not_of(model),
                }
            )
        return _frame(rows)

    def by_class(self, *, tested_on: str = RELEASE) -> pl.DataFrame:
        """The scores of every model on every table, class by class."""
        rows = []
        for table, model in self._pairs():
            model_scores = self.find(table.name, model, tested_on=tested_on)
            for label, scores in ({} if model_scores is None else model_scores.classes).items():
                told = {text: scores.get(name, (None, None))[0] for name, text in SUMMARY.items()}
                rows.append({"table": table.name, "model": model, "class": label, **told})
        return _frame(rows)

    def risks(self) -> pl.DataFrame:
        """One row per table and measure of its risk."""
        rows = [
            {
                "table": table.name,
                "measure": name,
                "value": risk.value,
                "low": None if risk.interval is None else risk.interval[0],
                "high": None if risk.interval is None else risk.interval[1],
                "why not": risk.why_not or table.why_not,
            }
            for table in self.results
            for name, risk in table.risks.items()
        ]
        return _frame(rows)

    @property
    def measures(self) -> tuple[str, ...]:
        """What the tables were measured by."""
        return tuple(dict.fromkeys(name for table in self.results for name in table.risks))

    def _pairs(self) -> list[tuple[TableResult, str]]:
        return [(table, model) for model in self.models for table in self.results]

    def to_dict(self) -> dict[str, object]:
        """All figures, as a document; no row of any table is in it."""
        return {
            "table": self.given.name,
            "rows": self.given.frame.height,
            "class": self.given.target,
            "models": list(self.models),
            "quasi_identifiers": list(self.question.quasi_identifiers),
            "measures": list(self.question.measures),
            "folds": self.question.folds,
            "repeats": self.question.repeats,
            "seed": self.question.seed,
            "tables": [result.to_dict() for result in self.results],
        }


def _people(scores: ModelScores) -> str:
    """Whom a model was tested on: people of the table that were held out, or of the original, if need be seen ones."""
    if scores.tested_on == RELEASE:
        return say("its own rows")
    return (
        say("the original") if scores.tested_on == "original" else say("the original, most seen in training")
    )


def _values(model_scores: ModelScores | None, names: Mapping[str, str]) -> dict[str, float | None]:
    scores = {} if model_scores is None else model_scores.scores
    return {text: scores.get(name, (None, None))[0] for name, text in names.items()}


def _frame(rows: Sequence[Mapping[str, object]]) -> pl.DataFrame:
    texts = ("table", "model", "class", "measure", "tested on", "why not")
    kinds = {name: pl.String() if name in texts else pl.Float64() for name in (rows[0] if rows else ())}
    return pl.DataFrame(
        list(rows), schema_overrides={**kinds, **({"rows": pl.Int64()} if "rows" in kinds else {})}
    )
