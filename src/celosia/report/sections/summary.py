"""The summary: what was released, who hides among how many, what was verified."""

from collections import Counter
from collections.abc import Iterator

from celosia.report.elements import Html, badge, join, points, table, tag
from celosia.report.evidence import ReleaseEvidence
from celosia.report.promises import promises_of
from celosia.report.sections.exposure import exposure_tables
from celosia.words import phrase

__all__ = ["summary_section"]

KINDS = {"protected": "good", "protected-as-declared": "open", "broken": "bad"}
"""How each verdict is shown."""


def summary_section(evidence: ReleaseEvidence) -> Html:
    """What somebody who reads nothing else should know."""
    return join(
        [
            _verdict(evidence),
            exposure_tables(evidence),
            _cards(evidence),
            _promises(evidence),
            points(_sentences(evidence)),
            _rules(evidence),
        ]
    )


def _verdict(evidence: ReleaseEvidence) -> Html:
    """The verdict of the release, and what it rests on."""
    words, verdict = evidence.words, evidence.verdict
    if verdict["kind"] == "broken":
        told = words("The release does not keep its promises. It must not go out.")
    elif evidence.is_light:
        told = words(
            "Operations were carried out on single columns, and what was written was checked against them. Whoever "
            "knows something else about a person may still recognize them. Pseudonymized data are personal data."
        )
    else:
        told = words(
            "What was written was read back, and every promise computed anew by code that shares nothing with the "
            "one that made the release. Every other column that leaves was looked at for whom it singles out."
        )
    sentence = evidence.said(verdict["sentence"])
    return tag(
        "div", tag("strong", sentence), tag("p", told), class_=f"verdict {KINDS[str(verdict['kind'])]}"
    )


def _cards(evidence: ReleaseEvidence) -> Html:
    words, rows = evidence.words, evidence.record["rows"]
    risk = evidence.record.get("risk", {}).get("after")
    shown = [(evidence.number(rows["written"]), words("rows released"))]
    if risk and risk["classes"]:
        unit = (
            words("people in the smallest class")
            if evidence.counts_people
            else words("rows in the smallest class")
        )
        shown += [
            (evidence.number(risk["k"]), unit),
            (
                evidence.share(risk["highest"]),
                words("chance of pointing at the right row, person most at risk"),
            ),
        ]
    loss = evidence.record.get("measures", {}).get("loss")
    if loss is not None:
        shown.append((evidence.share(loss), words("of the detail lost, on average over all cells")))
    return tag(
        "div", *(tag("div", tag("b", value), tag("span", told)) for value, told in shown), class_="cards"
    )


def _sentences(evidence: ReleaseEvidence) -> Iterator[str]:
    words, record = evidence.words, evidence.record
    rows, risks = record["rows"], record.get("risk", {})
    yield words(
        "Of {source} rows of the table “{table}”, {written} are released ({share}).",
        source=evidence.number(rows["source"]),
        table=record["table"],
        written=evidence.number(rows["written"]),
        share=evidence.share(rows["written"] / max(1, rows["source"])),
    )
    before, after = risks.get("before"), risks.get("after")
    known = ", ".join(evidence.quasi_identifiers)
    if after and after["classes"] and not evidence.is_light:
        yield words(
            phrase(
                "Whoever knows {columns} of a person finds at least {k} people who look the same in the release."
            )
            if evidence.counts_people
            else phrase(
                "Whoever knows {columns} of a person finds at least {k} rows that look the same in the release."
            ),
            columns=known,
            k=evidence.number(after["k"]),
        )
    if before and after and before["rows"]:
        yield words(
            phrase(
                "In the original {uniques} people ({share}) were alone with these values; in the release {after} are."
            )
            if evidence.counts_people
            else phrase(
                "In the original {uniques} rows ({share}) were alone with these values; in the release {after} are."
            ),
            uniques=evidence.number(before["uniques"]),
            share=evidence.share(before["uniques"] / before["rows"]),
            after=evidence.number(after["uniques"]),
        )
    gone = record.get("operations", {}).get("left out", ())
    if gone:
        yield words("Columns that are not released at all: {columns}.", columns=", ".join(gone))


def _rules(evidence: ReleaseEvidence) -> Html:
    """What sets of rules found, so that nobody reads the verification alone."""
    words, rule_sets = evidence.words, (evidence.measured or {}).get("rules", ())
    rows = []
    for rules in rule_sets:
        outcomes = Counter(finding["outcome"] for finding in rules["findings"])
        met, broken = outcomes["met"], outcomes["not met"]
        title = words.render(rules["title"])
        rows.append((title, str(met), str(broken), str(outcomes.total() - met - broken)))
    if not rows:
        return Html("")
    heads = [words("Rules"), words("met"), words("not met"), words("for a person to judge")]
    return table(heads, rows, title=words("What the rules ask"), right=[1, 2, 3])


def _promises(evidence: ReleaseEvidence) -> Html:
    words = evidence.words
    rows = [
        (
            promise.title,
            promise.promised,
            badge(words("kept"), "good") if promise.is_kept else badge(words("not kept"), "bad"),
        )
        for promise in promises_of(evidence)
    ]
    if not rows:
        return Html("")
    heads = [words("Promise"), words("What it means"), words("Verdict")]
    return table(heads, rows, title=words("What was promised, and what was found"))
