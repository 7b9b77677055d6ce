"""A release with some columns decrypted, or encrypted anew, written to a file."""

from typing import TYPE_CHECKING

from celosia.api.masking import RewriteRequest, rewrite_columns
from celosia.api.moving import check_writing
from celosia.cli.asked import TableRequest
from celosia.cli.destination import ensure_free
from celosia.cli.interrupt import tell_if_written
from celosia.cli.key_options import Rewritten
from celosia.cli.options import ReadingOptions

if TYPE_CHECKING:
    from celosia.api.results import Keys, Reversible

__all__ = ["write_undone"]


def write_undone(
    table: str,
    reading: ReadingOptions,
    rewritten: Rewritten,
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
    asked.settle_passwords()
    with asked.at_work() as progress, tell_if_written(out):
        names = asked.names(rewritten.column)
        request = RewriteRequest(asked.source, names, operation, keys, out, rotates, overwrite)
        rows = rewrite_columns(request, progress=progress, ask=asked.ask)
    return rows, names
