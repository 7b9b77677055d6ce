"""Options of comparisons and studies: what is compared, how models learn, and where the answers go."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from celosia.api.projects import ComparisonChanges
from celosia.cli import completion
from celosia.cli.options.declare import option
from celosia.cli.parse_options import split_list
from celosia.errors import ProjectError
from celosia.say import say

__all__ = ["AnswerOptions", "ComparedTableOptions", "ComparisonOptions", "LookOptions"]


@dataclass(frozen=True)
class LookOptions:
    """Whether the table is only shown, and which of its rows."""

    look: Annotated[
        bool,
        option(
            "--look", None, "Only show the table: columns, statistics, values against the class, and rows."
        ),
    ] = False
    rows: Annotated[
        str | None, option("--show-rows", "FROM-TO", "The rows that --look shows; 1-10 by default.")
    ] = None


@dataclass(frozen=True)
class ComparedTableOptions:
    """Which table is compared, what models predict in it, and what an attacker knows of it."""

    name: Annotated[str | None, option("--of", "NAME", "Which table of a project that has several.")] = None
    target: Annotated[
        str | None, option("--class", "COLUMN", "What models predict; the last column by default.")
    ] = None
    quasi_identifiers: Annotated[
        list[str],
        option(
            "--qi",
            "COLUMNS",
            "What an attacker knows, as in age,sex,zip; all but the class by default; may be repeated.",
            autocompletion=completion.columns,
        ),
    ] = field(default_factory=list)
    identifiers: Annotated[
        list[str],
        option(
            "--identifier",
            "COLUMNS",
            "Columns that are left out of every table; may be repeated.",
            autocompletion=completion.columns,
        ),
    ] = field(default_factory=list)


@dataclass(frozen=True)
class ComparisonOptions:
    """What is compared, by which models and measures."""

    techniques: Annotated[
        list[str],
        option(
            "--techniques",
            "TECHNIQUES",
            "What is compared, as in 'mdav(k=3), both = cpda-generalization + noise'; may be repeated.",
        ),
    ] = field(default_factory=list)
    others: Annotated[
        list[str],
        option("--other", "NAME=PATH", "A table anonymized elsewhere; may be given several times."),
    ] = field(default_factory=list)
    models: Annotated[
        list[str],
        option(
            "--models",
            "NAMES",
            "What learns from every table; may be repeated.",
            autocompletion=completion.learners,
        ),
    ] = field(default_factory=list)
    measures: Annotated[
        list[str],
        option(
            "--measures",
            "NAMES",
            "The risks that every table is measured by; may be repeated.",
            autocompletion=completion.release_measures,
        ),
    ] = field(default_factory=list)
    folds: Annotated[int | None, option("--folds", "NUMBER", "Parts that rows are dealt out into.")] = None
    repeats: Annotated[int | None, option("--repeats", "NUMBER", "How often they are dealt out.")] = None
    seed: Annotated[int | None, option("--seed", "NUMBER", "The same seed, the same answers.")] = None
    scaled: Annotated[
        bool | None,
        option("--scaled/--no-scaled", None, "Whether models also learn from the original on one scale."),
    ] = None

    def changes(self) -> ComparisonChanges:
        """What the options change in a project, or say of a table without one; the seed stands apart."""
        return ComparisonChanges(
            techniques=split_list(self.techniques) if self.techniques else None,
            others=_tables_by_name(self.others) if self.others else None,
            models=split_list(self.models) if self.models else None,
            measures=split_list(self.measures) if self.measures else None,
            folds=self.folds,
            repeats=self.repeats,
            scaled=self.scaled,
        )


@dataclass(frozen=True)
class AnswerOptions:
    """How answers are worked out and written: cores, what is kept for the next time, charts."""

    jobs: Annotated[int | None, option("--jobs", "NUMBER", "Cores to use; all by default.")] = None
    cached: Annotated[
        bool, option("--cache/--no-cache", None, "Whether answers are kept in the folder for the next time.")
    ] = True
    chart_format: Annotated[
        str, option("--chart-format", "NAME", "Charts as html (the default), svg or png.")
    ] = "html"
    overwrite: Annotated[bool, option("--overwrite", None, "Replace files of the same names.")] = False

    def cache(self, out: Path) -> Path | None:
        """The folder inside ``out`` in which answers are kept for the next time, if they are."""
        return out / "cache" if self.cached else None


def _tables_by_name(texts: Sequence[str]) -> dict[str, str]:
    """Paths of tables anonymized elsewhere, by the names that people gave them."""
    paths: dict[str, str] = {}
    for text in texts:
        name, sign, path = (part.strip() for part in text.partition("="))
        if not sign or not name:
            raise ProjectError(
                say("{text!r} names no table", text=text),
                where="--other",
                remedy=say("write it as in R=noisy.arff"),
            )
        if name in paths:
            raise ProjectError(
                say("two tables are called {name!r}", name=name),
                where="--other",
                remedy=say("give each a name of its own"),
            )
        paths[name] = path
    return paths
