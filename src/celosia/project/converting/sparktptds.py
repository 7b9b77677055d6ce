"""Jobs of SparkTPTDS, ``data_information`` and ``categorical_trees``, into projects.

Its key ``continous_attributes`` is spelled so there; the right spelling counts too. k, k_i and the format of the file
were no part of its documents, but may stand there.
"""

from pathlib import PurePosixPath
from typing import Any

from celosia.errors import HierarchyError
from celosia.hierarchies.trees import tree_paths
from celosia.project.converting.foreign import ConversionNotes, ForeignFields, free_name
from celosia.project.converting.promises import ASSUMED_K
from celosia.project.document import Document
from celosia.say import say
from celosia.tables.place import is_store
from celosia.tables.spark.address import HIVE, is_place, name_of_place

__all__ = ["NUMBERS", "from_sparktptds", "is_sparktptds", "result_place"]

NUMBERS = ("continous_attributes", "continuous_attributes")
SIGNS = ("data_information", "categorical_attributes", "attributes_to_remove", *NUMBERS)


def is_sparktptds(data: dict[str, object]) -> bool:
    """Whether a document is one of theirs.

    >>> is_sparktptds({"continous_attributes": ["age"]}), is_sparktptds({"version": 2})
    (True, False)
    """
    return any(sign in data for sign in SIGNS)


def from_sparktptds(
    document: Document, trees: Document | None = None
) -> tuple[dict[str, Any], ConversionNotes]:
    """The project, and what could not be carried over; trees may also stand in the document itself.

    >>> from celosia.project.document import parse_document
    >>> found, _ = from_sparktptds(parse_document('{"file_path": "a.csv", "continous_attributes": ["age"]}', "p"))
    >>> found["tables"]["a"]["columns"]
    {'age': {'type': 'integer', 'role': 'quasi-identifier'}}
    """
    notes = ConversionNotes()
    whole = ForeignFields(document)
    job = whole.part("data_information") or whole
    named = _trees(whole, job, trees)
    columns = _columns(job, named, notes)
    path = job.text("file_path")
    table: dict[str, Any] = {"source": _source(path, job.text("format"), notes)}
    target = job.text("result_file_name")
    if job.flag("save_anonymization_result") is not False and target:
        table["destination"] = result_place(path, target, format=job.text("format"))
        notes.add(say("result_file_name: k and the date of the run are not added to it here"))
    else:
        table["destination"] = result_place(path or "table.csv", "safe", format=job.text("format"))
        notes.add(
            say(
                "save_anonymization_result: the result is not to be saved; it is released as {file}",
                file=table["destination"],
            )
        )
    table["columns"] = columns
    project: dict[str, Any] = {"version": 2, "hierarchies": _used(named, columns, notes)}
    project["tables"] = {free_name(name_of_place(path) or "table", ()): table}
    project |= _goals(job, notes)
    job.get("spark")
    job.say_unread(notes)
    if job is not whole:
        whole.say_unread(notes)
    return {field: value for field, value in project.items() if value not in ("", {}, [])}, notes


def _goals(job: ForeignFields, notes: ConversionNotes) -> dict[str, Any]:
    goals: dict[str, Any] = {}
    k = job.text("k")
    if k.isdecimal():
        goals["models"] = [{"model": "k-anonymity", "k": int(k)}]
        if int(k) < 2:
            raise job.error(say("k-anonymity of 1 promises nothing"), say("ask for 2 or more"), "k")
    else:
        goals["models"] = [{"model": "k-anonymity", "k": ASSUMED_K}]
        notes.add(
            say("k: it was given to the program, not to these documents; k = {k} is assumed", k=ASSUMED_K)
        )
    parameters = {"partitions": _number(job, "partitions"), "k_partition": _number(job, "k_i")}
    if parameters["k_partition"] is not None and parameters["k_partition"] < goals["models"][0]["k"]:
        raise job.error(
            say("the partitions would have a smaller k than the whole"), say("give k or more"), "k_i"
        )
    said = {name: value for name, value in parameters.items() if value is not None}
    goals["technique"] = {"name": "two-phase", **said} if said else "two-phase"
    if job.flag("dataset_missing_values"):
        goals["missing"] = "mode"
        notes.add(
            say(
                "dataset_missing_values: only quasi-identifiers get the mode; what is sensitive stays as it is"
            )
        )
    return goals


def _number(job: ForeignFields, name: str) -> int | None:
    text = job.text(name)
    if text and not text.isdecimal():
        raise job.error(say("it should be a whole number"), say("write it as in 3"), name)
    if text and int(text) < 1:
        raise job.error(say("it should be 1 or more"), say("correct it"), name)
    return int(text) if text else None


def _source(path: str, format: str, notes: ConversionNotes) -> object:
    """Where the table is; on a cluster, with what reads it."""
    if not path:
        notes.add(say("file_path: it is not said; table.csv is assumed"))
    elif "://" in path and not _is_on_cluster(path):
        notes.add(say("file_path: nothing here reads such a place; correct the source"))
    said = {**({"engine": "spark"} if _is_on_cluster(path) else {}), **({"format": format} if format else {})}
    return {"path": path or "table.csv", **said} if said else path or "table.csv"


def _is_on_cluster(place: str) -> bool:
    """Whether Spark goes there: to objects of a store, too, because it did."""
    return is_place(place) or is_store(place)


def result_place(source: str, name: str, *, format: str = "", added: str = "") -> str:
    """Where a result goes: beside its source unless its name has a folder, with the ending of the source unless it has
    one; ``added`` comes before the ending.

    >>> result_place("../data/adult.json", "tds", added="_k5"), result_place("a.csv", "out/tds.parquet")
    ('../data/tds_k5.json', 'out/tds.parquet')
    >>> result_place("hive:clinic.people", "tds"), result_place("hdfs:///people.csv", "tds")
    ('hive:clinic.tds', 'hdfs:///tds.csv')
    """
    if name.startswith(HIVE) or (source.startswith(HIVE) and "/" not in name):
        named = name.removeprefix(HIVE) + added.replace("-", "_")
        database = source.removeprefix(HIVE).rpartition(".")[0] if "." not in named else ""
        return f"{HIVE}{database}.{named}" if database else HIVE + named
    ending = PurePosixPath(name).suffix
    stem = name.removesuffix(ending)
    assumed = f".{format}" if format else ".parquet" if _is_on_cluster(source) else ".csv"
    folder, slash, last = source.rstrip("/").rpartition("/")
    own = "" if source.startswith(HIVE) else PurePosixPath(last).suffix
    beside = "" if "/" in name else folder + slash
    return f"{beside}{stem}{added}{ending or own or assumed}"


def _trees(whole: ForeignFields, job: ForeignFields, trees: Document | None) -> dict[str, object]:
    """The trees by attribute, each looked through."""
    if trees is not None:
        root = ForeignFields(trees)
        inner = root.part("categorical_trees")
    else:
        root = whole
        inner = whole.part("categorical_trees") or job.part("categorical_trees")
    holder = inner if inner is not None else root if trees is not None else None
    named = {} if holder is None else {name: holder.get(name) for name in holder}
    for name, tree in named.items():
        try:
            for _ in tree_paths(tree, where=name):
                pass
        except HierarchyError as error:
            assert holder is not None
            raise holder.error(error.what, error.remedy, name) from None
    return named


def _columns(job: ForeignFields, trees: dict[str, Any], notes: ConversionNotes) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    groups: list[tuple[str, list[str], dict[str, Any]]] = [
        ("attributes_to_remove", job.texts("attributes_to_remove"), {"role": "identifier"}),
        (
            "categorical_attributes",
            job.texts("categorical_attributes"),
            {"type": "text", "role": "quasi-identifier"},
        ),
        (NUMBERS[0], job.texts(*NUMBERS), {"type": "integer", "role": "quasi-identifier"}),
        ("sensitive_attributes", job.texts("sensitive_attributes"), {"role": "sensitive"}),
    ]
    for group, names, plan in groups:
        for name in names:
            if name in columns:
                raise job.error(
                    say("the attribute {name!r} is listed twice", name=name), say("leave one out"), group
                )
            columns[name] = dict(plan)
            if group == "categorical_attributes" and name in trees:
                columns[name]["hierarchy"] = name
            elif group == "categorical_attributes":
                notes.add(
                    say(
                        "{column}: it has no tree; a hierarchy is proposed for it when the project runs",
                        column=name,
                    )
                )
    if len(groups[-1][1]) > 1:
        notes.add(
            say(
                "sensitive_attributes: taken together as one there, each is a sensitive column of its own here"
            )
        )
    return columns


def _used(trees: dict[str, Any], columns: dict[str, Any], notes: ConversionNotes) -> dict[str, Any]:
    for name in trees:
        if columns.get(name, {}).get("hierarchy") != name:
            notes.add(
                say(
                    "categorical_trees: {column} is no categorical attribute; its tree was not carried over",
                    column=name,
                )
            )
    return {name: tree for name, tree in trees.items() if columns.get(name, {}).get("hierarchy") == name}
