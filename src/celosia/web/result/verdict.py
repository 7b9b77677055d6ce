"""What a release is worth, in one sentence: read from its record."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from celosia.api.results import ReleaseEvidence
from celosia.words import Words

__all__ = ["ResultVerdict", "facts_of", "verdict_of"]


@dataclass(frozen=True)
class ResultVerdict:
    """The verdict as a page shows it: its sentence, what it rests on, and what stands against the release."""

    kind: str
    title: str
    text: str
    notes: tuple[str, ...]

    @property
    def icon(self) -> str:
        """A shield only where nothing stands against the release."""
        return {"protected": "verified_user", "broken": "gpp_bad"}.get(self.kind, "gpp_maybe")


def verdict_of(evidence: ReleaseEvidence) -> ResultVerdict:
    """What a record says about the people of the table.

    >>> verdict = {"kind": "protected", "sentence": "protected: the promises hold"}
    >>> record = {"verification": {"passed": True}, "rows": {}, "project": {}, "table": "people", "verdict": verdict}
    >>> found = verdict_of(ReleaseEvidence(record))
    >>> found.title, found.icon
    ('Protected: the promises hold.', 'verified_user')
    """
    words, verdict = evidence.words, evidence.verdict
    text = words("Verified by independent code on what was written.")
    if verdict["kind"] == "broken":  # a release is withdrawn then; a record that says so was edited
        text = words("Do not use this release.")
    elif evidence.is_light:
        text = words(
            "Operations were carried out on single columns, and what was written was checked against them. "
            "Whoever knows something else about a person may still recognize her."
        )
    sentence = words.render(verdict["sentence"])
    return ResultVerdict(
        str(verdict["kind"]), f"{sentence[:1].upper()}{sentence[1:]}.", text, tuple(_notes(verdict, words))
    )


def _notes(verdict: Mapping[str, Any], words: Words) -> Iterator[str]:
    for column in verdict.get("exposed", ()):
        reason = words.render(column["reason"])
        yield words("{column}: {reason}", column=column["column"], reason=reason)
    for column in verdict.get("together", ()):
        yield words(
            "{columns} together: {alone:,} people alone, {small:,} in small groups",
            columns=", ".join(column["columns"]),
            alone=column["alone"],
            small=column["small"],
        )
    for column in verdict.get("guarded", ()):
        yield f"{column['column']}: {words.render(column['reason'])}"
    for column in verdict.get("accepted", ()):
        yield words(
            "{column}: accepted by {by} on {on}: {why}",
            column=column["column"],
            by=column["by"],
            on=column["on"],
            why=column["why"],
        )


def facts_of(evidence: ReleaseEvidence) -> list[tuple[str, str, str]]:
    """What to know besides: a name, the number, and what it was before or comes from."""
    words, record = evidence.words, evidence.record
    rows = record["rows"]
    left = rows["source"] - rows["written"]
    facts = [
        (
            words("Rows released"),
            words.number(rows["written"], 0),
            words(
                "of {rows}; {left} left out", rows=words.number(rows["source"], 0), left=words.number(left, 0)
            ),
        )
    ]
    risk = record.get("risk") or {}
    before, after = risk.get("before"), risk.get("after")
    if before and after:
        was = phrase_before(words)
        facts += [
            (
                words("Highest risk of a person"),
                evidence.share(after["highest"]),
                was(evidence.share(before["highest"])),
            ),
            (words("Average risk"), evidence.share(after["average"]), was(evidence.share(before["average"]))),
            (
                words("People who stand alone"),
                words.number(after["uniques"], 0),
                was(words.number(before["uniques"], 0)),
            ),
        ]
    loss = (record.get("measures") or {}).get("loss")
    if loss is not None:
        facts.append((words("Detail lost"), evidence.share(loss), words("of what the columns could tell")))
    return facts


def phrase_before(words: Words) -> Any:
    """How a number from before is told."""
    return lambda value: words("before: {value}", value=value)
