"""Many releases of the project's table, each measured and learnt from."""

from typing import TYPE_CHECKING, Any

from celosia.api.studying import run_study, study_figures, study_sentences, study_tables
from celosia.server.work.figures import figure_documents
from celosia.server.work.kind import JobContext, JobKind, JobSummary, Parameters

if TYPE_CHECKING:
    from celosia.api.results import Study

__all__ = ["KIND"]


def work(task: JobContext[Parameters]) -> JobSummary:
    """Carry out the study that the project asks for, from its cache where that has it."""
    result = run_study(
        task.project, task.parameters.table, cache=task.folder / "cache", progress=task.progress, ask=task.ask
    )
    task.keep({**result.to_dict(), **_shown(result)})
    return {"releases": len(result.results)}


def _shown(result: "Study") -> dict[str, Any]:
    """What can be read from it: a table for every choice of quasi-identifiers, sentences, figures, and all as CSV."""
    tables = {
        table.title: {"called": table.title, "heads": table.heads, "rows": table.rows}
        for table in study_tables(result)
    }
    return {
        "overview": tables,
        "reading": study_sentences(result),
        "figures": figure_documents(study_figures(result)),
        "csv": result.table().write_csv(),
    }


KIND = JobKind("study", work, Parameters)
