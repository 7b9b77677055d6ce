"""What all tests share."""

import signal
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
SHARED = HERE.parents[1] / "shared"
# A shell that starts us in the background has us ignore Ctrl-C, nohup has us ignore hanging up: tests that interrupt
# would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
sys.path.insert(0, str(HERE / "property"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """Public tables and other tools' answers, where this clone has them beside it."""
    if not SHARED.is_dir():
        pytest.skip("needs the shared data beside the project")
    return SHARED
