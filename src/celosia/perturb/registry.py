"""The perturbations that exist, by name."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from celosia.errors import ProjectError
from celosia.perturb.perturbation import Perturbation
from celosia.registered import discover, first_mistake
from celosia.types import nearest

__all__ = ["make_perturbation", "perturbations"]


@cache
def perturbations() -> Mapping[str, type[Perturbation]]:
    """Every perturbation defined in a module of ``techniques/``, by name: adding the file is adding the technique.

    >>> "mdav" in perturbations()
    True
    """
    return discover("celosia.perturb.techniques", Path(__file__).parent / "techniques", Perturbation)


def make_perturbation(name: str, **parameters: Any) -> Perturbation:
    """A perturbation by its name, with its parameters.

    >>> make_perturbation("rank-swapping", share=0.1).share
    0.1
    >>> make_perturbation("rank-swaping")
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: technique: there is no perturbation 'rank-swaping'; did you mean 'rank-swapping'?
    """
    known = perturbations()
    if name not in known:
        remedy = nearest(name, tuple(known), "the perturbations")
        raise ProjectError(f"there is no perturbation {name!r}", where="technique", remedy=remedy)
    fields = known[name].model_fields
    for parameter in parameters:
        if parameter not in fields:
            raise ProjectError(
                f"it has no parameter {parameter!r}",
                where=f"technique {name}",
                remedy=nearest(parameter, tuple(fields), "its parameters"),
            )
    try:
        return known[name](**parameters)
    except ValidationError as error:
        field, what, _ = first_mistake(error)
        raise ProjectError(
            what, where=f"technique {name}" + (f", {field}" if field else ""), remedy="correct the parameter"
        ) from None
