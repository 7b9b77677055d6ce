"""Every class has a name of its own."""

import ast
from collections import Counter
from pathlib import Path

import celosia

SOURCE = Path(celosia.__file__).parent


def test_no_two_classes_share_a_name():
    names = Counter(
        node.name
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    assert [name for name, times in names.items() if times > 1] == []
