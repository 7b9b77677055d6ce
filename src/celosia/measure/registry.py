"""The measures of a release that exist: every module of this room with ``MEASURES`` adds some."""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from types import MappingProxyType

from celosia import measure
from celosia.errors import ProjectError
from celosia.measure.release_measure import MeasureFamily, ReleaseMeasure
from celosia.say import say
from celosia.types import nearest

__all__ = ["choose_measures", "release_measures"]


@cache
def release_measures() -> Mapping[str, ReleaseMeasure]:
    """All measures of a release by name, in the order of risk, attacks, utility.

    >>> [name for name in release_measures() if name.startswith("uniques")]
    ['uniques']
    """
    modules = (import_module(info.name) for info in walk_packages(measure.__path__, f"{measure.__name__}."))
    measures = [registered for module in modules for registered in getattr(module, "MEASURES", ())]
    order = list(MeasureFamily)
    measures.sort(key=lambda entry: order.index(entry.family))
    return MappingProxyType({entry.name: entry for entry in measures})


def choose_measures(names: Iterable[str]) -> tuple[ReleaseMeasure, ...]:
    """The measures of these names, or of these families; all where none is named.

    >>> {one.family.value for one in choose_measures(["risk"])}
    {'risk'}
    """
    known = release_measures()
    wanted = list(names)
    if not wanted:
        return tuple(known.values())
    chosen: dict[str, ReleaseMeasure] = {}
    for name in wanted:
        some = [entry for entry in known.values() if name in (entry.name, entry.family)]
        if not some:
            remedy = nearest(name, (*map(str, MeasureFamily), *known), say("the measures"))
            raise ProjectError(
                say("there is no measure {name!r}", name=name), where="measures", remedy=remedy
            )
        chosen |= {entry.name: entry for entry in some}
    return tuple(chosen.values())
