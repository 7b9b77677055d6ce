"""What the options say about a table, as the request that the api takes."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from celosia.api.hierarchies import find_hierarchies
from celosia.api.opening import column_names, read_types
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
from celosia.cli.language import spoken_labels
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
from celosia.cli.parse_options import (
    parse_fraction,
    parse_levels,
    parse_markers,
    parse_models,
    parse_node,
    parse_share,
    parse_size,
    parse_weights,
    split_names,
    split_pair,
)
from celosia.cli.passwords import Passwords, ensure_passwords
from celosia.errors import ProjectError
from celosia.say import say
from celosia.types import Column, ColumnType, nearest

if TYPE_CHECKING:
    from celosia.api.results import Progress

__all__ = ["TableRequest"]


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
        reading = self.reading
        return TableSource(
            self.table,
            tables=tuple(reading.tables),
            where=reading.where,
            separator=None if reading.separator is None else reading.separator.replace("\\t", "\t"),
            encoding=reading.encoding,
            header=reading.header,
            missing=parse_markers(reading.missing),
            decimal=reading.decimal,
            thousands=reading.thousands,
            date_format=reading.date_format,
            quote=reading.quote,
            types={name: str(column.type) for name, column in self.declared.items()},
            format=reading.format,
            engine=None if self.settings is None else "spark",
            spark=self.settings,
        )

    @cached_property
    def settings(self) -> dict[str, str] | None:
        """The settings of the session in which Spark reads the table; None if Spark does not read it."""
        has_spark = is_read_by_spark(self.table, self.cluster)
        settings = parse_settings(self.cluster, has_spark=has_spark)
        return settings if has_spark else None

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
        as_json: bool = False,
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
                language=spoken_labels(as_json=as_json),
                seed=seed,
            ),
            destination=destination or TableDestination(),
        )

    def technique(self, asked: TechniqueOptions) -> TechniqueChoice:
        """The technique and those of its parameters that were given."""
        parameters: dict[str, Any] = {
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
            asked.technique, {name: value for name, value in parameters.items() if value is not None}
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
        operations_by_column: dict[str, str] = {}
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
            if column in operations_by_column:
                raise ProjectError(
                    say("{name!r} is masked twice", name=column),
                    where="--mask",
                    remedy=say("write all that is done to it once, as in code:top=90+round:to=5"),
                )
            operations_by_column[column] = operations
        return operations_by_column

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
        in_folder = {} if files.folder is None else find_hierarchies(files.folder, columns)
        return {column: str(path) for column, path in {**in_folder, **dict(pairs)}.items()}

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
            try:
                declared[column] = Column(column, ColumnType(kind))
            except ValueError as error:
                raise ProjectError(
                    say("there is no type {kind!r}", kind=kind),
                    where=f"--type {text}",
                    remedy=say("choose {names}", names=", ".join(ColumnType)),
                ) from error
        return declared


def _one_or_all(names: Sequence[str]) -> str | tuple[str, ...] | None:
    """Several names, or the only one as a text, as techniques that take one want it; None where there is none."""
    if len(names) > 1:
        return tuple(names)
    return names[0] if names else None
