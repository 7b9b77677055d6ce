"""How an uploaded file of text is read, told from its beginning: encoding, separator, header."""

import codecs
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from celosia.api.opening import text_layout
from celosia.server.access import MemberRole, User, require
from celosia.server.service import Service
from celosia.server.workspace import DATA, file_in, project_folder
from celosia.types import MISSING_MARKERS

__all__ = ["ENCODINGS", "TextFileReading", "detect", "detect_file"]

ENCODINGS = ("utf-8", "utf-16", "cp1252", "latin-1")
TEXTS = (".csv", ".txt", ".tsv")
BEGINNING = 1 << 18
_NUMBER = re.compile(r"\s*[+-]?\d+([.,]\d+)?\s*")


@dataclass(frozen=True)
class TextFileReading:
    """How a file of text is read."""

    encoding: str = "utf-8"
    separator: str = ","
    header: bool = True
    missing: tuple[str, ...] = MISSING_MARKERS

    def source(self, path: str) -> dict[str, Any]:
        """What a document says of the file: only what a reader would not find out by itself.

        >>> TextFileReading(encoding="cp1252").source("data/people.csv")
        {'path': 'data/people.csv', 'encoding': 'cp1252'}
        """
        usual = asdict(TextFileReading(separator=self.separator))
        said = {name: value for name, value in asdict(self).items() if value != usual[name]}
        return {"path": path, **said}


def detect_file(service: Service, user: User, project: str, name: str) -> TextFileReading | None:
    """How an uploaded file is read; None if it is no text."""
    with service.store.begin() as data:
        require(data, user, project, MemberRole.ANALYST)
    path = file_in(project_folder(service.settings.workspace, project) / DATA, name)
    if Path(name).suffix.lower() not in TEXTS:
        return None
    with path.open("rb") as file:
        beginning = file.read(BEGINNING)
    return detect(beginning, is_whole=len(beginning) < BEGINNING)


def detect(beginning: bytes, *, is_whole: bool = True) -> TextFileReading:
    """How a text with this beginning is read.

    A first row with a number in it names no columns.

    >>> detect("name;town\\nAna;Ávila\\n".encode("cp1252"))
    TextFileReading(encoding='cp1252', separator=';', header=True, missing=('', '?', 'NA'))
    >>> detect(b"39, State-gov\\n50, Private\\n").header
    False
    """
    encoding = _encoding(beginning, is_whole=is_whole)
    text = beginning.decode(encoding, errors="ignore").removeprefix("\ufeff")
    if not is_whole:
        text = text.rpartition("\n")[0]
    layout = text_layout(text)
    has_names = not any(_NUMBER.fullmatch(field) for field in layout.first)
    return TextFileReading(encoding, layout.separator, header=has_names)


def _encoding(beginning: bytes, *, is_whole: bool) -> str:
    if beginning.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    return next(name for name in ("utf-8", "cp1252", "latin-1") if _fits(beginning, name, is_whole=is_whole))


def _fits(text: bytes, encoding: str, *, is_whole: bool) -> bool:
    try:
        codecs.getincrementaldecoder(encoding)().decode(text, final=is_whole)  # a character may be cut in two
    except UnicodeDecodeError:
        return False
    return True
