"""A release with some columns decrypted, or encrypted anew, written to a file."""

from typing import TYPE_CHECKING

from celosia.api.masking import RewriteRequest, rewrite_columns
from celosia.api.transfer import check_writing
from celosia.cli.destination import ensure_free
from celosia.cli.interrupt import report_if_written
from celosia.cli.key_options import ReversalOutput
from celosia.cli.options import ReadingOptions
from celosia.cli.table_request import TableRequest

if TYPE_CHECKING:
    from celosia.api.results import Keys, Reversible

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
    out, overwrite = rewritten.out, rewritten.overwrite
    ensure_free(out, overwrite=overwrite)
    asked = TableRequest(table, reading)
    check_writing(out)
    # Before the table is opened: without the key there is nothing to read it for.
    keys.all(operation.key)
    asked.ensure_passwords()
    with asked.at_work() as progress, report_if_written(out):
        names = asked.names(rewritten.column)
        request = RewriteRequest(asked.source, names, operation, keys, out, rotates, overwrite)
        rows = rewrite_columns(request, progress=progress, ask=asked.ask)
    return rows, names
