"""What the shell offers when a person presses the tabulator."""

from collections.abc import Callable, Iterable
from pathlib import Path

import typer

from celosia.api import registries
from celosia.api.opening import PlaceKind, column_names, list_database_tables, place_kind
from celosia.api.projects import load_project
from celosia.api.requests import TableSource
from celosia.words import LANGUAGES

__all__ = [
    "Completion",
    "closeness",
    "columns",
    "diversity",
    "engines",
    "files",
    "formats",
    "learners",
    "measures",
    "missing_policies",
    "models",
    "numbers",
    "operations",
    "pairs",
    "places",
    "project_tables",
    "release_measures",
    "rule_sets",
    "scores",
    "searches",
    "spoken_languages",
    "tables",
    "types",
    "unknown_policies",
]

Completion = Callable[..., list[str]]
"""What completes an option; Typer looks at its parameters and hands it the context, the unfinished word, or neither."""


def columns_of(context: typer.Context) -> tuple[str, ...]:
    """The columns of the table named on the line so far; none where it cannot be read: completion never complains."""
    parameters = context.params
    # Whatever stands before an unfinished option is not parsed as an argument yet.
    words = [parameters.get("table"), *context.args]
    table = next((word for word in words if isinstance(word, str) and Path(word).is_file()), None)
    table = table or _database_on_the_line(context)
    if table is None:
        return ()
    try:
        reading = {name: parameters.get(name) for name in ("separator", "encoding", "header")}
        return column_names(TableSource.of(str(table), table=parameters.get("tables") or (), **reading))
    except Exception:
        return ()


def _database_on_the_line(context: typer.Context) -> str | None:
    """The address of a database in a file; a server might keep a person waiting at the tabulator."""
    words = [*context.params.values(), *context.args]
    addresses = (word for word in words if place_kind(word) is PlaceKind.DATABASE)
    return next((word for word in addresses if str(word).startswith(("sqlite:", "duckdb:"))), None)


def tables(ctx: typer.Context, incomplete: str) -> list[str]:
    """Tables of the database named on the line so far."""
    address = _database_on_the_line(ctx)
    if address is None:
        return []
    try:
        return _starting([table.name for table in list_database_tables(address)], incomplete)
    except Exception:
        return []


def files(incomplete: str) -> list[str]:
    """Files and folders that begin so.

    >>> files("no such folder/")
    []
    """
    folder, _, start = incomplete.rpartition("/")
    try:
        paths = sorted(Path(folder or ("/" if incomplete.startswith("/") else ".")).iterdir())
    except OSError:
        return []
    begun = f"{folder}/" if "/" in incomplete else ""
    hidden = start.startswith(".")
    return [
        f"{begun}{path.name}{'/' if path.is_dir() else ''}"
        for path in paths
        if path.name.startswith(start) and (hidden or not path.name.startswith("."))
    ]


def project_tables(ctx: typer.Context, incomplete: str) -> list[str]:
    """Tables of the project named on the line so far, with the sign that what is said of them follows."""
    words = [ctx.params.get("project"), *ctx.args]
    path = next((word for word in words if word is not None and Path(str(word)).is_file()), None)
    if path is None:
        return []
    try:
        return _starting([f"{name}=" for name in load_project(str(path)).tables], incomplete)
    except Exception:
        return []


def places(ctx: typer.Context, incomplete: str) -> list[str]:
    """Tables of the project, then files; a project with one table needs no more than the file."""
    table, equals, place = incomplete.partition("=")
    if equals:
        return [f"{table}={name}" for name in files(place)]
    return [*project_tables(ctx, incomplete), *files(incomplete)]


def columns(ctx: typer.Context, incomplete: str) -> list[str]:
    """Columns of the table, after the last comma."""
    before, comma, last = incomplete.rpartition(",")
    taken = before.split(",")
    return [before + comma + name for name in _starting(columns_of(ctx), last) if name not in taken]


def pairs(ctx: typer.Context, incomplete: str) -> list[str]:
    """Columns of the table, with the sign that their value follows."""
    return [f"{name}=" for name in _starting(columns_of(ctx), incomplete)]


def types(ctx: typer.Context, incomplete: str) -> list[str]:
    """Columns of the table, then types."""
    from celosia.types import ColumnType

    column, equals, kind = incomplete.rpartition("=")
    if not equals:
        return pairs(ctx, incomplete)
    return [f"{column}={name}" for name in _starting(map(str, ColumnType), kind)]


def _starting(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def _from(names: Callable[[], Iterable[str]]) -> Completion:
    """Completion by a list that is looked up only when it is needed."""

    def complete(incomplete: str) -> list[str]:
        return _starting(names(), incomplete)

    return complete


def _named_model_examples() -> Iterable[str]:
    return [f"{name}:{model.example}" for name, model in registries.privacy_models().items()]


def _kinds(option: str) -> list[str]:
    forms = [form for model in registries.privacy_models().values() for form in model.forms]
    return [f"{form.word}:" for form in forms if form.option == option and form.word]


def _choices(field: str, technique: str | None = None) -> Completion:
    return _from(lambda: registries.accepted_values(field, technique))


engines = _from(lambda: ["spark"])
spoken_languages = _from(lambda: LANGUAGES)
formats = _from(registries.table_formats)
measures = _from(registries.utility_measures)
release_measures = _from(lambda: [*registries.measure_families(), *registries.release_measures()])
learners = _from(registries.learning_models)
rule_sets = _from(lambda: ["all", *registries.rule_sets()])
operations = _from(registries.operations)
models = _from(registries.privacy_models)
named_models = _from(_named_model_examples)
diversity = _from(lambda: _kinds("l"))
closeness = _from(lambda: _kinds("t"))
techniques = _from(registries.techniques)
searches = _choices("search", "full-domain")
splits = _choices("split", "mondrian")
representations = _choices("represent", "mondrian")
widths = _choices("width", "mondrian")
efforts = _choices("effort", "clustering")
scores = _from(registries.technique_scores)
numbers = _choices("numbers", "top-down")
missing_policies = _choices("missing")
unknown_policies = _choices("unknown")
