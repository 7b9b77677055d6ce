"""The parts of a project: where a table comes from and goes to, what its columns are."""

import re
from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    field_validator,
    model_serializer,
    model_validator,
)

from celosia.errors import InvalidValueError
from celosia.machine import user_name
from celosia.mask.operation import MissingValues
from celosia.project.mistakes import with_location
from celosia.project.registered import ColumnOperations
from celosia.say import say
from celosia.tables.dialect import check_date_format
from celosia.tables.place import check_remote, is_remote
from celosia.tables.spark.address import is_place
from celosia.tables.sql.address import SECRETS, is_address, parse_address
from celosia.types import MISSING_MARKERS, Column, ColumnType, Role
from celosia.values.forms import DATE_ORDERS

__all__ = [
    "COMPARED_MEASURES",
    "COMPARED_MODELS",
    "Acceptance",
    "Address",
    "AttackerPlan",
    "ColumnPlan",
    "ComparePlan",
    "Destination",
    "HierarchyLike",
    "KnowledgePlan",
    "LedgerPlan",
    "PopulationPlan",
    "ProcessingPlan",
    "ProjectPart",
    "ReleaseKind",
    "Source",
    "Spark",
    "StudyPlan",
    "Unlisted",
    "holds_secret",
]


def _texts(value: object) -> object:
    """Rows of a hierarchy with texts for numbers: people write 5 and mean the value 5."""
    if not isinstance(value, list | tuple):
        return value
    return [[str(cell) for cell in row] if isinstance(row, list | tuple) else row for row in value]


HierarchyLike = Annotated[str | list[list[str]] | dict[str, Any], BeforeValidator(_texts)]
"""The path of a file or the name of one of the project's; rows, value first and root last; or groups of groups."""


class ReleaseKind(StrEnum):
    """How far a release goes."""

    COMPLETE = "complete"
    LIGHT = "light"


class Unlisted(StrEnum):
    """What becomes of columns that a project does not list."""

    COMMON = "common"
    DROP = "drop"
    STOP = "stop"


class ProjectPart(BaseModel):
    """Any part of a project: it does not change, and knows all its fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


def _named(value: object, field: str) -> object:
    """A text alone stands for the field that matters most."""
    return {field: value} if isinstance(value, str) else value


def _without_password(path: str | None) -> str | None:
    if path is not None and is_address(path):
        parse_address(path)
    if path is not None and is_remote(path):
        check_remote(path)
    return path


def _address(text: str) -> str:
    parse_address(text)
    return text


def _date_format(text: str | None) -> str | None:
    return check_date_format(text)


def _whole_date_format(text: str | None) -> str | None:
    if text in DATE_ORDERS:
        raise InvalidValueError(
            say("dates are written in a whole format"), remedy=say("write it as in %d/%m/%Y")
        )
    return check_date_format(text)


Address = Annotated[str, AfterValidator(with_location(_address))]
"""The address of a database, without a password."""


class Source(ProjectPart):
    """Where the table is and how to read it; ``path`` is None for a frame of the caller.

    For a database ``path`` is its address, without a password, or ``connection`` names one of the project's.
    """

    path: str | None = None
    """A file, several by a pattern, a folder, an object of a store, an address of the web, the address of a database
    without a password, or a place on a cluster."""
    engine: Literal["spark"] | None = None
    """What reads the table: spark on a cluster; found out by the path unless given."""
    connection: str | None = None
    """A database by the name it has under ``connections``."""
    table: tuple[str, ...] = ()
    """A table of the database, sheet of the workbook or file of the archive, or several with the same columns."""
    where: str | None = None
    """A condition on the rows of a table in a database or on a cluster."""
    format: str | None = None
    """The format of the file, where its name does not say it."""
    separator: str | None = None
    """What separates fields; found out unless given."""
    encoding: str | None = None
    """How a text file is encoded; found out unless given."""
    header: bool | None = None
    """Whether the first row names the columns; found out unless given."""
    missing: tuple[str, ...] = MISSING_MARKERS
    """Texts that mean a missing value; unless given, other usual ones that stand in the file do, too."""
    decimal: Literal[",", "."] | None = None
    """What stands before decimals in a text file; found out unless given."""
    thousands: Literal["", ".", ",", "'", "’", " ", "\u00a0", "\u202f"] | None = None
    """What stands between thousands in a text file; found out unless given."""
    date_format: str | None = None
    """How dates are written in a text file, as in %d/%m/%Y, or day-first, month-first or year-first."""
    quote: Literal['"', "'"] | None = None
    """What stands around texts in a text file; found out unless given."""

    @model_validator(mode="before")
    @classmethod
    def _short(cls, value: object) -> object:
        value = _named(value, "path")
        if isinstance(value, Mapping) and isinstance(value.get("table"), str):
            return {**value, "table": (value["table"],)}
        return value

    _safe = field_validator("path")(with_location(_without_password))
    _dates = field_validator("date_format")(with_location(_date_format))

    @property
    def is_on_cluster(self) -> bool:
        """Whether Spark reads the table."""
        return self.engine is not None or is_place(self.path)


def holds_secret(setting: str) -> bool:
    """Whether the value of a setting of Spark would be a secret, by its name.

    >>> holds_secret("spark.hadoop.fs.s3a.secret.key"), holds_secret("spark.executor.memory")
    (True, False)
    """
    return re.search(rf"{'|'.join(SECRETS)}|credential|\.key(\.|$)", setting.lower()) is not None


class Spark(ProjectPart):
    """The cluster on which tables are that Spark reads."""

    master: str | None = None
    """Such as local[4], yarn or spark://host:7077; what Spark itself is told unless given."""
    config: dict[str, str] = Field(default_factory=dict)
    """Settings of its session, such as spark.executor.memory; none that holds a secret."""

    @field_validator("config")
    @classmethod
    @with_location
    def _no_secrets(cls, config: dict[str, str]) -> dict[str, str]:
        for name in config:
            if holds_secret(name):
                raise InvalidValueError(
                    say("{name} would hold a secret", name=name),
                    remedy=say("set it where Spark is set up, not in a document"),
                )
        return config

    @property
    def settings(self) -> dict[str, str]:
        """What the project says of Spark, as settings of its session."""
        return {**self.config, **({} if self.master is None else {"spark.master": self.master})}


class Destination(ProjectPart):
    """Where the release goes and in which form; what is not said is as in the source."""

    path: str | None = None
    """A file, an object of a store, or the address of a database without a password."""
    connection: str | None = None
    """A database by the name it has under ``connections``."""
    table: str | None = None
    """The table to be made in the database."""
    record: str | None = None
    """The file for the record of a table; that of a file lies beside it."""
    format: str | None = None
    """The format of the file, where its name does not say it."""
    separator: str | None = None
    """What separates fields."""
    encoding: str | None = None
    """How a text file is encoded."""
    header: bool | None = None
    """Whether the first row names the columns."""
    decimal: Literal[",", "."] | None = None
    """What stands before decimals in a text file."""
    thousands: Literal["", ".", ",", "'", "’", " ", "\u00a0", "\u202f"] | None = None
    """What stands between thousands in a text file."""
    date_format: str | None = None
    """How dates are written in a text file, as in %d/%m/%Y."""
    formulas: Literal["keep", "escape"] = "keep"
    """What becomes of texts that a spreadsheet would take for a formula: escape puts an apostrophe before them."""

    _dates = field_validator("date_format")(with_location(_whole_date_format))

    @model_validator(mode="before")
    @classmethod
    def _short(cls, value: object) -> object:
        return _named(value, "path")

    _safe = field_validator("path")(with_location(_without_password))


class Acceptance(ProjectPart):
    """Why a column leaves as it is though it tells people apart, and who answers for that."""

    why: str = Field(min_length=1)
    """Why nobody outside can know it; a text alone is this."""
    by: str = Field(default_factory=user_name, min_length=1)
    """Who answers for it; whoever runs it unless given."""
    on: date = Field(default_factory=date.today)
    """When it was accepted; today unless given."""

    @model_serializer
    def _whole(self) -> dict[str, str]:
        """All of it: what is left out of a document would be another day's, and another person's."""
        return {"by": self.by, "on": self.on.isoformat(), "why": self.why}

    @model_validator(mode="before")
    @classmethod
    def _short(cls, value: object) -> object:
        return _named(value, "why")


def _weight(value: Any) -> Any:
    """A weight that was said as a word, as a number."""
    return WEIGHT_WORDS.get(value.replace("-", " "), value) if isinstance(value, str) else value


Weight = Annotated[
    float,
    Field(gt=0, allow_inf_nan=False),
    BeforeValidator(
        _weight, json_schema_input_type=Annotated[float, Field(gt=0)] | Literal["important", "may go"]
    ),
]
"""How much a column counts."""
WEIGHT_WORDS = {"important": 4.0, "may go": 0.25}
"""Weights that can be said as words."""


class ColumnPlan(ProjectPart):
    """What one column is and what is done to it."""

    type: ColumnType | None = None
    """What its values are, where that is not to be found out."""
    length: int | None = Field(default=None, gt=0)
    """The length of its longest text."""
    role: Role | None = None
    """What it tells about a person; a column without a role is common unless it would tell people apart."""
    operation: ColumnOperations = ()
    """What is done to its values, one operation or several in order."""
    hierarchy: HierarchyLike | None = None
    """What its values become level by level: a file, one of ``hierarchies``, rows, or groups of groups."""
    accepted: Acceptance | None = None
    """Who answers for it, and why, where it tells people apart and leaves all the same."""
    weight: Weight = 1.0
    """How much it counts in the measures, as a quasi-identifier: a number, ``important`` (4) or ``may go`` (0.25)."""
    finest: int | None = Field(default=None, ge=0)
    """The lowest level of its hierarchy that may be released, as a quasi-identifier."""
    coarsest: int | None = Field(default=None, ge=0)
    """The highest level of its hierarchy that may be released: rather rows are left out, where some may go."""
    keep_type: bool | None = None
    """Whether a local recoding leaves it values of its type (true), labels (false) or what the technique does."""

    @model_validator(mode="before")
    @classmethod
    def _short(cls, value: object) -> object:
        return {} if value is None else _named(value, "role")

    @model_validator(mode="after")
    def _has_levels(self) -> "ColumnPlan":
        if self.finest is not None and self.coarsest is not None and self.finest > self.coarsest:
            raise ValueError(
                say(
                    "the finest level {finest} is above the coarsest {coarsest}",
                    finest=self.finest,
                    coarsest=self.coarsest,
                )
            )
        return self

    @property
    def is_dropped(self) -> bool:
        """Whether the column does not leave: an identifier that no operation makes something else of."""
        removed = any(operation.removes_column for operation in self.operation)
        is_changed = any(operation.name != "keep" for operation in self.operation)
        return removed or (self.role is Role.IDENTIFIER and not is_changed)

    @property
    def is_masked(self) -> bool:
        """Whether an operation changes its values, or says what becomes of missing ones."""
        return any(
            operation.name != "keep" or operation.missing is not MissingValues.KEEP
            for operation in self.operation
        )

    def column(self, name: str) -> Column | None:
        """The column as tables declare it, if a type is given."""
        return None if self.type is None else Column(name, self.type, self.length)


class PopulationPlan(ProjectPart):
    """The people of whom the table holds some: in a table, as the fraction that it holds, or by weights."""

    source: Source | None = None
    """A table with all of them, with the same names of columns; a text alone is its path."""
    fraction: float | None = Field(default=None, gt=0, le=1)
    """The share of the population that the table holds."""
    weight: str | None = None
    """The column that says how many people of the population each row stands for."""

    @model_validator(mode="before")
    @classmethod
    def _short(cls, value: object) -> object:
        return {"fraction": value} if isinstance(value, int | float) else _named(value, "source")


class KnowledgePlan(ProjectPart):
    """How exactly an attacker knows a column."""

    within: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    """How far off the known number may be, in the column's own unit; days for dates."""
    error: float = Field(default=0.0, ge=0, lt=1)
    """The share of people of whom another value is believed."""

    @model_validator(mode="before")
    @classmethod
    def _short(cls, value: object) -> object:
        return {} if value in (None, "exact", "exactly") else value


class AttackerPlan(ProjectPart):
    """What somebody who attacks the release is assumed to know."""

    knows: dict[str, KnowledgePlan] = Field(default_factory=dict)
    """The columns known, and how exactly; all quasi-identifiers exactly unless given."""
    source: Source | None = None
    """The table that the attacker holds, if it is not rows of the original."""
    people: int = Field(default=2_000, gt=0)
    """How many people are attacked."""
    sides: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """The columns of two sources that tell of the same people, to be linked; what is known dealt out unless given."""

    @model_validator(mode="before")
    @classmethod
    def _short(cls, value: object) -> object:
        if isinstance(value, dict) and isinstance(value.get("knows"), list | tuple):
            return {**value, "knows": dict.fromkeys(value["knows"])}
        return value


class StudyPlan(ProjectPart):
    """What a study tries: every k with every choice of quasi-identifiers, and models trained on each release."""

    k: tuple[Annotated[int, Field(ge=2)], ...] = Field(default=(2, 5, 10, 25, 50, 100), min_length=1)
    """The values of k, each in place of the one that the project asks for."""
    quasi_identifiers: tuple[Annotated[int, Field(ge=1)] | tuple[str, ...], ...] = ()
    """How many of the quasi-identifiers, in their order, or which; the others are common then. All unless given."""
    models: tuple[str, ...] = Field(
        default=("decision-tree", "random-forest", "logistic-regression"), min_length=1
    )
    """What learns from every release, by name."""
    folds: int = Field(default=5, ge=2)
    """Into how many parts rows are dealt out: each is predicted by models that learnt from the others."""
    repeats: int = Field(default=1, ge=1)
    """How often they are dealt out anew."""
    control: float = Field(default=0.25, gt=0, lt=1)
    """The share of people who are kept out of every release, to tell what models know of anybody."""
    measures: tuple[str, ...] = ("risk",)
    """What else every release is measured by: names, or risk, attack, utility."""


class LedgerPlan(ProjectPart):
    """Where releases are recorded, and what a new one may not reveal together with those before it."""

    file: str | None = None
    """The ledger; begun with the first release. A text alone is its path."""
    recipient: str = ""
    """For whom the releases are; for everybody unless given."""
    person: str | None = None
    """The column that tells who somebody is in every release; it need not leave. That of the table unless given."""
    key: str | None = None
    """The name of the key that seals the ledger and hides who is in which class; the default one unless given."""
    together: Literal["all", "same"] | tuple[str, ...] = "all"
    """Recipients who may share what they get: all, only the same, or those named besides."""
    broken: Literal["stop", "suppress", "record"] = "stop"
    """If a release breaks a promise together with earlier ones: stop, leave out rows so that it does not, or go on."""

    @model_validator(mode="before")
    @classmethod
    def _short(cls, value: object) -> object:
        return _named(value, "file")


class ProcessingPlan(ProjectPart):
    """What a record of processing says that no table knows."""

    controller: str = ""
    """Who decides why and how data are processed, with an address; the owner of the project unless given."""
    contact: str = ""
    """How the controller is reached."""
    representative: str = ""
    """Who represents a controller from elsewhere, and joint controllers."""
    officer: str = ""
    """The data protection officer, and how to reach them."""
    basis: str = ""
    """What permits the processing: consent, a law, an interest."""
    subjects: str = ""
    """The people whom the data are about, as in patients of the hospital."""
    obtained: str = ""
    """How the data were obtained."""
    processors: tuple[str, ...] = ()
    """Who processes the data for the controller."""
    transfers: str = ""
    """Countries and organisations that data go to, with the safeguards; none should be said too."""
    retention: str = ""
    """When the data are erased."""
    security: str = ""
    """What protects the data besides what the project itself says."""
    rights: str = ""
    """Where people ask for access, rectification and erasure."""
    policy: str = ""
    """Where the policy of processing can be read."""
    necessity: str = ""
    """Why the processing is necessary, and not more than that."""


COMPARED_MODELS = ("majority", "one-rule", "naive-bayes", "linear-svm", "libsvm", "liblinear", "c4.5")
"""The models of the published comparison, in its order."""
COMPARED_MEASURES = ("singled-out", "linkage", "linkage-expected", "inference", "distance-linkage")
"""What every table of a comparison is measured by unless said."""


class ComparePlan(ProjectPart):
    """What a comparison tries: techniques, each alone or in a chain, and models trained on the table of each."""

    techniques: tuple[str, ...] = ()
    """As in mdav(k=3), or coarse = cpda-generalization(ranges=2) + noise: steps with parameters, maybe under a name."""
    others: dict[str, str] = Field(default_factory=dict)
    """Tables anonymized elsewhere: the path of each, by the name it is to have."""
    models: tuple[str, ...] = Field(default=COMPARED_MODELS, min_length=1)
    """What learns from every table, by name, with parameters in brackets; the class is the table's first target."""
    folds: int = Field(default=10, ge=2)
    """Into how many parts rows are dealt out: each is predicted by models that learnt from the others."""
    repeats: int = Field(default=1, ge=1)
    """How often they are dealt out anew."""
    measures: tuple[str, ...] = COMPARED_MEASURES
    """The risks that every table is measured by: names, or risk, attack."""
    scaled: bool = True
    """Whether models also learn from the original with its numbers on one scale."""
