"""Drafts of projects: what profiles of tables propose, and hierarchies for the columns that need one."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from celosia.api.building import table_name
from celosia.api.clusters import MASTER
from celosia.api.opening import PlaceKind, opened_table, place_kind, plain_table_name, server_of
from celosia.api.requests import TableSource
from celosia.errors import CelosiaError
from celosia.say import say
from celosia.types import Role

if TYPE_CHECKING:
    from celosia.api.results import Ask, Draft, HierarchyProposal, Progress

__all__ = [
    "DraftSource",
    "ProposedDraft",
    "RepeatedColumns",
    "draft_project",
    "free_name",
    "name_of_source",
    "propose_draft_hierarchies",
    "seen_from",
]

WRITTEN = (
    "format",
    "separator",
    "encoding",
    "header",
    "missing",
    "decimal",
    "thousands",
    "date_format",
    "quote",
)
"""How a file is read, as a project writes it down where it is not as usual."""


@dataclass(frozen=True)
class DraftSource:
    """A table that a project is made for, and the name that the project gives it."""

    name: str
    source: TableSource

    @property
    def place(self) -> str:
        """Where the table is."""
        return str(self.source.place)

    @property
    def table(self) -> str | None:
        """The name of the table in its database, if it is in one."""
        return next(iter(self.source.tables), None)


@dataclass(frozen=True)
class RepeatedColumns:
    """Table and column of every place that seems to hold the same attribute, and why."""

    places: tuple[tuple[str, str], ...]
    reason: str


@dataclass(frozen=True)
class ProposedDraft:
    """A draft of what profiles propose, and columns that seem to hold the same attribute."""

    draft: "Draft"
    repeated: tuple[RepeatedColumns, ...]


def name_of_source(place: str, table: str | None = None) -> str:
    """What a project calls a table: as its file, or as the database does, without its schema.

    >>> name_of_source("people.csv"), name_of_source("sqlite:///clinic.db", "public.visits")
    ('people', 'visits')
    """
    return table_name(place) if table is None else plain_table_name(table)


def free_name(name: str, taken: set[str]) -> str:
    """A name that is not taken yet; it is then.

    >>> taken = {"people"}
    >>> free_name("people", taken), sorted(taken)
    ('people_2', ['people', 'people_2'])
    """
    free = next(
        candidate
        for candidate in [name, *(f"{name}_{n}" for n in range(2, 10_000))]
        if candidate not in taken
    )
    taken.add(free)
    return free


def draft_project(
    places: Sequence[DraftSource],
    folder: Path,
    *,
    progress: "Progress",
    ask: "Ask | None" = None,
    language: str = "en",
) -> ProposedDraft:
    """Look at tables, and draft a project whose document is going to lie in ``folder``, with labels in ``language``."""
    from celosia.profile import find_treatments, profile_table
    from celosia.profile.repeated import propose_repeated
    from celosia.project.draft import Draft, draft_table
    from celosia.project.repeated import split_place

    draft = Draft(
        {}, name=places[0].name if len(places) == 1 else "", spark=_session(places), language=language
    )
    with ExitStack() as stack:
        opened = {place.name: stack.enter_context(opened_table(place.source, ask=ask)) for place in places}
        for place in places:
            source, destination = _documents(draft, place, folder)
            table = opened[place.name]
            profile = profile_table(table, progress=progress)
            draft.tables[place.name] = draft_table(
                profile,
                table.schema(),
                source=source,
                destination=destination,
                treatments=find_treatments(table, profile),
            )
        progress(say("comparing columns"), 0.5)
        declared = _declared_keys(places, ask) if len(opened) > 1 else []
        proposals = propose_repeated(opened, declared=declared) if len(opened) > 1 else []
    names: Any = draft.tables
    repeated = [
        RepeatedColumns(tuple(split_place(place, names) for place in proposal.places), proposal.reason)
        for proposal in proposals
    ]
    return ProposedDraft(draft, tuple(repeated))


def _session(places: Sequence[DraftSource]) -> dict[str, object]:
    """What the project says of Spark."""
    settings: Mapping[str, str] = next((place.source.spark for place in places if place.source.spark), {})
    config = {name: value for name, value in settings.items() if name != MASTER}
    return {name: value for name, value in (("master", settings.get(MASTER)), ("config", config)) if value}


def _declared_keys(places: Sequence[DraftSource], ask: "Ask | None") -> list[tuple[str, str]]:
    """Foreign keys that databases declare between the tables, in the names that the project gives them."""
    keys: list[tuple[str, str]] = []
    databases = [place.place for place in places if place_kind(place.place) is PlaceKind.DATABASE]
    for address in dict.fromkeys(databases):
        from celosia.tables.sql.keys import foreign_keys

        here = {place.table or "": place for place in places if place.place == address}
        for pair in foreign_keys(address, here, ask=ask):
            tables = [max((name for name in here if text.startswith(f"{name}.")), key=len) for text in pair]
            child, parent = (
                here[table].name + text[len(table) :] for table, text in zip(tables, pair, strict=True)
            )
            keys.append((child, parent))
    return keys


def _documents(draft: "Draft", place: DraftSource, folder: Path) -> tuple[object, object]:
    """Where a table is and where its release goes, as the project writes it."""
    text, table = place.place, place.table
    if table is not None and place_kind(text) is PlaceKind.DATABASE:
        connection = _connection(draft, text)
        return {"connection": connection, "table": table}, {
            "connection": connection,
            "table": f"{table}_safe",
        }
    reading, usual = place.source, TableSource("")
    kind = place_kind(text)
    is_moved = reading.engine is not None and kind is PlaceKind.FILE
    differs: dict[str, object] = {"engine": "spark"} if is_moved else {}
    for name in WRITTEN:
        value = getattr(reading, name)
        if value != getattr(usual, name):
            differs[name] = list(value) if isinstance(value, tuple) else value
    if table is not None:
        differs["table"] = table
    path = seen_from(folder, text)
    source = {"path": path, **differs} if differs else path
    return source, _beside(text) or f"{place.name}_safe{_ending(text, reading.format)}"


def _beside(text: str) -> str | None:
    """Where the release of a table on a cluster or in a store goes: there, beside it."""
    kind = place_kind(text)
    if kind is PlaceKind.HIVE:
        return f"{text}_safe"
    if kind not in (PlaceKind.CLUSTER, PlaceKind.STORE):
        return None
    folder, _, name = text.rstrip("/").rpartition("/")
    if kind is PlaceKind.STORE:
        from celosia.tables.file_list import plain_name

        return f"{folder}/{plain_name(text)}_safe{_ending(text, None)}"
    return f"{folder}/{Path(name).stem}_safe{Path(name).suffix}"


def _ending(place: str, format: str | None) -> str:
    """The ending of a format that releases can be written in: that of the source, or else of CSV."""
    from celosia.tables.formats import find_format
    from celosia.tables.packing import is_packed, unpacked_name

    path = Path(place.partition("?")[0])
    try:
        found = find_format(path, format)
    except CelosiaError:  # a folder, or an archive
        return ".parquet" if path.is_dir() or place.endswith("/") else ".csv"
    if found.create is None or found.name == "arff":
        return ".csv"
    plain = unpacked_name(path)
    if plain.suffix.lower() not in found.suffixes:
        return found.suffixes[0]
    return plain.suffix + (path.suffix if is_packed(path) else "")


def _connection(draft: "Draft", address: str) -> str:
    """The name of a database in the project."""
    known = next((name for name, other in draft.connections.items() if other == address), None)
    if known is not None:
        return known
    name = free_name(Path(server_of(address).database or "database").stem, set(draft.connections))
    draft.connections[name] = address
    return name


def seen_from(folder: Path, place: str) -> str:
    """A path as a document in a folder names it; whole paths and addresses stay as they are.

    >>> seen_from(Path("projects"), "projects/people.csv")
    'people.csv'
    """
    from celosia.project.load import from_folder

    return from_folder(place, folder)


def propose_draft_hierarchies(
    draft: "Draft", place: DraftSource, *, but: Sequence[str] = (), ask: "Ask | None" = None
) -> "dict[str, HierarchyProposal]":
    """A hierarchy for every quasi-identifier of a table of a draft, ``but`` for those that have a file."""
    from celosia.api.hierarchies import propose_for_column

    table = draft.tables[place.name]
    names = [name for name in table.with_role(Role.QUASI_IDENTIFIER) if name not in but]
    with opened_table(place.source, ask=ask) as opened:
        return {
            name: propose_for_column(
                opened, name, kind=str(table.columns[name].type), language=draft.language
            )
            for name in names
        }
