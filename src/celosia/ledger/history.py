"""What was released before, as a report tells it: one row per release, and the k that all of them leave so far."""

from celosia.ledger.join import join_members, join_next
from celosia.ledger.ledger import Ledger
from celosia.words import Words

__all__ = ["release_history"]


def release_history(
    ledger: Ledger, *, until: int | None = None, words: Words | None = None
) -> list[dict[str, object]]:
    """The releases of a ledger, or those before one of them, in the words of one language.

    The k of all so far is computed anew from the people of each; it is missing from the first on where these are not
    recorded: that of the others alone would not be the k of all.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from celosia.ledger.ledger import open_ledger
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     release_history(open_ledger(Path(folder, "clinic.ledger")))
    []
    """
    words = words or Words()
    joined, rows, is_known = join_members(()), [], True
    for entry in ledger.entries:
        if until is not None and entry.number >= until:
            break
        members = ledger.members(entry)
        is_known = is_known and members is not None
        if members is not None:
            joined = join_next(joined, members)
        rows.append(
            {
                words("number"): entry.number,
                words("day"): str(entry.body["at"])[:10],
                words("recipient"): entry.recipient or words("everybody"),
                words("rows"): entry.body["release"]["rows"],
                words("smallest class"): entry.body["release"]["k"],
                words("k of all so far"): joined.k if is_known else None,
            }
        )
    return rows
