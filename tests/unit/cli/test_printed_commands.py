"""Commands that are printed to be copied do what they say when they are pasted, whatever columns are called."""

import random
import shlex

import polars as pl
import pytest

ROWS = 400


def hospital():
    draw = random.Random(4)
    towns = [draw.choice(["Cali", "Buga", "Bello", "Medellín"]) for _ in range(ROWS)]
    areas = {"Cali": "V", "Buga": "V", "Bello": "A", "Medellín": "A"}
    return {
        "Nº historia": [f"H{number:05d}" for number in range(ROWS)],
        "Edad (años)": [draw.randint(18, 95) for _ in range(ROWS)],
        "last, first": [f"Ana {number}" for number in range(ROWS)],
        "Coste (€)": [round(draw.lognormvariate(7, 1), 2) for _ in range(ROWS)],
        "a=b": [draw.choice("xyz") for _ in range(ROWS)],
        "Ciudad": towns,
        "zona de salud": [areas[town] for town in towns],
        "-x": [draw.choice("uv") for _ in range(ROWS)],
        "it's": [draw.gauss(5, 1) for _ in range(ROWS)],
        "diagnóstico": [draw.choice(["flu", "gout"]) for _ in range(ROWS)],
    }


def payroll():
    draw = random.Random(5)
    return {
        "$HOME": [draw.choice(["casado", "soltero"]) for _ in range(ROWS)],
        "Antigüedad": [draw.randint(0, 30) for _ in range(ROWS)],
        "`cargo`": [draw.choice(["auxiliar", "técnico", "jefe"]) for _ in range(ROWS)],
        'salario "bruto"': [draw.randint(14_000, 60_000) for _ in range(ROWS)],
        "*": [draw.choice([1, 2, 3]) for _ in range(ROWS)],
        "^a$": [draw.choice("ab") for _ in range(ROWS)],
    }


def survey():
    draw = random.Random(6)
    columns = ["edad", "sexo", "municipio", "estudios", "hijos", "ocupacion", "religion", "estado civil"]
    frame = {name: [draw.randint(1, 4) for _ in range(ROWS)] for name in columns}
    frame |= {"nacionalidad": ["ES"] * ROWS, "vivienda": [draw.choice("ab") for _ in range(ROWS)]}
    return frame | {"p 1": [draw.choice("sn") for _ in range(ROWS)]}


def few():
    return {"sex": ["f", "m", "f"], "x": [1, 2, 1]}


TABLE = "my table.csv"


@pytest.fixture(params=[hospital, payroll, survey, few])
def columns(request, tmp_path, monkeypatch):
    """The columns of a table that lies where commands are run."""
    monkeypatch.chdir(tmp_path)
    frame = pl.DataFrame(request.param())
    frame.write_csv(TABLE)
    return frame.columns


def printed(answer, command):
    """The commands of a name that an answer shows, as a shell reads them."""
    assert answer.status == 0, answer.err
    lines = [line.strip() for line in answer.out.splitlines()]
    return [shlex.split(line, comments=True)[1:] for line in lines if line.startswith(f"celosia {command} ")]


def named(words):
    """Every column that the options of a command name, and what is masked away."""
    flags = ("--qi", "--sensitive", "--identifier", "--common", "--mask")
    pairs = list(zip(words, [*words[1:], ""], strict=True))
    values = [(flag, value) for flag, value in pairs if flag in flags]
    return values + [
        tuple(word.split("=", 1)) for word in words if word.split("=", 1)[0] in flags and "=" in word
    ]


def test_the_commands_of_profile_run_and_name_every_column(celosia, columns):
    answer = celosia("profile", TABLE)
    [balance], [release] = printed(answer, "balance"), printed(answer, "anonymize")
    said = " ".join(value for _, value in named(release))
    assert all(name in said for name in columns)
    released = celosia(*release)
    assert released.status == 0, released.err
    tried = celosia(*balance)
    assert tried.status == 0, tried.err


def test_the_command_of_balance_runs_though_it_was_given_some_columns_only(celosia, columns):
    qi = next(name for name in ("Edad (años)", "$HOME", "edad", "sex") if name in columns)
    answer = celosia("balance", TABLE, f"--qi={qi}")
    [release] = printed(answer, "anonymize")
    released = celosia(*release)
    assert released.status == 0, released.err
    left = pl.read_csv("safe.csv").columns
    assert qi in left
    assert "Ciudad" not in left
    assert "municipio" not in left
    assert "Left out there" in answer.out


def test_what_a_subset_of_the_nominated_columns_leaves_is_not_released(celosia, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pl.DataFrame(survey()).write_csv("people.csv")
    [release] = printed(celosia("profile", "people.csv", "--nominate", "edad,sexo"), "anonymize")
    assert celosia(*release).status == 0
    left = pl.read_csv("safe.csv").columns
    assert {"edad", "sexo"} <= set(left)
    assert "municipio" not in left


@pytest.mark.usefixtures("columns")
def test_the_commands_of_new_run(celosia):
    answer = celosia("new", TABLE, "--yes", "--out", "my project.yaml")
    for command in ("check", "run", "schema"):
        [words] = printed(answer, command)
        done = celosia(*words)
        assert done.status == 0, done.err


def test_the_operation_that_a_mistake_offers_can_be_pasted(celosia, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    draw = random.Random(8)
    frame = {"age": [draw.randint(20, 60) for _ in range(ROWS)], "Coste (€)": hospital()["Coste (€)"]}
    pl.DataFrame(frame).write_csv("stays.csv")
    words = ["anonymize", "stays.csv", "--qi", "age", "-k", "5", "--out", "safe.csv"]
    refused = celosia(*words)
    assert refused.status == 2
    offered = refused.err.split("as in ", 1)[1].split(", --accept", 1)[0]
    released = celosia(*words, *shlex.split(offered))
    assert released.status == 0, released.err
    assert pl.read_csv("safe.csv")["Coste (€)"].value_counts()["count"].min() >= 5


@pytest.mark.parametrize(
    ("mask", "told"),
    [
        ("cost", "'cost' is not understood"),
        ("cost=rund:to=5", "there is no operation 'rund'; did you mean 'round'?"),
        ("cost=round:too=5", "it has no parameter 'too'; did you mean 'to'?"),
        ("cost=round:to", "'to' is no parameter"),
        ("cost=sample:share=0.5", "'sample' is done to rows, not to a column"),
        ("coste=drop", "column 'coste' does not exist"),
    ],
)
def test_what_cannot_be_masked_is_said(celosia, tmp_path, monkeypatch, mask, told):
    monkeypatch.chdir(tmp_path)
    pl.DataFrame({"age": [30, 31, 32], "cost": [1, 2, 3]}).write_csv("stays.csv")
    refused = celosia("anonymize", "stays.csv", "--qi", "age", "--mask", mask, "-k", "2", "--out", "safe.csv")
    assert refused.status == 2
    assert told in refused.err


def test_a_column_is_masked_once(celosia, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pl.DataFrame({"age": [30, 31, 32], "cost": [1, 2, 3]}).write_csv("stays.csv")
    words = ["anonymize", "stays.csv", "--qi", "age", "-k", "2", "--out", "safe.csv"]
    refused = celosia(*words, "--mask", "cost=drop", "--mask", "cost=round:to=5")
    assert "'cost' is masked twice" in refused.err
    assert celosia(*words, "--mask", "cost=round:to=5+code:top=5").status == 0
