"""A case carried out, and its release judged by what others read in it."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fuzz_cases import Case
from fuzz_models import COMPARES_VALUES, COUNTS_VALUES, Classes, complaint, partition
from fuzz_readers import View, read_release
from fuzz_sources import as_source, held
from fuzz_values import fold, join_readings, number_of

__all__ = ["Outcome", "carry_out", "judge", "shrink"]


@dataclass(frozen=True)
class Outcome:
    """What became of a case.

    ``kind`` is released, refused, withdrawn or raised; ``reason`` says why not, and ``problems`` what a release breaks,
    each as its category and a sentence. ``unread`` are readers that could not read it.
    """

    seed: int
    kind: str
    reason: str = ""
    problems: list[tuple[str, str]] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)


def carry_out(case: Case, *, by_command: bool = False) -> Outcome:
    """Ask for the release of a case and judge what comes."""
    from celosia.errors import CelosiaError

    folder = Path(tempfile.mkdtemp(prefix="celosia-fuzz-"))
    try:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                released, gone = _by_command(case, folder) if by_command else _by_call(case, folder)
        except CelosiaError as error:
            return Outcome(case.seed, _kind_of(str(error)), str(error).replace(str(folder), ""))
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            ours = [
                one for one in traceback.extract_tb(error.__traceback__) if "celosia" in one.filename
            ] or [last]
            place = f"{Path(ours[-1].filename).name}:{ours[-1].lineno} {ours[-1].name}"
            return Outcome(case.seed, "raised", f"{type(error).__name__} at {place}: {str(error)[:200]}")
        names = [column.name for column in case.columns if column.role != "identifiers"]
        try:
            days = [column.name for column in case.columns if case.is_of_office and column.kind == "date"]
            views, unread = read_release(released, names=names, days=days)
        except Exception as error:
            return Outcome(case.seed, "released", "", [("unreadable", f"{type(error).__name__}: {error}")])
        return Outcome(case.seed, "released", "", judge(case, views, gone=gone), unread)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _kind_of(text: str) -> str:
    return "withdrawn" if "was withdrawn" in text else "refused"


# --- asking for a release


def _by_call(case: Case, folder: Path) -> tuple[Any, int]:
    """What was released, and how many rows were left out."""
    import celosia

    source = as_source(case, folder)
    out = folder / f"released.{case.out}" if case.out else None
    if case.way == "call":
        release = celosia.anonymize(source, out=out, **_arguments(case, folder))
    else:
        document = _document(case, source, out)
        sources = {} if isinstance(source, Path) else {"people": source}
        release = celosia.run_project(document, sources=sources)["people"]
    return (release.table if out is None else out), case.rows - release.written.written


def _arguments(case: Case, folder: Path) -> dict[str, Any]:
    from celosia.privacy import MODELS

    given: dict[str, Any] = dict(case.options)
    for role in ("quasi_identifiers", "sensitive", "identifiers", "common"):
        given[role] = case.of_role(role)
    given["models"] = [
        MODELS[model["model"]](**{name: value for name, value in model.items() if name != "model"})
        for model in case.models
    ]
    if case.hierarchies:
        given["hierarchies"] = case.hierarchies
    if case.source == "txt":
        given["separator"] = case.separator
    if case.population:
        import polars as pl

        known = case.of_role("quasi_identifiers")
        people = {name: [row[i] for row in case.population] for i, name in enumerate(known)}
        given["population"] = pl.DataFrame(people)
        if case.seed % 2:
            given["population"] = folder / "population.csv"
            pl.DataFrame(people).write_csv(given["population"])
    return given


def _document(case: Case, source: Any, out: Path | None) -> dict[str, Any]:
    """The case as a project; as a chain of two techniques where that is its way."""
    options = dict(case.options)
    kept = options.pop("keep_type", {})
    goals = {
        name: options.pop(name) for name in ("seed", "missing", "suppression", "measure") if name in options
    }
    columns: dict[str, dict[str, Any]] = {}
    roles = {"quasi_identifiers": "quasi-identifier", "identifiers": "identifier"}
    for column in case.columns:
        columns[column.name] = {"role": roles.get(column.role, column.role)}
        if column.name in kept:
            columns[column.name]["keep_type"] = kept[column.name]
    technique: Any = {"name": options.pop("technique"), **options}
    if case.way == "chain":
        first = {"name": "mondrian", "represent": "mode", "columns": case.of_role("quasi_identifiers")[:1]}
        technique = [first, technique]
    read: dict[str, Any] = {"path": str(source)} if isinstance(source, Path) else {}
    if case.source == "txt":
        read["separator"] = case.separator
    table = {"source": read, "destination": str(out) if out else {}, "columns": columns}
    return {"tables": {"people": table}, "models": list(case.models), "technique": technique, **goals}


def _by_command(case: Case, folder: Path) -> tuple[Any, None]:
    """The same by the command line, from the project as a document; how many rows are gone is not looked up."""
    from celosia.errors import ReleaseError

    source = as_source(case, folder)
    out = folder / f"released.{case.out}"
    document = folder / "project.json"
    document.write_text(json.dumps(_document(case, source, out)))
    command = [str(Path(sys.executable).with_name("celosia")), "run", str(document), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 2:
        raise ReleaseError(done.stderr.strip())
    if done.returncode:
        raise RuntimeError(done.stderr[-300:])
    return out, None


# --- judging


def judge(case: Case, views: Sequence[View], *, gone: int | None = None) -> list[tuple[str, str]]:
    """Everything that is wrong with a release, each as a category and a sentence; ``gone`` are rows left out."""
    raw = views[0]
    gone = case.rows - raw.rows if gone is None else gone
    problems = _check_columns(case, raw, gone=gone)
    if problems or not raw.rows:
        return problems
    aligned = [view for view in views if view.rows == raw.rows and len(view.names) == len(raw.names)]
    places = [raw.names.index(name) for name in case.of_role("quasi_identifiers")]
    sharpest = partition(
        [tuple(view.keys[place][row] for view in aligned for place in places) for row in range(raw.rows)]
    )
    problems += _check_models(case, raw, sharpest, places)
    broken = {category for category, _ in problems}
    problems += [
        (category, text)
        for category, text in _check_other_readers(case, aligned[1:], sharpest, raw)
        if category.partition(" as ")[0] not in broken
    ]
    problems += _check_spellings(case, raw)
    problems += _check_values(case, raw, gone=gone)
    return problems


def _check_columns(case: Case, raw: View, *, gone: int) -> list[tuple[str, str]]:
    wanted = [column.name for column in case.columns if column.role != "identifiers"]
    if raw.names != wanted:
        return [("columns", f"{raw.names} where {wanted} are released")]
    if raw.rows != case.rows - gone:
        return [("rows", f"{raw.rows} rows where {case.rows} - {gone} are released")]
    return []


def _check_models(
    case: Case, raw: View, classes: list[list[int]], places: Sequence[int]
) -> list[tuple[str, str]]:
    columns = {model["column"] for model in case.models if model.get("column")}
    cells = {name: raw.values[raw.names.index(name)] for name in columns}
    values = {name: _as_bluntest(column) for name, column in cells.items()}
    known = case.of_role("quasi_identifiers")
    labels = [
        {name: raw.values[place][rows[0]] for name, place in zip(known, places, strict=True)}
        for rows in classes
    ]
    people = [dict(zip(known, row, strict=True)) for row in case.population]
    paths: dict[str, Mapping[Any, Sequence[str]]] = {
        name: {(fold(path[0]) if name in columns else path[0]): path for path in rows}
        for name, rows in case.hierarchies.items()
    }
    given = Classes(classes, values, paths, labels, people)
    found = [(model, complaint(model, given)) for model in case.models]
    for model in case.models:
        if model["model"] in COMPARES_VALUES and model.get("distance", "equal") == "equal":
            told = {model["column"]: [_exact_text(cell) for cell in cells[model["column"]]]}
            found.append((model, complaint(model, Classes(classes, told))))
    return [(_named(model), text) for model, text in found if text]


def _exact_text(cell: Any) -> Any:
    """A value to a reader who tells all texts apart; numbers are what they are worth."""
    number = number_of(cell)
    return ("text", str(cell)) if number is None else ("number", number)


def _as_bluntest(cells: Sequence[Any]) -> list[Any]:
    """The values of a column, as one where anybody takes them for one."""
    one = join_readings(cells)
    return [one[fold(cell)] for cell in cells]


def _named(model: Mapping[str, Any]) -> str:
    return " ".join(filter(None, (model["model"], model.get("distance"))))


def _check_other_readers(
    case: Case, views: Sequence[View], classes: list[list[int]], raw: View
) -> list[tuple[str, str]]:
    """Whether somebody sees fewer sensitive values than the raw text has."""
    problems = []
    for model in case.models:
        if model["model"] not in COUNTS_VALUES:
            continue
        place = raw.names.index(model["column"])
        for view in views:
            values = {model["column"]: _as_bluntest(view.values[place])}
            if text := complaint(model, Classes(classes, values)):
                problems.append((f"{_named(model)} as {view.reader} reads it", text))
    return problems


TYPED = ("integer", "real", "infinite", "large", "decimal")
TEXTUAL = ("integer", "real", "spelt", "large", "decimal")
"""Kinds of values that are numbers: where all is text, a column with infinite ones is text."""


def _check_spellings(case: Case, raw: View) -> list[tuple[str, str]]:
    """Whether a number of a quasi-identifier is released in one form only."""
    for column in case.columns:
        is_number = column.kind in (TEXTUAL if case.source in ("csv", "txt", "arff") else TYPED)
        if column.role != "quasi_identifiers" or not is_number:
            continue
        place = raw.names.index(column.name)
        forms: dict[Any, set[str]] = {}
        for key, value in zip(raw.keys[place], raw.values[place], strict=True):
            number = number_of(value)
            if number is not None:
                forms.setdefault(number, set()).add(key)
        for spelt in forms.values():
            if len(spelt) > 1:
                return [("spellings", f"one number of a quasi-identifier as {sorted(spelt)}")]
    return []


def _check_values(case: Case, raw: View, *, gone: int) -> list[tuple[str, str]]:
    """Whether what is not recoded came through: the same values as often, some of them less often if rows are gone."""
    problems = []
    for column in case.columns:
        if column.role not in ("sensitive", "common"):
            continue
        # Numbers of JSON are doubles to whoever reads them, and sheets keep 15 digits.
        same = fold if case.source in ("json", "ndjson", "xlsx") or case.out == "xlsx" else _exact
        before = Counter(same(held(case, value)) for value in column.values)
        after = Counter(same(value) for value in raw.values[raw.names.index(column.name)])
        new = after - before
        if new or sum((before - after).values()) != gone:
            shown = [str(value) for value in list(new)[:2]]
            problems.append(
                ("values", f"a {column.role} {column.kind} column of {case.source} has new values {shown}")
            )
    return problems


def _exact(value: Any) -> Any:
    """A value with all its digits, whatever it looks like to readers that are less exact."""
    number = number_of(value)
    return fold(value) if number is None else ("number", number)


# --- smaller


def shrink(case: Case, outcome: Outcome, *, tries: int = 150) -> Case:
    """A case with fewer rows that ends in the same way."""
    wanted = signature(outcome)
    rows = list(range(case.rows))
    chunk = max(1, len(rows) // 2)
    while tries > 0 and chunk:
        start, smaller = 0, False
        while start < len(rows) and tries > 0:
            fewer = rows[:start] + rows[start + chunk :]
            tries -= 1
            if fewer and signature(carry_out(case.taking(fewer))) == wanted:
                rows, smaller = fewer, True
            else:
                start += chunk
        chunk = chunk if smaller and chunk == 1 else chunk // 2
    return case.taking(rows)


def signature(outcome: Outcome) -> tuple[Any, ...]:
    """What makes two outcomes of one kind: category and reason, without names and numbers."""
    categories = tuple(sorted({category for category, _ in outcome.problems}))
    return (outcome.kind, plain_reason(outcome.reason), categories)


def plain_reason(text: str) -> str:
    """A reason without what differs from case to case."""
    text = re.sub(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", "'..'", text)
    return re.sub(r"-?\d+(?:[.,]\d+)*(?:e[+-]?\d+)?", "N", text)
