"""What could be released: every generalization of a table, and what every k keeps of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from celosia.api.arguments import handed_over, with_progress
from celosia.api.building import build_project
from celosia.api.requests import HierarchyLike, ReleaseRequest
from celosia.errors import ProjectError
from celosia.say import say
from celosia.types import TableLike

if TYPE_CHECKING:
    from celosia.api.results import Ask, Balance, Exploration, Hierarchy, Progress, Project, Rule, TablePlan
    from celosia.hierarchies.shapes import HierarchyShape

__all__ = [
    "BalanceRequest",
    "ExploredTable",
    "balance",
    "balance_project",
    "balance_rules",
    "explore",
    "explore_project",
    "with_mondrian",
]


@dataclass(frozen=True)
class ExploredTable:
    """Every generalization of a table, and what its columns become at each level."""

    plan: "TablePlan"
    rows: int
    nodes: "Exploration"
    hierarchies: "Mapping[str, Hierarchy]"
    reasons: Mapping[str, str]
    """Why each hierarchy is as it is."""

    def shapes(self, column: str) -> "list[HierarchyShape]":
        """What the labels of every level above the values look like."""
        from celosia.hierarchies.shapes import level_shape

        return [level_shape(labels) for labels in self.hierarchies[column].labels[1:]]


def explore_project(
    project: "Project",
    table: str | None = None,
    *,
    request: ReleaseRequest | None = None,
    progress: "Progress | None" = None,
    ask: "Ask | None" = None,
) -> ExploredTable:
    """Every generalization of a table of a project, its only one unless named.

    They are those of full-domain, where the technique is left open. ``request`` holds frames and hierarchies that the
    caller hands over.
    """
    from celosia import run
    from celosia.api.projects import with_goals
    from celosia.recode.techniques import make_technique

    if project.plan(table).technique.name == "auto":
        project = with_goals(project, technique=make_technique("full-domain"))
    with run.prepared_table(
        project, name=table, ask=ask, **handed_over(request), **with_progress(progress)
    ) as job:
        nodes, task = run.explore_table(job), job.task
        return ExploredTable(
            project.plan(table), task.counts.rows, nodes, dict(task.hierarchies), dict(task.reasons)
        )


def explore(
    source: TableLike,
    *,
    quasi_identifiers: Sequence[str],
    hierarchies: Mapping[str, HierarchyLike] | None = None,
    progress: "Progress | None" = None,
    ask: "Ask | None" = None,
    **options: object,
) -> "Exploration":
    """Every node of the lattice: whether it is valid, the rows it suppresses, and every utility measure.

    The technique is full-domain, if none is named; ``options`` are those of
    :meth:`celosia.api.requests.ReleaseRequest.of`.

    >>> import polars as pl
    >>> people = pl.DataFrame({"sex": ["f", "m", "f"], "town": ["x", "x", "y"]})
    >>> explore(people, quasi_identifiers=["sex", "town"], k=3).valid_nodes()
    [(1, 1)]
    """
    named = {"technique": "full-domain", **options}
    request = ReleaseRequest.of(source, quasi_identifiers=quasi_identifiers, hierarchies=hierarchies, **named)
    return explore_project(build_project(request), request=request, progress=progress, ask=ask).nodes


@dataclass(frozen=True)
class BalanceRequest:
    """The values of k to try, and when a distribution counts as kept.

    ``is_technique_named`` says that a person named the technique of the project herself: otherwise it is
    distribution-mondrian where all quasi-identifiers are numbers and no parameter is given.
    """

    ks: Sequence[int] = range(2, 21)
    tolerance: float = 0.05
    threshold: float = 0.95
    is_technique_named: bool = False


def balance_project(
    project: "Project",
    wanted: BalanceRequest,
    table: str | None = None,
    *,
    request: ReleaseRequest | None = None,
    progress: "Progress | None" = None,
    ask: "Ask | None" = None,
) -> "Balance":
    """What a release of a table of a project keeps and risks at every k, by the technique that the project names.

    ``request`` holds frames and hierarchies that the caller hands over.
    """
    from celosia import run
    from celosia.balancing import choose_technique, sweep

    with run.prepared(
        project, name=table, ask=ask, **handed_over(request), **with_progress(progress)
    ) as task:
        technique = choose_technique(task, project.technique, is_named=wanted.is_technique_named)
        return sweep(task, technique, wanted.ks, tolerance=wanted.tolerance, threshold=wanted.threshold)


def with_mondrian(project: "Project") -> "Project":
    """The project with Mondrian for its technique, which leaves out no row: what a curve over k is drawn of.

    >>> from celosia.api.projects import make_project
    >>> with_mondrian(make_project(suppression=0.1)).technique.name
    'mondrian'
    """
    from celosia.api.projects import with_goals
    from celosia.recode.techniques import make_technique

    return with_goals(project, technique=make_technique("mondrian"), suppression=0.0)


def balance(
    source: TableLike,
    *,
    quasi_identifiers: Sequence[str],
    ks: Iterable[int] = range(2, 21),
    technique: str | None = None,
    hierarchies: Mapping[str, HierarchyLike] | None = None,
    tolerance: float = 0.05,
    threshold: float = 0.95,
    progress: "Progress | None" = None,
    ask: "Ask | None" = None,
    **options: object,
) -> "Balance":
    """What a release keeps and risks at every k, and the largest k that keeps the distributions.

    ``technique`` is distribution-mondrian where all quasi-identifiers are numbers and no parameter of a technique is
    given, otherwise mondrian; numbers stay numbers unless ``represent`` says otherwise. ``options`` are those of
    :meth:`celosia.api.requests.ReleaseRequest.of` without k; other privacy models hold at every k.

    >>> import polars as pl
    >>> people = pl.DataFrame({"age": [20, 20, 20, 21, 40, 40, 40, 41], "paid": [1, 1, 1, 1, 3, 3, 3, 3]})
    >>> found = balance(people, quasi_identifiers=["age", "paid"], ks=range(2, 6))
    >>> {k: point.column("age").distance for k, point in found.points.items()}
    {2: 0.125, 3: 0.125, 4: 0.125, 5: 0.5}
    >>> found.best("published"), found.points[4].before.uniques, found.points[4].after.uniques
    (4, 2, 0)
    """
    if "k" in options:
        raise ProjectError(say("k is what is looked for"), where="k", remedy=say("say which to try with ks"))
    request = ReleaseRequest.of(
        source,
        quasi_identifiers=quasi_identifiers,
        hierarchies=hierarchies,
        technique=technique or "mondrian",
        k=2,
        **options,
    )
    wanted = BalanceRequest(tuple(ks), tolerance, threshold, is_technique_named=technique is not None)
    return balance_project(build_project(request), wanted, request=request, progress=progress, ask=ask)


def balance_rules() -> "Sequence[Rule]":
    """The rules by which a k is the best.

    >>> balance_rules()
    ('published', 'sound')
    """
    from celosia.balancing import RULES

    return RULES
