"""How places on a cluster are written: paths with the scheme of a file system, and tables of Hive."""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from celosia.errors import TableError
from celosia.say import say

__all__ = [
    "FORMATS",
    "HIVE",
    "ClusterAddress",
    "is_place",
    "is_spark_frame",
    "name_of_place",
    "parse_place",
    "record_beside",
]

HIVE = "hive:"
_SCHEMES = "hdfs|webhdfs|swebhdfs|viewfs|file|s3a|abfss?|wasbs?|oss|o3fs|ofs|cosn|obs|dbfs"
_PLACE = re.compile(rf"^(?:(?:{_SCHEMES}):/|{HIVE})")
FORMATS = {
    "parquet": (".parquet", ".pq"),
    "csv": (".csv", ".tsv", ".txt"),
    "json": (".json", ".jsonl", ".ndjson"),
}
FORMATS["orc"] = (".orc",)


@dataclass(frozen=True)
class ClusterAddress:
    """A path and the format of what is there, or a table of Hive.

    >>> parse_place("hive:clinic.people").table
    'clinic.people'
    >>> parse_place("hdfs:///people.parquet").format
    'parquet'
    """

    path: str | None = None
    format: str = "parquet"
    table: str | None = None

    def __str__(self) -> str:
        return f"{HIVE}{self.table}" if self.path is None else self.path


def is_place(text: object) -> bool:
    """Whether a text names a place that only Spark can go to.

    >>> is_place("hdfs:///people.parquet"), is_place("hive:people"), is_place("people.csv"), is_place("C:/a.csv")
    (True, True, False, False)
    """
    return isinstance(text, str) and _PLACE.match(text) is not None


def is_spark_frame(source: Any) -> bool:
    """Whether something is a frame of Spark; asked without loading Spark."""
    return any(
        kind.__module__.startswith("pyspark.sql") and kind.__name__ == "DataFrame"
        for kind in type(source).__mro__
    )


def name_of_place(text: str) -> str:
    """What a table is called by the place where it is.

    >>> name_of_place("hdfs://host:8020/clinic/people.parquet/"), name_of_place("hive:clinic.people")
    ('people', 'people')
    """
    if text.startswith(HIVE):
        return text.removeprefix(HIVE).rpartition(".")[2]
    return PurePosixPath(text.rstrip("/")).stem


def record_beside(path: str) -> str:
    """Where the record of a release lies on a cluster: beside it, under its name.

    >>> record_beside("hdfs:///clinic/safe.parquet")
    'hdfs:///clinic/safe.record.json'
    """
    folder, slash, name = path.rstrip("/").rpartition("/")
    return f"{folder}{slash}{PurePosixPath(name).stem}.record.json"


def parse_place(text: str, format: str | None = None) -> ClusterAddress:
    """A place from how it is written: with the format given, or the one that the path ends in.

    >>> parse_place("people.sav")
    Traceback (most recent call last):
    ...
    celosia.errors.TableError: people.sav: Spark cannot tell the format from '.sav'; name it: parquet, csv, json, orc
    """
    if text.startswith(HIVE):
        name = text.removeprefix(HIVE).strip("/ ").replace("/", ".")
        if not re.fullmatch(r"[^.\s`]+(\.[^.\s`]+){0,2}", name):
            raise TableError(
                say("{name!r} does not name a table of Hive", name=name),
                where=text,
                remedy=say("write it as in hive:clinic.people"),
            )
        return ClusterAddress(table=name)
    ending = PurePosixPath(text.rstrip("/")).suffix.lower()
    found = next((name for name, endings in FORMATS.items() if ending in endings), None)
    if format is not None:
        found = "json" if format == "ndjson" else "csv" if format == "tsv" else format
    if found not in FORMATS:
        what = (
            say("the format {format!r} is not one of Spark's", format=format)
            if format
            else say("Spark cannot tell the format from {ending!r}", ending=ending)
        )
        raise TableError(what, where=text, remedy=say("name it: {names}", names=", ".join(FORMATS)))
    return ClusterAddress(path=text, format=found)
