"""The lists of what there is: models, techniques, operations, measures, rules, formats; added to by adding a file."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, get_args

if TYPE_CHECKING:
    from celosia.mask import ColumnOperation, Operation
    from celosia.measure.learning import LearningModel
    from celosia.measure.release_measure import ReleaseMeasure
    from celosia.measure.rules import RuleSet
    from celosia.measure.utility import Measure as UtilityMeasure
    from celosia.perturb import Perturbation
    from celosia.privacy import PrivacyModel
    from celosia.recode.techniques import Technique

__all__ = [
    "accepted_values",
    "ask_forms",
    "choose_measures",
    "choose_rules",
    "column_operations",
    "is_row_operation",
    "is_share",
    "learning_models",
    "limit_known",
    "make_model",
    "make_operation",
    "measure_families",
    "operations",
    "parse_attacker",
    "parse_model",
    "parse_named_model",
    "perturbations",
    "privacy_models",
    "release_measures",
    "rule_sets",
    "table_formats",
    "technique_scores",
    "techniques",
    "trains_models",
    "utility_measures",
]


def privacy_models() -> "Mapping[str, type[PrivacyModel]]":
    """Every privacy model by name.

    >>> "k-anonymity" in privacy_models()
    True
    """
    from celosia.privacy import MODELS

    return MODELS


def ask_forms(model: "type[PrivacyModel]") -> list[str]:
    """How the command line asks for a privacy model."""
    from celosia.privacy import ways_to_ask

    return ways_to_ask(model)


def parse_model(option: str, text: str, sensitive: Sequence[str] = ()) -> "PrivacyModel":
    """The privacy model that a short option (k, l, t) asks for with its text.

    >>> parse_model("k", "5").name
    'k-anonymity'
    """
    from celosia import privacy

    return privacy.parse_model(option, text, sensitive)


def parse_attacker(text: str, sensitive: Sequence[str] = ()) -> "PrivacyModel":
    """The attacker that a text describes: who, what they know, and what is asked.

    >>> parse_attacker("neighbour: age,sex; k=5").name
    'attacker'
    """
    from celosia import privacy

    return privacy.parse_attacker(text, sensitive)


def limit_known(
    models: "Sequence[PrivacyModel]", known: int, *, where: str = "known"
) -> "list[PrivacyModel]":
    """The same promises to whoever knows no more than so many quasi-identifiers.

    >>> [model.name for model in limit_known([parse_model("k", "5")], 3)]
    ['km-anonymity']
    """
    from celosia import privacy

    return privacy.limit_known(models, known, where=where)


def parse_named_model(text: str, sensitive: Sequence[str] = ()) -> "PrivacyModel":
    """The privacy model that a text names with its parameters.

    >>> parse_named_model("k-map:k=5").name
    'k-map'
    """
    from celosia import privacy

    return privacy.parse_named_model(text, sensitive)


def make_model(name: str, **parameters: object) -> "PrivacyModel":
    """The privacy model of that name with its parameters; what is wrong with them is told.

    >>> make_model("k-anonymity", k=5).name
    'k-anonymity'
    """
    from celosia.registered import make_registered

    model: PrivacyModel = make_registered(privacy_models(), name, parameters, what="model")
    return model


def techniques() -> "Mapping[str, type[Technique]]":
    """Every technique by name.

    >>> "mondrian" in techniques()
    True
    """
    from celosia.recode.techniques import TECHNIQUES

    return TECHNIQUES


def technique_scores() -> Iterable[str]:
    """The names of scores of specializations.

    >>> "gain" in technique_scores()
    True
    """
    from celosia.recode.scores import SCORES

    return SCORES


def accepted_values(field: str, technique: str | None = None) -> list[str]:
    """The values that a field of the project, or a parameter of a technique, accepts where it names them.

    >>> accepted_values("unknown")
    ['error', 'suppress']
    """
    from celosia.project import Project

    fields = Project.model_fields if technique is None else techniques()[technique].model_fields
    annotation: Any = fields[field].annotation
    return [str(choice) for choice in get_args(annotation) or annotation]


def operations() -> "Mapping[str, type[Operation]]":
    """Every operation on columns and rows by name.

    >>> "round" in operations()
    True
    """
    from celosia.mask import registry

    return registry.operations()


def column_operations() -> "Mapping[str, type[ColumnOperation]]":
    """Every operation on columns by name.

    >>> "round" in column_operations(), "drop-rows" in column_operations()
    (True, False)
    """
    from celosia.mask import ColumnOperation

    return {
        name: operation for name, operation in operations().items() if issubclass(operation, ColumnOperation)
    }


def is_row_operation(operation: "type[Operation]") -> bool:
    """Whether an operation leaves out rows, and does not change a column.

    >>> is_row_operation(operations()["drop-rows"])
    True
    """
    from celosia.mask import RowOperation

    return issubclass(operation, RowOperation)


def make_operation(name: str, **parameters: object) -> "Operation":
    """The operation of that name with its parameters; what is wrong with them is told.

    >>> make_operation("round", to=100).name
    'round'
    """
    from celosia.mask import registry

    return registry.make_operation(name, **parameters)


def perturbations() -> "Mapping[str, type[Perturbation]]":
    """Every perturbation by name.

    >>> "mdav" in perturbations()
    True
    """
    from celosia import perturb

    return perturb.perturbations()


def utility_measures() -> "Mapping[str, UtilityMeasure]":
    """Every measure that a search makes as low as can be, by name.

    >>> "loss" in utility_measures()
    True
    """
    from celosia.measure import utility

    return utility.utility_measures()


def is_share(measure: "UtilityMeasure") -> bool:
    """Whether the values of a measure are shares, from 0 to 1.

    >>> is_share(utility_measures()["loss"])
    True
    """
    from celosia.measure.utility import CellMeasure

    return isinstance(measure, CellMeasure) and measure.is_share


def release_measures() -> "Mapping[str, ReleaseMeasure]":
    """Everything that a release can be measured by, by name.

    >>> "uniques" in release_measures()
    True
    """
    from celosia.measure import registry

    return registry.release_measures()


def trains_models(measure: "ReleaseMeasure") -> bool:
    """Whether a measure trains models, and so takes long.

    >>> trains_models(release_measures()["uniques"])
    False
    """
    from celosia.measure.release_measure import MeasureCost

    return measure.cost is MeasureCost.MODELS


def measure_families() -> list[str]:
    """The families of measures of a release.

    >>> measure_families()
    ['risk', 'attack', 'utility']
    """
    from celosia.measure.release_measure import MeasureFamily

    return [str(family) for family in MeasureFamily]


def choose_measures(names: Iterable[str]) -> "tuple[ReleaseMeasure, ...]":
    """The measures of these names or families, all if none is named; one that is not there is told.

    >>> [measure.name for measure in choose_measures(["uniques"])]
    ['uniques']
    """
    from celosia.measure import registry

    return registry.choose_measures(names)


def rule_sets() -> "Mapping[str, RuleSet]":
    """Every set of rules of a law, by name.

    >>> "gdpr" in rule_sets()
    True
    """
    from celosia.measure import rules

    return rules.rule_sets()


def choose_rules(names: Iterable[str]) -> list[str]:
    """The sets of rules of these names, or all; one that is not there is told.

    >>> choose_rules(["gdpr"])
    ['gdpr']
    """
    from celosia.measure import rules

    return list(rules.choose_rules(names))


def learning_models() -> "Mapping[str, type[LearningModel]]":
    """Every model that learns from tables, by name.

    >>> "one-rule" in learning_models()
    True
    """
    from celosia.measure import learning

    return learning.learning_models()


def table_formats() -> list[str]:
    """The formats of files that tables are read and written in, here or on a cluster.

    >>> {"csv", "parquet", "orc"} <= set(table_formats())
    True
    """
    from celosia.tables.formats import list_formats
    from celosia.tables.spark.address import FORMATS

    return list(dict.fromkeys([*(format.name for format in list_formats()), *FORMATS]))
