"""What a report rests on: the record of a release, and what else is at hand about it."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from celosia.errors import ProjectError
from celosia.report.elements import Html, tag, text
from celosia.say import Text, say
from celosia.words import Words

__all__ = ["MeasureAnswer", "ReleaseEvidence"]

Document = Mapping[str, Any]


@dataclass(frozen=True)
class MeasureAnswer:
    """One number that a measure found, as its document tells it; ``before`` of the original, where that was asked."""

    measure: str
    meaning: str
    better: str
    is_share: bool
    about: str | None
    value: float | None
    interval: tuple[float, float] | None
    before: float | None
    why_not: str | None
    details: Document


@dataclass(frozen=True)
class ReleaseEvidence:
    """The record, and as plain documents what measuring, exploring and balancing answered.

    >>> ReleaseEvidence({"celosia": "0.1.0"})
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: this is not the record of a release; give the file beside it, as in safe.record.json
    """

    record: Document
    measured: Document | None = None
    candidates: Document | None = None
    balance: Document | None = None
    chain: Sequence[Document] = ()
    words: Words = field(default_factory=Words)

    def __post_init__(self) -> None:
        """Refuse documents of another kind."""
        expected = (
            (self.record, ("verification", "rows", "project", "table"), _NOT_A_RECORD),
            (self.measured, ("measures",), _NOT_MEASURED),
            (self.candidates, ("candidates", "columns"), _NOT_CANDIDATES),
            (self.balance, ("points",), _NOT_A_BALANCE),
        )
        for document, fields, (problem, remedy) in expected:
            is_there = document is not None
            if is_there and not (isinstance(document, Mapping) and all(name in document for name in fields)):
                raise ProjectError(problem, remedy=remedy)

    @property
    def plan(self) -> Document:
        """What the project says of the table; what it says of all tables counts where that is silent."""
        project = self.record["project"]
        return {**project, **project.get("tables", {}).get(self.record["table"], {})}

    @property
    def columns(self) -> Mapping[str, Document]:
        """The columns that the project lists, each with what is said of it."""
        return self.plan.get("columns", {})  # type: ignore[no-any-return]

    @property
    def is_light(self) -> bool:
        """Whether nothing was promised about people."""
        return self.record.get("kind") == "light"

    @property
    def verdict(self) -> Document:
        """What the release is worth; one of a time when only declared columns were looked at is worth no more."""
        if not self.record["verification"]["passed"]:
            sentence = say("broken: a promise does not hold, and nothing may leave")
            return {"kind": "broken", "sentence": sentence}
        verdict = self.record.get("verdict")
        if verdict is not None:
            return verdict  # type: ignore[no-any-return]
        sentence = say("nothing is promised about people") if self.is_light else NOT_LOOKED_AT
        return {"kind": "protected-as-declared", "sentence": sentence}

    @property
    def counts_people(self) -> bool:
        """Whether classes are made of people, each of whom may have several rows."""
        return "people" in self.record

    @property
    def quasi_identifiers(self) -> list[str]:
        """The columns by which somebody might be recognized."""
        return [name for name, column in self.columns.items() if column.get("role") == "quasi-identifier"]

    @property
    def digest(self) -> str:
        """A fingerprint of the project, without seeds: a seed is short enough to be guessed from one."""
        whole = json.dumps(_without_seed(self.record["project"]), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(whole.encode()).hexdigest()

    def answers(self, *families: str) -> Iterator[MeasureAnswer]:
        """What measures of some families answered, in their order."""
        for name, measured in (self.measured or {}).get("measures", {}).items():
            if measured.get("family") in families:
                before = {answer.get("about"): answer.get("value") for answer in measured.get("before", ())}
                for answer in measured.get("answers", ()):
                    yield _answer(name, measured, answer, before.get(answer.get("about")))

    def answer(self, measure: str, about: str | None = None) -> MeasureAnswer | None:
        """The answer of one measure about the release, or about a column."""
        families = ("risk", "attack", "utility")
        answers = (
            answer
            for answer in self.answers(*families)
            if answer.measure == measure and answer.about == about
        )
        return next(answers, None)

    def said(self, sentence: str) -> Html:
        """A sentence of another room in the reader's language; one that nobody translates is marked as English."""
        if isinstance(sentence, Text) or self.words.language == "en":
            return text(self.words.render(sentence))
        return tag("span", sentence, lang="en")

    def number(self, value: float | None) -> str:
        """A number of any size as people read it."""
        if value is None:
            return "\N{EN DASH}"
        size = abs(value)
        digits = 0 if float(value).is_integer() else 1 if size >= 100 else 2 if size >= 1 else 4
        return self.words.number(value, digits) if digits else self.words.number(value, 0).rstrip(".,")

    def share(self, value: float | None) -> str:
        """A share of one as percent, with more digits where it is small; never rounded to nothing or to all."""
        if value is None:
            return "\N{EN DASH}"
        for digits in (1, 2, 3):
            if value in (0, 1) or 0 < round(value, digits + 2) < 1 or value < 0 or value > 1:
                return self.words.percent(value, digits)
        return f"< {self.words.percent(0.00001, 3)}" if value < 0.5 else f"> {self.words.percent(0.99999, 3)}"


NOT_LOOKED_AT = say(
    "protected as far as declared: the columns outside the promise were not looked at when this release was made"
)
_NOT_A_RECORD = (
    "this is not the record of a release",
    "give the file beside it, as in safe.record.json",
)
_NOT_MEASURED = ("these are not the answers of measures", "give what `celosia measure --out` wrote")
_NOT_CANDIDATES = ("these are not candidates", "give what `celosia explore --json` answered")
_NOT_A_BALANCE = ("this is not a curve over k", "give what `celosia balance --json` answered")


def _answer(name: str, measure: Document, document: Document, before: Any) -> MeasureAnswer:
    ends = [_number(end) for end in document.get("interval") or ()]
    return MeasureAnswer(
        measure=name,
        meaning=measure.get("meaning", ""),
        better=str(measure.get("better", "")),
        is_share=list(measure.get("range", ())) == [0, 1],
        about=document.get("about"),
        value=_number(document.get("value")),
        interval=(ends[0], ends[1]) if len(ends) == 2 and None not in ends else None,  # type: ignore[arg-type]
        before=_number(before),
        why_not=document.get("why not"),
        details=document.get("details", {}),
    )


def _number(value: Any) -> float | None:
    """A finite number; JSON has the others as texts."""
    return float(value) if isinstance(value, int | float) and abs(value) != float("inf") else None


def _without_seed(part: Any) -> Any:
    if isinstance(part, list):
        return [_without_seed(element) for element in part]
    if not isinstance(part, Mapping):
        return part
    return {name: _without_seed(value) for name, value in part.items() if name != "seed"}
