"""What the shell offers when a person presses the tabulator."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import typer

__all__ = [
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

Completion = Callable[[str], list[str]]


def columns_of(context: typer.Context) -> tuple[str, ...]:
    """The columns of the table named on the line so far; none where it cannot be read: completion never complains."""
    given = context.params
    # Whatever stands before an unfinished option is not parsed as an argument yet.
    words = [given.get("table"), *context.args]
    table = next((word for word in words if isinstance(word, str) and Path(word).is_file()), None)
    table = table or _database_on_the_line(context)
    if table is None:
        return ()
    try:
        from celosia.tables import open_table

        how = {
            name: given[name] for name in ("separator", "encoding", "header") if given.get(name) is not None
        }
        opened = open_table(str(table), table=given.get("tables") or (), **how)
        names = tuple(opened.columns())
        getattr(opened, "close", lambda: None)()
        return names
    except Exception:
        return ()


def _database_on_the_line(context: typer.Context) -> str | None:
    """The address of a database in a file; a server might keep a person waiting at the tabulator."""
    from celosia.tables.sql.address import is_address

    words = [*context.params.values(), *context.args]
    files = (word for word in words if is_address(word) and str(word).startswith(("sqlite:", "duckdb:")))
    return next(files, None)


def tables(ctx: typer.Context, incomplete: str) -> list[str]:
    """Tables of the database named on the line so far."""
    address = _database_on_the_line(ctx)
    if address is None:
        return []
    try:
        from celosia.tables.sql.open import list_tables

        return _starting([found.name for found in list_tables(address)], incomplete)
    except Exception:
        return []


def files(incomplete: str) -> list[str]:
    """Files and folders that begin so.

    >>> files("no such folder/")
    []
    """
    folder, _, start = incomplete.rpartition("/")
    try:
        found = sorted(Path(folder or ("/" if incomplete.startswith("/") else ".")).iterdir())
    except OSError:
        return []
    begun = f"{folder}/" if "/" in incomplete else ""
    hidden = start.startswith(".")
    return [
        f"{begun}{path.name}{'/' if path.is_dir() else ''}"
        for path in found
        if path.name.startswith(start) and (hidden or not path.name.startswith("."))
    ]


def project_tables(ctx: typer.Context, incomplete: str) -> list[str]:
    """Tables of the project named on the line so far, with the sign that what is said of them follows."""
    words = [ctx.params.get("project"), *ctx.args]
    path = next((word for word in words if word is not None and Path(str(word)).is_file()), None)
    if path is None:
        return []
    try:
        from celosia.project import load_project

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


def _measure_names() -> Iterable[str]:
    from celosia.measure.utility import utility_measures

    return utility_measures()


def _release_measure_names() -> Iterable[str]:
    from celosia.measure.registry import release_measures
    from celosia.measure.release_measure import MeasureFamily

    return [*MeasureFamily, *release_measures()]


def _rule_set_names() -> Iterable[str]:
    from celosia.measure.rules import rule_sets

    return ["all", *rule_sets()]


def _learner_names() -> Iterable[str]:
    from celosia.measure.learning import learning_models

    return learning_models()


def _model_names() -> Iterable[str]:
    from celosia.privacy import MODELS

    return MODELS


def _named_model_examples() -> Iterable[str]:
    from celosia.privacy import MODELS

    return [f"{name}:{model.example}" for name, model in MODELS.items()]


def _kinds(option: str) -> list[str]:
    from celosia.privacy import MODELS

    forms = [form for model in MODELS.values() for form in model.forms if form.option == option]
    return [f"{form.word}:" for form in forms if form.word]


def _choices(field: str, method: str | None = None) -> Iterable[str]:
    """The values that a field of the project, or a parameter of a method, accepts where it names them."""
    from typing import get_args

    from celosia.project import Project
    from celosia.recode.techniques import TECHNIQUES

    fields = Project.model_fields if method is None else TECHNIQUES[method].model_fields
    annotation: Any = fields[field].annotation
    return get_args(annotation) or [str(choice) for choice in annotation]


def _method_names() -> Iterable[str]:
    from celosia.recode.techniques import TECHNIQUES

    return TECHNIQUES


def _format_names() -> Iterable[str]:
    from celosia.tables.formats import list_formats
    from celosia.tables.spark.address import FORMATS

    return dict.fromkeys([*(format.name for format in list_formats()), *FORMATS])


def _score_names() -> Iterable[str]:
    from celosia.recode.scores import SCORES

    return SCORES


def _operation_names() -> Iterable[str]:
    from celosia.mask.registry import operations as known

    return known()


def _languages() -> Iterable[str]:
    from celosia.words import LANGUAGES

    return LANGUAGES


engines = _from(lambda: ["spark"])
spoken_languages = _from(_languages)
formats = _from(_format_names)
measures = _from(_measure_names)
release_measures = _from(_release_measure_names)
learners = _from(_learner_names)
rule_sets = _from(_rule_set_names)
operations = _from(_operation_names)
models = _from(_model_names)
named_models = _from(_named_model_examples)
diversity = _from(lambda: _kinds("l"))
closeness = _from(lambda: _kinds("t"))
methods = _from(_method_names)
searches = _from(lambda: _choices("search", "full-domain"))
splits = _from(lambda: _choices("split", "mondrian"))
representations = _from(lambda: _choices("represent", "mondrian"))
widths = _from(lambda: _choices("width", "mondrian"))
scores = _from(_score_names)
numbers = _from(lambda: _choices("numbers", "top-down"))
missing_policies = _from(lambda: _choices("missing"))
unknown_policies = _from(lambda: _choices("unknown"))
