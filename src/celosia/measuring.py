"""From a project to what is measured: its table beside its release, with all that the project says of both."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager

from celosia.errors import ProjectError
from celosia.hierarchies import Hierarchy, propose
from celosia.hierarchies.plain import read_in_form
from celosia.mask import remaining_rows
from celosia.measure.attacks import Attacker, Knowledge
from celosia.measure.subject import MeasureSubject, Population
from celosia.privacy import NamedAttacker, guarded_columns
from celosia.project import Project, Source, TablePlan
from celosia.release.open_source import open_source, opened_table
from celosia.release.prepared_table import Ask, PreparedTable, as_hierarchy
from celosia.release.reading import as_received
from celosia.say import say
from celosia.tables import close_table
from celosia.tables.table import Progress, Table, no_progress
from celosia.tables.written_forms import forms_of, markers_of, read_with_forms
from celosia.types import ColumnType, Role, TableLike

__all__ = ["opened_subject"]


@contextmanager
def opened_subject(
    project: Project,
    name: str | None = None,
    *,
    original: TableLike | None = None,
    release: TableLike | None = None,
    control: TableLike | None = None,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    same_order: bool = False,
    threshold: int = 5,
    progress: Progress = no_progress,
    ask: Ask | None = None,
) -> Iterator[MeasureSubject]:
    """The table of a project and its release, opened, and let go of in the end.

    ``original``, ``release`` and ``control`` take the place of what the project says: frames, files, addresses.
    """
    with ExitStack() as stack:
        job = stack.enter_context(opened_table(project, name, source=original, progress=progress, ask=ask))
        plan, types = job.plan, _texts(job)

        def opened(source: Source | None, place: TableLike | None = None) -> Table | None:
            if source is None and place is None:
                return None
            table = open_source(project, source or plan.source, source=place, types=types, ask=ask)
            stack.callback(close_table, table)
            return table

        # Whoever operations leave out on purpose is not lost; chance without a seed cannot be repeated.
        is_known = plan.seed is not None or not any(operation.goes_by_seed for operation in plan.rows)
        people = remaining_rows(job.source, job.masking if is_known else None)
        released = _open_release(project, plan, release, types, ask)
        released = read_with_forms(released, forms_of(job.source))
        # Missing is what is so in the original: other usual marks, as * among numbers, are labels and values here.
        released = as_received(released, missing=markers_of(job.source))
        stack.callback(close_table, released)
        _check_columns(job, released)
        yield MeasureSubject(
            release=released,
            original=people,
            quasi_identifiers=plan.quasi_identifiers,
            sensitive=tuple(name for name in plan.with_role(Role.SENSITIVE)),
            guarded=guarded_columns(plan.models),
            accepted=tuple(plan.accepted),
            person=plan.person,
            targets=plan.targets,
            hierarchies={**_proposed(job, people), **_hierarchies(plan, job.source), **(hierarchies or {})},
            population=Population(
                opened(plan.population.source), plan.population.fraction, plan.population.weight
            ),
            attacker=Attacker(
                {name: Knowledge(known.within, known.error) for name, known in plan.attacker.knows.items()},
                opened(plan.attacker.source),
                plan.attacker.people,
                plan.attacker.sides,
            ),
            attackers={model.who: model.knows for model in plan.models if isinstance(model, NamedAttacker)},
            control=opened(plan.control, control),
            key=plan.key,
            same_order=same_order,
            threshold=threshold,
            seed=plan.seed or 0,
            progress=progress,
        )


def _texts(job: PreparedTable) -> dict[str, str]:
    """Columns of text: they are so in a release, and in tables of other people, whatever is left looks like."""
    return {column.name: str(column.type) for column in job.source.schema() if column.type is ColumnType.TEXT}


def _hierarchies(plan: TablePlan, table: Table) -> dict[str, Hierarchy]:
    forms = forms_of(table)
    return {
        name: read_in_form(as_hierarchy(column.hierarchy, name), forms.get(name))
        for name, column in plan.columns.items()
        if column.hierarchy is not None
    }


def _proposed(job: PreparedTable, people: Table) -> dict[str, Hierarchy]:
    """What a run proposes for quasi-identifiers without a hierarchy, so that its labels are understood."""
    hierarchies = {}
    for name in job.plan.quasi_identifiers:
        column = job.plan.columns[name]
        if column.hierarchy is None and not column.is_masked and name in people.columns():
            counts = people.count_by([name])
            present = counts.values[0].is_not_null()
            values, rows = counts.texts[0].filter(present), counts.rows_of(0)[present.to_numpy()]
            hierarchies[name] = propose(
                name,
                values,
                type=column.type or ColumnType.TEXT,
                counts=rows,
                language=job.plan.language,
            ).hierarchy
    return hierarchies


def _open_release(
    project: Project, plan: TablePlan, release: TableLike | None, types: Mapping[str, str], ask: Ask | None
) -> Table:
    """The release at a place that is given, else where the project puts it."""
    original, place = plan.source, plan.destination
    if release is None and place.path is None and place.table is None:
        raise ProjectError(
            say("there is no release to measure"),
            where="destination",
            remedy=say("name it after the original, or say in the project where it is"),
        )
    source = Source(
        path=place.path or original.path,
        table=() if place.table is None else (place.table,),
        format=place.format,
        separator=place.separator if place.separator is not None else original.separator,
        encoding=place.encoding or original.encoding,
        header=original.header if place.header is None else place.header,
        missing=original.missing,
        decimal=place.decimal or original.decimal,
        thousands=original.thousands if place.thousands is None else place.thousands,
        date_format=place.date_format or original.date_format,
        engine=original.engine,
    )
    if release is not None:
        is_same_kind = isinstance(release, str) and str(release) == str(place.path)
        if not is_same_kind:
            source = Source(missing=original.missing, encoding=original.encoding, header=original.header)
    return open_source(project, source, source=release, types=types, ask=ask)


def _check_columns(job: PreparedTable, released: Table) -> None:
    """Raise if nothing of the original is in the release: then it is another table's."""
    if not set(released.columns()) & set(job.source.columns()):
        raise ProjectError(
            say("{release} has no column of {original}", release=released.name, original=job.source.name),
            where=released.name,
            remedy=say("give the release of this table; columns are compared by name"),
        )
