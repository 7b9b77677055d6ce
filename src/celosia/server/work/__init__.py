"""What jobs do, one module per kind: each takes its work and returns a summary; all it found is in ``result.json``."""

from collections.abc import Mapping
from types import MappingProxyType

from celosia.server.work import (
    balance,
    candidates,
    comparison,
    evidence,
    hierarchy,
    profile,
    release,
    study,
    table_view,
    tables,
)
from celosia.server.work.kind import JobContext, JobKind

__all__ = ["KINDS", "JobContext", "JobKind"]

_MODULES = (tables, profile, hierarchy, candidates, balance, release, evidence, table_view, comparison, study)
KINDS: Mapping[str, JobKind] = MappingProxyType({module.KIND.name: module.KIND for module in _MODULES})
"""The kinds of job by name."""
