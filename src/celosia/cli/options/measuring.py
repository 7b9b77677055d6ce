"""Options of measuring: what an attacker knows, which measures and rules are asked for, and where answers go."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from celosia.cli import completion
from celosia.cli.charts import prepare_charts
from celosia.cli.destination import ensure_free
from celosia.cli.options.declare import option

__all__ = ["AttackerOptions", "MeasureOptions", "MeasureOutputOptions"]


@dataclass(frozen=True)
class MeasureOptions:
    """Which table of a project is measured, and by which measures and rules."""

    name: Annotated[str | None, option("--of", "NAME", "Which table of a project that has several.")] = None
    measures: Annotated[
        list[str],
        option(
            "--measures",
            "NAMES",
            "Measures, or all of a family: risk, attack, utility; all by default, `celosia measures` lists them.",
            autocompletion=completion.release_measures,
        ),
    ] = field(default_factory=list)
    rules: Annotated[
        list[str],
        option(
            "--rules",
            "NAMES",
            "Hold the answers against rules: hipaa, gdpr, ley-1581, ley-18331, lopdgdd, or all.",
            autocompletion=completion.rule_sets,
        ),
    ] = field(default_factory=list)


@dataclass(frozen=True)
class AttackerOptions:
    """What an attacker, or whoever measures, knows besides the two tables."""

    target: Annotated[
        list[str],
        option(
            "--target",
            "COLUMNS",
            "Columns that somebody wants to predict; may be repeated.",
            panel="Measuring",
        ),
    ] = field(default_factory=list)
    control: Annotated[
        str | None,
        option(
            "--control",
            "TABLE",
            "People like those of the table, but not in it: what is learnt about them too is not the release's fault.",
            panel="Measuring",
            autocompletion=completion.files,
        ),
    ] = None
    population: Annotated[
        str | None,
        option(
            "--population",
            "TABLE",
            "Table of the people of whom the original holds some, with the same names of columns.",
            panel="Measuring",
            autocompletion=completion.files,
        ),
    ] = None
    population_fraction: Annotated[
        str | None,
        option(
            "--population-fraction",
            "SHARE",
            "The share of the population that the original holds, as in 0.1 or 10%.",
            panel="Measuring",
        ),
    ] = None
    weight_column: Annotated[
        str | None,
        option(
            "--weight-column",
            "COLUMN",
            "Column that says how many people of the population each row stands for.",
            panel="Measuring",
        ),
    ] = None
    knows: Annotated[
        list[str],
        option(
            "--knows",
            "COLUMN[=NUMBER]",
            "What an attacker knows, exactly or up to a number, as in age=2; all quasi-identifiers by default.",
            panel="Measuring",
        ),
    ] = field(default_factory=list)
    people: Annotated[
        int | None,
        option("--people", "NUMBER", "How many people are attacked; 2,000 by default.", panel="Measuring"),
    ] = None
    key: Annotated[
        str | None,
        option(
            "--key",
            "COLUMN",
            "Column of both tables by which rows are known to be the same people's.",
            panel="Measuring",
        ),
    ] = None
    same_order: Annotated[
        bool,
        option("--same-order", None, "The rows of both tables are the same people's.", panel="Measuring"),
    ] = False
    threshold: Annotated[
        int,
        option(
            "--threshold", "ROWS", "Classes under this size are at risk; 5 by default.", panel="Measuring"
        ),
    ] = 5
    seed: Annotated[
        int | None,
        option(
            "--seed", "NUMBER", "Of attacks and models; the same each time by default.", panel="Measuring"
        ),
    ] = None


@dataclass(frozen=True)
class MeasureOutputOptions:
    """The files that answers are written to."""

    row_risks: Annotated[
        Path | None,
        option("--row-risks", "FILE", "Write the release with the risk of every row, for its keeper only."),
    ] = None
    charts: Annotated[
        Path | None, option("--charts", "FOLDER", "Draw the answers there, as --chart-format says.")
    ] = None
    chart_format: Annotated[str, option("--chart-format", "NAME", "html (the default), svg or png.")] = "html"
    out: Annotated[
        Path | None, option("--out -o", "FILE", "Write all answers, with their details, as JSON.")
    ] = None
    overwrite: Annotated[bool, option("--overwrite", None, "Replace files of the same names.")] = False

    def ensure_writable(self) -> None:
        """Refuse to replace a file that is there, and formats of charts that there are not."""
        for path in (self.out, self.row_risks):
            if path is not None:
                ensure_free(path, overwrite=self.overwrite)
        if self.charts is not None:
            prepare_charts(self.charts, self.chart_format)
