"""How the bytes of a text file are encoded, told from all of them."""

import codecs
from pathlib import Path

from celosia.tables.records import open_bytes

__all__ = ["find_encoding"]

_BLOCK = 1 << 22
_LOOKED_AT = 1 << 20
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WESTERN = ("cp1252", "latin-1", "cp850", "mac-roman")
"""What text that is not UTF-8 may be, the likeliest first: Windows, Unix, DOS and old Macs of western Europe."""
_SPANISH, _LIKELY = "áéíóúüñ¿¡ºª€", "çàèìòùâêîôûäöëïãõåøæœß«»–—’‘“”·´"


def find_encoding(path: Path) -> tuple[str, bool]:
    """The encoding of a file and whether it begins with a byte order mark; all of it is looked at if need be.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "people.csv")
    ...     _ = file.write_bytes("ciudad\\nÁvila\\n".encode("cp1252"))
    ...     find_encoding(file)
    ('cp1252', False)
    """
    with open_bytes(path) as file:
        block = file.read(_BLOCK)
        for mark, encoding in _MARKS:
            if block.startswith(mark):
                return encoding, True
        if (wide := _without_mark(block)) is not None:
            return wide, False
        # Plain ASCII is the same in all of them: the first byte that is not tells.
        while block and block.isascii():
            block = file.read(_BLOCK)
    return _narrow(block[_first_special(block) :][:_LOOKED_AT]), False


def _without_mark(block: bytes) -> str | None:
    """UTF-16 without a mark: every other byte of text in Latin letters is zero."""
    even, odd = block[:4096:2], block[1:4096:2]
    if b"\0" not in even + odd or len(odd) < 2:
        return None
    for zeros, others, encoding in ((odd, even, "utf-16-le"), (even, odd, "utf-16-be")):
        if zeros.count(0) > 0.7 * len(zeros) and others.count(0) == 0:
            return encoding
    return None


def _first_special(block: bytes) -> int:
    """Where the line with the first byte begins that is not ASCII."""
    place = next((at for at in range(0, len(block), 4096) if not block[at : at + 4096].isascii()), 0)
    return block.rfind(b"\n", 0, place) + 1


def _narrow(text: bytes) -> str:
    """The encoding of bytes without zeros."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(text)  # the last character may be cut in two
    except UnicodeDecodeError as error:
        if not text[: error.start].isascii():
            return "utf-8"  # up to a byte that is wrong, which whoever reads it says
        return max(_WESTERN, key=lambda name: (_likeliness(text, name), -_WESTERN.index(name)))
    return "utf-8"


def _likeliness(text: bytes, encoding: str) -> float:
    """The share of special characters that Spanish is written with and, half as likely, its neighbours."""
    special = bytes(byte for byte in text if byte > 127)
    try:
        found = special.decode(encoding).lower()
    except UnicodeDecodeError:
        return -1.0
    points = sum(2 * (character in _SPANISH) + (character in _LIKELY) for character in found)
    return points / max(1, len(found))
