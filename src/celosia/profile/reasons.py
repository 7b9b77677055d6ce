"""Why something is proposed: a code that never changes, the facts, and a sentence for people."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Reason"]


@dataclass(frozen=True)
class Reason:
    """Why something is proposed; translations start from ``code`` and ``facts``.

    >>> print(Reason("e-mail", "98 % of the values are e-mail addresses", {"share": 0.98}))
    98 % of the values are e-mail addresses
    """

    code: str
    sentence: str
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.sentence

    def to_dict(self) -> dict[str, Any]:
        """As JSON wants it."""
        return {"code": self.code, "sentence": self.sentence, "facts": dict(self.facts)}
