"""Files that commands write beside releases: never over another by accident, never half."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from celosia.api.opening import place_kind
from celosia.cli.interrupt import report_if_written
from celosia.errors import ReleaseError
from celosia.say import say

__all__ = ["ensure_free", "fresh_file", "spell_file"]


def ensure_free(path: Path, *, overwrite: bool) -> None:
    """Raise unless a file can be put at ``path``.

    >>> ensure_free(Path("nowhere/people.csv"), overwrite=False)
    Traceback (most recent call last):
    ...
    celosia.errors.ReleaseError: the folder nowhere does not exist; create it first
    """
    place = str(path).replace(":/", "://", 1)  # as it was before it became a path
    kind = place_kind(place)
    if kind is not None and kind.is_remote:
        raise ReleaseError(
            say("this is written to a file of this machine only"),
            where=place,
            remedy=say("give the name of a file"),
        )
    if not path.parent.is_dir():
        raise ReleaseError(
            say("the folder {folder} does not exist", folder=path.parent), remedy=say("create it first")
        )
    if path.is_dir():
        raise ReleaseError(say("{path} is a folder", path=path), remedy=say("give the name of a file"))
    if path.exists() and not overwrite:
        raise ReleaseError(
            say("{path} exists already", path=path),
            remedy=say("choose another name, or allow it with --overwrite"),
        )


@contextmanager
def fresh_file(path: Path) -> Iterator[Path]:
    """A hidden place to write to, moved to ``path`` when all is well and removed otherwise.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with fresh_file(Path(folder, "a.txt")) as hidden:
    ...         _ = hidden.write_text("whole")
    ...     [found.name for found in Path(folder).iterdir()]
    ['a.txt']
    """
    import secrets

    hidden = path.with_name(f".{path.stem}.{secrets.token_hex(6)}.part{path.suffix}")
    with report_if_written(path):
        try:
            yield hidden
            hidden.replace(path)
        except OSError as error:
            raise ReleaseError(
                say("it could not be written ({reason})", reason=error.strerror or error),
                where=str(path),
                remedy=say("check the space and the permissions there"),
            ) from error
        finally:
            hidden.unlink(missing_ok=True)


def spell_file(name: str) -> str:
    """A name as a file may have it: what a file system cannot spell becomes a line.

    >>> spell_file("a/b: c")
    'a_b_ c'
    """
    return "".join(letter if letter.isalnum() or letter in "-_. " else "_" for letter in name)
