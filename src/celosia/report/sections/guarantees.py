"""Why it is safe: every promise beside what the independent verification found."""

from celosia.report.elements import Html, badge, heading, join, points, table, tag
from celosia.report.evidence import ReleaseEvidence
from celosia.report.promises import promises_of

__all__ = ["guarantees_section"]


def guarantees_section(evidence: ReleaseEvidence) -> Html:
    """Each privacy model in a sentence, promised and measured; then the other checks."""
    words, promises = evidence.words, promises_of(evidence)
    intro = words(
        "A class is made of all rows that show the same values of the quasi-identifiers: nothing in the release "
        "tells its rows apart for somebody who knows these values. A promise is a rule that every class keeps. "
        "After writing, the release was read back and each rule computed anew, by another formula than the one "
        "that searched for it; had one failed, the release would have been withdrawn."
    )
    if not promises:
        intro = words(
            "No privacy model was asked for. What was checked is that every operation did to its column what it "
            "says; this protects single values, not people."
        )
    parts = [tag("p", intro)]
    for promise in promises:
        verdict = badge(words("kept"), "good") if promise.is_kept else badge(words("not kept"), "bad")
        parts.append(
            tag(
                "div",
                tag("h3", promise.title, " ", verdict),
                tag("p", promise.promised),
                tag("p", tag("b", words("Verified:")), " ", promise.found) if promise.found else "",
                class_="promise",
            )
        )
    if promises:
        rows = [
            (
                promise.title,
                promise.asked,
                promise.reached,
                words("kept") if promise.is_kept else words("not kept"),
            )
            for promise in promises
        ]
        heads = [words("Promise"), words("Promised"), words("Measured"), words("Verdict")]
        parts.append(table(heads, rows, title=words("Promised and measured"), right=[1, 2]))
    return join([*parts, _others(evidence)])


def _others(evidence: ReleaseEvidence) -> Html:
    words = evidence.words
    told = {finding["name"] for finding in _promised(evidence)}
    others = [
        finding for finding in evidence.record["verification"]["findings"] if finding["name"] not in told
    ]
    if not others:
        return Html("")
    return join(
        [
            heading(words("What else was checked")),
            points(
                (
                    join(
                        [
                            badge(words("passed"), "good")
                            if finding["passed"]
                            else badge(words("failed"), "bad"),
                            " ",
                            _told(evidence, finding),
                        ]
                    )
                    for finding in others
                ),
                class_="checks",
            ),
        ]
    )


def _told(evidence: ReleaseEvidence, finding: dict[str, object]) -> str:
    column, text = str(finding["column"]), str(finding["text"])
    # What an operation did is a sentence of its own behind the name of the column.
    if str(finding["name"]).startswith("operation ") and text.startswith(f"{column!r}: "):
        return join([tag("b", column), ": ", evidence.said(text.removeprefix(f"{column!r}: "))])
    return evidence.said(text)


def _promised(evidence: ReleaseEvidence) -> list[dict[str, object]]:
    from celosia.report.promises import PROMISES

    models = {model["model"] for model in evidence.plan.get("models", ())} | set(PROMISES)
    return [finding for finding in evidence.record["verification"]["findings"] if finding["name"] in models]
