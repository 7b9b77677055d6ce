"""From the tables that a person names to the draft of a project."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

from celosia.api.drafting import (
    DraftSource,
    ProposedDraft,
    draft_project,
    free_name,
    name_of_source,
    propose_draft_hierarchies,
    seen_from,
)
from celosia.api.hierarchies import write_hierarchy
from celosia.api.opening import PlaceKind, check_address, list_database_tables, place_kind
from celosia.cli.cluster import progress_on_spark
from celosia.cli.destination import fresh_file, spell_file
from celosia.cli.language import current_words, tr
from celosia.cli.options import ClusterOptions, FileOptions, ReadingOptions
from celosia.cli.parse_options import split_names
from celosia.cli.passwords import Passwords
from celosia.cli.questions import Questions
from celosia.cli.show import print_line
from celosia.cli.table_request import TableRequest
from celosia.errors import ProjectError
from celosia.say import say
from celosia.types import Role

if TYPE_CHECKING:
    from celosia.api.results import Draft, Progress

__all__ = ["DraftTable", "find_places", "look", "places_progress", "write_hierarchies"]


@dataclass(frozen=True)
class DraftTable:
    """A table that a project is made for, and the name that the project gives it."""

    name: str
    asked: TableRequest

    @property
    def source(self) -> DraftSource:
        """The table and how it is read, as a draft of a project takes it."""
        return DraftSource(self.name, self.asked.source)


def find_places(
    sources: Sequence[str],
    tables: Sequence[str],
    reading: FileOptions,
    questions: Questions,
    cluster: ClusterOptions | None = None,
) -> list[DraftTable]:
    """The tables at all sources, each under a name of its own; ``cluster`` is for those that Spark reads."""
    if not sources:
        raise ProjectError(
            say("no table was given"), where="SOURCES", remedy=say("name a file, as in people.csv")
        )
    is_database = PlaceKind.DATABASE in map(place_kind, sources)
    values = {field.name: getattr(reading, field.name) for field in fields(reading)}
    ask, places, taken = Passwords(), list[DraftTable](), set[str]()
    for source in sources:
        named: Sequence[str | None] = [None]
        if place_kind(source) is PlaceKind.DATABASE:
            check_address(source, option="SOURCES")
            named = tables or _ask_tables(source, ask, questions)
        elif tables and not is_database:
            named = tables  # sheets of a workbook, or files of an archive
        for table in named:
            name = free_name(name_of_source(source, table), taken)
            read = ReadingOptions(**values, tables=[] if table is None else [table])
            asked = TableRequest(source, read, cluster or ClusterOptions(), ask)
            places.append(DraftTable(name, asked))
    return places


def _ask_tables(address: str, ask: Passwords, questions: Questions) -> list[str]:
    tables = list_database_tables(address, ask=ask)
    full_names = [f"{table.schema}.{table.name}" if table.schema else table.name for table in tables]
    print_line(tr("{address} has the tables {names}", address=address, names=", ".join(full_names)))
    answer = questions.ask(
        tr("Tables to take, as in visits,persons"), full_names[0] if len(full_names) == 1 else ""
    )
    names = split_names([answer], lambda: full_names)
    if not answer:
        raise ProjectError(say("no table was named"), where=address, remedy=say("name it with --table"))
    return names


def look(places: Sequence[DraftTable], folder: Path) -> ProposedDraft:
    """A draft of what profiles propose, and columns that seem to hold the same attribute."""
    for place in places:
        place.asked.ensure_passwords()
    sources = [place.source for place in places]
    with places_progress(places) as progress:
        return draft_project(
            sources,
            folder,
            progress=progress,
            ask=places[0].asked.ask,
            language=current_words().language,
        )


@contextmanager
def places_progress(places: Sequence[DraftTable]) -> "Iterator[Progress]":
    """A progress bar, and Spark if it reads one of the tables."""
    settings = [place.asked.settings for place in places if place.asked.settings is not None]
    with progress_on_spark(next(iter(settings), None), [place.asked.table for place in places]) as progress:
        yield progress


def write_hierarchies(draft: "Draft", places: Sequence[DraftTable], folder: Path, base: Path) -> None:
    """Propose and write a hierarchy for every quasi-identifier; a file that is there already is taken as it is."""
    folder.mkdir(parents=True, exist_ok=True)
    for place in places:
        table = draft.tables[place.name]
        names = table.with_role(Role.QUASI_IDENTIFIER)
        paths = {name: folder / f"{spell_file(place.name)}.{spell_file(name)}.csv" for name in names}
        there = [name for name, path in paths.items() if path.exists()]
        for name, path in paths.items():
            table.columns[name].hierarchy = seen_from(base, str(path))
            if name in there:
                print_line(tr("{path} exists already and is taken as it is", path=path))
        proposals = propose_draft_hierarchies(draft, place.source, but=there, ask=place.asked.ask)
        for name, proposal in proposals.items():
            with fresh_file(paths[name]) as hidden:
                write_hierarchy(proposal.hierarchy, hidden)
