"""What was computed before, kept by content: the same rows, the same question, the same version, the same answer."""

import hashlib
import json
import os
import secrets
from collections.abc import Mapping
from importlib.metadata import version
from io import BytesIO
from pathlib import Path

import polars as pl

from celosia.say import keep_texts, restore_texts

__all__ = ["AnswerCache", "digest_of_frame"]


def digest_of_frame(frame: pl.DataFrame) -> str:
    """A digest of all values of a frame, in their order.

    >>> digest_of_frame(pl.DataFrame({"age": [31]})) == digest_of_frame(pl.DataFrame({"age": [32]}))
    False
    """
    content = BytesIO()
    frame.rechunk().write_ipc(content)
    return hashlib.sha256(content.getbuffer()).hexdigest()


class AnswerCache:
    """Answers in files of a folder, each under the digest of its question; without a folder nothing is kept.

    They hold figures, never rows.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def find(self, question: Mapping[str, object]) -> dict[str, object] | None:
        """The answer to a question, if there is one."""
        if self.folder is None:
            return None
        try:
            document = restore_texts(json.loads(self._path(question).read_text(encoding="utf-8")))
        except (OSError, ValueError):
            return None  # what cannot be read is computed anew
        return document if isinstance(document, dict) else None

    def keep(self, question: Mapping[str, object], answer: Mapping[str, object]) -> None:
        """Keep an answer, there whole or not at all."""
        if self.folder is None:
            return
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._path(question)
        hidden = path.with_name(f".{secrets.token_hex(8)}.part")
        hidden.write_text(json.dumps(keep_texts(answer)), encoding="utf-8")
        os.replace(hidden, path)

    def _path(self, question: Mapping[str, object]) -> Path:
        assert self.folder is not None
        asked = json.dumps({"celosia": version("celosia"), **question}, sort_keys=True, default=str)
        return self.folder / f"{hashlib.sha256(asked.encode()).hexdigest()}.json"
