"""How a text file is written down, told from its bytes and its first lines: encoding, separator, header, quotes."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.encodings import find_encoding
from celosia.tables.form_candidates import DATE_LIKE, NUMBER_LIKE
from celosia.tables.format import Options, check_names, reading
from celosia.tables.look import USUAL
from celosia.tables.records import check_encoding, open_bytes, read_sample, swap_quotes
from celosia.tables.sniff import check_separator, sniff_separator, split_records
from celosia.tables.staged import name_of
from celosia.values.forms import DATE_ORDERS, DateForm

__all__ = ["Beginning", "check_date_format", "check_mark", "find_dialect"]

_VALUE = re.compile(f"(?:{NUMBER_LIKE})|(?:{DATE_LIKE})")
_APOSTROPHES = re.compile(r"(?:^|[,;\t|])'(?:[^']|'')*'(?=[,;\t|]|$)")
_LOOKED_AT = 500


@dataclass(frozen=True)
class Beginning:
    """The beginning of a text file: how it is written, the names of its columns, and how many lines they take."""

    options: Options
    names: tuple[str, ...]
    skip: int
    text: str

    @property
    def bytes_per_row(self) -> float:
        """The mean length of the first lines."""
        return len(self.text.encode()) / max(1, self.text.count("\n"))


def find_dialect(path: Path, given: Options) -> Beginning:
    """What is found out about a file before its rows are read; what is given is taken as given.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "people.csv")
    ...     _ = file.write_bytes('"ciudad";edad\\r\\n"Ávila";31\\r\\n'.encode("utf-16"))
    ...     found = find_dialect(file, Options()).options
    >>> found.encoding, found.separator, found.header, found.quoted, found.line_end
    ('utf-16-le', ';', True, ('ciudad',), '\\r\\n')
    """
    where = name_of(path)
    encoding, has_mark = _encoding(path, given)
    text, is_whole = read_sample(path, encoding)
    quote = given.quote or _quote(text)
    if quote == "'":
        text, is_whole = read_sample(path, encoding, quote=quote)
    if not text.strip("\r\n"):
        raise TableError(say("the file is empty"), where=where, remedy=say("check that it was saved"))
    separator = check_separator(
        sniff_separator(text) if given.separator is None else given.separator, where=where
    )
    with reading(where, say("a text table")):
        records, ends = split_records(text, separator)
    header = _names_columns(records) if given.header is None else given.header
    named = [swap_quotes(name) for name in records[0]] if quote == "'" else records[0]
    names = check_names(named if header else given.number_columns(len(records[0])), where=where)
    skip = ends[0] if header else 0
    if is_whole and header and len(records) == 1 and not (len(names) == 1 and text.count("\n") > skip):
        raise TableError(
            say("the file has a header but no rows"),
            where=where,
            remedy=say("say so if its first line is a row"),
        )
    quoted, has_quoted_names = _quotes(text, separator, names, header=header)
    options = replace(
        given,
        encoding=encoding,
        separator=separator,
        header=header,
        quote=quote,
        quoted=quoted,
        has_quoted_names=has_quoted_names,
        line_end="\r\n" if "\r\n" in text else _line_end(path, encoding),
        has_byte_order_mark=has_mark,
        has_last_line_end=_has_last_line_end(path),
    )
    return Beginning(options, names, skip, text)


def check_mark(mark: str | None, option: str) -> str | None:
    """What stands before decimals, between thousands or around texts, if it may stand there.

    >>> check_mark("x", "decimal")
    Traceback (most recent call last):
    ...
    celosia.errors.TableError: decimal: 'x' does not stand in numbers; choose , or .
    """
    marks = {
        "decimal": (",", "."),
        "thousands": ("", ",", ".", "'", "’", " ", "\u00a0", "\u202f"),
        "quote": ('"', "'"),
    }[option]
    if mark is not None and mark not in marks:
        if option == "quote":
            raise TableError(
                say("{mark!r} does not stand around texts", mark=mark),
                where=option,
                remedy=say("choose \" or '"),
            )
        raise TableError(
            say("{mark!r} does not stand in numbers", mark=mark),
            where=option,
            remedy=say("choose , or .")
            if option == "decimal"
            else say("choose one of . , ' and a blank, or nothing"),
        )
    return mark


def check_date_format(text: str | None) -> str | None:
    """A format of dates, or the order of their parts, if it is one.

    >>> check_date_format("%d/%m/%Y"), check_date_format("day-first")
    ('%d/%m/%Y', 'day-first')
    """
    if text is not None and text not in DATE_ORDERS:
        assert DateForm(text).mark  # raises if it is no format
    return text


def _encoding(path: Path, given: Options) -> tuple[str, bool]:
    if given.encoding is None:
        return find_encoding(path)
    name = check_encoding(given.encoding, where=name_of(path))
    with open_bytes(path) as file:
        start = file.read(4)
    found, has_mark = (
        find_encoding(path) if start[:2] in (b"\xff\xfe", b"\xfe\xff", b"\xef\xbb") else ("", False)
    )
    if name in ("utf-8-sig", "utf-16", "utf-32"):
        # Names that leave the order of bytes, or a mark, open.
        return (found, has_mark) if has_mark else (name.removesuffix("-sig"), False)
    return given.encoding, has_mark and check_encoding(found) == name


def _names_columns(records: Sequence[Sequence[str]]) -> bool:
    """Whether the first record names columns: not if it has values where all others have some, and nothing else.

    >>> _names_columns([["39", "Private"], ["50", "Private"]]), _names_columns([["id", "2019"], ["1", "7"]])
    (False, True)
    """
    first, *rest = records
    if not rest:
        return True
    like_value = [bool(_VALUE.match(field.strip())) for field in first]
    names = values = False
    for place, is_value in enumerate(like_value):
        fields = [record[place].strip() for record in rest[:_LOOKED_AT] if len(record) > place]
        told = [field for field in fields if field and field not in USUAL]
        if told and all(_VALUE.match(field) for field in told):
            values = values or is_value
            names = names or (not is_value and first[place].strip() not in USUAL)
    return names or not values


def _quote(text: str) -> str:
    """The mark around texts: the apostrophe if it stands around fields of most lines, and no quotation mark does."""
    lines = text.splitlines()[1 : _LOOKED_AT + 1]
    found = [bool(_APOSTROPHES.search(line)) for line in lines]
    return "'" if lines and '"' not in text and sum(found) > 0.8 * len(lines) else '"'


def _quotes(text: str, separator: str, names: Sequence[str], *, header: bool) -> tuple[tuple[str, ...], bool]:
    """The columns whose fields all stand in quotes, though not all need them, and whether names do."""
    if '"' not in text:
        return (), False
    rows = _raw_fields(text, separator)
    has_quoted_names = header and all(field.startswith('"') for field in next(rows, []))
    fields: list[list[str]] = [[] for _ in names]
    for row in rows:
        for place, field in enumerate(row[: len(names)]):
            if field:
                fields[place].append(field)
    special = re.compile(rf'["\r\n]|{re.escape(separator)}')
    quoted = tuple(
        name
        for name, found in zip(names, fields, strict=True)
        if found
        and all(field.startswith('"') for field in found)
        and not all(special.search(field[1:-1]) or field == '""' for field in found)
    )
    return quoted, has_quoted_names


def _raw_fields(text: str, separator: str) -> Iterator[list[str]]:
    """Records as fields with their quotes; the last one may be cut off, and is left out."""
    field = re.compile(rf'"(?:[^"]|"")*"|(?:(?!{re.escape(separator)})[^\r\n])*')
    place, row, rows = 0, list[str](), 0
    while place < len(text) and rows < _LOOKED_AT:
        found = field.match(text, place)
        row.append(found[0] if found else "")
        place = found.end() if found else place + 1
        if text.startswith(separator, place):
            place += len(separator)
            continue
        end = re.compile(r"\r?\n|\r").match(text, place)
        if end is None:
            return
        place, rows = end.end(), rows + 1
        yield row
        row = []


def _line_end(path: Path, encoding: str) -> str:
    with open_bytes(path) as file:
        start = file.read(1 << 15).decode(encoding, errors="ignore")
    return "\r" if "\r" in start and "\n" not in start else "\n"


def _has_last_line_end(path: Path) -> bool:
    """Whether the last line has an end."""
    with open_bytes(path) as file:
        if not file.seekable():
            return True
        file.seek(0, 2)
        file.seek(max(0, file.tell() - 4))
        return bool({10, 13} & set(file.read()[-2:]))
