"""What is to be anonymized, from the two documents of SparkTPTDS."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from celosia.errors import ProjectError
from celosia.say import say

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from celosia.project import Project

__all__ = ["DataPreprocess", "DocumentSource"]

DocumentSource = Mapping[str, object] | str | Path
"""A document as it is handed over: read already, a text of JSON, or a path."""


class DataPreprocess:
    """What is to be anonymized: ``data_information`` and ``categorical_trees``, each a dict, a text of JSON or a path.

    Both are checked at once; the table is opened when a method runs. ``spark`` is the session to work in; otherwise it
    is the one there is, or one that is started then and lasts as long as the process. ``file_path`` is CSV, JSON,
    Parquet, ORC or ``hive:database.table``; a path without a scheme is where Spark looks for it. A key ``format`` says
    what a path does not end in; without ``partitions`` there are three.

    >>> DataPreprocess({"file_path": "people.csv"}, {})
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: data_information, attributes_to_remove: the key is missing; add it: a list of names,
    as in ["age", "sex"]
    """

    def __init__(
        self,
        data_information: DocumentSource,
        categorical_trees: DocumentSource,
        spark: "SparkSession | None" = None,
    ) -> None:
        from celosia.hierarchies import Hierarchy
        from celosia.project.converting.sparktptds import NUMBERS, from_sparktptds
        from celosia.project.converting.sparktptds_keys import check_keys, check_trees, take_document

        document = take_document(data_information, "data_information")
        trees = take_document(categorical_trees, "categorical_trees")
        self.information = check_keys(document)
        check_trees(trees, self.information["categorical_attributes"])
        self.fields, _ = from_sparktptds(document, trees)
        self.trees = {
            name: Hierarchy.from_tree(name, tree) for name, tree in self.fields.get("hierarchies", {}).items()
        }
        (self.table,) = self.fields["tables"].values()
        for name in self.information[NUMBERS[0]]:
            del self.table["columns"][name]["type"]  # integers there; here whatever numbers they are
        self._session = spark

    @property
    def file_path(self) -> str:
        """Where the table is."""
        return str(self.information["file_path"])

    @property
    def spark(self) -> "SparkSession":
        """The session to work in."""
        from celosia.tables.spark.address import HIVE
        from celosia.tables.spark.session import check_installed, check_session, spark_session

        if self._session is None:
            return spark_session(hive=self.file_path.startswith(HIVE))
        check_installed()
        check_session(self._session)
        if self._session.sparkContext._jsc is None:
            raise ProjectError(
                say("the session of Spark was stopped"),
                where="spark",
                remedy=say("start another, or give none"),
            )
        return self._session

    def project(self, k: int, technique: Mapping[str, object], day: date | None = None) -> "Project":
        """The project of a run; with a ``day`` the result is saved, and its name has k and that day."""
        from celosia.project import make_project
        from celosia.project.converting.sparktptds import result_place

        said = self.information.get("format")
        source = {"engine": "spark", "format": said, "path": None if day is None else self.file_path}
        table = {**self.table, "source": source, "destination": {}}
        if day is not None:
            name, added = self.information["result_file_name"], f"_k{k}_{day.isoformat()}"
            table["destination"] = result_place(self.file_path, name, format=said or "", added=added)
        (called,) = self.fields["tables"]
        return make_project(
            **{
                **self.fields,
                "tables": {called: table},
                "models": [{"model": "k-anonymity", "k": k}],
                "technique": dict(technique),
            }
        )
