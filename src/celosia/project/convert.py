"""Projects of other systems as ours: the door to :mod:`celosia.project.converting`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from celosia.errors import ProjectError
from celosia.project.document import Document, read_document
from celosia.say import say

__all__ = ["ConvertedProject", "convert", "convert_file"]


@dataclass(frozen=True)
class ConvertedProject:
    """A plain project document, whose it was, and what could not be carried over as it was."""

    project: dict[str, Any]
    system: str
    notes: tuple[str, ...]


def convert_file(path: str | Path, *, trees: str | Path | None = None) -> ConvertedProject:
    """The project in a file of another system; ``trees`` is the file of a job's ``categorical_trees``."""
    return convert(read_document(path), trees=None if trees is None else read_document(trees))


def convert(document: Document, *, trees: Document | None = None) -> ConvertedProject:
    """A project of Anonylitics, or a job of SparkTPTDS, as a plain project document.

    >>> from celosia.project.document import parse_document
    >>> document = parse_document('{"user": "ana", "project_name": "flu", "anonymization_type": "Completa"}', "p.json")
    >>> convert(document).project
    {'version': 2, 'name': 'flu', 'owner': 'ana', 'kind': 'complete'}
    """
    from celosia.project.converting.anonylitics import from_anonylitics, is_anonylitics
    from celosia.project.converting.sparktptds import from_sparktptds, is_sparktptds

    if is_sparktptds(document.data):
        project, notes = from_sparktptds(document, trees)
        return ConvertedProject(project, "SparkTPTDS", tuple(notes))
    if is_anonylitics(document.data):
        if trees is not None:
            raise ProjectError(
                say("trees belong to a job of SparkTPTDS, and this is a project of Anonylitics"),
                where=document.where,
                remedy=say("leave the trees out"),
            )
        project, notes = from_anonylitics(document)
        return ConvertedProject(project, "Anonylitics", tuple(notes))
    if "version" in document.data:
        raise ProjectError(
            say("this is a project already"), where=document.where, remedy=say("run it as it is")
        )
    raise ProjectError(
        say("this is neither a project of Anonylitics nor a job of SparkTPTDS"),
        where=document.where,
        remedy=say(
            'the first has "project_name" and "tables", the second "categorical_attributes" and "file_path"'
        ),
    )
