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
    modules = (import_module(found.name) for found in walk_packages(measure.__path__, f"{measure.__name__}."))
    found = [one for module in modules for one in getattr(module, "MEASURES", ())]
    order = list(MeasureFamily)
    found.sort(key=lambda one: order.index(one.family))
    return MappingProxyType({one.name: one for one in found})


def choose_measures(names: Iterable[str]) -> tuple[ReleaseMeasure, ...]:
    """The measures of these names, or of these families; all where none is named.

    >>> {one.family.value for one in choose_measures(["risk"])}
    {'risk'}
    """
    known = release_measures()
    wanted = list(names)
    if not wanted:
        return tuple(known.values())
    found: dict[str, ReleaseMeasure] = {}
    for name in wanted:
        some = [one for one in known.values() if name in (one.name, one.family)]
        if not some:
            remedy = nearest(name, (*map(str, MeasureFamily), *known), say("the measures"))
            raise ProjectError(
                say("there is no measure {name!r}", name=name), where="measures", remedy=remedy
            )
        found |= {one.name: one for one in some}
    return tuple(found.values())
