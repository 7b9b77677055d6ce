"""How the columns of a file write their values, settled from a look at all of them.

Marks and orders are habits of whoever wrote the file: a column that leaves them open has those that the others show.
What no column shows is not guessed.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

from celosia.tables.form_candidates import GivenForms
from celosia.tables.infer import ColumnEvidence
from celosia.tables.look import SURE, ColumnLook
from celosia.types import DATES, NUMBERS, ColumnType
from celosia.values.forms import DATE_ORDERS, DateForm, NumberForm, TruthForm, ValueForm

__all__ = ["Doubt", "FoundForms", "declare_forms", "settle_forms"]

TRUTHS = (
    *(("sí", "no"), ("si", "no"), ("yes", "no"), ("verdadero", "falso"), ("true", "false")),
    *(("s", "n"), ("y", "n"), ("v", "f"), ("t", "f"), ("1", "0")),
)
"""Words for true and false, where a column is declared to hold them."""


@dataclass(frozen=True)
class Doubt:
    """Why a column that looks like numbers or dates is left as text.

    ``first`` is one of its texts: one that can be read in two ways or, where there is a ``second``, one that this
    contradicts.
    """

    column: str
    type: ColumnType
    first: str
    second: str | None = None

    @property
    def is_open(self) -> bool:
        """Whether two ways of reading are left."""
        return self.second is None


@dataclass(frozen=True)
class FoundForms:
    """How columns write their values: those that do not write plain ones, with the evidence on all of them.

    ``read`` are the columns whose texts change as they are read; a column of whole numbers in a file with decimal
    commas has a form, too, for numbers that are made of it. ``decimal``, ``thousands`` and ``dates`` are those of all
    columns that have any, if they agree.
    """

    forms: Mapping[str, ValueForm]
    read: frozenset[str]
    evidence: Mapping[str, ColumnEvidence]
    doubts: tuple[Doubt, ...]
    marks: tuple[str, ...]
    decimal: str
    thousands: str
    dates: str | None
    looks: Mapping[str, ColumnLook]


Again = Callable[[Collection[str], GivenForms], Mapping[str, ColumnLook]]
"""Looks at some columns again, every form from the first row on."""


def settle_forms(looks: Mapping[str, ColumnLook], given: GivenForms, again: Again) -> FoundForms:
    """What all columns of a file have been seen to hold, and in which form."""
    options = {name: _options(look, given) for name, look in looks.items()}
    decimal, grouped = _decimal(looks, options, given, again)
    order = _order(options, given)
    forms: dict[str, ValueForm] = {}
    evidence: dict[str, ColumnEvidence] = {name: look.plain for name, look in looks.items()}
    doubts: list[Doubt] = []
    for name, look in looks.items():
        found = options[name] if name not in grouped else grouped[name]
        form = _choose(look, found, decimal, order)
        if form is not None:
            forms[name], evidence[name] = form, found[form]
        elif (doubt := _doubt(name, look, found)) is not None:
            doubts.append(doubt)
    read = frozenset(forms)
    if decimal == ",":
        whole = (name for name, seen in evidence.items() if name not in forms)
        forms |= {name: NumberForm(",") for name in whole if evidence[name].type is ColumnType.INTEGER}
    return FoundForms(
        forms=forms,
        read=read,
        evidence=evidence,
        doubts=tuple(doubts),
        marks=_marks(looks, evidence),
        decimal=decimal or ".",
        thousands=_common({form.thousands for form in forms.values() if isinstance(form, NumberForm)} - {""})
        or "",
        dates=_common({form.format for form in forms.values() if isinstance(form, DateForm)}),
        looks=looks,
    )


def _options(look: ColumnLook, given: GivenForms) -> dict[ValueForm, ColumnEvidence]:
    """The forms that all texts of a column have, with the type that they give it."""
    found = {}
    for form, evidence in (look.forms or {}).items():
        kinds = NUMBERS if isinstance(form, NumberForm) else DATES
        if evidence.type in kinds and not _is_code(form, evidence, look, given):
            found[form] = evidence
    return found


def _is_code(form: ValueForm, evidence: ColumnEvidence, look: ColumnLook, given: GivenForms) -> bool:
    """Whether groups of three digits are those of telephones or identity numbers rather than thousands."""
    if not isinstance(form, NumberForm) or not form.thousands or form.prefix or form.suffix:
        return False
    if "whole" not in evidence.kinds or given.thousands == form.thousands:
        return False
    return form.thousands not in ".," or look.shortest == look.plain.length > 7


def _decimal(
    looks: Mapping[str, ColumnLook],
    options: Mapping[str, Mapping[ValueForm, ColumnEvidence]],
    given: GivenForms,
    again: Again,
) -> tuple[str | None, dict[str, dict[ValueForm, ColumnEvidence]]]:
    """The mark before decimals that columns agree on, if any does; and columns that group thousands by points."""
    votes = set()
    for found in options.values():
        marks = {form.decimal for form in found if isinstance(form, NumberForm)}
        votes |= marks if len(marks) == 1 else set()
    reals = [name for name, look in looks.items() if look.plain.type in (ColumnType.REAL, ColumnType.DECIMAL)]
    grouped: dict[str, dict[ValueForm, ColumnEvidence]] = {}
    if reals and (given.decimal == "," or "," in votes):
        with_commas = replace(given, decimal=",", thousands=".")
        grouped = {name: _options(look, with_commas) for name, look in again(reals, with_commas).items()}
        grouped = {name: found for name, found in grouped.items() if found}
    if set(reals) - set(grouped):
        votes.add(".")
    decimal = given.decimal or (votes.pop() if len(votes) == 1 else None)
    return decimal, grouped if decimal == "," else {}


def _order(options: Mapping[str, Mapping[ValueForm, ColumnEvidence]], given: GivenForms) -> str | None:
    """The order of dates that columns agree on."""
    if given.dates in DATE_ORDERS:
        return DATE_ORDERS[given.dates]
    orders = [{form.order for form in found if isinstance(form, DateForm)} for found in options.values()]
    return _common({order for found in orders if len(found) == 1 for order in found if order != "ymd"})


def _common(found: set[str]) -> str | None:
    return next(iter(found)) if len(found) == 1 else None


def _choose(
    look: ColumnLook, options: Mapping[ValueForm, ColumnEvidence], decimal: str | None, order: str | None
) -> ValueForm | None:
    """The one form of a column; None if there is none, or more than one."""
    if len(options) == 1:
        return next(iter(options))
    for form in options:
        habit = decimal if isinstance(form, NumberForm) else order
        own = form.decimal if isinstance(form, NumberForm) else getattr(form, "order", None)
        if own is not None and own == habit:
            return form
    return next(iter(options), None) if look.split is None else None


def _doubt(name: str, look: ColumnLook, options: Mapping[ValueForm, ColumnEvidence]) -> Doubt | None:
    if options and look.split is not None:
        type = ColumnType.DATE if isinstance(next(iter(options)), DateForm) else ColumnType.REAL
        return Doubt(name, type, look.split)
    if len(look.refused) > 1:
        first, second = list(look.refused.values())[:2]
        return Doubt(name, ColumnType.DATE, first, second)
    if look.seems is not None and look.odd is not None and look.example is not None and not look.forms:
        return Doubt(name, look.seems, look.example, look.odd)
    return None


def _marks(looks: Mapping[str, ColumnLook], evidence: Mapping[str, ColumnEvidence]) -> tuple[str, ...]:
    """Texts that mark missing values: those that stand among numbers or dates, and the sure ones among texts."""
    found: set[str] = set()
    for name, look in looks.items():
        is_typed = evidence[name].seen and evidence[name].type in (*NUMBERS, *DATES)
        found |= look.marks if is_typed else look.marks & SURE
    return tuple(sorted(found))


def declare_forms(found: FoundForms, types: Mapping[str, ColumnType]) -> FoundForms:
    """The same where somebody declares types: texts stay as they are, and two words may be true and false."""
    forms, evidence = dict(found.forms), dict(found.evidence)
    doubts = list(found.doubts)
    for name, type in types.items():
        if name not in found.looks:
            continue
        look = found.looks[name]
        if type in (ColumnType.TEXT, ColumnType.OTHER):
            forms.pop(name, None)
            evidence[name] = look.plain
            doubts = [doubt for doubt in doubts if doubt.column != name]
        elif type is ColumnType.BOOLEAN and (truth := _truth(look)) is not None:
            forms[name], evidence[name] = truth, ColumnEvidence({"boolean"}, {"boolean"}, -1, 5, seen=True)
        elif type is ColumnType.INTEGER and name not in forms and (look.forms or {}):
            _declare_whole(name, look, forms, evidence)
    read = frozenset(name for name in forms if name in found.read or isinstance(forms[name], TruthForm))
    read |= {name for name in forms if name not in found.forms}
    doubts = [doubt for doubt in doubts if doubt.column not in forms]
    return replace(found, forms=forms, evidence=evidence, read=read, doubts=tuple(doubts))


def _declare_whole(
    name: str, look: ColumnLook, forms: dict[str, ValueForm], evidence: dict[str, ColumnEvidence]
) -> None:
    """Of two readings, that by which all are whole numbers."""
    for form, seen in (look.forms or {}).items():
        if seen.type is ColumnType.INTEGER:
            forms[name], evidence[name] = form, seen


def _truth(look: ColumnLook) -> TruthForm | None:
    """The words for true and false that a column has; both may be there or one."""
    words = {word: word.strip().lower() for word in look.words}
    for true, false in TRUTHS:
        if words and set(words.values()) <= {true, false} and len(words) == len(set(words.values())):
            spelt = {lower: word for word, lower in words.items()}
            like = next(iter(spelt.values()))
            return TruthForm(spelt.get(true, _cased(true, like)), spelt.get(false, _cased(false, like)))
    return None


def _cased(word: str, like: str) -> str:
    """A word in the case of another."""
    return word.upper() if like.isupper() else word.capitalize() if like[:1].isupper() else word
