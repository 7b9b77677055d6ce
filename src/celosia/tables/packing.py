"""Compressed files: what is in them, how large it is before anything is read, and how new ones are written."""

import bz2
import gzip
import io
import lzma
import shutil
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.format import reading
from celosia.tables.staged import StagedPath, name_of, stage_file

__all__ = [
    "PACKINGS",
    "check_unpacked_size",
    "is_packed",
    "packed_file",
    "size_text",
    "unpack",
    "unpacked_name",
]

MOST_RATIO = 200
"""Times as large as it was: tables shrink to a tenth or a fiftieth, and files made to do harm to a thousandth."""
HARMLESS = 100 << 20
"""Bytes that may come out of any file, however small."""
_MOST_DEFLATED = 1032
"""Times as large as it was is the most that deflate can make of anything."""
_STEP = 1 << 20


def _open_zstandard(path: Path) -> Any:
    import pyarrow

    return pyarrow.CompressedInputStream(pyarrow.OSFile(str(path)), "zstd")


_MOST_FOR_XZ = 1 << 28
"""Bytes that unpacking may take: what an XZ file was packed with decides about that, and it may ask for gigabytes."""


class _XzFile:
    """An XZ file that is being read, one stream after the other, within bounds."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")
        self._stream = lzma.LZMADecompressor(memlimit=_MOST_FOR_XZ)

    def __enter__(self) -> "_XzFile":
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def read(self, size: int) -> bytes:
        """Some bytes; none at the end."""
        while True:
            if self._stream.eof:
                rest = self._stream.unused_data.lstrip(b"\0") or self._file.read(_STEP).lstrip(b"\0")
                if not rest:
                    return b""
                self._stream = lzma.LZMADecompressor(memlimit=_MOST_FOR_XZ)
            else:
                rest = self._file.read(1 << 16) if self._stream.needs_input else b""
                if not rest and self._stream.needs_input:
                    raise EOFError("the file ends before its stream does")
            block = self._stream.decompress(rest, size)
            if block:
                return block


PACKINGS: dict[str, Callable[[Path], Any]] = {
    ".gz": gzip.open,
    ".bz2": bz2.open,
    ".xz": _XzFile,
    ".zst": _open_zstandard,
}
_ZIP = ".zip"


def is_packed(path: Path) -> bool:
    """Whether the ending of a file says that it is compressed.

    >>> is_packed(Path("people.csv.gz")), is_packed(Path("people.csv"))
    (True, False)
    """
    return path.suffix.lower() in (*PACKINGS, _ZIP)


def unpacked_name(path: Path) -> Path:
    """The path without the ending of its compression.

    >>> unpacked_name(Path("people.csv.gz")), unpacked_name(Path("people.csv"))
    (PosixPath('people.csv'), PosixPath('people.csv'))
    """
    return path.with_suffix("") if is_packed(path) else path


def unpack(path: Path, members: Sequence[str] = ()) -> list[StagedPath]:
    """What is in a compressed file, as private files; of an archive the one file there is, or those that are named."""
    if path.suffix.lower() == _ZIP:
        return _unpack_zip(path, members)
    where = name_of(path)
    if members:
        raise TableError(
            say("this file holds one table without a name"), where=where, remedy=say("leave the name out")
        )
    opened = PACKINGS[path.suffix.lower()]

    def fill(file: IO[bytes]) -> None:
        with reading(where, say("a compressed file")), opened(path) as source:
            _copy(source, file, packed=path.stat().st_size, where=where)

    return [stage_file(unpacked_name(path).name, fill, shown=where)]


def _unpack_zip(path: Path, members: Sequence[str]) -> list[StagedPath]:
    where = name_of(path)
    with reading(where, say("a ZIP archive")), zipfile.ZipFile(path) as archive:
        held = [member for member in archive.infolist() if not member.is_dir() and not _is_clutter(member)]
        return [_stage_member(archive, member, where) for member in _choose(held, members, where)]


def _is_clutter(member: zipfile.ZipInfo) -> bool:
    """What systems put into archives for themselves."""
    return member.filename.startswith("__MACOSX/") or Path(member.filename).name.startswith(".")


def _choose(held: list[zipfile.ZipInfo], names: Sequence[str], where: str) -> list[zipfile.ZipInfo]:
    by_name = {member.filename: member for member in held}
    listed = ", ".join(by_name)
    for name in names:
        if name not in by_name:
            raise TableError(
                say("there is no file {name!r} in the archive", name=name),
                where=where,
                remedy=say("choose one of: {names}", names=listed),
            )
    if names:
        return [by_name[name] for name in names]
    if not held:
        raise TableError(say("the archive is empty"), where=where, remedy=say("check that it was saved"))
    if len(held) > 1:
        raise TableError(
            say("the archive holds {count} files", count=len(held)),
            where=where,
            remedy=say("name one with --table: {names}", names=listed),
        )
    return held


def _stage_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, where: str) -> StagedPath:
    if member.flag_bits & 1:
        raise TableError(
            say("the archive is protected with a password"), where=where, remedy=say("unpack it yourself")
        )

    def fill(file: IO[bytes]) -> None:
        with archive.open(member) as source:
            _copy(source, file, packed=member.compress_size, where=where)

    return stage_file(member.filename, fill, shown=f"{where}/{member.filename}")


def _copy(source: Any, target: IO[bytes], *, packed: int, where: str) -> None:
    """Unpack, as long as what comes out is no larger than a table can be, nor than there is room for."""
    most = shutil.disk_usage(Path(target.name).parent).free // 2
    size = 0
    while block := source.read(_STEP):
        size += len(block)
        _check_ratio(size, packed, where=where)
        if size > most:
            raise TableError(
                say("it unpacks to more than {size}, for which there is no room", size=size_text(most)),
                where=where,
                remedy=say("unpack it yourself where there is room, or name a larger folder in TMPDIR"),
            )
        target.write(block)


def _check_ratio(size: int, packed: int, *, where: str) -> None:
    if size > HARMLESS and size > MOST_RATIO * packed:
        raise TableError(
            say(
                "{packed} unpack to {size} or more, over {ratio} times as much, which no table does",
                packed=size_text(packed),
                size=size_text(size),
                ratio=MOST_RATIO,
            ),
            where=where,
            remedy=say("unpack it yourself if you trust whoever made it"),
        )


def check_unpacked_size(path: Path, *, most: int) -> None:
    """Raise if a spreadsheet, which is an archive, unpacks to more than ``most`` bytes, or to too much for its size.

    What an archive says of itself is believed only where it is bad.
    """
    where = name_of(path)
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            declared = sum(member.file_size for member in members)
            packed = sum(member.compress_size for member in members)
            size = declared
            if declared <= most and packed * _MOST_DEFLATED > min(most, HARMLESS):
                size = max(declared, _inflated_size(path, members, most))
    except (zipfile.BadZipFile, OSError, NotImplementedError):
        return  # whoever reads it says what it is instead
    _check_ratio(size, packed, where=where)
    if size > most:
        raise TableError(
            say(
                "the spreadsheet unpacks to {size}, and {most} are the most that memory allows",
                size=size_text(size),
                most=size_text(most),
            ),
            where=where,
            remedy=say("save it as CSV"),
        )


def _inflated_size(path: Path, members: list[zipfile.ZipInfo], most: int) -> int:
    """Bytes that come out of an archive, counted up to a little more than ``most``; nothing of them is kept."""
    size = 0
    with path.open("rb") as file:
        for member in members:
            file.seek(member.header_offset + 26)
            lengths = file.read(4)
            file.seek(
                int.from_bytes(lengths[:2], "little") + int.from_bytes(lengths[2:], "little"), io.SEEK_CUR
            )
            if member.compress_type == zipfile.ZIP_STORED:
                size += member.compress_size
                continue
            for count in _inflated_blocks(file, member.compress_size):
                size += count
                if size > most:
                    return size
    return size


def _inflated_blocks(file: IO[bytes], left: int) -> Iterator[int]:
    inflater = zlib.decompressobj(-15)
    while left > 0 and not inflater.eof:
        block = file.read(min(left, 1 << 16))
        left -= len(block)
        while block and not inflater.eof:
            yield len(inflater.decompress(block, _STEP))
            block = inflater.unconsumed_tail


def size_text(size: int) -> str:
    """Bytes as people say them.

    >>> size_text(3 << 20), size_text(5 << 29)
    ('3 MB', '2.5 GB')
    """
    number, unit = float(size), "bytes"
    for larger in ("KB", "MB", "GB", "TB"):
        if number < 1024:
            break
        number, unit = number / 1024, larger
    return f"{number:.1f}".removesuffix(".0") + f" {unit}"


@contextmanager
def packed_file(file: IO[bytes], path: Path) -> Iterator[IO[bytes]]:
    """A file to write to that compresses as the ending of ``path`` says; no time gets into it, nor a name of ours."""
    match path.suffix.lower():
        case ".gz":
            with gzip.GzipFile("", "wb", fileobj=file, mtime=0, compresslevel=6) as packed:
                yield cast(IO[bytes], packed)
        case ".bz2":
            with bz2.BZ2File(file, "wb") as packed_bz2:
                yield packed_bz2
        case ".xz":
            with lzma.LZMAFile(file, "wb") as packed_xz:
                yield packed_xz
        case ".zst":
            import pyarrow

            with pyarrow.CompressedOutputStream(pyarrow.PythonFile(file, "w"), "zstd") as packed_zstandard:
                yield packed_zstandard
        case ".zip":
            member = zipfile.ZipInfo(unpacked_name(path).name)
            member.compress_type = zipfile.ZIP_DEFLATED
            with (
                zipfile.ZipFile(file, "w") as archive,
                archive.open(member, "w", force_zip64=True) as inner,
            ):
                yield inner
        case _:
            yield file
