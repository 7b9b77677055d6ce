"""What pyproject.toml promises is what the documents say: packages, their licences, extras, the version."""

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
FOR_PEOPLE = sorted(set(EXTRAS) - {"test", "check", "docs"})
"""Extras that are not for those who change the code."""


def named(requirement: str) -> str:
    return re.split(r"[\[<>=, ]", requirement)[0]


def asked_for() -> dict[str, set[str]]:
    """Every package that pyproject.toml names, and where."""
    found: dict[str, set[str]] = {}
    for place, requirements in {"base": PROJECT["dependencies"], **EXTRAS}.items():
        for requirement in requirements:
            if named(requirement) != "celosia":
                found.setdefault(named(requirement), set()).add(place)
    return found


def listed(language: str) -> dict[str, tuple[str, set[str]]]:
    """What a page on dependencies says: for every package its licence, and where it is."""
    page = (ROOT / "docs" / language / "reference" / "dependencies.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\w-]+) \| (.+?) \| (.+?) \|$", page, re.MULTILINE)[2:]  # without head and line
    return {name: (licence, set(re.findall(r"[\w-]+", places))) for name, licence, places in rows}


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_package_is_listed_with_its_licence_and_where_it_is(language: str) -> None:
    assert {name: places for name, (_, places) in listed(language).items()} == asked_for()


def test_both_languages_name_the_same_licences() -> None:
    english, spanish = (
        [licence.split(" (")[0] for licence, _ in listed(one).values()] for one in ("en", "es")
    )
    assert english == spanish


@pytest.mark.parametrize("name", sorted(asked_for()))
def test_a_package_that_calls_itself_copyleft_is_listed_as_that(name: str) -> None:
    try:
        said = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        # Tools for the pages are not there when the tests run; whatever people install is.
        assert asked_for()[name] <= {"docs"}
        return
    texts = [said.get("License-Expression") or "", (said.get("License") or "").partition("\n")[0]]
    texts += [text for text in said.get_all("Classifier") or () if text.startswith("License")]
    words = r"L?GPL|MPL|General Public|Mozilla"
    assert bool(re.search(words, " ".join(texts))) == bool(re.search(words, listed("en")[name][0]))


@pytest.mark.parametrize("page", ["docs/en/how-to/install.md", "docs/es/how-to/install.md"])
def test_every_extra_is_on_the_page_about_installing(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert sorted(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)) == FOR_PEOPLE


def test_all_holds_every_extra_but_the_one_under_the_gpl() -> None:
    assert len(EXTRAS["all"]) == 1
    held = re.findall(r"\w+", EXTRAS["all"][0].partition("[")[2])
    assert sorted([*held, "all", "weka"]) == FOR_PEOPLE


def test_every_extra_that_a_message_names_exists() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py")]
    named_there = {name for text in texts for name in re.findall(r"celosia\[(\w+)\]", text)}
    assert named_there
    assert named_there <= set(EXTRAS)


def test_the_changelog_begins_with_the_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\S+)", changelog, re.MULTILINE)[0] == PROJECT["version"]


def test_every_python_of_the_classifiers_is_promised() -> None:
    lowest = tuple(map(int, PROJECT["requires-python"].removeprefix(">=").split(".")))
    versions = [
        re.fullmatch(r"Programming Language :: Python :: 3\.(\d+)", one) for one in PROJECT["classifiers"]
    ]
    minors = [int(found[1]) for found in versions if found]
    assert (3, minors[0]) == lowest
    assert minors == list(range(minors[0], minors[-1] + 1))
