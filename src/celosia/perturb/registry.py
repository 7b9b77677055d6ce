"""The perturbations that exist, by name."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from celosia.perturb.perturbation import Perturbation
from celosia.registered import discover, make_registered

__all__ = ["make_perturbation", "perturbations"]


@cache
def perturbations() -> Mapping[str, type[Perturbation]]:
    """Every perturbation defined in a module of ``techniques/``, by name: adding the file is adding the technique.

    >>> "mdav" in perturbations()
    True
    """
    return discover("celosia.perturb.techniques", Path(__file__).parent / "techniques", Perturbation)


def make_perturbation(name: str, **parameters: object) -> Perturbation:
    """A perturbation by its name, with its parameters.

    >>> make_perturbation("rank-swapping", share=0.1).share
    0.1
    >>> make_perturbation("rank-swaping")
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: technique: there is no perturbation 'rank-swaping'; did you mean 'rank-swapping'?
    """
    perturbation: Perturbation = make_registered(
        perturbations(), name, parameters, what="perturbation", where="technique"
    )
    return perturbation
