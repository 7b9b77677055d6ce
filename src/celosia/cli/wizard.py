"""The questions of ``celosia new``, in order: what a person is asked about a draft, and what the answers change."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from celosia.api.drafting import RepeatedColumns
from celosia.api.opening import check_table_format
from celosia.api.registries import parse_model
from celosia.cli.language import current_words, render, tr
from celosia.cli.parse_options import parse_share
from celosia.cli.questions import Questions
from celosia.cli.show import heading, print_columns, print_line, print_wrapped, table_size
from celosia.errors import ProjectError
from celosia.say import say
from celosia.types import ColumnType, Role, nearest
from celosia.words import phrase

if TYPE_CHECKING:
    from celosia.api.results import Draft, TableDraft

__all__ = ["ask_all", "ask_repeated", "change_column"]

KEYS = {
    "i": Role.IDENTIFIER,
    "p": Role.IDENTIFIER,
    "q": Role.QUASI_IDENTIFIER,
    "s": Role.SENSITIVE,
    "c": Role.COMMON,
}
WORDS = (phrase("pseudonyms"), phrase("removed"), phrase("generalized"), phrase("as it is"))
"""What columns become, in the words of drafts."""
MEANING = say(
    "i identifier, removed; p identifier, replaced by pseudonyms; q quasi-identifier, which others may know; "
    "s sensitive; c common; or a type: {types}",
    types=", ".join(ColumnType),
)


def ask_all(draft: "Draft", questions: Questions) -> None:
    """Ask everything but where things are read from and written to."""
    draft.name = questions.ask(tr("Name of the project"), draft.name)
    draft.owner = questions.ask(tr("Owner: who answers for the data"))
    draft.purpose = questions.ask(tr("Purpose: what the release is for"))
    for name in draft.tables:
        _ask_columns(draft, name, questions)
    _ask_goals(draft, questions)
    for name, table in draft.tables.items():
        _ask_place(name, table, questions)
    if draft.needs_key:
        text = tr("Environment variable with the key of the pseudonyms")
        draft.variable = questions.ask(text, draft.variable)


def ask_repeated(draft: "Draft", proposals: Sequence[RepeatedColumns], questions: Questions) -> None:
    """Which columns hold the same attribute; they are treated alike, so that tables can still be joined."""
    if proposals:
        heading(tr("The same attribute in several places"))
    for proposal in proposals:
        spelled = ", ".join(".".join(place) for place in proposal.places)
        print_wrapped(f"{spelled}: {render(proposal.reason)}", indent="  ")
        if questions.confirm("  " + tr("Treat them alike, so that the tables can still be joined?")):
            draft.repeat(proposal.places)


def _ask_columns(draft: "Draft", name: str, questions: Questions) -> None:
    table = draft.tables[name]
    while True:
        _print_columns(name, table)
        answer = questions.ask(
            tr("Column to change, as in 2 q or 2 text (? for help); Enter if all is right")
        )
        if not answer:
            return
        if answer == "?":
            print_wrapped(MEANING, indent="  ")
            continue
        try:
            change_column(draft, name, answer)
        except ProjectError as error:
            print_line(f"  {current_words().error(error)}", colour="red")


def _print_columns(name: str, table: "TableDraft") -> None:
    heading(f"{name}: {table_size(table.rows, len(table.columns))}")
    rows = [
        (
            str(number),
            column.name,
            tr(str(column.type)),
            tr(str(column.role)),
            tr(column.becomes),
            render(column.because),
        )
        for number, column in enumerate(table.columns.values(), start=1)
    ]
    heads = ["", tr("column"), tr("type"), tr("role"), tr("becomes"), tr("because")]
    print_columns(rows, heads, right=[0])


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
        raise _not_understood(answer, say("say what {name!r} is, as in 2 q", name=name))
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
    columns[name].because = say("you say so")


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
    return ProjectError(say("{text!r} is not understood", text=text), remedy=remedy)


def _ask_goals(draft: "Draft", questions: Questions) -> None:
    """Light or complete, and what a complete release promises."""
    if not draft.complete:
        draft.is_light = True
        return
    questions.about(tr("What is asked of the release"))
    text = tr("complete (privacy models hold) or light (operations on columns only)")
    draft.is_light = questions.ask_until(text, "complete", _kind) == "light"
    if draft.is_light:
        return
    draft.k = questions.ask_until(tr("k: rows that every person hides among"), str(draft.propose_k()), _k)
    draft.suppression = questions.ask_until(
        tr("Share of the rows that may be left out"), f"{draft.suppression:.0%}", _share
    )
    for name in draft.complete:
        table = draft.tables[name]
        proposed = table.propose_models()
        for column in table.with_role(Role.SENSITIVE):
            model = questions.ask_until(
                tr(
                    "{table}, {column!r} in every class: l for l-diversity, as in l 2 or l entropy:2; "
                    "t for t-closeness, as in t 0.2; n for neither",
                    table=name,
                    column=column,
                ),
                f"l {proposed[column]['l']}" if column in proposed else "n",
                lambda answer, column=column: _model(answer, column),  # type: ignore[misc]
            )
            if model is not None:
                table.models[column] = model


def _kind(answer: str) -> str:
    kinds = [kind for kind in ("complete", "light") if answer and kind.startswith(answer.lower())]
    if not kinds:
        raise _not_understood(answer, say("answer complete or light"))
    return kinds[0]


def _k(answer: str) -> int:
    k: int = parse_model("k", answer).model_dump()["k"]
    return k


def _share(answer: str) -> float:
    return parse_share(answer, option=say("the share"))


def _model(answer: str, column: str) -> dict[str, object] | None:
    """The privacy model of a sensitive column, as a document; None for none."""
    option, _, text = answer.partition(" ")
    if option.lower() in ("n", "no", "none"):
        return None
    if option.lower() not in ("l", "t") or not text.strip():
        raise _not_understood(answer, say("answer as in l 2, t 0.2 or n"))
    model = parse_model(option.lower(), text.strip(), [column])
    return {"model": model.name, **model.model_dump(mode="json", exclude_none=True)}


def _ask_place(name: str, table: "TableDraft", questions: Questions) -> None:
    """The person behind the rows of a table, and where its release goes."""
    questions.about(tr("{table}: its people and its destination", table=name))
    names = tuple(table.columns)

    def person(answer: str) -> str | None:
        if answer and answer != "-" and answer not in names:
            raise ProjectError(
                say("there is no column {answer!r}", answer=answer), remedy=nearest(answer, names)
            )
        return None if answer in ("", "-") else answer

    text = tr("Column that tells people apart, where one may have several rows; - if nobody has")
    table.person = questions.ask_until(text, table.person or "-", person)
    if isinstance(table.destination, dict):
        table.destination["table"] = questions.ask(tr("Table for the release"), table.destination["table"])
        return
    has_engine = isinstance(table.source, dict) and "engine" in table.source
    table.destination = questions.ask_until(
        tr("File for the release"),
        table.destination,
        lambda answer: _destination(answer, on_cluster=has_engine),
    )


def _destination(answer: str, *, on_cluster: bool) -> str:
    check_table_format(answer, on_cluster=on_cluster)
    return answer
