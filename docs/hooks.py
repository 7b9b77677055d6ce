"""Fills the reference pages from the code: the words of models, operations, fields and commands have one source.

A page says ``<!-- list: models -->`` where the list belongs, ``<!-- fields: Source -->`` where the fields of a part of
a project do, or ``<!-- file: CHANGELOG.md -->`` where a document from the root does; MkDocs calls ``on_page_markdown``
for every page. Pages below ``es`` get the same lists in Spanish.
"""

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from enum import Enum
from importlib import import_module
from math import inf
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Literal, get_args, get_origin

from celosia.words import Words

__all__ = ["LISTS", "command_line", "fill", "module_line", "on_page_markdown", "page_texts", "walk"]

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "celosia"
LIST = re.compile(r"^<!-- list: (\w+) -->$", re.MULTILINE)
FIELDS = re.compile(r"^<!-- fields: (\w+) -->$", re.MULTILINE)
FILE = re.compile(r"^<!-- file: (\S+) -->$", re.MULTILINE)
SPHINX_ROLE = re.compile(r":\w+:(?=`)")
LINK = re.compile(r"\]\(([A-Z]+)\.md\)")


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """What MkDocs calls with the text of every page."""
    return fill(markdown, "es" if page.file.src_uri.startswith("es/") else "en")


def fill(markdown: str, language: str = "en") -> str:
    """The text with every list and file that it asks for, in a language."""
    words = Words(language)
    markdown = FILE.sub(lambda mark: _document(mark[1]), markdown)
    markdown = FIELDS.sub(lambda mark: list_fields(mark[1], words), markdown)
    return LIST.sub(lambda mark: LISTS[mark[1]](words), markdown)


def page_texts() -> Iterator[str]:
    """What pages show of the code and nothing else does, as there is to translate."""
    from celosia import project
    from celosia.mask.keys import KeySource

    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "en").rglob("*.md"))
    parts: dict[str, Any] = {**vars(project), "KeySource": KeySource}
    for part in FIELDS.findall(pages):
        yield from (
            _line(field.description) for field in parts[part].model_fields.values() if field.description
        )
    yield from (_first_line(module) for module in _format_modules())


def _document(name: str) -> str:
    """A document of the root; among the pages, its neighbours have names in lower case, and ``docs/en`` is here."""
    text = (ROOT / name).read_text(encoding="utf-8").replace("](docs/en/", "](")
    return LINK.sub(lambda link: f"]({link[1].lower()}.md)", text)


def list_models(words: Words) -> str:
    """Every privacy model: how to ask for it, its parameters, and its docstring as it is."""
    from celosia.privacy import MODELS

    return "\n\n".join(_model(name, model, words) for name, model in MODELS.items())


def list_techniques(words: Words) -> str:
    """Every technique: its docstring as it is, and its parameters."""
    from celosia.recode.techniques import TECHNIQUES

    return "\n\n".join(_technique(name, technique, words) for name, technique in TECHNIQUES.items())


def list_operations(words: Words) -> str:
    """Every operation: its docstring as it is, whether it can be undone, what it leaks, and its parameters."""
    from celosia.mask.registry import operations

    return "\n\n".join(_operation(name, operation, words) for name, operation in operations().items())


def list_fields(part: str, words: Words) -> str:
    """Every field of a part of a project, with its meaning and what it is unless given."""
    from celosia import project
    from celosia.mask.keys import KeySource

    return _fields({**vars(project), "KeySource": KeySource}[part], words)


def list_measures(words: Words) -> str:
    """Every utility measure, with its meaning and where it comes from."""
    from celosia.measure.utility import utility_measures

    rows = [
        (f"`{name}`", words(measure.meaning), measure.reference)
        for name, measure in sorted(utility_measures().items())
    ]
    return _table((words("measure"), words("meaning"), words("source")), rows)


def list_release_measures(words: Words) -> str:
    """Every measure of a release, with its range, direction, meaning and source, family by family."""
    from celosia.measure.registry import release_measures
    from celosia.measure.release_measure import MeasureFamily

    parts = []
    for family in MeasureFamily:
        rows = [
            (f"`{one.name}`", _range(one, words), words(one.better), words(one.meaning), one.reference)
            for one in release_measures().values()
            if one.family is family
        ]
        heads = (words("measure"), words("range"), words("better"), words("meaning"), words("source"))
        parts.append(f"### {family}\n\n" + _table(heads, rows))
    return "\n\n".join(parts)


def _range(measure: Any, words: Words) -> str:
    if measure.high == inf:
        return words("{low:g} to any", low=measure.low)
    return words("{low:g} to {high:g}", low=measure.low, high=measure.high)


def list_learners(words: Words) -> str:
    """Every model that learns, with its parameters."""
    from celosia.measure.learning import learning_models

    return "\n\n".join(
        f"### {name}\n\n{_prose(model, 'learning model', words)}\n\n{_parameters(model, words)}"
        for name, model in learning_models().items()
    )


def list_rules(words: Words) -> str:
    """Every set of rules, with what it asks."""
    from celosia.measure.rules import rule_sets

    return "\n\n".join(
        f"### {name}\n\n{words.render(found.title)} ({found.reference}).\n\n"
        + _table(
            (words("rule"), words("asks"), words("source")),
            [(words.render(one.title), words.render(one.question), one.source) for one in found.rules],
        )
        for name, found in rule_sets().items()
    )


def list_formats(words: Words) -> str:
    """Every file format, its endings, whether it is written, too, and the first words of its module."""
    rows = [
        (
            f"`{format.name}`",
            " ".join(f"`{suffix}`" for suffix in format.suffixes),
            words("read") if format.create is None else words("read and written"),
            words(_first_line(module)),
        )
        for module in _format_modules()
        for format in module.FORMATS
    ]
    return _table((words("format"), words("endings"), "", ""), sorted(rows))


def _format_modules() -> list[Any]:
    from celosia.tables import formats

    return [import_module(f"{formats.__name__}.{found.name}") for found in iter_modules(formats.__path__)]


def list_modules(words: Words) -> str:
    """Every module with the first line of its docstring, room by room."""
    rooms = [
        path for path in sorted(SOURCE.iterdir()) if path.suffix == ".py" or (path / "__init__.py").exists()
    ]
    return "\n\n".join(_room(path) for path in rooms)


def _room(path: Path) -> str:
    """A single file, or a folder with a line for each module below it."""
    if path.is_file():
        return f"## `{path.name}`\n\n{module_line(path)}"
    modules = sorted(path.rglob("*.py"), key=lambda module: (module.parent, module.name))
    rows = [
        (f"`{_place(module, path)}`", module_line(module))
        for module in modules
        if module != path / "__init__.py"
    ]
    return f"## `{path.name}/`\n\n{module_line(path / '__init__.py')}\n\n{_table(('module', ''), rows)}"


def _place(module: Path, room: Path) -> str:
    """A module below a room; a folder for what says what the folder is for."""
    place = module.relative_to(room).as_posix()
    return place.removesuffix("__init__.py")


def module_line(module: Path) -> str:
    """The first line of a module's docstring, as Markdown. The module is read, not imported: some need extras."""
    docstring = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
    return SPHINX_ROLE.sub("", docstring.partition("\n")[0])


def list_commands(words: Words) -> str:
    """Every command with its arguments and options, from the command line itself."""
    commands = walk("celosia", command_line(words.language))
    return "\n\n".join(_command(path, command) for path, command in commands)


LISTS: dict[str, Callable[[Words], str]] = {
    "models": list_models,
    "techniques": list_techniques,
    "operations": list_operations,
    "measures": list_measures,
    "release_measures": list_release_measures,
    "learners": list_learners,
    "rules": list_rules,
    "formats": list_formats,
    "commands": list_commands,
    "modules": list_modules,
}


def command_line(language: str = "en") -> Any:
    """The command line as its library sees it: commands with parameters, and their helps in a language."""
    from typer.main import get_command

    from celosia.cli.app import app
    from celosia.cli.help_texts import translate_help
    from celosia.cli.language import use_language

    command = get_command(app)
    with use_language(language):
        translate_help(command)
    return command


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


def _model(name: str, model: Any, words: Words) -> str:
    from celosia.privacy import ways_to_ask

    asked = words(
        'On the command line {options}; `{code}` in Python, `"model": "{name}"` in a project.',
        options=", ".join(f"`{way}`" for way in ways_to_ask(model)),
        code=model.__name__,
        name=name,
    )
    prose = _prose(model, "privacy model", words)
    return "\n\n".join((f"## {name}", asked, prose, _fields(model, words), _example(model)))


def _technique(name: str, technique: Any, words: Words) -> str:
    asked = words(
        'On the command line `--technique {name}`; `technique="{name}"` in Python, `technique: {name}` in a '
        "project.",
        name=name,
    )
    # What it needs does not fit into an option.
    if any(field.is_required() for field in technique.model_fields.values()):
        asked = words("Only in a project, as a list under `technique`.")
    prose = _prose(technique, "technique", words)
    return "\n\n".join((f"## {name}", asked, prose, _parameters(technique, words)))


def _operation(name: str, operation: Any, words: Words) -> str:
    from celosia.mask import RowOperation

    written = _written(operation)
    facts = [
        (words("reversible"), words(operation.reversible)),
        (words("still tells"), words(operation.leaks)),
    ]
    if issubclass(operation, RowOperation):
        asked = words("On rows: `rows: {operation}`.", operation=written)
    else:
        asked = words("On a column: `operation: {operation}`.", operation=written)
        default = str(operation.model_fields["missing"].default)
        policy = words("{policy}, unless said otherwise", policy=default)
        facts.append((words("missing values"), policy))
    parts = (
        f"## {name}",
        asked,
        _prose(operation, "operation", words),
        _table(("", ""), facts),
        _parameters(operation, words),
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


def _prose(thing: Any, kind: str, words: Words) -> str:
    """A docstring up to its example; what it marks as code stays code. In other languages what the concept tells."""
    if words.language == "en":
        return (inspect.getdoc(thing) or "").partition(">>>")[0].strip()
    from celosia.concepts import concept

    found = concept(kind, thing.name, words)
    return "\n\n".join(filter(None, (found.text, found.example)))


def _example(thing: Any) -> str:
    mark, example = (inspect.getdoc(thing) or "").partition(">>>")[1:]
    return f"```pycon\n{mark}{example}\n```" if mark else ""


def _first_line(thing: Any) -> str:
    return (inspect.getdoc(thing) or "").partition("\n")[0]


def _line(text: str) -> str:
    return " ".join(text.split())


def _parameters(document: Any, words: Words) -> str:
    """The same with a sentence where there is none."""
    return _fields(document, words) or words("It has no parameters.")


def _fields(document: Any, words: Words) -> str:
    """The fields of a part of a project, or the parameters of a model, technique or operation; empty if it has none."""
    rows = []
    for name, field in document.model_fields.items():
        if field.description is None:
            continue
        given = None if field.is_required() else field.get_default(call_default_factory=True)
        default = "" if field.is_required() else _default(given, words)
        rows.append((f"`{name}`", _meaning(field, words), default))
    return _table((words("field"), words("meaning"), words("unless given")), rows) if rows else ""


def _meaning(field: Any, words: Words) -> str:
    """A description on one line, with the texts that can be chosen where it does not name them itself."""
    meaning = words(_line(field.description))
    named = re.findall(r"[\w-]+", meaning.lower())
    if all(choice.lower() in named for choice in _choices(field.annotation)):
        return meaning
    return f"{meaning.rstrip('.')}: {', '.join(f'`{choice}`' for choice in _choices(field.annotation))}"


def _choices(annotation: Any) -> list[str]:
    """The texts that a field takes, if it takes only some."""
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return [str(choice) for choice in annotation]
    if get_origin(annotation) is Literal:
        return [str(choice) for choice in get_args(annotation)]
    return [choice for inner in get_args(annotation) for choice in _choices(inner)]


def _default(value: Any, words: Words) -> str:
    """A default as a project document has it; nothing for a part that has defaults of its own."""
    from pydantic import BaseModel

    if isinstance(value, BaseModel):
        return f"`{value.name}`" if hasattr(value, "name") else ""
    if value is None or (not value and isinstance(value, str | tuple | list | dict)):
        return words("none")
    if isinstance(value, tuple | list):
        return ", ".join(_default(each, words) if each else words("empty") for each in value)
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _table(header: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [header, tuple("---" for _ in header), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
