"""From the texts of the options to what the other rooms understand; whatever a person can mistype is caught here."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from celosia.api.comparing import split_outside
from celosia.api.hierarchies import find_hierarchies
from celosia.api.opening import ask_passwords, column_names, read_types
from celosia.api.registries import parse_model, parse_named_model
from celosia.api.requests import (
    ColumnRoles,
    PopulationSource,
    ReleaseGoals,
    ReleaseRequest,
    TableDestination,
    TableSource,
    TechniqueChoice,
)
from celosia.cli.cluster import is_read_by_spark, parse_settings, progress_on_spark
from celosia.cli.language import render
from celosia.cli.options import (
    ClusterOptions,
    GoalOptions,
    HierarchyOptions,
    MaskOptions,
    ModelOptions,
    ReadingOptions,
    RoleOptions,
    TechniqueOptions,
)
from celosia.errors import ProjectError
from celosia.say import say
from celosia.types import Column, ColumnType, nearest

if TYPE_CHECKING:
    from celosia.api.results import PrivacyModel, Progress

__all__ = [
    "ALWAYS_MISSING",
    "Passwords",
    "TableRequest",
    "ensure_passwords",
    "parse_fraction",
    "parse_k",
    "parse_node",
    "parse_numbers",
    "parse_share",
    "parse_size",
    "split_list",
    "split_names",
    "split_pair",
]

ALWAYS_MISSING = ""
USUALLY_MISSING = ("?", "NA")


class Passwords:
    """Asks the person at the terminal for passwords, for each once; what is typed is not shown."""

    def __init__(self) -> None:
        self._answers: dict[str, str] = {}

    @property
    def can_ask(self) -> bool:
        """Whether somebody sits there."""
        import sys

        return sys.stdin.isatty()

    def __call__(self, question: str) -> str:
        """The answer to a question, such as ``Password of postgresql://host/database:``."""
        if question not in self._answers:
            if not self.can_ask:
                raise ProjectError(
                    say("a password is needed, and nobody can be asked"),
                    where=render(question).removesuffix(": "),
                    remedy=say("set CELOSIA_PASSWORD, or use a keyring"),
                )
            import getpass

            self._answers[question] = getpass.getpass(render(question))
        return self._answers[question]


@dataclass(frozen=True)
class TableRequest:
    """A table and how to read it, with the columns that the options name."""

    table: str
    reading: ReadingOptions
    cluster: ClusterOptions = field(default_factory=ClusterOptions)
    ask: Passwords = field(default_factory=Passwords)

    @cached_property
    def source(self) -> TableSource:
        """The table, as the options say where it is and how it is read."""
        given = self.reading
        return TableSource(
            self.table,
            tables=tuple(given.tables),
            where=given.where,
            separator=None if given.separator is None else given.separator.replace("\\t", "\t"),
            encoding=given.encoding,
            header=given.header,
            missing=parse_markers(given.missing),
            types={name: str(column.type) for name, column in self.declared.items()},
            format=given.format,
            engine=None if self.settings is None else "spark",
            spark=self.settings,
        )

    @cached_property
    def settings(self) -> dict[str, str] | None:
        """Those of the session in which Spark reads the table; None if it does not."""
        has_spark = is_read_by_spark(self.table, self.cluster)
        found = parse_settings(self.cluster, has_spark=has_spark)
        return found if has_spark else None

    @contextmanager
    def at_work(self, out: str | None = None) -> "Iterator[Progress]":
        """A progress bar, and Spark if it has work to do: what comes from there and goes to ``out``."""
        with progress_on_spark(self.settings, (self.table, out)) as progress:
            yield progress

    def ensure_passwords(self, out: str | None = None) -> None:
        """Ask for passwords that will be needed, of the destination ``out`` too, before a progress bar runs."""
        ensure_passwords(self.ask, self.table, out)

    def names(self, texts: Sequence[str]) -> list[str]:
        """The columns that an option names."""
        return split_names(texts, lambda: self.columns)

    def request(
        self,
        *,
        roles: RoleOptions,
        person: str | None = None,
        hierarchies: HierarchyOptions,
        models: ModelOptions,
        goal: GoalOptions,
        technique: TechniqueOptions | None = None,
        masks: MaskOptions | None = None,
        seed: int | None = None,
        destination: TableDestination | None = None,
    ) -> ReleaseRequest:
        """The release that the options ask for."""
        named = self.roles(roles, person)
        return ReleaseRequest(
            source=self.source,
            roles=named,
            models=tuple(parse_models(models, named.sensitive)),
            hierarchies=self.hierarchies(hierarchies, named.with_hierarchies),
            weights=parse_weights(goal.weight, named.quasi_identifiers),
            finest=parse_levels(goal.finest, named.quasi_identifiers, option="--finest"),
            coarsest=parse_levels(goal.coarsest, named.quasi_identifiers, option="--coarsest"),
            keep_type={} if technique is None else self.keep_type(technique),
            masks={} if masks is None else self.masks(masks),
            population=PopulationSource(models.population, parse_fraction(models.population_fraction)),
            technique=TechniqueChoice() if technique is None else self.technique(technique),
            goals=ReleaseGoals(
                suppression=parse_share(goal.suppression, option="--suppression"),
                measure=goal.measure,
                missing=goal.missing_policy,
                unknown=goal.unknown,
                same_labels=goal.same_labels or None,
                keep_numbers=goal.keep_numbers or None,
                seed=seed,
            ),
            destination=destination or TableDestination(),
        )

    def technique(self, asked: TechniqueOptions) -> TechniqueChoice:
        """The technique and those of its parameters that were given."""
        given: dict[str, Any] = {
            "search": asked.search,
            "seconds": asked.seconds,
            "node": parse_node(asked.node),
            "split": asked.split,
            "represent": asked.represent,
            "width": asked.width,
            "relaxed": asked.relaxed,
            "target": _one_or_all(self.names(asked.target)),
            "score": asked.score,
            "numbers": asked.numbers,
            "partitions": asked.partitions,
            "k_partition": asked.k_partition,
            "memory": None if asked.memory is None else parse_size(asked.memory, option="--memory"),
        }
        return TechniqueChoice.of(
            asked.technique, {name: value for name, value in given.items() if value is not None}
        )

    def keep_type(self, asked: TechniqueOptions) -> dict[str, bool]:
        """Columns that keep their type, and those that show labels instead."""
        kept = dict.fromkeys(self.names(asked.keep_type), True)
        for name in self.names(asked.labels):
            if name in kept:
                raise ProjectError(
                    say("{name!r} cannot keep its type and show labels", name=name),
                    where="--labels",
                    remedy=say("name it in one of --keep-type and --labels"),
                )
        return kept | dict.fromkeys(self.names(asked.labels), False)

    def roles(self, roles: RoleOptions, person: str | None = None) -> ColumnRoles:
        """The columns of each role, and the one that tells people apart."""
        return ColumnRoles(
            quasi_identifiers=tuple(self.names(roles.qi)),
            sensitive=tuple(self.names(roles.sensitive)),
            identifiers=tuple(self.names(roles.identifier)),
            common=tuple(self.names(roles.common)),
            accepted=dict(self._accepted(text) for text in roles.accept),
            person=person,
        )

    def _accepted(self, text: str) -> tuple[str, str]:
        """A column and the reason, in which there may be the sign between them."""
        names = self.columns if text.count("=") > 1 else ()
        example = "cost='nobody outside knows it'"
        return split_pair(text, names, option="--accept", example=example)

    def masks(self, masks: MaskOptions) -> dict[str, str]:
        """What is done to columns, as it was typed: the name of a column may hold what stands between the two."""
        found: dict[str, str] = {}
        for text in masks.mask:
            places = [place for place, letter in enumerate(text) if letter == "="]
            fitting = [place for place in places if text[:place] in self.columns] or places[:1]
            if not fitting or not text[fitting[-1] + 1 :]:
                raise ProjectError(
                    say("{text!r} is not understood", text=text),
                    where="--mask",
                    remedy=say(
                        "write it as in {option} {example}", option="--mask", example="cost=round:to=500"
                    ),
                )
            column, operations = text[: fitting[-1]], text[fitting[-1] + 1 :]
            if column in found:
                raise ProjectError(
                    say("{name!r} is masked twice", name=column),
                    where="--mask",
                    remedy=say("write all that is done to it once, as in code:top=90+round:to=5"),
                )
            found[column] = operations
        return found

    def hierarchies(self, files: HierarchyOptions, columns: Sequence[str]) -> dict[str, str]:
        """The file of each column that has one: named by hand, or else found in the folder."""
        pairs = [
            split_pair(text, columns, option="--hierarchy", example="age=ages.csv") for text in files.files
        ]
        for column, path in pairs:
            if column not in columns:
                raise ProjectError(
                    say("{column!r} is not a column that takes a hierarchy here", column=column),
                    where=f"--hierarchy {column}={path}",
                    remedy=nearest(column, tuple(columns))
                    if columns
                    else say("name the column in --qi or --sensitive"),
                )
        found = {} if files.folder is None else find_hierarchies(files.folder, columns)
        return {column: str(path) for column, path in {**found, **dict(pairs)}.items()}

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The names of the table's columns."""
        return column_names(self.source, ask=self.ask)

    @cached_property
    def declared(self) -> "dict[str, Column]":
        """Types and lengths of columns, as a file says and options do."""
        declared: dict[str, Column] = {}
        if self.reading.types_file is not None:
            declared |= {column.name: column for column in read_types(self.reading.types_file)}
        for text in self.reading.column_types:
            column, kind = split_pair(text, (), option="--type", example="zip=text")
            if kind not in set(ColumnType):
                raise ProjectError(
                    say("there is no type {kind!r}", kind=kind),
                    where=f"--type {text}",
                    remedy=say("choose {names}", names=", ".join(ColumnType)),
                )
            declared[column] = Column(column, ColumnType(kind))
        return declared


def ensure_passwords(ask: Passwords, source: str | None, out: str | None = None) -> None:
    """Ask for the passwords of databases that a table comes from and goes to, before a progress bar runs."""
    if ask.can_ask:
        ask_passwords(ask, source, out)


def split_names(texts: Iterable[str], columns: Callable[[], Sequence[str]]) -> list[str]:
    """Names from texts with commas between them; a text that is a column's name is not split.

    >>> split_names(["age, sex", "last, first"], lambda: ["age", "sex", "last, first"])
    ['age', 'sex', 'last, first']
    """
    names: list[str] = []
    for text in texts:
        if "," not in text or text in (known := columns()):
            names.append(text)
        else:
            parts = (part if part in known else part.strip() for part in text.split(","))
            names += [part for part in parts if part]
    return names


def split_list(texts: Iterable[str]) -> tuple[str, ...]:
    """What stands between commas outside of brackets and quotes.

    >>> split_list(["mdav(k=3, seed=1), noise", "pram"])
    ('mdav(k=3, seed=1)', 'noise', 'pram')
    """
    parts = (part.strip() for text in texts for part in split_outside(text, ","))
    return tuple(part for part in parts if part)


def parse_numbers(texts: Iterable[str], *, option: str) -> tuple[int, ...]:
    """Whole numbers between commas.

    >>> parse_numbers(["1, 6,12"], option="--qi-counts")
    (1, 6, 12)
    """
    try:
        return tuple(int(part) for part in split_list(texts))
    except ValueError:
        raise ProjectError(
            say("{text!r} are no numbers", text=",".join(texts)),
            where=option,
            remedy=say("write them as in 1,6,12"),
        ) from None


def split_pair(text: str, names: Sequence[str], *, option: str, example: str) -> tuple[str, str]:
    """A column and what is said about it; both may hold the sign between them.

    >>> split_pair("a=b=c.csv", ["a=b"], option="--hierarchy", example="age=ages.csv")
    ('a=b', 'c.csv')
    """
    places = [place for place, letter in enumerate(text) if letter == "="]
    fitting = [place for place in places if text[:place] in names] or places[-1:]
    if not fitting or not text[: fitting[-1]] or not text[fitting[-1] + 1 :]:
        raise ProjectError(
            say("{text!r} is not understood", text=text),
            where=option,
            remedy=say("write it as in {option} {example}", option=option, example=example),
        )
    return text[: fitting[-1]], text[fitting[-1] + 1 :]


def _one_or_all(names: Sequence[str]) -> str | tuple[str, ...] | None:
    """Several names, or the only one as a text, as techniques that take one want it; None where there is none."""
    if len(names) > 1:
        return tuple(names)
    return names[0] if names else None


def parse_k(text: str) -> int:
    """How many people somebody hides among.

    >>> parse_k("5")
    5
    """
    if not text.strip().isdecimal() or int(text) < 1:
        raise ProjectError(
            say("{text!r} is no value of k", text=text), where="-k", remedy=say("give a number, such as 5")
        )
    return int(text)


def parse_size(text: str, *, option: str) -> int:
    """Bytes from a text such as 2GB, 500 MB or 1.5GiB.

    >>> parse_size("1.5GB", option="--memory")
    1500000000
    """
    units = {"": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}
    units |= {"kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40}
    number = text.strip().lower().rstrip("bgikmt ")
    unit = text.strip().lower()[len(number) :].strip()
    try:
        size = int(float(number) * units[unit])
    except (ValueError, KeyError, OverflowError):
        size = 0
    if size <= 0:
        raise ProjectError(
            say("{text!r} is not a size", text=text), where=option, remedy=say("write it as in 2GB or 500MB")
        )
    return size


def parse_share(text: str, *, option: str) -> float:
    """A share, as a number up to 1 or in per cent.

    >>> parse_share("5%", option="--suppression"), parse_share("0.05", option="--suppression")
    (0.05, 0.05)
    """
    number = text.strip()
    try:
        share = float(number.removesuffix("%")) / (100 if number.endswith("%") else 1)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise ProjectError(
            say("{text!r} is not a share", text=text),
            where=option,
            remedy=say("give one from 0 to 1, such as 0.05, or 5%"),
        )
    return share


def parse_node(text: str | None) -> tuple[int, ...] | None:
    """One level per quasi-identifier.

    >>> parse_node("1,0,2")
    (1, 0, 2)
    """
    if text is None:
        return None
    try:
        return tuple(int(level) for level in text.split(","))
    except ValueError:
        raise ProjectError(
            say("{text!r} is not a node", text=text),
            where="--node",
            remedy=say("give one level per quasi-identifier, as in 1,0,2"),
        ) from None


def parse_markers(texts: Sequence[str]) -> tuple[str, ...]:
    """The texts that mean a missing value; the empty one always does.

    >>> parse_markers(["?,-"]), parse_markers([])
    (('', '?', '-'), ('', '?', 'NA'))
    """
    given = [marker for text in texts for marker in text.split(",")] if texts else USUALLY_MISSING
    return tuple(dict.fromkeys([ALWAYS_MISSING, *given]))


def parse_models(models: ModelOptions, sensitive: Sequence[str]) -> "list[PrivacyModel]":
    """The privacy models asked for, k-anonymity first."""
    asked: Mapping[str, Sequence[str]] = {
        "k": [] if models.k is None else [models.k],
        "l": models.diversity,
        "t": models.closeness,
    }
    short = [parse_model(option, text, sensitive) for option, texts in asked.items() for text in texts]
    return [*short, *(parse_named_model(text, sensitive) for text in models.named)]


def parse_fraction(text: str | None) -> float | None:
    """The share of the population that a table holds, more than nothing of it.

    >>> parse_fraction("10%")
    0.1
    """
    if text is None:
        return None
    share = parse_share(text, option="--population-fraction")
    if share == 0:
        raise ProjectError(
            say("a table that holds nobody of the population says nothing about it"),
            where="--population-fraction",
            remedy=say("give a share above 0, such as 0.1"),
        )
    return share


def parse_levels(texts: Iterable[str], columns: Sequence[str], *, option: str) -> dict[str, int]:
    """Levels of hierarchies by column.

    >>> parse_levels(["zip=1"], ["zip"], option="--finest")
    {'zip': 1}
    """
    levels = {}
    for text in texts:
        column, number = split_pair(text, columns, option=option, example="zip=1")
        if not number.isdecimal():
            raise ProjectError(
                say("{number!r} is not a level", number=number),
                where=f"{option} {text}",
                remedy=say("give a whole number; 0 are the values themselves"),
            )
        levels[column] = int(number)
    return levels


def parse_weights(texts: Iterable[str], columns: Sequence[str]) -> dict[str, float | str]:
    """How much columns count.

    >>> parse_weights(["sex=2", "zip=may-go"], ["sex", "zip"])
    {'sex': 2.0, 'zip': 'may go'}
    """
    weights: dict[str, float | str] = {}
    for text in texts:
        column, number = split_pair(text, columns, option="--weight", example="sex=2")
        if number in ("important", "may-go", "may go"):
            weights[column] = number.replace("-", " ")
            continue
        try:
            weights[column] = float(number)
        except ValueError:
            weights[column] = 0.0
        if not 0 < float(weights[column]) < float("inf"):
            raise ProjectError(
                say("{number!r} is not a weight", number=number),
                where=f"--weight {text}",
                remedy=say("say important or may-go, or give a number above 0, such as 2"),
            )
    return weights
