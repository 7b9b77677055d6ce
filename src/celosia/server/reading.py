"""How an uploaded file of text is read: the same way as anywhere else."""

from pathlib import Path

from celosia.api.opening import TextLayout, text_layout
from celosia.server.access import MemberRole, User, require
from celosia.server.service import Service
from celosia.server.workspace import DATA, file_in, project_folder

__all__ = ["ENCODINGS", "layout_of_file"]

ENCODINGS = ("utf-8", "utf-16", "cp1252", "latin-1")
TEXTS = (".csv", ".txt", ".tsv")


def layout_of_file(service: Service, user: User, project: str, name: str) -> TextLayout | None:
    """What an uploaded file looks like; None if it is no text."""
    with service.store.begin() as data:
        require(data, user, project, MemberRole.ANALYST)
    path = file_in(project_folder(service.settings.workspace, project) / DATA, name)
    return text_layout(path) if Path(name).suffix.lower() in TEXTS else None
