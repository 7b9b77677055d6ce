"""Loops that are compiled from several files are compiled again when any of them changes."""

import hashlib
from pathlib import Path

import pytest

from celosia.kernels import greedy_classes, mondrian, near, peel, refine

FOLDER = Path(mondrian.__file__).parent


@pytest.mark.parametrize(
    ("module", "others"),
    [
        (mondrian, ("boxes.py", "parts.py", "compiler.py")),
        (peel, ("parts.py", "compiler.py")),
        (near, ("joins.py", "compiler.py")),
        (greedy_classes, ("joins.py", "compiler.py")),
        (refine, ("class_state.py", "joins.py", "compiler.py")),
    ],
)
def test_a_module_says_with_which_others_its_loops_were_made(module, others):
    """Numba looks at the file of the loop that Python calls and at no other; users would run the loops of old."""
    digest = hashlib.sha256(b"".join((FOLDER / name).read_bytes() for name in others)).hexdigest()[:12]
    assert digest == module.MADE_WITH, f"write {digest!r} into {Path(module.__file__).name}"
