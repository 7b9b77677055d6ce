"""Which tests the processes of pytest-xdist get together, and in which order.

The tests of a file go to one process, so that what they share is made once. Those of Spark and those of the browser
are one piece of work each, over all their files: a JVM or a browser with its sites takes seconds to start. What takes
longest comes first, so that no process is left alone with it at the end.

The marker ``xdist_group`` would say the same, but pytest 9.2 silently takes no notice of it (pytest-xdist 3.8).
"""

from xdist.scheduler import LoadScopeScheduling

LONGEST_FIRST = ("spark", "browser", "tests/services/", "tests/fuzz/", "tests/oracles/", "tests/property/")


class FileScheduling(LoadScopeScheduling):
    """Hands out tests file by file."""

    def _split_scope(self, nodeid: str) -> str:
        return find_piece(nodeid)


def find_piece(nodeid: str) -> str:
    """The piece of work that a test belongs to.

    >>> find_piece("tests/unit/test_run.py::test_a_release")
    'tests/unit/test_run.py'
    >>> find_piece("tests/services/test_spark_tables.py::test_rows[a::b]")
    'spark'
    """
    path = nodeid.partition("::")[0]
    if path.startswith("tests/browser/"):
        return "browser"
    if path.startswith("tests/services/test_spark_"):
        return "spark"
    return path


def find_turn(nodeid: str) -> int:
    """How early a test is handed out."""
    piece = find_piece(nodeid)
    turns = (turn for turn, start in enumerate(LONGEST_FIRST) if piece.startswith(start))
    return next(turns, len(LONGEST_FIRST))
