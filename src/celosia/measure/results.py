"""All measures of a release carried out, those of risk also on the original: the evidence as tables and JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import isfinite

import polars as pl

from celosia.measure.release_measure import MeasuredValue, MeasureFamily, NotMeasurableError, ReleaseMeasure
from celosia.measure.rules import RuleResult, check_rules
from celosia.measure.subject import MeasureSubject
from celosia.say import say

__all__ = ["MeasureResult", "MeasureResults", "measure_subject"]


@dataclass(frozen=True)
class MeasureResult:
    """What one measure answered of the release, and, for risks, of the original as it was ``before``."""

    measure: ReleaseMeasure
    answers: tuple[MeasuredValue, ...]
    before: tuple[MeasuredValue, ...] = ()

    @property
    def worst(self) -> float | None:
        """The answer about the release as a whole; where there is none, the worst of those about columns."""
        whole = [answer.value for answer in self.answers if answer.about is None and answer.value is not None]
        values = whole or [answer.value for answer in self.answers if answer.value is not None]
        if not values:
            return None
        return max(values) if self.measure.better == "lower" else min(values)

    def before_of(self, answer: MeasuredValue) -> MeasuredValue | None:
        """The answer about the same thing before the release."""
        return next((earlier for earlier in self.before if earlier.about == answer.about), None)


@dataclass(frozen=True)
class MeasureResults:
    """The answers of all measures, in the order of risk, attacks, utility; and what ``rules`` say to them."""

    results: tuple[MeasureResult, ...]
    rules: tuple[RuleResult, ...] = ()

    def __iter__(self) -> Iterator[MeasureResult]:
        return iter(self.results)

    def __getitem__(self, name: str) -> MeasureResult:
        return next(result for result in self.results if result.measure.name == name)

    def __contains__(self, name: object) -> bool:
        return any(result.measure.name == name for result in self.results)

    def value(self, name: str, about: str | None = None) -> float | None:
        """The number that a measure found, None where it found none."""
        return next((answer.value for answer in self[name].answers if answer.about == about), None)

    def table(self) -> pl.DataFrame:
        """One row per answer: measure, what it is about, value, interval, value before, why there is none."""
        rows = [
            {
                "family": str(result.measure.family),
                "measure": result.measure.name,
                "about": answer.about,
                "value": answer.value,
                "low": None if answer.interval is None else answer.interval[0],
                "high": None if answer.interval is None else answer.interval[1],
                "before": None if (before := result.before_of(answer)) is None else before.value,
                "better": result.measure.better,
                "why not": answer.why_not,
            }
            for result in self.results
            for answer in result.answers
        ]
        numbers = ("value", "low", "high", "before")
        texts = ("family", "measure", "about", "better", "why not")
        kinds = {name: pl.Float64() for name in numbers} | {name: pl.String() for name in texts}
        return pl.DataFrame(rows, schema_overrides=kinds)

    def to_dict(self) -> dict[str, object]:
        """The answers as a document, with all that a reader needs to understand them."""
        return {
            "measures": {result.measure.name: _answered(result) for result in self.results},
            **({"rules": [rule.to_dict() for rule in self.rules]} if self.rules else {}),
        }


def measure_subject(
    subject: MeasureSubject,
    measures: Sequence[ReleaseMeasure],
    *,
    rules: Sequence[str] = (),
    with_before: bool = True,
) -> MeasureResults:
    """Carry out measures one after another; what one cannot tell does not keep the others from telling.

    ``rules`` are the names of sets of rules that the answers are held against;
    ``with_before`` has risks measured on the original too, as if it were released as it is.

    >>> from celosia.measure.registry import choose_measures
    >>> people = pl.DataFrame({"age": [31, 38, 47]})
    >>> release = pl.DataFrame({"age": ["[30-39]", "[30-39]", "*"]})
    >>> subject = MeasureSubject.of(people, release, quasi_identifiers=["age"])
    >>> found = measure_subject(subject, choose_measures(["uniques"]))
    >>> found.value("uniques"), found["uniques"].before[0].value
    (1, 3)
    """
    original = _as_if_released(subject) if with_before else None
    results = []
    for number, measure in enumerate(measures):
        subject.progress(say("measuring {name}", name=measure.name), number / len(measures))
        before: tuple[MeasuredValue, ...] = ()
        if measure.family is MeasureFamily.RISK and original is not None:
            # Without details: those name labels and values, and the original's are nobody's business.
            before = tuple(replace(answer, details={}) for answer in measure.answers(original))
        results.append(MeasureResult(measure, measure.answers(subject), before))
    answers = {result.measure.name: result.answers for result in results}
    return MeasureResults(tuple(results), check_rules(subject, answers, names=rules) if rules else ())


def _as_if_released(subject: MeasureSubject) -> MeasureSubject | None:
    """The original in the place of the release: what would be risked if it went out as it is."""
    try:
        return replace(subject, release=subject.source)
    except NotMeasurableError:
        return None


def _answered(result: MeasureResult) -> dict[str, object]:
    measure = result.measure
    return {
        "family": str(measure.family),
        "meaning": measure.meaning,
        "range": [_number(measure.low), _number(measure.high)],
        "better": measure.better,
        "reference": measure.reference,
        "answers": [_answer_document(answer) for answer in result.answers],
        **({"before": [_answer_document(answer) for answer in result.before]} if result.before else {}),
    }


def _answer_document(answer: MeasuredValue) -> dict[str, object]:
    return {
        **({} if answer.about is None else {"about": answer.about}),
        "value": None if answer.value is None else _number(answer.value),
        **({} if answer.interval is None else {"interval": [_number(end) for end in answer.interval]}),
        **({} if answer.why_not is None else {"why not": answer.why_not}),
        **({} if not answer.details else {"details": dict(answer.details)}),
    }


def _number(value: float) -> float | str:
    """A number as JSON has it: it knows no infinite ones."""
    return value if isfinite(value) else str(value)
