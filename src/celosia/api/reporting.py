"""The report of a release, for somebody to read and sign, and charts of what was found."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from celosia.errors import ProjectError
from celosia.say import restore_texts, say
from celosia.types import either

if TYPE_CHECKING:
    from celosia.api.results import AnyChart, Balance, Exploration, MeasureResults, Release, ReleaseEvidence
    from celosia.report.promises import Promise
    from celosia.words import Words

__all__ = [
    "check_chart_path",
    "draw_chart",
    "promises_of",
    "release_evidence",
    "report_page",
    "report_release",
    "result_charts",
]

Document = Mapping[str, Any]
MOST = 400
"""Candidates that a chart can show; the best ones."""


def report_release(
    release: "Release | Document | str | Path",
    *,
    measured: "MeasureResults | Document | str | Path | None" = None,
    candidates: "Exploration | Document | str | Path | None" = None,
    balance: "Balance | Document | str | Path | None" = None,
    chain: Sequence[Document] = (),
    language: str = "en",
) -> str:
    """The report of a release as one HTML file that needs nothing else; a browser prints it as PDF.

    A release, its record or the file of that is enough. What ``measure_release``, ``explore`` and ``balance`` answered,
    or the files in which the commands wrote it, adds sections: attacks and rules, the other candidates, the curve over
    k. ``chain`` are earlier releases of the same people, each a plain mapping. The ``language`` is en or es.

    >>> import polars as pl
    >>> import celosia
    >>> people = pl.DataFrame({"age": [31, 38, 47, 49], "job": ["nurse", "cook", "cook", "cook"]})
    >>> release = celosia.anonymize(people, quasi_identifiers=["age"], sensitive=["job"], k=2)
    >>> page = report_release(release, language="es")
    >>> page[:15], "k-anonimato" in page
    ('<!DOCTYPE html>', True)
    """
    from celosia.words import LANGUAGES, Words

    if language not in LANGUAGES:
        raise ProjectError(
            say("there is no language {language!r}", language=language),
            where="language",
            remedy=say("choose {names}", names=either(LANGUAGES)),
        )
    record = _document(release if isinstance(release, Mapping | str | Path) else release.record)
    return report_page(
        record or {},
        measured=_document(measured),
        candidates=_candidates(candidates, record or {}),
        balance=_document(balance),
        chain=chain,
        words=Words(language),
    )


def report_page(
    record: Document,
    *,
    measured: Document | None = None,
    candidates: Document | None = None,
    balance: Document | None = None,
    chain: Sequence[Document] = (),
    words: "Words",
) -> str:
    """The report of a release as one page of HTML, from documents; each further one adds its section."""
    from celosia.report import report

    return report.report_page(
        record, measured=measured, candidates=candidates, balance=balance, chain=chain, words=words
    )


def release_evidence(record: Document, measured: Document | None, words: "Words") -> "ReleaseEvidence":
    """The record of a release and what was measured of it, as reports read them."""
    from celosia.report.evidence import ReleaseEvidence

    return ReleaseEvidence(record, measured, words=words)


def promises_of(evidence: "ReleaseEvidence") -> "list[Promise]":
    """What a release promises, and whether that was verified."""
    from celosia.report import promises

    return promises.promises_of(evidence)


def result_charts(results: "MeasureResults") -> "Mapping[str, AnyChart]":
    """The charts of what was measured, by name."""
    from celosia.report.results import charts_of

    return charts_of(results)


def check_chart_path(path: Path) -> None:
    """Raise if charts cannot be drawn in the format that the name of a file says."""
    from celosia.report.charts import drawer_of

    drawer_of(path)


def draw_chart(chart: "AnyChart", path: Path) -> None:
    """Draw a chart into a file, in the format that its name says."""
    from celosia.report import charts

    charts.draw_chart(chart, path)


def _document(results: "MeasureResults | Balance | Document | str | Path | None") -> Document | None:
    """A document as it is, out of a file, or as a result tells it."""
    if isinstance(results, str | Path):
        return _read(Path(results))
    return results if results is None or isinstance(results, Mapping) else results.to_dict()


def _read(path: Path) -> Document:
    try:
        return restore_texts(json.loads(path.read_text(encoding="utf-8")))  # type: ignore[no-any-return]
    except FileNotFoundError:
        raise ProjectError(
            say("this file does not exist"), where=str(path), remedy=say("check the path")
        ) from None
    except OSError as error:
        raise ProjectError(
            say("this file cannot be read ({cause})", cause=error.strerror),
            where=str(path),
            remedy=say("check its permissions"),
        ) from error
    except ValueError:  # neither JSON nor UTF-8
        raise ProjectError(
            say("this file is not JSON"), where=str(path), remedy=say("give a file that celosia wrote")
        ) from None


def _candidates(
    candidates: "Exploration | Document | str | Path | None", record: Document
) -> Document | None:
    """Candidates as `celosia explore --json` tells them; an exploration does not know its columns, the record does."""
    if candidates is None or isinstance(candidates, Mapping | str | Path):
        return _document(candidates)
    plan = record["project"].get("tables", {}).get(record["table"], {})
    measure = plan.get("measure", record["project"].get("measure", "loss"))
    values = candidates.measures[measure]
    nodes = sorted(candidates.valid_nodes(), key=lambda node: (values[node], sum(node), node))[:MOST]
    return {
        "columns": list(record.get("node", {})),
        "measure": measure,
        "nodes": candidates.lattice.size,
        "valid": int(candidates.is_valid.sum()),
        "candidates": [
            {
                "node": list(node),
                "suppressed": int(candidates.suppressed[node]),
                "classes": int(candidates.classes[node]),
                "measures": {measure: float(values[node])},
            }
            for node in nodes
        ],
    }
