"""Perturbative techniques: values that are changed so that they betray nobody, while chosen statistics stay."""

from celosia.perturb.apply import perturb_frame
from celosia.perturb.perturbation import Perturbation
from celosia.perturb.registry import make_perturbation, perturbations

__all__ = ["Perturbation", "make_perturbation", "perturb_frame", "perturbations"]
