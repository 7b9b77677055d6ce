"""Utility measures, one per module: a module with a ``measure`` in this folder is a measure."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from celosia.errors import ProjectError
from celosia.measure.utility.measure import CellMeasure, ClassMeasure, ColumnLevel, Measure, NodeTally
from celosia.say import say

__all__ = [
    "CellMeasure",
    "ClassMeasure",
    "ColumnLevel",
    "Measure",
    "NodeTally",
    "get_measure",
    "utility_measures",
]


@cache
def utility_measures() -> MappingProxyType[str, Measure]:
    """All utility measures by name.

    >>> sorted(utility_measures())
    ['class-size', 'discernibility', 'entropy', 'height', 'loss', 'precision', 'sum-of-heights']
    """
    modules = (import_module(f"{__name__}.{info.name}") for info in iter_modules(__path__))
    measures = [module.measure for module in modules if "measure" in getattr(module, "__all__", ())]
    return MappingProxyType({measure.name: measure for measure in measures})


def get_measure(name: str) -> Measure:
    """The measure of that name.

    >>> get_measure("loss").name
    'loss'
    """
    try:
        return utility_measures()[name]
    except KeyError:
        raise ProjectError(
            say("there is no measure {name!r}", name=name),
            where="measure",
            remedy=say("choose {names}", names=", ".join(utility_measures())),
        ) from None
