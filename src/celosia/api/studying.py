"""Many releases of one table, over k and quasi-identifiers, each measured and learnt from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from celosia.api.arguments import with_progress

if TYPE_CHECKING:
    from celosia.api.results import AnyChart, Ask, Progress, Project, Study

__all__ = ["StudyTable", "run_study", "study_figures", "study_sentences", "study_tables"]


def run_study(
    project: "Project",
    table: str | None = None,
    *,
    cache: Path | None = None,
    jobs: int | None = None,
    progress: "Progress | None" = None,
    ask: "Ask | None" = None,
) -> "Study":
    """Carry out the study of a project's table, its only one unless named; what was found before is in ``cache``."""
    from celosia import study

    return study.run_study(project, table, cache=cache, jobs=jobs, ask=ask, **with_progress(progress))


@dataclass(frozen=True)
class StudyTable:
    """What was found of one choice of quasi-identifiers, a row for every k."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str | float | None]]


def study_tables(study: "Study") -> list[StudyTable]:
    """A table for every choice of quasi-identifiers."""
    from celosia.study.summary import overview

    tables = []
    for choice, title in study.choices.items():
        rows, heads = overview(study, choice)
        tables.append(StudyTable(title, heads, rows))
    return tables


def study_sentences(study: "Study") -> list[str]:
    """What can be read from a study, in sentences."""
    from celosia.study.summary import summary_sentences

    return list(summary_sentences(study))


def study_figures(study: "Study") -> "Mapping[str, AnyChart]":
    """The charts of a study by name."""
    from celosia.study.figures import figures

    return figures(study)
