"""What is said of columns that nobody declared and that would tell people apart: all of them, and the choices."""

import shlex
from collections.abc import Sequence

from celosia.errors import ProjectError
from celosia.measure.exposure import DEFAULT_K
from celosia.privacy import PrivacyModel
from celosia.profile.undeclared import UndeclaredColumn
from celosia.say import Text, join_texts, say, say_count

__all__ = ["smallest_group", "undeclared_error"]


def smallest_group(models: Sequence[PrivacyModel]) -> int:
    """The size under which a group is small: the largest that a promise asks for, 5 where none does.

    >>> from celosia.privacy import KAnonymity
    >>> smallest_group([KAnonymity(k=3)]), smallest_group([])
    (3, 5)
    """
    largest = max((model.group_size for model in models), default=1)
    return largest if largest > 1 else DEFAULT_K


def undeclared_error(columns: Sequence[UndeclaredColumn], *, location: str) -> ProjectError:
    """One mistake that names every column, why it must not leave without a word, and what can be done about it.

    >>> from celosia.profile import Reason
    >>> note = UndeclaredColumn("note", (Reason("free-text", "free text, in which people may be named"),))
    >>> print(undeclared_error([note], location="stays.csv").what)
    column 'note' is not declared and would tell people apart: free text, in which people may be named
    """
    if len(columns) == 1:
        problem = say(
            "column {name!r} is not declared and would tell people apart: {reasons}",
            name=columns[0].name,
            reasons=_reasons(columns[0]),
        )
    else:
        told = [say("{name!r}: {reasons}", name=column.name, reasons=_reasons(column)) for column in columns]
        problem = say_count(
            "{count} column is not declared and would tell people apart: {columns}",
            "{count} columns are not declared and would tell people apart: {columns}",
            len(columns),
            columns=join_texts("; ", told),
        )
    return ProjectError(problem, where=location, remedy=_choices(columns))


def _reasons(column: UndeclaredColumn) -> Text:
    told = [reason.sentence for reason in column.reasons]
    treatment = column.treatment
    if treatment is not None and treatment.operation != "drop":
        told.append(
            say("{described} it leaves {small:,}", described=treatment.described, small=treatment.small)
        )
    return join_texts(", ", told)


def _choices(columns: Sequence[UndeclaredColumn]) -> Text:
    """What a person can say of each, with the operation that was worked out for one of them."""
    offered = [column for column in columns if column.treatment is not None]
    treated = [column for column in offered if column.treatment and column.treatment.operation != "drop"]
    first = (treated or offered or list(columns))[0]
    operation = "drop" if first.treatment is None else first.treatment.operation
    return say(
        "say of each what it is: --qi, --sensitive, --identifier (left out), --mask COLUMN=OPERATION as in {mask}, "
        "--accept COLUMN=WHY, or --common COLUMN (it leaves, and the verdict names it); in a project its role, its "
        "operation, or who accepts it",
        mask=shlex.join(["--mask", f"{first.name}={operation}"]),
    )
