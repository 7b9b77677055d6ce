"""How many examples hypothesis looks at: few for every change, many for ``make test-all``."""

import os

from hypothesis import HealthCheck, settings

QUICK = (
    50  # where a test asks for no other number: the usual hundred is more than the budget of the suite allows
)
MORE = 4
"""How many times as many ``make test-all`` looks at."""


def register_profiles() -> None:
    """Make both profiles known, and use the quick one unless pytest is told otherwise."""
    for name, count in (("celosia", QUICK), ("exhaustive", QUICK * MORE)):
        settings.register_profile(
            name,
            max_examples=count,
            deadline=None,  # how long an example takes says how busy the machine is
            suppress_health_check=[HealthCheck.too_slow],
            # Where a change is judged, its examples are the same each time; everywhere else they are new ones.
            derandomize=bool(os.environ.get("CI")),
        )
    settings.load_profile("celosia")


def examples(count: int) -> int:
    """So many examples, and several times as many when everything is tried."""
    return count * settings.default.max_examples // QUICK
