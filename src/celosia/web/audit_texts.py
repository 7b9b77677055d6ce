"""What was noted of a project, and what was remarked with its versions, in the words of whoever reads it."""

import re
from functools import cache

from celosia.server.audit import ACTIONS
from celosia.words import Words, phrase

__all__ = ["describe_audit_entry"]

JOBS = {
    "balance": phrase("curve of k"),
    "candidates": phrase("search for solutions"),
    "comparison": phrase("comparison"),
    "evidence": phrase("evidence"),
    "hierarchy": phrase("proposed hierarchies"),
    "look": phrase("statistics of the table"),
    "profile": phrase("look at the columns"),
    "release": phrase("release"),
    "study": phrase("study of k"),
    "tables": phrase("list of tables"),
}
"""What a job of a kind is for people."""
PARTS = {"analyst": phrase("analyst"), "viewer": phrase("viewer"), "no more": phrase("no more")}
DETAILS = (
    phrase("job {number}"),
    phrase("{file} of job {number}"),
    phrase("version {number}"),
    phrase("version {number}: {remark}"),
    phrase("{name}, {number} values"),
    phrase("{name}, {number} bytes"),
    phrase("{name}, {number} jobs"),
    phrase("{number} files"),
    phrase("{name} as {part}"),
)
REMARKS = (
    phrase("as version {number}"),
    phrase("complete release"),
    phrase("copied"),
    phrase("fewer columns"),
    phrase("hierarchy of {name}"),
    phrase("how {name} is read"),
    phrase("k = {number} from the curve"),
    phrase("light release"),
    phrase("measure {name}"),
    phrase("no {name}"),
    phrase("no {name} of {column}"),
    phrase("operation of {name}"),
    phrase("promise {name}"),
    phrase("proposed roles"),
    phrase("role of {name}"),
    phrase("sample table"),
    phrase("suppression {name}"),
    phrase("table from {name}"),
    phrase("technique {name}"),
    phrase("type of {name}"),
    phrase("values of k of the study"),
    phrase("weight of {name}: {weight}"),
    phrase("what is compared"),
    phrase("without {name}"),
    phrase("{name} of {column}"),
)
"""What pages remark with a change; the last fits much, and comes last."""
_PLACES = {
    "kind": "|".join(JOBS),
    "number": r"\d+",
    "part": "|".join(PARTS),
}


def describe_audit_entry(text: str, words: Words) -> str:
    """An action, a detail or a remark as people read it; what nobody of ours wrote stays as it is.

    >>> describe_audit_entry("start profile", Words("es")), describe_audit_entry("people.csv of job 3", Words("es"))
    ('empezar: vista de las columnas', 'people.csv del trabajo 3')
    >>> describe_audit_entry("version 4: role of age", Words("es"))
    'versión 4: rol de age'
    """
    for template, pattern in _patterns():
        if matched := pattern.fullmatch(text):
            return words(
                template, **{place: _told(place, part, words) for place, part in matched.groupdict().items()}
            )
    return text


def _told(place: str, part: str, words: Words) -> str:
    if place == "kind":
        return words(JOBS[part])
    if place == "part":
        return words(PARTS[part])
    if place == "number":
        return words.number(int(part), 0)
    return describe_audit_entry(part, words) if place == "remark" else part


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((text, _pattern(text)) for text in (*ACTIONS, *DETAILS, *REMARKS))


def _pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", template)
    pieces = (
        f"(?P<{part}>{_PLACES.get(part, '.+')})" if number % 2 else re.escape(part)
        for number, part in enumerate(parts)
    )
    return re.compile("".join(pieces), re.DOTALL)
