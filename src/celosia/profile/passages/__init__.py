"""Passages of free text that tell who somebody is: found by pattern, check digit, word list and cue."""

from celosia.profile.passages.find import Passages, find_passages, replace_passages
from celosia.profile.passages.kinds import PassageKind

__all__ = ["PassageKind", "Passages", "find_passages", "replace_passages"]
