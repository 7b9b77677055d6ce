"""What a release still risks and what it is still good for."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from celosia.api.arguments import all_hierarchies, with_progress
from celosia.api.building import build_project
from celosia.api.requests import HierarchyLike, ReleaseRequest, names_of
from celosia.types import TableLike

if TYPE_CHECKING:
    import polars as pl
    from pydantic import BaseModel

    from celosia.api.results import Ask, MeasureResults, Progress, Project

Part = TypeVar("Part", bound="BaseModel")

__all__ = ["MeasureRequest", "declare", "measure", "measure_release"]


@dataclass(frozen=True)
class MeasureRequest:
    """A release beside the table it was made of, and what is measured.

    ``table`` is that of the project which says what its columns are, and where both tables are unless given here.
    ``measures`` are names, or families: risk, attack, utility; all by default. ``rules`` are sets of rules that the
    answers are held against. ``control`` holds people who are not in the table; ``population`` and ``attacker`` are as
    in a project; with ``same_order`` the rows of both tables are the same people's one by one.
    """

    table: str | None = None
    original: TableLike | None = None
    release: TableLike | None = None
    measures: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    hierarchies: Mapping[str, HierarchyLike] = field(default_factory=dict)
    targets: tuple[str, ...] = ()
    population: Mapping[str, object] | str | None = None
    attacker: Mapping[str, object] | None = None
    control: TableLike | None = None
    key: str | None = None
    same_order: bool = False
    threshold: int = 5
    seed: int | None = None


def measure(
    project: "Project",
    request: MeasureRequest,
    *,
    row_risks: "Callable[[Iterator[pl.DataFrame]], None] | None" = None,
    progress: "Progress | None" = None,
    ask: "Ask | None" = None,
) -> "MeasureResults":
    """Measure a release of a project; ``row_risks`` is called with its rows in batches, each with its risk."""
    from celosia.measure.registry import choose_measures
    from celosia.measure.results import measure_subject
    from celosia.measure.risk.rows import row_risks as find_row_risks
    from celosia.measuring import opened_subject
    from celosia.project import AttackerPlan, PopulationPlan, TablePlan

    chosen = choose_measures(request.measures)
    population, attacker, seed = request.population, request.attacker, request.seed
    project = declare(
        project,
        request.table,
        targets=request.targets or None,
        population=None if population is None else part(PopulationPlan, "population", population),
        attacker=None if attacker is None else part(AttackerPlan, "attacker", attacker),
        key=request.key,
        seed=None if seed is None else part(TablePlan, "", {"seed": seed}).seed,
    )
    with opened_subject(
        project,
        request.table,
        original=request.original,
        release=request.release,
        control=request.control,
        hierarchies=all_hierarchies(request.hierarchies),
        same_order=request.same_order,
        threshold=request.threshold,
        ask=ask,
        **with_progress(progress),
    ) as subject:
        if row_risks is not None:
            row_risks(find_row_risks(subject))
        return measure_subject(subject, chosen, rules=request.rules)


def measure_release(
    original: TableLike | None = None,
    release: TableLike | None = None,
    *,
    project: "Project | None" = None,
    name: str | None = None,
    measures: Iterable[str] = (),
    rules: Iterable[str] = (),
    quasi_identifiers: Iterable[str] = (),
    sensitive: Iterable[str] = (),
    targets: Iterable[str] = (),
    hierarchies: Mapping[str, HierarchyLike] | None = None,
    population: Mapping[str, object] | str | None = None,
    attacker: Mapping[str, object] | None = None,
    control: TableLike | None = None,
    key: str | None = None,
    same_order: bool = False,
    threshold: int = 5,
    row_risks: "Callable[[Iterator[pl.DataFrame]], None] | None" = None,
    seed: int | None = None,
    progress: "Progress | None" = None,
    ask: "Ask | None" = None,
    **reading: object,
) -> "MeasureResults":
    """Measure a release against the table it was made of: frames, files, tables of databases or clusters.

    A ``project`` says what the columns of its table (that of this ``name``) are, and where both tables are unless they
    are given; without one the arguments do. What they say of targets, population, attacker, key and seed counts more.
    The other arguments are the fields of :class:`MeasureRequest`; ``row_risks`` is called with the rows of the release
    in batches, each with its risk. ``reading`` are options of :meth:`celosia.api.requests.ReleaseRequest.of` about how
    the original is read.

    >>> import polars as pl
    >>> people = pl.DataFrame({"age": [31, 38, 47, 49], "job": ["nurse", "cook", "cook", "cook"]})
    >>> release = people.with_columns(pl.Series("age", ["[30-39]", "[30-39]", "[40-49]", "[40-49]"]))
    >>> found = measure_release(people, release, quasi_identifiers=["age"], sensitive=["job"], measures=["uniques"])
    >>> found.value("uniques")
    0
    """
    if project is None:
        described = ReleaseRequest.of(
            original,
            quasi_identifiers=names_of(quasi_identifiers),
            sensitive=names_of(sensitive),
            hierarchies=hierarchies,
            **reading,
        )
        project = build_project(described)
    request = MeasureRequest(
        name,
        original=original,
        release=release,
        measures=names_of(measures),
        rules=names_of(rules),
        hierarchies=hierarchies or {},
        targets=names_of(targets),
        population=population,
        attacker=attacker,
        control=control,
        key=key,
        same_order=same_order,
        threshold=threshold,
        seed=seed,
    )
    return measure(project, request, row_risks=row_risks, progress=progress, ask=ask)


def part(kind: "type[Part]", name: str, value: object) -> "Part":
    """A part of a table's plan as a program gives it; what is wrong is said by its field.

    >>> from celosia.project import AttackerPlan
    >>> part(AttackerPlan, "attacker", {"people": 0})
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: attacker.people: it should be greater than 0, not 0; correct the project
    """
    from pydantic import ValidationError

    from celosia.errors import ProjectError
    from celosia.project.mistakes import explain_fields

    try:
        return kind.model_validate(value)
    except ValidationError as error:
        wrong = explain_fields(error, value if isinstance(value, dict) else {}, model=kind)
        location = ".".join(step for step in (name, wrong.where) if step)
        raise ProjectError(wrong.what, where=location, remedy=wrong.remedy) from None


def declare(project: "Project", name: str | None = None, **fields: object) -> "Project":
    """The project with fields of a table, its only one unless named, in place of what it says; None says nothing.

    >>> from celosia.project import make_project
    >>> declare(make_project(tables={"people": {"source": "people.csv"}}), key="id").plan().key
    'id'
    """
    project.plan(name)  # says so if there is no such table
    chosen = next(iter(project.tables)) if name is None else name
    told = {field: value for field, value in fields.items() if value is not None}
    changed = project.tables[chosen].model_copy(update=told)
    return project.model_copy(update={"tables": {**project.tables, chosen: changed}})
