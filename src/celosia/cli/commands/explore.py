"""``celosia explore``: every candidate there is, the best ones marked."""

from typing import TYPE_CHECKING, Annotated

import typer

from celosia.api.building import build_project
from celosia.api.planning import ExploredTable, explore_project
from celosia.cli.command import command
from celosia.cli.language import figure, render, tr, tr_count
from celosia.cli.options import (
    ClusterOptions,
    GoalOptions,
    HierarchyOptions,
    MaskOptions,
    ModelOptions,
    OutputOptions,
    PersonOption,
    ReadingOptions,
    RoleOptions,
    TableArgument,
    option,
)
from celosia.cli.show import print_columns, print_json, print_line
from celosia.cli.table_request import TableRequest

if TYPE_CHECKING:
    from celosia.api.results import Exploration, Node, Project

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(explore)


def explore(
    *,
    table: TableArgument,
    roles: RoleOptions,
    masks: MaskOptions,
    person: PersonOption = None,
    models: ModelOptions,
    hierarchies: HierarchyOptions,
    goal: GoalOptions,
    best: Annotated[
        int | None, option("--best", "N", "List only the N best; all by default.", panel="Search", min=1)
    ] = None,
    reading: ReadingOptions,
    cluster: ClusterOptions,
    output: OutputOptions,
) -> None:
    """List every generalization that satisfies the privacy models, best first, the optimal ones with a star."""
    asked = TableRequest(table, reading, cluster)
    asked.ensure_passwords()
    with asked.at_work() as progress:
        project = build_project(
            asked.request(
                roles=roles,
                masks=masks,
                person=person,
                hierarchies=hierarchies,
                models=models,
                goal=goal,
                as_json=output.as_json,
            )
        )
        candidates = explore_project(project, progress=progress, ask=asked.ask)
    explored = candidates.nodes
    nodes = _ranked(explored, project.measure, best)
    if output.as_json:
        print_json(_document(candidates, nodes, project))
    else:
        _print(explored, nodes, project)


def _ranked(explored: "Exploration", measure: str, best: int | None) -> "list[Node]":
    """Valid nodes, the lowest value of the measure first, then the lowest sum of levels."""
    values = explored.measures[measure]
    return sorted(explored.valid_nodes(), key=lambda node: (values[node], sum(node), node))[:best]


def _document(candidates: ExploredTable, nodes: "list[Node]", project: "Project") -> dict[str, object]:
    explored = candidates.nodes
    optimal, minimal = set(explored.best_nodes(project.measure)), set(explored.minimal_nodes())
    return {
        "columns": list(project.plan().quasi_identifiers),
        "heights": list(explored.lattice.heights),
        "hierarchies": dict(candidates.reasons),
        "measure": project.measure,
        "nodes": explored.lattice.size,
        "valid": int(explored.is_valid.sum()),
        "seconds": round(explored.seconds, 4),
        "candidates": [
            {
                "node": list(node),
                "optimal": node in optimal,
                "minimal": node in minimal,
                "suppressed": int(explored.suppressed[node]),
                "classes": int(explored.classes[node]),
                "measures": {name: float(values[node]) for name, values in explored.measures.items()},
            }
            for node in nodes
        ],
    }


def _print(explored: "Exploration", nodes: "list[Node]", project: "Project") -> None:
    measure = project.measure
    valid = int(explored.is_valid.sum())
    total = tr_count("{count:,} node", "{count:,} nodes", explored.lattice.size)
    title = tr_count(
        "{count:,} of {nodes} satisfies what was asked for",
        "{count:,} of {nodes} satisfy what was asked for",
        valid,
        nodes=total,
    )
    print_line(title, bold=True)
    for model in project.models:
        print_line(f"  {render(model.describe())}")
    if not nodes:
        print_line(tr("allow more suppression, ask for less, or use other hierarchies"))
        return
    names = [measure, *(name for name in explored.measures if name != measure)]
    optimal = set(explored.best_nodes(measure))
    rows = [
        (
            "*" if node in optimal else "",
            ",".join(map(str, node)),
            figure(int(explored.suppressed[node])),
            figure(int(explored.classes[node])),
            *(figure(float(explored.measures[name][node]), ".6g") for name in names),
        )
        for node in nodes
    ]
    print_line(
        tr(
            "levels of {columns}; * is optimal for {measure}",
            columns=", ".join(project.plan().quasi_identifiers),
            measure=measure,
        )
    )
    print_line()
    marked = [number for number, node in enumerate(nodes) if node in optimal]
    heads = ["", tr("node"), tr("suppressed"), tr("classes"), *names]
    print_columns(rows, heads, right=range(2, len(heads)), marked=marked)
    if len(nodes) < valid:
        print_line("  " + tr("and {count:,} more", count=valid - len(nodes)))
    print_line()
    print_line(tr("Apply one with `celosia anonymize`: the same options, --node and --out."))
