"""A command line to call, and a small table to call it on."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from celosia.cli.start import start
from kept_commands import command_line

PEOPLE = """name,age,sex,zip,disease
Ana,31,f,28001,flu
Eva,32,f,28002,flu
Luis,33,m,28003,cold
Juan,38,m,28004,asthma
Rosa,41,f,08001,cold
Olga,42,f,08002,flu
Hugo,47,m,08003,asthma
Iván,49,m,08004,cold
"""
SEX = "f;*\nm;*\n"


@dataclass(frozen=True)
class Answer:
    """What a person, or the program that called, gets to see."""

    status: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        return json.loads(self.out)


@pytest.fixture(autouse=True)
def kept_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands are called as they were made for the first test."""
    monkeypatch.setattr("celosia.cli.start._command_line", command_line)


@pytest.fixture
def celosia(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    def call(*arguments: str | Path) -> Answer:
        capsys.readouterr()
        status = start([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Answer(status, out, err)

    return call


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(PEOPLE, encoding="utf-8")
    return path


@pytest.fixture
def safe(tmp_path: Path) -> Path:
    return tmp_path / "safe.csv"
