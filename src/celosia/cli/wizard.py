"""The questions of ``celosia new``, in order: what a person is asked about a draft, and what the answers change."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from celosia.cli.asked import parse_share
from celosia.cli.drafting import Repeated
from celosia.cli.questions import Questions
from celosia.cli.show import count, heading, print_columns, print_line, print_wrapped
from celosia.errors import ProjectError
from celosia.types import ColumnType, Role, nearest

if TYPE_CHECKING:
    from celosia.project.draft import Draft, TableDraft

__all__ = ["ask_all", "ask_repeated", "change_column"]

KEYS = {
    "i": Role.IDENTIFIER,
    "p": Role.IDENTIFIER,
    "q": Role.QUASI_IDENTIFIER,
    "s": Role.SENSITIVE,
    "c": Role.COMMON,
}
MEANING = (
    "i identifier, removed; p identifier, replaced by pseudonyms; q quasi-identifier, which others may know; "
    "s sensitive; c common; or a type: " + ", ".join(ColumnType)
)


def ask_all(draft: "Draft", questions: Questions) -> None:
    """Ask everything but where things are read from and written to."""
    draft.name = questions.ask("Name of the project", draft.name)
    draft.owner = questions.ask("Owner: who answers for the data")
    draft.purpose = questions.ask("Purpose: what the release is for")
    for name in draft.tables:
        _ask_columns(draft, name, questions)
    _ask_goals(draft, questions)
    for name, table in draft.tables.items():
        _ask_place(name, table, questions)
    if draft.needs_key:
        text = "Environment variable with the key of the pseudonyms"
        draft.variable = questions.ask(text, draft.variable)


def ask_repeated(draft: "Draft", proposals: list[Repeated], questions: Questions) -> None:
    """Which columns hold the same attribute; they are treated alike, so that tables can still be joined."""
    if proposals:
        heading("The same attribute in several places")
    for places, reason in proposals:
        spelled = ", ".join(".".join(place) for place in places)
        print_wrapped(f"{spelled}: {reason}", indent="  ")
        if questions.confirm("  Treat them alike, so that the tables can still be joined?"):
            draft.repeat(places)


def _ask_columns(draft: "Draft", name: str, questions: Questions) -> None:
    table = draft.tables[name]
    while True:
        _print_columns(name, table)
        answer = questions.ask("Column to change, as in 2 q or 2 text (? for help); Enter if all is right")
        if not answer:
            return
        if answer == "?":
            print_wrapped(MEANING, indent="  ")
            continue
        try:
            change_column(draft, name, answer)
        except ProjectError as error:
            print_line(f"  {error}", colour="red")


def _print_columns(name: str, table: "TableDraft") -> None:
    heading(f"{name}: {count(table.rows, 'row')}, {count(len(table.columns), 'column')}")
    rows = [
        (str(number), column.name, str(column.type), str(column.role), column.becomes, column.because)
        for number, column in enumerate(table.columns.values(), start=1)
    ]
    print_columns(rows, ["", "column", "type", "role", "becomes", "because"], right=[0])


def change_column(draft: "Draft", table: str, answer: str) -> None:
    """Do as somebody says of a column: its number or name, then a key of a role, a role, or a type.

    >>> from celosia.project.draft import ColumnDraft, Draft, TableDraft
    >>> age = ColumnDraft("age", ColumnType.INTEGER, Role.COMMON)
    >>> draft = Draft({"people": TableDraft("people.csv", "safe.csv", {"age": age})})
    >>> change_column(draft, "people", "1 q")
    >>> age.role.value
    'quasi-identifier'
    """
    columns = draft.tables[table].columns
    name, words = _find_column(answer, list(columns))
    if not words:
        raise _not_understood(answer, f"say what {name!r} is, as in 2 q")
    for word in words:
        key = word.lower()
        if key in KEYS:
            draft.assign(table, name, KEYS[key], is_pseudonymized=key == "p")
        elif key in set(Role):
            draft.assign(table, name, Role(key))
        elif key in set(ColumnType):
            draft.retype(table, name, ColumnType(key))
        else:
            raise _not_understood(word, MEANING)
    columns[name].because = "you say so"


def _find_column(answer: str, names: list[str]) -> tuple[str, list[str]]:
    """The column that an answer begins with, by name or number, and the words after it."""
    named = [name for name in names if answer == name or answer.startswith(f"{name} ")]
    if named:
        name = max(named, key=len)
        return name, answer[len(name) :].split()
    first, *words = answer.split()
    if first.isdecimal() and 1 <= int(first) <= len(names):
        return names[int(first) - 1], words
    raise _not_understood(first, nearest(first, tuple(names)))


def _not_understood(text: str, remedy: str) -> ProjectError:
    return ProjectError(f"{text!r} is not understood", remedy=remedy)


def _ask_goals(draft: "Draft", questions: Questions) -> None:
    """Light or complete, and what a complete release promises."""
    if not draft.complete:
        draft.is_light = True
        return
    questions.about("What is asked of the release")
    text = "complete (privacy models hold) or light (operations on columns only)"
    draft.is_light = questions.ask_until(text, "complete", _kind) == "light"
    if draft.is_light:
        return
    draft.k = questions.ask_until("k: rows that every person hides among", str(draft.propose_k()), _k)
    share = questions.ask_until("Share of the rows that may be left out", f"{draft.suppression:.0%}", _share)
    draft.suppression = share
    for name in draft.complete:
        table = draft.tables[name]
        proposed = table.propose_models()
        for column in table.with_role(Role.SENSITIVE):
            model = questions.ask_until(
                f"{name}, {column!r} in every class: l for l-diversity, as in l 2 or l entropy:2; "
                "t for t-closeness, as in t 0.2; n for neither",
                f"l {proposed[column]['l']}" if column in proposed else "n",
                lambda answer, column=column: _model(answer, column),  # type: ignore[misc]
            )
            if model is not None:
                table.models[column] = model


def _kind(answer: str) -> str:
    found = [kind for kind in ("complete", "light") if answer and kind.startswith(answer.lower())]
    if not found:
        raise _not_understood(answer, "answer complete or light")
    return found[0]


def _k(answer: str) -> int:
    from celosia.privacy import parse_model

    found: int = parse_model("k", answer).model_dump()["k"]
    return found


def _share(answer: str) -> float:
    return parse_share(answer, option="the share")


def _model(answer: str, column: str) -> dict[str, Any] | None:
    """The privacy model of a sensitive column, as a document; None for none."""
    from celosia.privacy import parse_model

    option, _, text = answer.partition(" ")
    if option.lower() in ("n", "no", "none"):
        return None
    if option.lower() not in ("l", "t") or not text.strip():
        raise _not_understood(answer, "answer as in l 2, t 0.2 or n")
    found = parse_model(option.lower(), text.strip(), [column])
    return {"model": found.name, **found.model_dump(mode="json", exclude_none=True)}


def _ask_place(name: str, table: "TableDraft", questions: Questions) -> None:
    """The person behind the rows of a table, and where its release goes."""
    questions.about(f"{name}: its people and its destination")
    names = tuple(table.columns)

    def person(answer: str) -> str | None:
        if answer and answer != "-" and answer not in names:
            raise ProjectError(f"there is no column {answer!r}", remedy=nearest(answer, names))
        return None if answer in ("", "-") else answer

    text = "Column that tells people apart, where one may have several rows; - if nobody has"
    table.person = questions.ask_until(text, table.person or "-", person)
    if isinstance(table.destination, dict):
        table.destination["table"] = questions.ask("Table for the release", table.destination["table"])
        return
    has_engine = isinstance(table.source, dict) and "engine" in table.source
    table.destination = questions.ask_until(
        "File for the release", table.destination, lambda answer: _destination(answer, on_cluster=has_engine)
    )


def _destination(answer: str, *, on_cluster: bool) -> str:
    from celosia.tables.formats import find_format
    from celosia.tables.spark.address import is_place, parse_place

    if on_cluster or is_place(answer):
        parse_place(answer)
    else:
        find_format(Path(answer), None)
    return answer
