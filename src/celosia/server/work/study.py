"""Many releases of the project's table, each measured and learnt from."""

from typing import Any

from celosia.server.work.kind import JobContext, JobKind, Parameters

__all__ = ["KIND"]


def work(task: JobContext) -> dict[str, Any]:
    """Carry out the study that the project asks for, from its cache where that has it."""
    from celosia.study.study import run_study

    found = run_study(
        task.project, task.parameters.table, cache=task.folder / "cache", progress=task.progress, ask=task.ask
    )
    task.keep({**found.to_dict(), **_shown(found)})
    return {"releases": len(found.results)}


def _shown(found: Any) -> dict[str, Any]:
    """What can be read from it: a table for every choice of quasi-identifiers, sentences, figures, and all as CSV."""
    from celosia.server.work.figures import figure_documents
    from celosia.study.figures import figures
    from celosia.study.summary import overview, summary_sentences

    tables = {}
    for choice, called in found.choices.items():
        rows, heads = overview(found, choice)
        tables[called] = {"called": called, "heads": heads, "rows": rows}
    return {
        "overview": tables,
        "reading": list(summary_sentences(found)),
        "figures": figure_documents(figures(found)),
        "csv": found.table().write_csv(),
    }


KIND = JobKind("study", work, Parameters)
