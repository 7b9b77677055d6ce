"""The command line in another language: helps, questions, results, mistakes; and English where programs listen."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from celosia.cli.app import app
from celosia.cli.help_texts import help_texts
from celosia.cli.language import use_language
from celosia.cli.questions import confirmed
from celosia.words import Words

COMMANDS = ("anonymize", "--qi", "age,sex,zip", "--identifier", "name", "--sensitive", "disease", "-k", "2")
SAME = {"A", "B", "K", "L", "N", "Roles", "[ORIGINAL]"}
"""Helps that are the same in Spanish: letters that stand for values, and words that both languages have."""

ENGLISH = re.findall(
    r"\w+",
    "the and of with from that is are was not which these their rows row column columns table release written class "
    "classes before after highest lowest value values missing because level risk verified record suppressed asked "
    "reached says proposed numbers between intervals every distinct smaller larger kept to",
)
"""Words that no Spanish sentence has; ``no``, ``a`` and ``as`` are Spanish too."""

Celosia = Callable[..., Any]


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A shell that says which language it speaks, by the variables that are given."""

    def speak(**variables: str) -> None:
        for name in ("CELOSIA_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
            monkeypatch.delenv(name, raising=False)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)

    return speak


def english_in(text: str) -> list[str]:
    """The English words in what a person reads; options, names of measures and files are the same in every language."""
    lines = [line for line in text.splitlines() if not line.strip().startswith(("celosia ", "#"))]
    plain = re.sub(r"`[^`]*`|'[^']*'|--?[\w-]+|[\w-]+[-_][\w-]+|\S+\.\w+", " ", "\n".join(lines))
    return sorted(set(re.findall(r"[a-z]+", plain.lower())) & set(ENGLISH))


# Helps


def test_every_help_is_in_the_catalogue() -> None:
    words = Words("es")
    texts = set(help_texts(get_command(app)))
    assert len(texts) > 300
    assert sorted(text for text in texts if words(text) == text) == sorted(texts & SAME)


def test_the_help_of_a_command_has_no_english_left(celosia: Celosia) -> None:
    for place in (("--language", "es", "anonymize", "--help"), ("anonymize", "--help", "--language=es")):
        answer = celosia(*place)
        assert answer.status == 0
        assert "Uso: celosia anonymize [OPCIONES]" in answer.out
        assert all(f"─ {title} ─" in answer.out for title in ("Argumentos", "Opciones", "Privacidad"))
        assert "Muestra este mensaje y termina." in answer.out
        assert english_in(answer.out) == ["proposed", "record"]  # which options take as values


def test_english_is_back_after_spanish(celosia: Celosia) -> None:
    celosia("--language", "es", "anonymize", "--help")
    assert "Usage: celosia anonymize [OPTIONS]" in (out := celosia("anonymize", "--help").out)
    assert "─ Arguments ─" in out
    assert "[required]" in out


def test_a_group_shows_its_help_in_the_language(celosia: Celosia) -> None:
    assert "Anota una publicación hecha en otra parte" in celosia("ledger", "--language", "es").out


# Which language


@pytest.mark.parametrize(
    ("variables", "title"),
    [
        ({"LANG": "es_ES.UTF-8"}, "Uso:"),
        ({"LC_MESSAGES": "es_MX", "LANG": "en_US.UTF-8"}, "Uso:"),
        ({"LC_ALL": "C.UTF-8", "LANG": "es_ES.UTF-8"}, "Usage:"),
        ({"LANG": "de_DE.UTF-8"}, "Usage:"),
        ({"LANG": "est_EE"}, "Usage:"),
        ({}, "Usage:"),
        ({"CELOSIA_LANGUAGE": "es", "LC_ALL": "en_GB.UTF-8"}, "Uso:"),
        ({"CELOSIA_LANGUAGE": "en", "LANG": "es_ES.UTF-8"}, "Usage:"),
        ({"CELOSIA_LANGUAGE": "", "LANG": "es_ES.UTF-8"}, "Uso:"),
    ],
)
def test_the_environment_says_the_language(
    celosia: Celosia, shell: Callable[..., None], variables: dict[str, str], title: str
) -> None:
    shell(**variables)
    assert title in celosia("sample", "--help").out


def test_an_option_counts_more_than_the_environment(celosia: Celosia, shell: Callable[..., None]) -> None:
    shell(CELOSIA_LANGUAGE="es", LANG="es_ES.UTF-8")
    assert "Usage:" in celosia("sample", "--help", "--language", "en").out


def test_a_language_that_there_is_not_is_a_mistake(celosia: Celosia, shell: Callable[..., None]) -> None:
    answer = celosia("sample", "--language", "fr")
    assert answer.status == 2
    assert answer.err == "error: --language: there is no language 'fr'; choose en or es\n"
    shell(CELOSIA_LANGUAGE="fr")
    assert celosia("--help").err == "error: CELOSIA_LANGUAGE: there is no language 'fr'; choose en or es\n"


def test_english_loads_no_catalogue_and_spanish_no_engine() -> None:
    for language, catalogue in (("en", "0"), ("es", "1")):
        code = (
            "import sys; from celosia.cli.start import start; from celosia.words import words\n"
            f"start(['--language', '{language}', 'anonymize', '--help'])\n"
            "print(words._catalogue.cache_info().currsize, 'polars' in sys.modules, file=sys.stderr)"
        )
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert run.stderr.split() == [catalogue, "False"]


# Results and mistakes


def test_a_table_is_looked_at_and_released_in_spanish(celosia: Celosia, people: Path, safe: Path) -> None:
    looked = celosia("--language", "es", "profile", people, "--propose-k")
    assert looked.status == 0, looked.err
    assert "people.csv: 8 filas, 5 columnas" in looked.out
    assert "cuasi-identificador" in looked.out
    assert english_in(looked.out) == []
    released = celosia(*COMMANDS, people, "-l", "2", "--out", safe, "--language", "es")
    assert released.status == 0, released.err
    assert "clase más pequeña (k)" in released.out
    assert "no hay ningún identificador en la publicación" in released.out
    assert re.search(r"\d,\d\d %", released.out)
    assert english_in(released.out) == []


def test_names_of_people_stay_as_they_are(celosia: Celosia, people: Path) -> None:
    people.write_text("release,before\n1,after\n2,release\n", encoding="utf-8")
    shown = celosia("--language", "es", "profile", people).out
    assert "release" in shown
    assert "before" in shown


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["anonymize"], "celosia anonymize: falta el argumento 'TABLA'; véase `celosia anonymize --help`"),
        (["sample"], "celosia sample: falta la opción '--out' / '-o'; véase `celosia sample --help`"),
        (["sample", "--outt"], "celosia sample: no existe la opción --outt"),
        (["sample", "--out"], "la opción '--out' necesita un valor"),
        (["sampel"], "celosia: no existe la orden 'sampel'. ¿Quiso decir 'sample'?; véase `celosia --help`"),
        (["sample", "--rows", "x"], "valor no válido para '--rows': debe ser un número entero"),
        (["sample", "--rows", "0"], "valor no válido para '--rows': debe ser 1 o más"),
        (["models", "a", "b"], "celosia models: sobran argumentos (b)"),
        (["models", "x"], "models: no hay ningún modelo de privacidad 'x'; elija "),
        (["profile", "nobody.csv"], "no existe; compruebe la ruta"),
    ],
)
def test_a_mistake_is_told_in_spanish(celosia: Celosia, arguments: list[str], sentence: str) -> None:
    answer = celosia("--language=es", *arguments)
    assert answer.status == 2
    assert answer.err.startswith("error: ")
    assert sentence in answer.err


def test_answers_for_programs_stay_english(
    celosia: Celosia, shell: Callable[..., None], people: Path, safe: Path
) -> None:
    def answers() -> list[object]:
        released = celosia(*COMMANDS, people, "--out", safe, "--seed", "7", "--overwrite", "--json").document
        for changing in ("created", "search", "seconds", "versions"):
            released.pop(changing, None)
        return [
            celosia("profile", people, "--json").document,
            released,
            celosia("models", "--json").document,
            celosia("measures", "--json").document,
            celosia("profile", "--json").err,
            celosia("profile", "nobody.csv", "--json").err,
        ]

    english = answers()
    shell(LANG="es_ES.UTF-8")
    assert answers() == english


def test_models_are_explained_in_spanish(celosia: Celosia) -> None:
    listed = celosia("models", "--language", "es").out
    assert "modelo" in listed.splitlines()[0]
    explained = celosia("models", "k-anonymity", "--language", "es").out
    assert "cada clase tiene al menos k filas" in explained
    assert english_in(explained) == []


# Questions


@pytest.mark.parametrize(
    ("typed", "agreed"), [("s", True), ("Sí", True), ("y", True), ("n", False), ("", False), ("?\nsi", True)]
)
def test_a_question_is_answered_in_the_language(
    monkeypatch: pytest.MonkeyPatch, typed: str, agreed: bool
) -> None:
    answers = iter(typed.split("\n"))
    monkeypatch.setattr("typer.prompt", lambda *_, **__: next(answers))
    with use_language("es"):
        assert confirmed("¿Borrar?") is agreed
