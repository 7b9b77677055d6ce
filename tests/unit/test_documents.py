"""What newcomers read is true: trees, lists, links, twins, and every command and program that the documents show."""

import ast
import doctest
import importlib
import importlib.util
import os
import pkgutil
import re
import runpy
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from celosia.measure.learning import learning_models
from celosia.measure.registry import release_measures
from celosia.measure.rules import rule_sets
from celosia.measure.utility import utility_measures
from celosia.privacy import MODELS, ways_to_ask
from celosia.sample import discharges

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "celosia"
ENGLISH = ROOT / "docs" / "en"
SPANISH = ROOT / "docs" / "es"
PAGES = sorted(ENGLISH.rglob("*.md"))
TWINS = [(ROOT / "README.md", ROOT / "README.es.md")] + [
    (ENGLISH / page.relative_to(SPANISH), page) for page in sorted(SPANISH.rglob("*.md"))
]
FENCE = re.compile(r'^```(\w*)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def blocks(path: Path, language: str | None = None) -> list[str]:
    """The code blocks of a document, in one language or in all."""
    return [code for name, _, code in FENCE.findall(read(path)) if language in (None, name)]


def files(path: Path) -> dict[str, str]:
    """The files that a document shows: code blocks with a title. The last of those with the same one counts."""
    return {title: code for _, title, code in FENCE.findall(read(path)) if title}


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.fixture(scope="module")
def hooks() -> ModuleType:
    """What fills the reference pages when the site is built."""
    spec = importlib.util.spec_from_file_location("docs_hooks", ROOT / "docs" / "hooks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder with the people that the documents speak of."""
    monkeypatch.chdir(tmp_path)
    names = {"patient_name": "name", "age": "age", "sex": "sex", "postcode": "zip", "diagnosis": "disease"}
    discharges(400).select(*names).rename(names).write_csv("people.csv")
    return tmp_path


# The house


def rooms() -> set[str]:
    """The folders and files right below the source."""
    found = [path for path in SOURCE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()]
    return {path.name.removesuffix(".py") for path in found}


def test_architecture_has_one_line_for_every_room() -> None:
    section = read(ROOT / "ARCHITECTURE.md").partition("## The rooms\n")[2].partition("\n## ")[0]
    lines = re.findall(r"^\| `(\w+)` \| .+ \|$", section, re.MULTILINE)
    assert sorted(lines) == sorted(rooms())


def test_every_module_begins_with_a_sentence_that_says_what_it_is_for(hooks: ModuleType) -> None:
    lines = {name_of(path): hooks.module_line(path) for path in SOURCE.rglob("*.py")}
    assert {name: line for name, line in lines.items() if not re.fullmatch(r".{10,}[.?]", line)} == {}


def test_the_page_of_modules_has_them_all(hooks: ModuleType) -> None:
    page = hooks.fill(read(ENGLISH / "modules.md"))
    for path in SOURCE.rglob("*.py"):
        assert hooks.module_line(path).replace("|", "\\|") in page, path
    parts = re.split(r"^## `(.+)`$", page, flags=re.MULTILINE)
    files = {
        SOURCE
        / room
        / ("" if room.endswith(".py") else module)
        / ("" if module.endswith(".py") else "__init__.py")
        for room, text in zip(parts[1::2], parts[2::2], strict=True)
        for module in (
            room if room.endswith(".py") else "",
            *re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE),
        )
    }
    assert files == set(SOURCE.rglob("*.py"))


def floors() -> dict[str, int]:
    rows = re.findall(r"^\| (\d) \| (.*) \|$", read(ROOT / "ARCHITECTURE.md"), re.MULTILINE)
    return {room: int(floor) for floor, rooms in rows for room in re.findall(r"`(\w+)`", rooms)}


@cache
def imports_between_rooms() -> frozenset[tuple[str, str]]:
    """Pairs of rooms of which the first imports the second, wherever in its code."""
    found = set()
    for path in SOURCE.rglob("*.py"):
        room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        for node in ast.walk(ast.parse(read(path))):
            for module in imported_modules(node):
                other = module.split(".")[1] if "." in module else "__init__"
                if other != room:
                    found.add((room, other))
    return frozenset(found)


def imported_modules(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "celosia")
    elif isinstance(node, ast.ImportFrom) and node.module == "celosia":
        yield from (f"celosia.{alias.name}" for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("celosia."):
        yield str(node.module)


def test_every_room_has_a_floor() -> None:
    assert set(floors()) == rooms()


def test_imports_only_point_down() -> None:
    floor = floors()
    assert [(a, b) for a, b in imports_between_rooms() if floor[a] < floor[b]] == []


def test_rooms_on_one_floor_do_not_import_each_other_in_a_circle() -> None:
    waiting = imports_between_rooms()
    while waiting:
        needed = {b for _, b in waiting}
        free = {(a, b) for a, b in waiting if a not in needed}
        assert free, f"these import each other: {sorted(waiting)}"
        waiting -= free


# The reference


def test_every_privacy_model_is_in_the_reference(hooks: ModuleType) -> None:
    page = hooks.fill(read(ENGLISH / "reference" / "models.md"))
    for name, model in MODELS.items():
        assert f"## {name}\n" in page
        assert model.__name__ in page
        assert all(way in page for way in ways_to_ask(model))


def test_every_utility_measure_is_in_the_reference(hooks: ModuleType) -> None:
    page = hooks.fill(read(ENGLISH / "reference" / "measures.md"))
    assert all(f"| `{name}` | {measure.meaning} |" in page for name, measure in utility_measures().items())
    assert all(f"| `{name}` |" in page and one.meaning in page for name, one in release_measures().items())
    assert all(f"### {name}\n" in page for name in (*learning_models(), *rule_sets()))


def test_every_command_and_option_is_in_the_reference(hooks: ModuleType) -> None:
    page = hooks.fill(read(ENGLISH / "reference" / "commands.md"))
    commands = list(hooks.walk("celosia", hooks.command_line()))
    assert len(commands) >= 8
    for path, command in commands:
        section = page.partition(f"## {path}\n")[2].partition("\n## ")[0]
        options = [name for each in command.params for name in each.opts if name.startswith("-")]
        assert options
        assert all(f"`{option}`" in section for option in options), path
    for option in hooks.command_line().params:
        assert option.opts[0] in page


def test_every_option_says_what_it_does(hooks: ModuleType) -> None:
    for path, command in hooks.walk("celosia", hooks.command_line()):
        for each in command.params:
            assert getattr(each, "help", None), f"{path} {each.opts}"


def test_every_format_is_in_the_reference(hooks: ModuleType) -> None:
    from celosia.tables.formats import list_formats

    page = hooks.fill(read(ENGLISH / "reference" / "files.md"))
    for format in list_formats():
        assert f"| `{format.name}` |" in page
        assert all(f"`{suffix}`" in page for suffix in format.suffixes)


@pytest.mark.parametrize(
    "part", ["Goals", "Project", "TablePlan", "Source", "Destination", "ColumnPlan", "KeySource"]
)
def test_every_field_of_a_project_is_in_the_reference(hooks: ModuleType, part: str) -> None:
    from celosia import project
    from celosia.mask.keys import KeySource

    page = hooks.fill(read(ENGLISH / "reference" / "project.md"))
    for name, field in {**vars(project), "KeySource": KeySource}[part].model_fields.items():
        assert field.description, f"{part}.{name} does not say what it means"
        assert f"| `{name}` | {' '.join(field.description.split()).rstrip('.')}" in page, f"{part}.{name}"


def test_every_operation_is_in_the_reference(hooks: ModuleType) -> None:
    from celosia.mask.registry import operations

    page = hooks.fill(read(ENGLISH / "reference" / "operations.md"))
    for name, operation in operations().items():
        section = page.partition(f"## {name}\n")[2].partition("\n## ")[0]
        assert all(f"| `{field}` |" in section for field in operation.model_fields), name
        assert f"| still tells | {operation.leaks} |" in section
        assert f"| reversible | {operation.reversible} |" in section


def test_every_public_name_is_in_the_reference(hooks: ModuleType) -> None:
    import celosia

    pages = " ".join(hooks.fill(read(page)) for page in (ENGLISH / "reference").glob("*.md"))
    errors = read(SOURCE / "errors.py")
    assert all(name in pages or name in errors for name in celosia.__all__)


def test_every_object_that_a_page_describes_exists() -> None:
    named = [
        name
        for page in ENGLISH.rglob("*.md")
        for name in re.findall(r"^::: (\S+)$", read(page), re.MULTILINE)
    ]
    assert len(named) >= 40
    assert [name for name in named if not _exists(name)] == []


def _exists(name: str) -> bool:
    """Whether there is such a module, or such an object in one."""
    try:
        pkgutil.resolve_name(name)
    except (AttributeError, ImportError):
        return False
    return True


@pytest.mark.parametrize(
    "page",
    [page for page in sorted((SPANISH / "reference").glob("*.md")) if "<!-- " in read(page)],
    ids=name_of,
)
def test_a_reference_page_has_the_same_parts_in_spanish(hooks: ModuleType, page: Path) -> None:
    marks = re.compile(r"^<!-- .* -->$", re.MULTILINE)
    assert marks.findall(read(page)) == marks.findall(read(ENGLISH / "reference" / page.name))
    english, spanish = (
        hooks.fill("\n\n".join(marks.findall(read(page))), language) for language in ("en", "es")
    )
    named = re.compile(r"^#+ .*$|^\| `[^A-Z|]*` \|", re.MULTILINE)  # arguments are called by Spanish words
    assert named.findall(spanish) == named.findall(english)
    assert len(named.findall(spanish)) >= 5
    assert re.findall(r"\b(?:the|which|whose|with|from|are|unless|meaning)\b", _sentences(spanish)) == []


def _sentences(page: str) -> str:
    """What a page tells, without code, names and the titles of sources."""
    without_code = re.sub(r"^```.*?^```$|``?[^`]*``?", "", page, flags=re.MULTILINE | re.DOTALL)
    lines = (re.sub(r"\|[^|]*\|$", "|", line) for line in without_code.splitlines())
    return "\n".join(line for line in lines if not line.startswith("#"))


# Twins


@pytest.mark.parametrize(("english", "spanish"), TWINS, ids=name_of)
def test_a_page_and_its_spanish_twin_have_the_same_sections_and_code(english: Path, spanish: Path) -> None:
    assert english.exists()
    assert blocks(english) == blocks(spanish)
    assert [levels(path) for path in (english,)] == [levels(path) for path in (spanish,)]


def levels(path: Path) -> list[int]:
    """How deep each heading is, code left out."""
    return [len(marks) for marks in re.findall(r"^(#+) ", FENCE.sub("", read(path)), re.MULTILINE)]


def test_every_tutorial_how_to_explanation_and_generated_reference_has_a_spanish_twin() -> None:
    wanted = [
        page.relative_to(ENGLISH)
        for page in PAGES
        if page.parent.name in ("tutorials", "how-to", "explanation")
        or (page.parent.name == "reference" and re.search("<!-- (list|fields): ", read(page)))
    ]
    assert wanted
    assert [page for page in wanted if not (SPANISH / page).exists()] == []


# Links and promises


@pytest.mark.parametrize("path", [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")], ids=name_of)
def test_every_link_leads_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", FENCE.sub("", read(path))):
        # Only what is public and not ours, such as tables, is elsewhere.
        assert target.startswith("https://") or (path.parent / target).exists(), target


BENCHMARK = re.compile(r"^<!-- benchmark:(\w+) -->\n(.*?)^<!-- /benchmark -->$", re.MULTILINE | re.DOTALL)


def printed_by_scripts(page: Path) -> dict[str, str]:
    """What the benchmarks printed, as a page has it, by their names."""
    return dict(BENCHMARK.findall(read(page)))


def test_every_benchmark_that_writes_has_its_place_in_the_pages_and_in_make_bench() -> None:
    scripts = {path.stem: read(path) for path in (ROOT / "benchmarks").glob("*.py")}
    writing = {name for name, text in scripts.items() if f'fill("{name}")' in text}
    assert writing == set(printed_by_scripts(ENGLISH / "benchmarks.md"))
    assert len(writing) > 10
    bench = read(ROOT / "Makefile").partition("\nbench:")[2].partition("\n\n")[0]
    assert all(f"benchmarks/{name}.py" in bench for name in writing)


def test_a_benchmark_writes_between_its_marks_of_both_pages_and_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    measuring = importlib.import_module("measuring")
    pages = [tmp_path / "en.md", tmp_path / "es.md"]
    for page in pages:
        page.write_text("a\n<!-- benchmark:one -->\nold\n<!-- /benchmark -->\nb\n")
    monkeypatch.setattr(measuring, "PAGES", pages)
    monkeypatch.setattr(measuring, "SHOWN", [])
    measuring.show("Rows", ["rows"], [[12345]])
    measuring.fill("one")
    table = "**Rows**\n\n| rows |\n| --- |\n| 12,345 |\n"
    expected = f"a\n<!-- benchmark:one -->\n{table}<!-- /benchmark -->\nb\n"
    assert [page.read_text() for page in pages] == [expected] * 2
    with pytest.raises(SystemExit, match=r"en\.md has no place for it: <!-- benchmark:two -->"):
        measuring.fill("two")


def test_both_languages_have_the_same_figures() -> None:
    assert printed_by_scripts(ENGLISH / "benchmarks.md") == printed_by_scripts(SPANISH / "benchmarks.md")


NUMBER = re.compile(r"\d(?:[\d.,]*\d)?")


@pytest.mark.parametrize(
    ("readme", "section"), [("README.md", "Five figures"), ("README.es.md", "Cinco cifras")]
)
def test_the_figures_of_a_readme_were_printed_by_scripts(readme: str, section: str) -> None:
    text = read(ROOT / readme).partition(f"## {section}\n")[2].partition("\n## ")[0]
    # In Spanish the comma and the point change places.
    swapped = str.maketrans(",.", ".,") if readme.endswith(".es.md") else {}
    rows = [line.translate(swapped) for line in text.splitlines() if line.startswith("| ")][2:]
    printed = set(NUMBER.findall("".join(printed_by_scripts(ENGLISH / "benchmarks.md").values())))
    assert len(rows) == 5
    for row in rows:
        figures = NUMBER.findall(row)
        assert figures
        assert [figure for figure in figures if figure not in printed] == []


def test_the_pages_say_where_every_public_table_comes_from() -> None:
    from public_tables import TABLES

    for page in (ENGLISH / "benchmarks.md", SPANISH / "benchmarks.md"):
        assert [name for name in TABLES if f"| `{name}` |" not in read(page)] == []


def test_a_missing_public_table_is_named_with_its_place_and_its_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from public_tables import TABLES, PublicTableMissingError, missing_tables, public_table

    monkeypatch.setenv("CELOSIA_SHARED", str(tmp_path))
    name = "adult_uci/adult-train.csv"
    with pytest.raises(PublicTableMissingError) as raised:
        public_table(name)
    assert str(tmp_path / "data" / name) in str(raised.value)
    assert "https://archive.ics.uci.edu/dataset/2/adult" in str(raised.value)
    assert len(missing_tables()) == len(TABLES)
    place = tmp_path / "data" / name
    place.parent.mkdir(parents=True)
    place.touch()
    assert public_table(name) == place
    assert len(missing_tables()) == len(TABLES) - 1


def test_a_benchmark_without_its_table_ends_with_a_sentence(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "benchmarks" / "top_down.py")]
    environment = os.environ | {"CELOSIA_SHARED": str(tmp_path), "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(f"A public table is missing: {tmp_path}")
    assert "Traceback" not in done.stderr


NEEDS_TABLES = "def test_that_needs_public_tables(shared):\n    pass\n"


@pytest.mark.parametrize(
    ("variables", "outcome"),
    [({}, "1 skipped"), ({"CELOSIA_SERVICES": "required"}, "1 error"), ({"CI": "true"}, "1 error")],
)
def test_a_missing_table_is_only_forgiven_where_it_is_not_required(
    variables: dict[str, str], outcome: str, tmp_path: Path
) -> None:
    (tmp_path / "test_inner.py").write_text(NEEDS_TABLES)
    given = {name: value for name, value in os.environ.items() if name not in ("CI", "CELOSIA_SERVICES")}
    given |= {"PYTHONPATH": str(ROOT / "tests"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    given |= {"CELOSIA_SHARED": str(tmp_path)} | variables
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "conftest",
        "-p",
        "no:cacheprovider",
        "test_inner.py",
    ]
    done = subprocess.run(command, cwd=tmp_path, env=given, capture_output=True, text=True, check=False)
    assert outcome in done.stdout, done.stdout + done.stderr


def test_hooks_before_a_commit_come_from_the_project_alone() -> None:
    text = read(ROOT / ".pre-commit-config.yaml")
    assert re.findall(r"repo: (.*)", text) == ["local"]
    assert "://" not in text


def test_every_make_target_that_the_documents_name_exists() -> None:
    named = {
        target
        for page in [*ROOT.glob("*.md"), *PAGES]
        for target in re.findall(r"`make ([\w-]+)`", read(page))
    }
    assert named
    targets = set(re.findall(r"^([\w-]+):", read(ROOT / "Makefile"), re.MULTILINE))
    assert named <= targets


# What the documents show is run


def test_the_python_example_of_the_readme_runs(workplace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = blocks(ROOT / "README.md", "python")
    names: dict[str, object] = {}
    exec(compile(example, "README.md", "exec"), names)
    printed = capsys.readouterr().out
    assert re.fullmatch(r"\d+ rows were unique; now classes have \d+ rows or more\n", printed)


@pytest.mark.parametrize("path", [page for page in PAGES if blocks(page, "pycon")], ids=name_of)
def test_the_examples_of_a_page_give_what_it_says(path: Path, workplace: Path) -> None:
    for name, text in files(path).items():
        Path(name).write_text(text, encoding="utf-8")
    text = "\n\n".join(blocks(path, "pycon"))
    test = doctest.DocTestParser().get_doctest(text, {}, name_of(path), str(path), 0)
    failures: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    result = runner.run(test, out=failures.append)
    assert result.failed == 0, "".join(failures)
    assert result.attempted > 0


@pytest.mark.parametrize(
    "path",
    [page for page in [ROOT / "README.md", *PAGES] if "celosia " in "".join(blocks(page, "sh"))],
    ids=name_of,
)
def test_the_commands_of_a_page_work(path: Path, workplace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from celosia.cli import main

    for language, title, code in FENCE.findall(read(path)):
        if title:
            Path(title).write_text(code, encoding="utf-8")
        for line in code.replace("\\\n", " ").splitlines() if language == "sh" else ():
            program, *arguments = shlex.split(line)
            if program == "mkdir":
                Path(arguments[0]).mkdir()
            elif program == "celosia":
                with pytest.raises(SystemExit) as end:
                    main(arguments)
                # As with the command that it is named after, 1 is what diff answers if there are differences.
                answers = (0, 1) if arguments[0] == "diff" else (0,)
                assert end.value.code in answers, line + "\n" + "".join(capsys.readouterr())


@pytest.mark.parametrize("path", [page for page in PAGES if blocks(page, "yaml")], ids=name_of)
def test_the_projects_that_a_page_shows_can_be_loaded(path: Path, workplace: Path) -> None:
    from celosia.project.load import load_project, parse_project

    for name, text in files(path).items():
        Path(name).write_text(text, encoding="utf-8")
    for language, title, code in FENCE.findall(read(path)):
        if language == "yaml" and title:
            Path(title).write_text(code, encoding="utf-8")
            load_project(title)
        elif language == "yaml":
            parse_project(code)


@pytest.fixture
def run_example(
    workplace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """Run a program of the examples as its reader would, and give what it prints."""

    def call(name: str, *arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", [name, *arguments])
        runpy.run_path(str(ROOT / "examples" / name), run_name="__main__")
        return capsys.readouterr().out

    return call


def test_the_demo_runs_and_runs_again(workplace: Path, run_example: Callable[..., str]) -> None:
    for _ in range(2):
        shown = run_example("demo.py", "500")
    assert "before" in shown
    assert "demo/safe.csv" in shown
    assert {path.name for path in (workplace / "demo").iterdir()} == {
        "discharges.csv",
        "hierarchies",
        "numbers.csv",
        "numbers.record.json",
        "safe.csv",
        "safe.record.json",
    }


def test_the_example_with_two_tables_runs_and_they_still_join(
    workplace: Path, run_example: Callable[..., str]
) -> None:
    shown = run_example("clinic.py", "300")
    joined = re.search(r"(\d+) of (\d+) released stays join", shown)
    assert joined is not None
    assert joined[1] == joined[2] != "0"
    assert (workplace / "clinic" / "people_safe.record.json").exists()


def test_the_example_for_programs_runs(run_example: Callable[..., str]) -> None:
    assert "0 classes violate it" in run_example("python_api.py")


def test_every_technique_is_in_the_reference(hooks: ModuleType) -> None:
    from celosia.recode.techniques import TECHNIQUES

    page = hooks.fill(read(ENGLISH / "reference" / "techniques.md"))
    for name, technique in TECHNIQUES.items():
        section = page.partition(f"## {name}\n")[2].partition("\n## ")[0]
        is_option = not any(field.is_required() for field in technique.model_fields.values())
        assert (f"--technique {name}" in section) is is_option
        assert all(f"| `{field}` |" in section for field in technique.model_fields)
