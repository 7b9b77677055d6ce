"""Text files cut into blocks of whole records, whatever their encoding and quoting."""

import codecs
import io
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.staged import name_of

__all__ = [
    "Block",
    "check_encoding",
    "count_byte",
    "decode_text",
    "is_well_quoted",
    "mark_lines",
    "one_byte",
    "open_bytes",
    "read_blocks",
    "read_sample",
    "separators_and_rows",
    "swap_quotes",
]

BLOCK = 1 << 22
"""Bytes read at a time: enough for every core to parse a share of it, little enough that their memory is used again."""

_BOM = codecs.BOM_UTF8
_STAND_IN = "\uf8ff"
_SWAPPED = bytes.maketrans(b"\"'", b"'\"")


@dataclass(frozen=True)
class Block:
    """Whole records in UTF-8 with a separator of one byte, ``mark``, and the number of the line they start at.

    ``rest`` is None, or the lines of the remainder of the file because its quotes do not pair and only a patient
    reader can tell where a record ends; ``data`` is empty then.
    """

    data: bytes
    line: int
    mark: bytes = b","
    rest: Iterator[str] | None = None


def check_encoding(encoding: str, *, where: str = "") -> str:
    """The encoding's canonical name.

    >>> check_encoding("Latin-1"), check_encoding("UTF8")
    ('iso8859-1', 'utf-8')
    """
    try:
        found = codecs.lookup(encoding)
        "".encode(encoding)
    except (LookupError, ValueError, TypeError) as error:
        raise TableError(
            say("the encoding {encoding!r} is not known", encoding=encoding),
            where=where,
            remedy=say("try utf-8, latin-1, cp1252 or utf-16"),
        ) from error
    return found.name


def _wrong_byte(error: UnicodeDecodeError, *, line: int, encoding: str, where: str) -> TableError:
    line += error.object.count(b"\n", 0, error.start)
    wide = error.object[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    other = "utf-16" if wide else "latin-1" if encoding.startswith("utf-8") else "utf-8"
    return TableError(
        say(
            "byte 0x{byte:02x} in line {line} is not {encoding}",
            byte=error.object[error.start],
            line=line,
            encoding=encoding,
        ),
        where=where,
        remedy=say("name the encoding of the file, for example --encoding {encoding}", encoding=other),
    )


def open_bytes(path: Path) -> IO[bytes]:
    """The bytes of a text file: the one place where text files are opened."""
    return path.open("rb")


def decode_text(path: Path, encoding: str) -> str:
    """The whole file as text, without its byte order mark."""
    with open_bytes(path) as file:
        data = file.read()
    try:
        return data.decode(check_encoding(encoding, where=name_of(path))).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise _wrong_byte(error, line=1, encoding=encoding, where=name_of(path)) from error


def _utf8(path: Path, encoding: str, *, size: int = BLOCK, quote: str = '"') -> Iterator[bytes]:
    """The file in UTF-8, without its byte order mark, with one kind of line end and one kind of quotes."""
    name = check_encoding(encoding, where=name_of(path))
    decoder = codecs.getincrementaldecoder(name)()
    read, first, old_mac = 0, True, False
    with open_bytes(path) as file:
        while True:
            # Up to the end of a line: blocks are then rarely cut again.
            raw = file.read(size) + file.readline(1 << 16)
            try:
                # Plain ASCII needs no decoding; it is what most blocks are.
                plain = name == "utf-8" and raw.isascii() and not decoder.getstate()[0]
                block = raw if plain else decoder.decode(raw, final=not raw).encode()
            except UnicodeDecodeError as error:
                with open_bytes(path) as again:
                    line = 1 + count_byte(again.read(read), 10)
                raise _wrong_byte(error, line=line, encoding=encoding, where=name_of(path)) from error
            except UnicodeError as error:
                raise TableError(
                    say("the text is not {encoding} ({cause})", encoding=encoding, cause=error),
                    where=name_of(path),
                ) from error
            if first and (block or not raw):
                first, block = False, block.removeprefix(_BOM)
                old_mac = b"\r" in block and b"\n" not in block
            if block:
                block = block.replace(b"\r", b"\n") if old_mac else block
                yield block if quote == '"' else block.translate(_SWAPPED)
            read += len(raw)
            if not raw:
                return


def _last_record_end(data: bytes) -> int:
    """Where the last whole record ends: after a line end that no quote encloses; 0 if there is none."""
    end = data.rfind(b"\n")
    while end >= 0 and data.count(b'"', 0, end) % 2:
        end = data.rfind(b"\n", 0, data.rfind(b'"', 0, end))
    return end + 1


def read_blocks(
    path: Path, *, encoding: str, separator: str, skip: int = 0, quote: str = '"'
) -> Generator[Block, None, None]:
    """The file in blocks of whole records, without its first ``skip`` lines.

    Where apostrophes quote, they and quotation marks have changed places.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = Path(folder.name, "people.csv")
    >>> _ = file.write_bytes("city\\n\\"Alcalá\\n\\"\\n".encode("latin-1"))
    >>> [block.data.decode() for block in read_blocks(file, encoding="latin-1", separator=",", skip=1)]
    ['"Alcalá\\n"\\n']
    >>> folder.cleanup()
    """
    source, line, tail, last = _utf8(path, encoding, quote=quote), 1, b"", False
    while not last:
        block = next(source, None)
        last = block is None
        data = tail + (block or b"")
        while skip and (end := data.find(b"\n") + 1):
            data, skip, line = data[end:], skip - 1, line + 1
        if skip:
            tail = data
            continue
        end = len(data) if last else _last_record_end(data)
        whole, tail = data[:end], data[end:]
        mark = one_byte(separator, whole, where=name_of(path))
        marked = whole if len(separator.encode()) == 1 else whole.replace(separator.encode(), mark)
        if not is_well_quoted(marked, mark) or len(tail) > 8 * BLOCK:
            yield Block(b"", line, rest=_texts(data, source))
            return
        if whole:
            yield Block(marked, line, mark)
            line += count_byte(whole, 10)


def one_byte(separator: str, data: bytes, *, where: str = "") -> bytes:
    """The separator or, if it has several characters, a control character that does not occur in ``data``.

    >>> one_byte(";", b"a;b"), one_byte("||", b"a||b")
    (b';', b'\\x1f')
    """
    if len(separator.encode()) == 1:
        return separator.encode()
    for code in (31, 30, 29, 28, 1, 2, 3, 4, 5, 6, 7):
        if bytes([code]) not in data:
            return bytes([code])
    raise TableError(
        say("the text is full of control characters"),
        where=where,
        remedy=say("use a separator of a single character"),
    )


def _texts(data: bytes, source: Iterator[bytes]) -> Iterator[str]:
    """Lines, each with its end, of what is left of a file."""
    for block in source:
        cut = data.rfind(b"\n") + 1
        yield from io.StringIO(data[:cut].decode(), newline="\n")
        data = data[cut:] + block
    yield from io.StringIO(data.decode(), newline="\n")


def is_well_quoted(data: bytes, mark: bytes) -> bool:
    """Whether every quote opens or closes a whole field, or is doubled within one.

    Only then do all readers agree on what the fields are.

    >>> is_well_quoted(b'"a ""b"" c",d', b","), is_well_quoted(b'5" pipe,d', b",")
    (True, False)
    """
    if b'"' not in data:
        return True
    padded = np.frombuffer(b"\n" + data + b"\n\n", dtype=np.uint8)
    quotes = np.flatnonzero(padded == 34)
    if len(quotes) % 2:
        return False
    opening, closing = quotes[::2], quotes[1::2]
    doubled = opening[1:] == closing[:-1] + 1
    before, after, next_one = padded[opening - 1], padded[closing + 1], padded[closing + 2]
    opens = (before == mark[0]) | (before == 10)
    closes = (after == mark[0]) | (after == 10) | ((after == 13) & (next_one == 10))
    opens[1:] |= doubled
    closes[:-1] |= doubled
    return bool(opens.all() and closes.all())


def count_byte(data: bytes, byte: int) -> int:
    """How often a byte occurs; by slices that stay in the cache, several times as fast as ``bytes.count``.

    >>> count_byte(b"a,b,c", ord(","))
    2
    """
    values, step = np.frombuffer(data, dtype=np.uint8), 1 << 18
    slices = (values[start : start + step] for start in range(0, len(values), step))
    return sum(int(np.count_nonzero(part == byte)) for part in slices)


def separators_and_rows(data: bytes, mark: bytes) -> tuple[int, int]:
    """How many separators and line ends stand outside quotes.

    >>> separators_and_rows(b'a,"b,c"\\n1,2', b",")
    (2, 2)
    """
    values = np.frombuffer(data, dtype=np.uint8)
    open_end = 0 if data.endswith(b"\n") else 1
    if b'"' not in data:
        return count_byte(data, mark[0]), count_byte(data, 10) + open_end
    outside = values[np.cumsum(values == 34) % 2 == 0]
    return int(np.count_nonzero(outside == mark[0])), int(np.count_nonzero(outside == 10)) + open_end


def swap_quotes(text: str) -> str:
    """A text with quotation marks for apostrophes, and the other way round.

    >>> swap_quotes("'a'")
    '"a"'
    """
    return text.translate({34: 39, 39: 34})


def mark_lines(lines: Iterator[str], separator: str, *, where: str = "") -> tuple[Iterator[str], str]:
    """Lines with a separator of one character, and that character.

    >>> lines, mark = mark_lines(iter(["a||b"]), "||")
    >>> next(lines).split(mark)
    ['a', 'b']
    """
    if len(separator) == 1:
        return lines, separator
    return (_mark_line(line, separator, where=where) for line in lines), _STAND_IN


def _mark_line(line: str, separator: str, *, where: str) -> str:
    if _STAND_IN in line:
        raise TableError(
            say("the character {character!a} is reserved", character=_STAND_IN),
            where=where,
            remedy=say("use a separator of a single character"),
        )
    return line.replace(separator, _STAND_IN)


def read_sample(path: Path, encoding: str, *, size: int = 1 << 15, quote: str = '"') -> tuple[str, bool]:
    """The first lines of a file, and whether they are all of it."""
    text, taken, source = "", 0, _utf8(path, encoding, size=size, quote=quote)
    for block in source:
        # A sequence of bytes is never cut: the decoder keeps its beginning for the next block.
        text, taken = text + block.decode(errors="ignore"), taken + 1
        if "\n" in text:
            break
    if next(source, None) is None:
        return text, True
    return text[: text.rfind("\n") + 1] or text, False
