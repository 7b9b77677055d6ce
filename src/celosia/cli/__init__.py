"""The command line: ``celosia profile``, ``anonymize``, ``explore``, ``verify`` and their companions.

Nothing heavy is imported before a command runs, so that help and completion answer at once.
"""

from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its status.

    >>> try:
    ...     main(["measures", "--json"])  # doctest: +ELLIPSIS
    ... except SystemExit as end:
    ...     print(end.code)
    [...]
    0
    """
    import gc

    from celosia.cli.start import start

    # The modules that a command imports are never garbage; looking for it 100 times meanwhile costs 0.1 s.
    gc.set_threshold(100_000)
    raise SystemExit(start(arguments))
