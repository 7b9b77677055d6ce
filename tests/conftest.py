"""What all tests share."""

import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from hypothesis_profiles import register_profiles

HERE = Path(__file__).resolve().parent
# A shell that starts us in the background has us ignore Ctrl-C, nohup has us ignore hanging up: tests that interrupt
# would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
# Where Python is told to keep no compiled code, each of the programs that tests start, Spark's workers among them,
# would compile all of ours again, and pytest every test.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# Tests read English, whatever the shell speaks; those about languages say which.
os.environ["CELOSIA_LANGUAGE"] = "en"
sys.path[:0] = [str(HERE / name) for name in ("property", "fuzz", "oracles", "services")]
register_profiles()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Have tests handed out to several processes by files."""
    from scheduling import FileScheduling

    return FileScheduling(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In one process of several, tests come in the order in which they are handed out."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        from scheduling import find_turn

        items.sort(key=lambda item: find_turn(item.nodeid))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of public tables and of other programs' answers about them."""
    from programs import leave_out
    from public_tables import PublicTableMissingError, missing_tables, shared_folder

    if missing := missing_tables():
        leave_out(PublicTableMissingError("\n".join(missing)))
    return shared_folder()
