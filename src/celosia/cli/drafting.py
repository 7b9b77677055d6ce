"""From the tables that a person names to the draft of a project."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from celosia.cli.cluster import MASTER, is_hive, progress_on_spark
from celosia.cli.destination import fresh_file, spell_file
from celosia.cli.language import tr
from celosia.cli.options import ClusterOptions, FileOptions, ReadingOptions
from celosia.cli.parse_options import Passwords, TableRequest, check_address, split_names
from celosia.cli.questions import Questions
from celosia.cli.show import print_line
from celosia.errors import ProjectError
from celosia.say import say

if TYPE_CHECKING:
    from celosia.project.draft import Draft
    from celosia.tables.table import Progress

__all__ = ["DraftTable", "Repeated", "draft_tables", "find_places", "places_progress", "write_hierarchies"]

Repeated = tuple[list[tuple[str, str]], str]
"""Table and column of every place that seems to hold an attribute, and why."""


@dataclass(frozen=True)
class DraftTable:
    """A table that a project is made for, and the name that the project gives it."""

    name: str
    asked: TableRequest

    @property
    def table(self) -> str | None:
        """Its name in the database, if it is in one."""
        return next(iter(self.asked.reading.tables), None)


def find_places(
    sources: Sequence[str],
    tables: Sequence[str],
    reading: FileOptions,
    questions: Questions,
    cluster: ClusterOptions | None = None,
) -> list[DraftTable]:
    """The tables at all sources, each under a name of its own; ``cluster`` is for those that Spark reads."""
    from celosia.api.building import table_name
    from celosia.tables.spark.address import is_place
    from celosia.tables.sql.address import is_address, split_name

    if not sources:
        raise ProjectError(
            say("no table was given"), where="SOURCES", remedy=say("name a file, as in people.csv")
        )
    if tables and not any(map(is_address, sources)):
        raise ProjectError(say("--table is for databases"), where="--table", remedy=say("leave it out"))
    how = {each.name: getattr(reading, each.name) for each in fields(reading)}
    ask, places, taken = Passwords(), list[DraftTable](), set[str]()
    for source in sources:
        named: Sequence[str | None] = [None]
        if is_address(source) and not is_place(source):
            check_address(source, option="SOURCES")
            named = tables or _ask_tables(source, ask, questions)
        for table in named:
            plain = table_name(source, ()) if table is None else split_name(table)[1]
            name = _free_name(plain, taken)
            read = ReadingOptions(**how, tables=[] if table is None else [table])
            asked = TableRequest(source, read, cluster or ClusterOptions(), ask)
            places.append(DraftTable(name, asked))
    return places


def _free_name(name: str, taken: set[str]) -> str:
    """A name that no other table of the project has."""
    found = next(each for each in [name, *(f"{name}_{n}" for n in range(2, 10_000))] if each not in taken)
    taken.add(found)
    return found


def _ask_tables(address: str, ask: Passwords, questions: Questions) -> list[str]:
    from celosia.tables.sql.open import list_tables

    found = [
        f"{each.schema}.{each.name}" if each.schema else each.name for each in list_tables(address, ask=ask)
    ]
    print_line(tr("{address} has the tables {names}", address=address, names=", ".join(found)))
    answer = questions.ask(tr("Tables to take, as in visits,persons"), found[0] if len(found) == 1 else "")
    names = split_names([answer], lambda: found)
    if not answer:
        raise ProjectError(say("no table was named"), where=address, remedy=say("name it with --table"))
    return names


def draft_tables(places: Sequence[DraftTable], folder: Path) -> "tuple[Draft, list[Repeated]]":
    """A draft of what profiles propose, and columns that seem to hold the same attribute."""
    from celosia.profile import profile_table
    from celosia.profile.repeated import propose_repeated
    from celosia.project.draft import Draft, draft_table
    from celosia.project.repeated import split_place

    for place in places:
        place.asked.ensure_passwords()
    draft = Draft({}, name=places[0].name if len(places) == 1 else "", spark=_session(places))
    with places_progress(places) as progress, ExitStack() as stack:
        opened = {place.name: stack.enter_context(place.asked.opened()) for place in places}
        for place in places:
            source, destination = _documents(draft, place, folder)
            table = opened[place.name]
            profile = profile_table(table, progress=progress)
            draft.tables[place.name] = draft_table(
                profile, table.schema(), source=source, destination=destination
            )
        progress(say("comparing columns"), 0.5)
        declared = _declared_keys(places) if len(opened) > 1 else []
        proposals = propose_repeated(opened, declared=declared) if len(opened) > 1 else []
    names: Any = draft.tables
    return draft, [([split_place(place, names) for place in each.places], each.reason) for each in proposals]


@contextmanager
def places_progress(places: Sequence[DraftTable]) -> "Iterator[Progress]":
    """A progress bar, and Spark if it reads one of the tables."""
    settings = [place.asked.settings for place in places if place.asked.settings is not None]
    with progress_on_spark(next(iter(settings), None), [place.asked.table for place in places]) as progress:
        yield progress


def _session(places: Sequence[DraftTable]) -> dict[str, Any]:
    """What the project says of Spark: what the options do."""
    given = next((place.asked.settings for place in places if place.asked.settings), {})
    config = {name: value for name, value in given.items() if name != MASTER}
    return {name: value for name, value in (("master", given.get(MASTER)), ("config", config)) if value}


def _declared_keys(places: Sequence[DraftTable]) -> list[tuple[str, str]]:
    """Foreign keys that databases declare between the tables, in the names that the project gives them."""
    found: list[tuple[str, str]] = []
    for address in dict.fromkeys(place.asked.table for place in places if place.table is not None):
        from celosia.tables.sql.keys import foreign_keys

        here = {place.table or "": place for place in places if place.asked.table == address}
        ask = next(iter(here.values())).asked.ask
        for pair in foreign_keys(address, here, ask=ask):
            tables = [max((name for name in here if text.startswith(f"{name}.")), key=len) for text in pair]
            child, parent = (
                here[table].name + text[len(table) :] for table, text in zip(tables, pair, strict=True)
            )
            found.append((child, parent))
    return found


def _documents(draft: "Draft", place: DraftTable, folder: Path) -> tuple[Any, Any]:
    """Where a table is and where its release goes, as the project writes it."""
    from celosia.project.load import from_folder

    text, table = place.asked.table, place.table
    if table is not None:
        connection = _connection(draft, text)
        return {"connection": connection, "table": table}, {
            "connection": connection,
            "table": f"{table}_safe",
        }
    given = place.asked.reading
    differs: dict[str, Any] = {} if place.asked.cluster.engine is None else {"engine": "spark"}
    differs |= {
        each.name: place.asked.how[each.name]
        for each in fields(FileOptions)
        if getattr(given, each.name) != getattr(FileOptions(), each.name)
    }
    path = from_folder(text, folder)
    source = {"path": path, **{name: _plain(value) for name, value in differs.items()}} if differs else path
    return source, _beside(text) or f"{place.name}_safe{_ending(Path(text))}"


def _beside(text: str) -> str | None:
    """Where the release of a table on a cluster goes: there, beside it."""
    from celosia.tables.spark.address import is_place

    if not is_place(text):
        return None
    if is_hive(text):
        return f"{text}_safe"
    folder, _, name = text.rstrip("/").rpartition("/")
    return f"{folder}/{Path(name).stem}_safe{Path(name).suffix}"


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _ending(path: Path) -> str:
    """The ending of a format that releases can be written in: that of the source, or else of CSV."""
    return path.suffix if path.suffix.lower() != ".arff" and path.suffix else ".csv"


def _connection(draft: "Draft", address: str) -> str:
    """The name of a database in the project."""
    from celosia.tables.sql.address import parse_address

    known = next((name for name, other in draft.connections.items() if other == address), None)
    if known is not None:
        return known
    database = Path(parse_address(address).url.database or "database").stem
    name = _free_name(database, set(draft.connections))
    draft.connections[name] = address
    return name


def write_hierarchies(draft: "Draft", places: Sequence[DraftTable], folder: Path, base: Path) -> None:
    """Propose and write a hierarchy for every quasi-identifier; a file that is there already is taken as it is."""
    from celosia.cli.commands.hierarchy import propose_for
    from celosia.hierarchies import write_hierarchy
    from celosia.project.load import from_folder
    from celosia.types import Role

    folder.mkdir(parents=True, exist_ok=True)
    for place in places:
        table = draft.tables[place.name]
        with place.asked.opened() as opened:
            for name in table.with_role(Role.QUASI_IDENTIFIER):
                path = folder / f"{spell_file(place.name)}.{spell_file(name)}.csv"
                table.columns[name].hierarchy = from_folder(str(path), base)
                if path.exists():
                    print_line(tr("{path} exists already and is taken as it is", path=path))
                    continue
                proposal = propose_for(opened, name, kind=str(table.columns[name].type))
                with fresh_file(path) as hidden:
                    write_hierarchy(proposal.hierarchy, hidden)
