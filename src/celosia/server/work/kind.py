"""What a kind of job is, and what one is given to work with."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from celosia.api.erasing import erase_leftovers
from celosia.api.projects import parse_project
from celosia.errors import ProjectError
from celosia.registered import first_mistake
from celosia.say import keep_texts, say
from celosia.server.access import MemberRole
from celosia.server.job import JobOrder

if TYPE_CHECKING:
    from celosia.api.results import Progress, Project

__all__ = ["JobContext", "JobKind", "JobSummary", "Parameters"]


ParametersT_co = TypeVar("ParametersT_co", bound="Parameters", covariant=True)
JobSummary = Mapping[str, object]
"""What a list of jobs says of one that is done: a few figures, which depend on its kind."""


def no_progress(stage: str, share: float) -> None:
    """Tell nobody how far a job is."""


class Parameters(BaseModel):
    """What a job is asked for; unknown fields are mistakes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    table: str | None = None
    """Which table of a project that has several."""


@dataclass(frozen=True)
class JobContext(Generic[ParametersT_co]):
    """One job: its project, the folder of what it makes, and how to tell how far it is."""

    project: "Project"
    folder: Path
    made: Path
    parameters: ParametersT_co
    progress: "Progress" = no_progress
    passwords: Mapping[str, str] = field(default_factory=dict)

    @staticmethod
    def ordered(order: JobOrder, progress: "Progress") -> "JobContext[Parameters]":
        """The work that the service orders."""
        from celosia.server.work import KINDS

        folder = Path(order["folder"])
        document = dict(order["document"])
        if order["spark"]:
            document["spark"] = {"config": dict(order["spark"])}
        return JobContext(
            project=parse_project(json.dumps(document), str(folder / "project.json")),
            folder=folder,
            made=Path(order["made"]),
            parameters=KINDS[order["kind"]].parameters.model_validate(order["parameters"]),
            progress=progress,
            passwords=order["passwords"],
        )

    def ask(self, question: str) -> str:
        """The password that a library asks for, as in ``Password of postgresql://ana@host/clinic: ``."""
        address = question.removeprefix("Password of ").removesuffix(": ")
        if address not in self.passwords:
            raise ProjectError(
                say("a password is needed"),
                where=address,
                remedy=say("connect the database again, with its password"),
            )
        return self.passwords[address]

    def keep(self, result: Mapping[str, object], *, under: str = "result.json") -> None:
        """Write what was found, for whoever asks; ``under`` another name it is for whoever knows of it."""
        self.made.mkdir(parents=True, exist_ok=True, mode=0o700)
        hidden = self.made / f".{under}.part"
        with os.fdopen(
            os.open(hidden, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "w", encoding="utf-8"
        ) as file:
            json.dump(keep_texts(result), file, ensure_ascii=False, default=str)
        os.replace(hidden, self.made / under)

    @contextmanager
    def cleaned_up(self) -> Iterator[None]:
        """Whatever a killed job of this project left is erased first; what an unfinished one made goes with it."""
        from celosia.server.workspace import erase_folder

        if self.made.exists():
            erase_folder(self.made)
        erase_leftovers(self.folder)
        self.made.mkdir(parents=True, mode=0o700)
        try:
            yield
        except BaseException:
            erase_folder(self.made)
            raise


@dataclass(frozen=True)
class JobKind:
    """A kind of job: what it is asked for, who may start it, and who may see all that it finds."""

    name: str
    work: Callable[[JobContext[Any]], JobSummary]
    parameters: type[Parameters] = Parameters
    part: MemberRole = MemberRole.ANALYST
    sees: MemberRole = MemberRole.VIEWER
    owners: tuple[str, ...] = ()
    """Parameters that only an owner gives."""
    addresses: tuple[str, ...] = ()
    """Parameters that are addresses of databases: only one that is connected to the project is gone to."""

    def part_for(self, parameters: Mapping[str, Any]) -> MemberRole:
        """Who may start a job with these parameters."""
        return (
            MemberRole.OWNER if any(parameters.get(name) is not None for name in self.owners) else self.part
        )

    def check(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Parameters as they are kept; what is wrong is said by field."""
        try:
            return self.parameters.model_validate(dict(parameters)).model_dump(
                mode="json", exclude_defaults=True
            )
        except ValidationError as error:
            where, mistake, _ = first_mistake(error)
            raise ProjectError(
                mistake, where=where or "parameters", remedy=say("correct the parameter")
            ) from None
