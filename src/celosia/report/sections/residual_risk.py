"""What is left: the risk before and after, how attacks fare, the smallest groups, known weaknesses."""

from collections.abc import Sequence
from typing import Any

from celosia.report.bars import Bars
from celosia.report.elements import Html, heading, join, points, table, tag
from celosia.report.evidence import MeasureAnswer, ReleaseEvidence
from celosia.report.figures import bars_figure
from celosia.words import phrase

__all__ = ["residual_risk_section"]

ATTACKERS = {
    "prosecutor-highest": phrase("Prosecutor, person most at risk"),
    "prosecutor-mean": phrase("Prosecutor, on average"),
    "journalist-highest": phrase("Journalist, person most at risk"),
    "journalist-mean": phrase("Journalist, on average"),
    "marketer": phrase("Marketer, share of rows matched rightly"),
    "exposure": phrase("People in small groups by a column outside the promise"),
    "singled-out": phrase("People singled out by one released row"),
    "homogeneity": phrase("Rows in classes that share one sensitive value"),
}
ATTACKS = {
    "singling-out": phrase("Singling out: telling what is true of one person only"),
    "linkability": phrase("Linking: joining two sources about one person"),
    "inference": phrase("Inference: guessing a column of a person"),
    "linkage": phrase("Linkage: the row found for certain"),
    "linkage-expected": phrase("Linkage: the row found by a guess"),
    "distance-linkage": phrase("Linkage by distance: the nearest row is hers"),
    "membership": phrase("Membership: telling who is in the table (50 % is chance)"),
    "model-inference-balanced": phrase("Inference by a model, all values counting the same"),
    "model-inference-auc": phrase("Inference by a model, ranking people (50 % is chance)"),
}


def residual_risk_section(evidence: ReleaseEvidence) -> Html:
    """The risk that remains."""
    parts = [
        _risk(evidence),
        _attackers(evidence),
        _attacks(evidence),
        _smallest(evidence),
        _weaknesses(evidence),
    ]
    return join(parts)


def _risk(evidence: ReleaseEvidence) -> Html:
    words, risk, people = evidence.words, evidence.record.get("risk"), evidence.counts_people
    if not risk or not risk.get("after") or not risk["after"].get("rows"):
        return tag("p", words("The risk was not computed in this run."), class_="note")
    sides = [(words("before"), risk.get("before")), (words("after"), risk["after"])]
    sides = [(name, side) for name, side in sides if side]
    groups = [
        words("Person most at risk"),
        words("Average person"),
        words(
            phrase("People who are alone in their class")
            if people
            else phrase("Rows that are alone in their class")
        ),
        words(
            phrase("People in classes smaller than {k}")
            if people
            else phrase("Rows in classes smaller than {k}"),
            k=evidence.number(risk["after"]["threshold"]),
        ),
    ]
    values = [_shares(side) for _, side in sides]
    series = [Bars(name, tuple(side)) for (name, _), side in zip(sides, values, strict=True)]
    texts = [[evidence.share(value) for value in side] for side in values]
    title = words("Chance of pointing at the right row, and rows exposed")
    numbers = [(name, *(told[place] for told in texts)) for place, name in enumerate(groups)]
    numbers += [
        (words("Classes"), *(evidence.number(side["classes"]) for _, side in sides)),
        (words("Size of the smallest class"), *(evidence.number(side["k"]) for _, side in sides)),
    ]
    return join(
        [
            heading(words("Before and after")),
            tag(
                "p",
                words(
                    "The chance is that of somebody who knows the quasi-identifiers of a person, knows that the "
                    "person is in the table, and points at a row: one in as many as the class has."
                ),
            ),
            bars_figure(title, groups, series, texts=texts),
            table(
                [words("Risk"), *(name for name, _ in sides)],
                numbers,
                title=words("The numbers"),
                right=range(1, len(sides) + 1),
            ),
        ]
    )


def _shares(side: Any) -> list[float]:
    return [side["highest"], side["average"], side["uniques"] / max(1, side["rows"]), side["at_risk"]]


def _attackers(evidence: ReleaseEvidence) -> Html:
    words = evidence.words
    answers = [answer for answer in evidence.answers("risk") if answer.measure in ATTACKERS]
    if not answers:
        return Html("")
    rows = [
        (
            _called(words(ATTACKERS[answer.measure]), answer),
            evidence.share(answer.before),
            evidence.share(answer.value),
            evidence.said(answer.meaning if answer.why_not is None else answer.why_not),
        )
        for name in ATTACKERS
        for answer in answers
        if answer.measure == name
    ]
    heads = [
        words("Who attacks"),
        words("Before"),
        words("After"),
        words("What it is, or why it is not known"),
    ]
    return join(
        [
            heading(words("Three attackers")),
            tag(
                "p",
                words(
                    "The prosecutor looks for a person known to be in the table; the journalist for anybody of the "
                    "population, to show that it can be done; the marketer matches as many rows as possible and "
                    "does not mind mistakes."
                ),
            ),
            table(heads, rows, title=words("What attackers can expect"), right=[1, 2]),
        ]
    )


def _called(title: str, answer: MeasureAnswer) -> str:
    about = answer.details.get("target", answer.about)
    model = answer.details.get("model")
    names = ", ".join(str(text) for text in (about, model) if text)
    return f"{title} ({names})" if names else title


def _attacks(evidence: ReleaseEvidence) -> Html:
    words, answers = evidence.words, list(evidence.answers("attack"))
    strongest = [
        (_called(words(title), answer), answer)
        for name, title in ATTACKS.items()
        for answer in _strongest([answer for answer in answers if answer.measure == name])
    ]
    if not strongest:
        return Html("")
    values = Bars(
        "", tuple(answer.value for _, answer in strongest), tuple(answer.interval for _, answer in strongest)
    )
    texts = [[evidence.share(answer.value) for _, answer in strongest]]
    rows = [
        (name, evidence.share(answer.value), _interval(evidence, answer), evidence.said(answer.meaning))
        for name, answer in strongest
    ]
    notes = dict.fromkeys(note for _, answer in strongest for note in _notes(answer))
    heads = [words("Attack"), words("Success"), words("95 % interval"), words("What it measures")]
    title = words("How attacks on the release fared, with 95 % intervals")
    return join(
        [
            heading(words("Attacks that were tried")),
            bars_figure(title, [name for name, _ in strongest], [values], texts=texts),
            table(heads, rows, title=words("Attacks"), right=[1, 2]),
            points((evidence.said(note) for note in notes), class_="note"),
        ]
    )


def _strongest(answers: Sequence[MeasureAnswer]) -> list[MeasureAnswer]:
    """Of several models that guess the same column, the one that does it best; the annex has all."""
    best: dict[object, MeasureAnswer] = {}
    for answer in answers:
        about = answer.details.get("target", answer.about)
        if answer.value is not None and (about not in best or answer.value > (best[about].value or 0.0)):
            best[about] = answer
    return list(best.values())


def _interval(evidence: ReleaseEvidence, answer: MeasureAnswer) -> str:
    if answer.interval is None:
        return "\N{EN DASH}"
    return f"{evidence.share(answer.interval[0])} \N{EN DASH} {evidence.share(answer.interval[1])}"


def _notes(answer: MeasureAnswer) -> Sequence[str]:
    note = answer.details.get("note")
    return [*([note] if note else []), *answer.details.get("notes", ())]


def _smallest(evidence: ReleaseEvidence) -> Html:
    words, answer = evidence.words, evidence.answer("k")
    smallest = [] if answer is None else list(answer.details.get("smallest", ()))[:10]
    if not smallest:
        return Html("")
    columns = list(smallest[0]["labels"])
    rows = [
        (
            *(str(group["labels"].get(name) or "\N{EN DASH}") for name in columns),
            evidence.number(group["rows"]),
        )
        for group in smallest
    ]
    return join(
        [
            heading(words("The smallest classes, as the release shows them")),
            table([*columns, words("rows")], rows, title=words("The smallest classes"), right=[len(columns)]),
        ]
    )


def _weaknesses(evidence: ReleaseEvidence) -> Html:
    words, record = evidence.words, evidence.record
    told = [evidence.said(weakness) for weakness in record.get("weaknesses", ())]
    if str(record.get("order", "")).startswith("kept"):
        told.append(
            tag(
                "span",
                words("The rows keep their order: whoever knows the source can tell whose rows are whose."),
            )
        )
    if not told:
        return Html("")
    return join([heading(words("Weaknesses that were accepted")), points(told)])
