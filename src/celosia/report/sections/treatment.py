"""What was done: the columns and their roles, the technique with its parameters, the rows that stayed behind."""

from collections.abc import Iterator, Mapping
from typing import Any

from celosia.report.elements import Html, heading, join, points, table, tag
from celosia.report.evidence import ReleaseEvidence
from celosia.words import phrase

__all__ = ["TECHNIQUES", "treatment_section"]

ROLES = {
    "identifier": phrase("identifier"),
    "quasi-identifier": phrase("quasi-identifier"),
    "sensitive": phrase("sensitive"),
    "common": phrase("common"),
}
TYPES = {
    "integer": phrase("integer"),
    "real": phrase("number"),
    "decimal": phrase("decimal number"),
    "date": phrase("date"),
    "datetime": phrase("date and time"),
    "text": phrase("text"),
    "boolean": phrase("yes or no"),
    "other": phrase("other"),
}
TECHNIQUES = {
    "auto": phrase("Several techniques were tried, and the one that keeps most was taken."),
    "full-domain": phrase(
        "Full-domain generalization: every value of a column is replaced by its more general label of one level, "
        "the same level for all rows. Rows in classes that are still too small are left out."
    ),
    "local": phrase(
        "Local recoding: each row is generalized only as far as its own class needs, so that values of one column "
        "may stand on different levels."
    ),
    "mondrian": phrase(
        "Mondrian: the people are divided again and again into classes that are alike, as long as every class "
        "keeps the promises; each class shows the range of its values."
    ),
    "clustering": phrase(
        "Clustering: every class is made of the people nearest to each other, and people change classes as long as "
        "that helps and every class keeps the promises; each class shows the values of its people."
    ),
    "distribution-mondrian": phrase(
        "Mondrian with values: people are divided into classes that are alike, and each class shows one value of "
        "its own for every column, so that distributions are kept."
    ),
    "top-down": phrase(
        "Top-down specialization: starting from the most general labels, columns are made more precise step by "
        "step as long as the promises hold."
    ),
    "two-phase": phrase(
        "Two-phase top-down specialization: partitions of the table are specialized apart, and what they found is "
        "brought together for the whole table."
    ),
    "chain": phrase("Several techniques one after the other, each working on what the one before left."),
}
UNLISTED = {
    "common": phrase("Columns that the project does not list are released as they are."),
    "drop": phrase("Columns that the project does not list are left out."),
    "stop": phrase("There are no columns besides these: the project stops at others."),
}


def treatment_section(evidence: ReleaseEvidence) -> Html:
    """The columns, the technique, and the rows."""
    words = evidence.words
    parts = [heading(words("The table and its columns")), _columns(evidence)]
    unlisted = str(evidence.plan.get("unlisted", "common"))
    parts.append(tag("p", words(UNLISTED.get(unlisted, UNLISTED["common"])), class_="note"))
    changes = evidence.record.get("changes", ())
    parts.append(points(evidence.said(change) for change in changes))
    if "technique" in evidence.record:
        parts += [heading(words("The technique and its parameters")), _technique(evidence)]
    parts += [heading(words("The rows")), _rows(evidence)]
    return join(parts)


def _columns(evidence: ReleaseEvidence) -> Html:
    words, record = evidence.words, evidence.record
    heads = [
        words("Column"),
        words("Role"),
        words("Type"),
        words("What was done to it"),
        words("What it still tells"),
    ]
    rows: list[tuple[str, ...]] = []
    for name, column in evidence.columns.items():
        operations = record.get("operations", {}).get("columns", {}).get(name, ())
        kind = TYPES.get(str(column.get("type")))
        rows.append(
            (
                name,
                words(ROLES.get(str(column.get("role", "common")), ROLES["common"])),
                "\N{EN DASH}" if kind is None else words(kind),
                join(tag("div", line) for line in _done_to(evidence, name, operations)),
                join(tag("div", evidence.said(operation["leaks"])) for operation in operations)
                or "\N{EN DASH}",
            )
        )
    if all(row[2] == "\N{EN DASH}" for row in rows):  # the project left types to the table
        heads, rows = _without(heads, 2), [_without(row, 2) for row in rows]
    if not any(record.get("operations", {}).get("columns", {})):
        heads, rows = heads[:-1], [row[:-1] for row in rows]
    return table(heads, rows, title=words("The columns, their roles, and what became of them"))


def _without(row: Any, place: int) -> Any:
    return (*row[:place], *row[place + 1 :])


def _done_to(evidence: ReleaseEvidence, name: str, operations: Any) -> Iterator[str]:
    words, record = evidence.words, evidence.record
    for operation in operations:
        yield join(
            [
                evidence.said(operation["what"]),
                " (",
                words("can it be undone?"),
                " ",
                evidence.said(operation["reversible"]),
                ")",
            ]
        )
    shown = record.get("technique", {}).get("columns", {}).get(name)
    if name in record.get("operations", {}).get("left out", ()):
        yield words("left out of the release")
    elif shown is not None:
        yield join([words("generalized"), ": ", evidence.said(shown)])
        origin = record.get("hierarchies", {}).get(name)
        if origin:
            file = f" {evidence.columns[name].get('hierarchy', '')}" if origin == "file" else ""
            yield tag("span", words("hierarchy"), ": ", evidence.said(origin), file, class_="soft")
    elif not operations:
        yield words("released as it is")


def _technique(evidence: ReleaseEvidence) -> Html:
    words, record, plan = evidence.words, evidence.record, evidence.plan
    name = record["technique"]["name"]
    facts: list[tuple[str, str]] = [
        (words("Technique"), tag("code", name)),
        (words("Rows that may be left out, at most"), evidence.share(plan.get("suppression", 0.0))),
        (words("What was to be as low as possible"), tag("code", str(plan.get("measure", "loss")))),
    ]
    facts += [
        (words("Parameter {name}", name=key), tag("code", value))
        for key, value in _parameters(plan.get("technique"))
    ]
    search = record.get("search", {})
    if "proven" in search:
        facts.append(
            (
                words("Is it the best of its kind?"),
                words("yes, proven: no other generalization loses less")
                if search["proven"]
                else words("not proven: a better one may exist"),
            )
        )
    chosen = record.get("auto", {})
    facts += [
        (words("How it was chosen") if number == 0 else "", evidence.said(line))
        for number, line in enumerate(chosen.get("lines", ()))
    ]
    if "one_step" in record:
        facts.append((words("One step less or more"), evidence.said(record["one_step"]["line"])))
    note = record["technique"].get("note")
    if note:
        facts.append((words("Note"), evidence.said(note)))
    told = TECHNIQUES.get(name)
    return join(
        [
            tag("p", words(told)) if told else "",
            table([words("Fact"), words("Value")], facts, title=words("How the technique was set")),
            _steps(evidence),
        ]
    )


def _steps(evidence: ReleaseEvidence) -> Html:
    """What each technique of a chain did."""
    words = evidence.words
    rows = [
        (
            join([f"{number}. ", tag("code", step["name"])]),
            join(
                tag("div", tag("b", name), ": ", evidence.said(told))
                for name, told in step["columns"].items()
            ),
            evidence.number(step["suppressed"] + step["excluded"]),
        )
        for number, step in enumerate(evidence.record.get("chain", ()), 1)
    ]
    if not rows:
        return Html("")
    heads = [words("Step"), words("What was done to columns"), words("Rows left out")]
    return table(heads, rows, title=words("The steps"), right=[2])


def _parameters(technique: object) -> Iterator[tuple[str, str]]:
    if isinstance(technique, Mapping):
        for name, value in technique.items():
            if name not in ("name", "seed") and not isinstance(value, Mapping | list):
                yield name, str(value).lower() if isinstance(value, bool) else str(value)


def _rows(evidence: ReleaseEvidence) -> Html:
    words, rows = evidence.words, evidence.record["rows"]
    whole = max(1, rows["source"])
    told = [
        (words("in the original table"), rows["source"]),
        (words("left out by operations on rows"), rows.get("dropped", 0)),
        (words("left out, with missing or unknown values"), rows["excluded"]),
        (words("left out, in classes that were too small"), rows["suppressed"]),
        (words("released"), rows["written"]),
    ]
    shown = [(name, evidence.number(count), evidence.share(count / whole)) for name, count in told]
    operations = evidence.record.get("operations", {}).get("rows", ())
    return join(
        [
            table(
                [words("Rows"), words("Number"), words("Share")], shown, title=words("The rows"), right=[1, 2]
            ),
            points(evidence.said(operation["what"]) for operation in operations),
        ]
    )
