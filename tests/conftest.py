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
# Where Python is told to keep no compiled code, each of the programs that tests start, Spark's workers among them,
# would compile all of ours again, and pytest every test.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.path.insert(0, str(HERE / "property"))
# How long an example takes says how busy the machine is. Where a change is judged, its examples are the same each time;
# everywhere else they are new ones.
# Fifty examples where a test asks for no other number: the usual hundred is more than the budget of the suite allows.
settings.register_profile(
    "celosia",
    max_examples=50,
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
