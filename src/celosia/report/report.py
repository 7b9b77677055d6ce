"""The report of a release: one file that needs nothing else, to be read, printed and signed."""

import base64
import hashlib
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path

from celosia.errors import ProjectError
from celosia.report.elements import Html, join, tag, text
from celosia.report.evidence import ReleaseEvidence
from celosia.report.sections.alternatives import alternatives_section
from celosia.report.sections.guarantees import guarantees_section
from celosia.report.sections.information_loss import information_loss_section
from celosia.report.sections.law import law_section
from celosia.report.sections.limits import earlier_releases_section, limits_section
from celosia.report.sections.residual_risk import residual_risk_section
from celosia.report.sections.signing import annex_section, reproduction_section, signature_section
from celosia.report.sections.summary import summary_section
from celosia.report.sections.treatment import treatment_section
from celosia.say import say
from celosia.words import Words, phrase

__all__ = ["report_page"]

SECTIONS: tuple[tuple[str, str, Callable[[ReleaseEvidence], Html]], ...] = (
    ("summary", phrase("Summary"), summary_section),
    ("done", phrase("What was done"), treatment_section),
    ("safe", phrase("Why it is safe"), guarantees_section),
    ("left", phrase("What is left: the remaining risk"), residual_risk_section),
    ("lost", phrase("What was lost"), information_loss_section),
    ("alternatives", phrase("What the alternatives were"), alternatives_section),
    ("law", phrase("What the rules ask"), law_section),
    ("limits", phrase("What this report cannot promise"), limits_section),
    ("chain", phrase("Earlier releases"), earlier_releases_section),
    ("repeating", phrase("How it can be repeated"), reproduction_section),
    ("signing", phrase("Decision and signature"), signature_section),
    ("annex", phrase("Annex: everything that was measured"), annex_section),
)
LIGHT = {"safe": phrase("What was checked")}
"""Titles of sections where nothing is promised."""


def report_page(
    record: Mapping[str, object],
    *,
    measured: Mapping[str, object] | None = None,
    candidates: Mapping[str, object] | None = None,
    balance: Mapping[str, object] | None = None,
    chain: Sequence[Mapping[str, object]] = (),
    words: Words | None = None,
) -> str:
    """The report of a release as one page of HTML; each further document adds its section.

    ``record`` is that of the release; ``measured`` what ``celosia measure --out`` writes, with the rules asked for;
    ``candidates`` and ``balance`` what ``celosia explore --json`` and ``celosia balance --json`` answer; ``chain``
    earlier releases, each a plain mapping. Nothing in it comes from rows of the original: it holds what the documents
    hold, and of them no value that the release does not show.

    >>> import celosia, polars as pl
    >>> people = pl.DataFrame({"age": [31, 38, 47, 49], "job": ["nurse", "cook", "cook", "cook"]})
    >>> release = celosia.anonymize(people, quasi_identifiers=["age"], sensitive=["job"], k=2)
    >>> page = report_page(release.record, words=Words("es"))
    >>> "Qué se hizo" in page, "<script" in page
    (True, False)
    """
    evidence = ReleaseEvidence(record, measured, candidates, balance, chain, words or Words())
    try:
        return _page(evidence)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        # Documents that somebody has edited, or of another version, lack what theirs have.
        raise ProjectError(
            say(
                "the record, or what was measured, is not as it was written ({name}: {error})",
                name=type(error).__name__,
                error=error,
            ),
            remedy=say("give the files as this version of celosia wrote them"),
        ) from error


def _page(evidence: ReleaseEvidence) -> str:
    words, record = evidence.words, evidence.record
    title = words("Report on the release of “{table}”", table=record["table"])
    day = words.day(datetime.fromisoformat(record["created"]))
    titles = {name: heading for name, heading, _ in SECTIONS} | (LIGHT if evidence.is_light else {})
    told = [(name, words(titles[name]), tell(evidence)) for name, _, tell in SECTIONS]
    told = [
        (name, f"{number}. {heading}", body) for number, (name, heading, body) in enumerate(_there(told), 1)
    ]
    contents = tag("ol", *(tag("li", tag("a", heading, href=f"#{name}")) for name, heading, _ in told))
    style = _style() + _running(title, day)
    body = join(
        [
            tag(
                "header",
                tag("p", words("Evidence for the data protection officer"), class_="kicker"),
                tag("h1", title),
                tag(
                    "p",
                    words("Made on {day} with Celosía {version}.", day=day, version=record["celosia"]),
                    class_="soft",
                ),
            ),
            tag("nav", contents, aria_label=words("Contents")),
            tag(
                "main",
                *(
                    tag(
                        "section",
                        tag("h2", heading, id=f"{name}-title"),
                        body,
                        id=name,
                        aria_labelledby=f"{name}-title",
                    )
                    for name, heading, body in told
                ),
            ),
        ]
    )
    # Should anything ever slip into the page, the browser still loads and runs nothing.
    rules = f"default-src 'none'; style-src {_digest(style)}; base-uri 'none'; form-action 'none'"
    return f"""<!DOCTYPE html>
<html lang="{words.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{rules}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{text(title)}</title>
<style>{style}</style>
</head>
<body>
{body}
</body>
</html>
"""


def _there(told: Sequence[tuple[str, str, Html]]) -> list[tuple[str, str, Html]]:
    return [section for section in told if section[2]]


@cache
def _style() -> str:
    return Path(__file__).with_name("report.css").read_text(encoding="utf-8")


def _running(title: str, day: str) -> str:
    """What stands at the head and foot of every printed page."""
    left, right = (f'{{ content: "{_css_text(content)}"; }}' for content in (title, day))
    return f"@page {{ @top-left {left} @top-right {right} }}\n"


def _css_text(content: str) -> str:
    r"""A text inside quotes of a style sheet: whatever is no letter or digit is spelt by its number.

    >>> _css_text('a"</style>')
    'a\\22 \\3c \\2f style\\3e '
    """
    return "".join(
        letter if letter.isascii() and letter.isalnum() else f"\\{ord(letter):x} " for letter in content
    )


def _digest(style: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()}'"
