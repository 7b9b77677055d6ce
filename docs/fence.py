"""Shows the examples in docstrings as code: they follow the prose without a heading of their own."""

import re
from typing import Any

import griffe

__all__ = ["FenceExamples"]

EXAMPLE = re.compile(r"^>>>.*?(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)


class FenceExamples(griffe.Extension):
    """Puts every block that begins with ``>>>`` between fences; a block ends at an empty line."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """What Griffe calls for everything it finds."""
        if obj.docstring:
            text = EXAMPLE.sub(lambda block: f"```pycon\n{block[0]}\n```", obj.docstring.value)
            obj.docstring.value = text
