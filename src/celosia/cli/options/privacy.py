"""Options about the privacy models that a release promises, and what may be given up for them."""

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Annotated, Any

from celosia.cli import completion
from celosia.cli.options.declare import option

if TYPE_CHECKING:
    from celosia.cli.completion import Completion

__all__ = ["GoalOptions", "ModelOptions", "PromiseOptions"]


@dataclass(frozen=True)
class PromiseOptions:
    """The privacy models asked for besides k-anonymity."""

    diversity: Annotated[
        list[str],
        option(
            "-l",
            "[COLUMN=][KIND:]L",
            "l-diversity, as in 3, entropy:3 or disease=recursive:2:3; may be repeated.",
            panel="Privacy",
            autocompletion=completion.diversity,
        ),
    ] = field(default_factory=list)
    closeness: Annotated[
        list[str],
        option(
            "-t",
            "[COLUMN=][KIND:]T",
            "t-closeness, as in 0.2, ordered:0.2, pain=ordered:0.2:low,middle,high or salary=hierarchical:0.2; may be "
            "repeated.",
            panel="Privacy",
            autocompletion=completion.closeness,
        ),
    ] = field(default_factory=list)
    named: Annotated[
        list[str],
        option(
            "--model",
            "NAME:PARAMETERS",
            "Any privacy model, as in k-map:k=5 or beta-likeness:beta=2,column=disease; see `models`; may be repeated.",
            panel="Privacy",
            autocompletion=completion.named_models,
        ),
    ] = field(default_factory=list)
    population: Annotated[
        str | None,
        option(
            "--population",
            "TABLE",
            "A table of all people of whom this one holds some, with the same columns, for models that look at it.",
            panel="Privacy",
            autocompletion=completion.files,
        ),
    ] = None
    population_fraction: Annotated[
        str | None,
        option(
            "--population-fraction",
            "SHARE",
            "The share of the population that the table holds, as in 0.1 or 10%, for models that estimate.",
            panel="Privacy",
        ),
    ] = None

    def with_k(self, k: str) -> "ModelOptions":
        """The same models, and k-anonymity with this k besides."""
        return ModelOptions(**{field.name: getattr(self, field.name) for field in fields(self)}, k=k)


@dataclass(frozen=True)
class ModelOptions(PromiseOptions):
    """The privacy models asked for."""

    k: Annotated[
        str | None, option("-k", "K", "k-anonymity: rows that a person hides among.", panel="Privacy")
    ] = None
    known: Annotated[
        int | None,
        option(
            "--known",
            "NUMBER",
            "Promise k and l only to whoever knows up to so many quasi-identifiers, any of them (k^m-anonymity).",
            panel="Privacy",
        ),
    ] = None
    attackers: Annotated[
        list[str],
        option(
            "--attacker",
            "WHO: COLUMNS; k=K",
            'Somebody who knows only these quasi-identifiers, as in "neighbour: age,sex,zip; k=5"; may be repeated.',
            panel="Privacy",
        ),
    ] = field(default_factory=list)


def _search(names: str, metavar: str | None, help: str, autocompletion: "Completion | None" = None) -> Any:
    return option(names, metavar, help, panel="Search", autocompletion=autocompletion)


@dataclass(frozen=True)
class GoalOptions:
    """What may be given up and what is worth keeping."""

    suppression: Annotated[
        str,
        _search(
            "--suppression", "SHARE", "Rows that may be left out whole, as in 0.05 or 5%; none by default."
        ),
    ] = "0"
    measure: Annotated[
        str,
        _search(
            "--measure",
            "NAME",
            "What is to be lowest; loss by default, `celosia measures` lists all.",
            autocompletion=completion.measures,
        ),
    ] = "loss"
    weight: Annotated[
        list[str],
        _search(
            "--weight",
            "COLUMN=WEIGHT",
            "How much a column counts in the measure: sex=important, zip=may-go, or a number; may be repeated.",
            autocompletion=completion.pairs,
        ),
    ] = field(default_factory=list)
    finest: Annotated[
        list[str],
        _search(
            "--finest",
            "COLUMN=LEVEL",
            "The lowest level of its hierarchy that a column may be released at, as in zip=1; may be repeated.",
            autocompletion=completion.pairs,
        ),
    ] = field(default_factory=list)
    coarsest: Annotated[
        list[str],
        _search(
            "--coarsest",
            "COLUMN=LEVEL",
            "The highest level of its hierarchy that a column may be released at, as in zip=3; may be repeated.",
            autocompletion=completion.pairs,
        ),
    ] = field(default_factory=list)
    same_labels: Annotated[
        bool, _search("--same-labels", None, "A value becomes the same label in the whole table.")
    ] = False
    keep_numbers: Annotated[
        bool, _search("--keep-numbers", None, "Quasi-identifiers that are numbers stay numbers.")
    ] = False
    missing_policy: Annotated[
        str,
        _search(
            "--missing-policy",
            "POLICY",
            "A missing value is a category (the default), or drop leaves its row out, or it becomes the mode.",
            autocompletion=completion.missing_policies,
        ),
    ] = "category"
    unknown: Annotated[
        str,
        _search(
            "--unknown",
            "POLICY",
            "A value that its hierarchy lacks is an error (the default), or suppress leaves its rows out.",
            autocompletion=completion.unknown_policies,
        ),
    ] = "error"
