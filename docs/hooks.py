"""Fills the reference pages from the code: the words of models, operations, fields and commands have one source.

A page says ``<!-- list: models -->`` where the list belongs, ``<!-- fields: Source -->`` where the fields of a part of
a project do, or ``<!-- file: CHANGELOG.md -->`` where a document from the root does; MkDocs calls ``on_page_markdown``
for every page.
"""

import inspect
import re
from collections.abc import Callable, Iterator
from enum import Enum
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Literal, get_args, get_origin

__all__ = ["LISTS", "command_line", "fill", "on_page_markdown", "walk"]

ROOT = Path(__file__).resolve().parents[1]
LIST = re.compile(r"^<!-- list: (\w+) -->$", re.MULTILINE)
FIELDS = re.compile(r"^<!-- fields: (\w+) -->$", re.MULTILINE)
FILE = re.compile(r"^<!-- file: (\S+) -->$", re.MULTILINE)
LINK = re.compile(r"\]\(([A-Z]+)\.md\)")


def on_page_markdown(markdown: str, **_: Any) -> str:
    """What MkDocs calls with the text of every page."""
    return fill(markdown)


def fill(markdown: str) -> str:
    """The text with every list and file that it asks for."""
    markdown = FILE.sub(lambda mark: _document(mark[1]), markdown)
    markdown = FIELDS.sub(lambda mark: list_fields(mark[1]), markdown)
    return LIST.sub(lambda mark: LISTS[mark[1]](), markdown)


def _document(name: str) -> str:
    """A document of the root; among the pages, its neighbours have names in lower case."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return LINK.sub(lambda link: f"]({link[1].lower()}.md)", text)


def list_models() -> str:
    """Every privacy model: how to ask for it, its parameters, and its docstring as it is."""
    from celosia.privacy import MODELS

    return "\n\n".join(_model(name, model) for name, model in MODELS.items())


def list_methods() -> str:
    """Every technique: its docstring as it is, and its parameters."""
    from celosia.recode.techniques import TECHNIQUES

    return "\n\n".join(_method(name, technique) for name, technique in TECHNIQUES.items())


def list_operations() -> str:
    """Every operation: its docstring as it is, whether it can be undone, what it leaks, and its parameters."""
    from celosia.mask.registry import operations

    return "\n\n".join(_operation(name, operation) for name, operation in operations().items())


def list_fields(part: str) -> str:
    """Every field of a part of a project, with its meaning and what it is unless given."""
    from celosia import project
    from celosia.mask.keys import KeySource

    return _fields({**vars(project), "KeySource": KeySource}[part])


def list_measures() -> str:
    """Every utility measure, with its meaning and where it comes from."""
    from celosia.measure.utility import utility_measures

    rows = [
        (f"`{name}`", measure.meaning, measure.reference)
        for name, measure in sorted(utility_measures().items())
    ]
    return _table(("measure", "meaning", "from"), rows)


def list_release_measures() -> str:
    """Every measure of a release, with its range, direction, meaning and source, family by family."""
    from celosia.measure.measured import Family
    from celosia.measure.registry import release_measures

    parts = []
    for family in Family:
        rows = [
            (f"`{one.name}`", one.range_text, one.better, one.meaning, one.reference)
            for one in release_measures().values()
            if one.family is family
        ]
        parts.append(f"### {family}\n\n" + _table(("measure", "range", "better", "meaning", "from"), rows))
    return "\n\n".join(parts)


def list_learners() -> str:
    """Every model that learns, with its parameters."""
    from celosia.measure.learning import learning_models

    return "\n\n".join(
        f"### {name}\n\n{_prose(model)}\n\n{_fields(model) or 'It has no parameters.'}"
        for name, model in learning_models().items()
    )


def list_rules() -> str:
    """Every set of rules, with what it asks."""
    from celosia.measure.rules import rule_sets

    return "\n\n".join(
        f"### {name}\n\n{found.title.en} ({found.reference}).\n\n"
        + _table(
            ("rule", "asks", "from"), [(one.title.en, one.question.en, one.source) for one in found.rules]
        )
        for name, found in rule_sets().items()
    )


def list_formats() -> str:
    """Every file format, with the endings it is recognized by and the first words of its module."""
    from celosia.tables import formats

    modules = [import_module(f"{formats.__name__}.{found.name}") for found in iter_modules(formats.__path__)]
    rows = [
        (f"`{format.name}`", " ".join(f"`{suffix}`" for suffix in format.suffixes), _first_line(module))
        for module in modules
        for format in module.FORMATS
    ]
    return _table(("format", "endings", ""), sorted(rows))


def list_commands() -> str:
    """Every command with its arguments and options, from the command line itself."""
    return "\n\n".join(_command(path, command) for path, command in walk("celosia", command_line()))


LISTS: dict[str, Callable[[], str]] = {
    "models": list_models,
    "methods": list_methods,
    "operations": list_operations,
    "measures": list_measures,
    "release_measures": list_release_measures,
    "learners": list_learners,
    "rules": list_rules,
    "formats": list_formats,
    "commands": list_commands,
}


def command_line() -> Any:
    """The command line as its library sees it: commands with parameters."""
    from typer.main import get_command

    from celosia.cli.app import app

    return get_command(app)


def walk(path: str, command: Any) -> Iterator[tuple[str, Any]]:
    """Every command below one, with what to type for it."""
    inner = getattr(command, "commands", None)
    if not inner:
        yield path, command
        return
    for name, sub in inner.items():
        yield from walk(f"{path} {name}", sub)


def _command(path: str, command: Any) -> str:
    rows = []
    for parameter in command.params:
        if parameter.param_type_name == "argument":
            name = f"`{(parameter.metavar or parameter.name).upper()}`"
        else:
            name = " ".join(f"`{option}`" for option in (*parameter.opts, *parameter.secondary_opts))
        rows.append((name, " ".join((getattr(parameter, "help", None) or "").split())))
    help_text = inspect.cleandoc(command.help or "").replace("\b", "")
    return f"## {path}\n\n{help_text}\n\n" + _table(("", ""), rows)


def _model(name: str, model: Any) -> str:
    from celosia.privacy import ways_to_ask

    asked = ", ".join(f"`{way}`" for way in ways_to_ask(model))
    code = f'`{model.__name__}` in Python, `"model": "{name}"` in a project'
    parts = (
        f"## {name}",
        f"On the command line {asked}; {code}.",
        _prose(model),
        _fields(model),
        _example(model),
    )
    return "\n\n".join(parts)


def _method(name: str, technique: Any) -> str:
    asked = (
        f'On the command line `--method {name}`; `method="{name}"` in Python, `method: {name}` in a project.'
    )
    # What it needs does not fit into an option.
    if any(field.is_required() for field in technique.model_fields.values()):
        asked = "Only in a project, as a list under `technique`."
    parts = (
        f"## {name}",
        asked,
        _prose(technique),
        _fields(technique) or "It has no parameters.",
    )
    return "\n\n".join(parts)


def _operation(name: str, operation: Any) -> str:
    from celosia.mask import RowOperation

    is_on_rows = issubclass(operation, RowOperation)
    facts = [("reversible", operation.reversible), ("still tells", operation.leaks)]
    if not is_on_rows:
        facts.append(
            ("missing values", f"{operation.model_fields['missing'].default}, unless said otherwise")
        )
    parts = (
        f"## {name}",
        f"On {'rows' if is_on_rows else 'a column'}: `{'rows' if is_on_rows else 'operation'}: {_written(operation)}`.",
        _prose(operation),
        _table(("", ""), facts),
        _fields(operation) or "It has no parameters.",
    )
    return "\n\n".join(parts)


def _written(operation: Any) -> str:
    """An operation as a project has it: its name, if it can do without parameters."""
    from pydantic import ValidationError

    try:
        return str(operation().name)
    except ValidationError:
        needed = [name for name, field in operation.model_fields.items() if field.is_required()]
        return f"{{name: {operation.name}, {', '.join(f'{name}: ...' for name in needed) or '...'}}}"


def _prose(thing: Any) -> str:
    """A docstring up to its example; what it marks as code stays code."""
    return (inspect.getdoc(thing) or "").partition(">>>")[0].strip()


def _example(thing: Any) -> str:
    mark, example = (inspect.getdoc(thing) or "").partition(">>>")[1:]
    return f"```pycon\n{mark}{example}\n```" if mark else ""


def _first_line(thing: Any) -> str:
    return (inspect.getdoc(thing) or "").partition("\n")[0]


def _fields(document: Any) -> str:
    """The fields of a part of a project, or the parameters of a model, technique or operation; empty if it has none."""
    rows = []
    for name, field in document.model_fields.items():
        if field.description is None:
            continue
        default = "" if field.is_required() else _default(field.get_default(call_default_factory=True))
        rows.append((f"`{name}`", _meaning(field), default))
    return _table(("field", "meaning", "unless given"), rows) if rows else ""


def _meaning(field: Any) -> str:
    """A description on one line, with the texts that can be chosen where it does not name them itself."""
    meaning = " ".join(field.description.split())
    words = re.findall(r"[\w-]+", meaning.lower())
    if all(choice.lower() in words for choice in _choices(field.annotation)):
        return meaning
    return f"{meaning.rstrip('.')}: {', '.join(f'`{choice}`' for choice in _choices(field.annotation))}"


def _choices(annotation: Any) -> list[str]:
    """The texts that a field takes, if it takes only some."""
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return [str(choice) for choice in annotation]
    if get_origin(annotation) is Literal:
        return [str(choice) for choice in get_args(annotation)]
    return [choice for inner in get_args(annotation) for choice in _choices(inner)]


def _default(value: Any) -> str:
    """A default as a project document has it; nothing for a part that has defaults of its own."""
    from pydantic import BaseModel

    if isinstance(value, BaseModel):
        return f"`{value.name}`" if hasattr(value, "name") else ""
    if value is None or (not value and isinstance(value, str | tuple | list | dict)):
        return "none"
    if isinstance(value, tuple | list):
        return ", ".join(_default(each) if each else "empty" for each in value)
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _table(header: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [header, tuple("---" for _ in header), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
