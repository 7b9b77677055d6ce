"""How the release can be made again, every number that was measured, and the place to sign."""

from datetime import datetime

from celosia.report.elements import Html, join, table, tag
from celosia.report.evidence import ReleaseEvidence
from celosia.report.sections.exposure import accepted_table
from celosia.words import phrase

__all__ = ["annex_section", "reproduction_section", "signature_section"]

FAMILIES = {"risk": phrase("Risk"), "attack": phrase("Attacks"), "utility": phrase("Utility")}


def reproduction_section(evidence: ReleaseEvidence) -> Html:
    """Versions, the fingerprint of the project, the order of rows."""
    words, record = evidence.words, evidence.record
    seed = evidence.plan.get("seed")
    facts = [
        (words("Made on"), words.moment(datetime.fromisoformat(record["created"])) + " (UTC)"),
        (words("Celosía"), str(record["celosia"])),
        *((str(name).capitalize(), str(version)) for name, version in record.get("versions", {}).items()),
        (words("Table"), str(record["table"])),
        (words("Source"), _place(record.get("source", {}))),
        (words("Release"), _place(record.get("destination", {}))),
        (words("Project (SHA-256, without seeds)"), tag("code", evidence.digest, class_="digest")),
        (
            words("Seed"),
            words("drawn by the system and not kept")
            if seed is None
            else words(
                "set in the project; it is not printed here, for whoever knows it can undo the order of rows"
            ),
        ),
    ]
    told = words(
        "The record beside the release holds the whole project. With it and the original table anybody in charge "
        "can make the release again and verify it."
    )
    return join([tag("p", told), table([words("Fact"), words("Value")], facts, title=words("What it takes"))])


def _place(place: object) -> str:
    if not isinstance(place, dict):
        return str(place)
    table_name = place.get("table")
    names = table_name if isinstance(table_name, list | tuple) else [table_name]
    shown = [str(part) for part in (place.get("path"), *names) if part]
    return ", ".join(shown) or "\N{EN DASH}"


def signature_section(evidence: ReleaseEvidence) -> Html:
    """A decision to tick, and lines to sign on."""
    words = evidence.words
    decisions = (
        words("The release is approved."),
        words("The release is approved under the conditions below."),
        words("The release is rejected."),
    )
    boxes = join(tag("li", tag("span", "", class_="box", aria_hidden="true"), told) for told in decisions)
    lines = tag("div", tag("span", words("Conditions, recipients, date of the next review")), class_="lines")
    blocks = (words("Prepared by"), words("Data protection officer"))
    fields = (words("Name"), words("Role"), words("Place"), words("Date"), words("Signature"))
    signatures = join(
        tag(
            "div",
            tag("h3", title),
            *(tag("p", tag("span", name), tag("i", ""), class_="line") for name in fields),
            class_="sign",
        )
        for title in blocks
    )
    told = words(
        "I have read this report. I know what was promised and verified, what risk is left, what was lost, and "
        "what the report cannot promise."
    )
    return join(
        [
            tag("p", told),
            accepted_table(evidence),
            tag("ul", boxes, class_="boxes"),
            lines,
            tag("div", signatures, class_="signatures"),
        ]
    )


def annex_section(evidence: ReleaseEvidence) -> Html:
    """Every number that was measured, by family, and why some were not."""
    return join(_family(evidence, name) for name in FAMILIES)


def _family(evidence: ReleaseEvidence, family: str) -> Html:
    words = evidence.words
    rows = []
    told: set[str] = set()
    for answer in evidence.answers(family):
        about = "" if answer.about is None else words.render(answer.details.get("target", answer.about))
        model = answer.details.get("model")
        name = join(
            [tag("code", answer.measure), f" {about}" if about else "", f" ({model})" if model else ""]
        )
        meaning = (
            ""
            if answer.measure in told and answer.why_not is None
            else evidence.said(answer.why_not or answer.meaning)
        )
        told.add(answer.measure)
        interval = (
            ""
            if answer.interval is None
            else " \N{EN DASH} ".join(evidence.number(end) for end in answer.interval)
        )
        before = "" if answer.before is None else evidence.number(answer.before)
        rows.append((name, before, evidence.number(answer.value), interval, meaning))
    if not rows:
        return Html("")
    heads = [
        words("Measure"),
        words("Before"),
        words("After"),
        words("95 % interval"),
        words("What it means, or why it is not known"),
    ]
    title = words(FAMILIES[family])
    return join([tag("h3", title), table(heads, rows, title=title, right=[1, 2, 3])])
