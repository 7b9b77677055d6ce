"""A release with some columns decrypted, or encrypted anew, written to a file."""

from typing import TYPE_CHECKING

from celosia.cli.destination import ensure_free
from celosia.cli.interrupt import report_if_written
from celosia.cli.key_options import ReversalOutput
from celosia.cli.options import ReadingOptions
from celosia.cli.parse_options import TableRequest

if TYPE_CHECKING:
    from celosia.mask.keys import Keys
    from celosia.mask.reverse import Reversible

__all__ = ["write_reversed"]


def write_reversed(
    table: str,
    reading: ReadingOptions,
    rewritten: ReversalOutput,
    *,
    operation: "Reversible",
    keys: "Keys",
    rotates: bool,
) -> tuple[int, list[str]]:
    """Write the rows, in their order, to a file that only its owner may read; returns how many, and the columns."""
    from celosia.mask import mask_table
    from celosia.mask.reverse import Reverse
    from celosia.tables.copy import check_writing, copy_to_file
    from celosia.tables.formats import find_format

    out, overwrite = rewritten.out, rewritten.overwrite
    ensure_free(out, overwrite=overwrite)
    asked = TableRequest(table, reading)
    check_writing(out, separator=None, encoding="utf-8")
    # Before the table is opened: without the key there is nothing to read it for.
    keys.all(operation.key)
    asked.ensure_passwords()
    with asked.at_work() as progress, asked.opened() as opened, report_if_written(out):
        names = asked.names(rewritten.column)
        undo = Reverse(operation=operation, rotates=rotates)
        chain = [undo, operation] if rotates else [undo]
        seen = mask_table(opened, dict.fromkeys(names, chain), keys=keys)
        like = getattr(opened, "format", None)
        text = find_format(out).keeps_markers and like is not None and like.keeps_markers
        options = opened.reader.options if text else None  # type: ignore[attr-defined]
        rows = copy_to_file(
            seen,
            out,
            separator=None if options is None else options.separator,
            encoding="utf-8" if options is None else options.encoding,
            overwrite=overwrite,
            progress=progress,
        )
    return rows, names
