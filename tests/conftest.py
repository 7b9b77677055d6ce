"""What all tests share."""

import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

HERE = Path(__file__).resolve().parent
SHARED = HERE.parents[1] / "shared"
# A shell that starts us in the background has us ignore Ctrl-C, nohup has us ignore hanging up: tests that interrupt
# would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
sys.path.insert(0, str(HERE / "property"))
# How long an example takes says how busy the machine is. Where a change is judged, its examples are the same each time;
# everywhere else they are new ones.
settings.register_profile(
    "celosia",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=bool(os.environ.get("CI")),
)
settings.load_profile("celosia")


@pytest.fixture(scope="session")
def shared() -> Path:
    """Public tables and other tools' answers, where this clone has them beside it."""
    if not SHARED.is_dir():
        pytest.skip("needs the shared data beside the project")
    return SHARED
