"""What a release is worth, in one sentence: read from its record."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from celosia.api.results import ReleaseEvidence
from celosia.words import Words

__all__ = ["ResultVerdict", "facts_of", "verdict_of"]


@dataclass(frozen=True)
class ResultVerdict:
    """A sentence, what it rests on, and whether anything is promised about people."""

    title: str
    text: str
    is_promise: bool


def verdict_of(record: Mapping[str, Any], words: Words) -> ResultVerdict:
    """What a record says about the people of the table.

    >>> record = {"kind": "complete", "verification": {"passed": True, "smallest": 5, "findings": []}}
    >>> verdict_of(record, Words("en")).title
    'Every person hides in a group of at least 5.'
    """
    found = record["verification"]
    if record.get("kind") == "light":
        return ResultVerdict(
            words("Nothing is promised about people."),
            words(
                "Operations were carried out on single columns, and what was written was checked against them. "
                "Whoever knows something else about a person may still recognize her."
            ),
            is_promise=False,
        )
    if not found["passed"]:  # a release is withdrawn then; a record that says so was edited
        return ResultVerdict(
            words("The verification failed."), words("Do not use this release."), is_promise=False
        )
    smallest = found.get("smallest")
    title = (
        words("Every person hides in a group of at least {k}.", k=words.number(smallest, 0))
        if smallest
        else words("All promises are kept.")
    )
    return ResultVerdict(title, words("Verified by independent code on what was written."), is_promise=True)


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
