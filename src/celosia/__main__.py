"""``python -m celosia`` is ``celosia``."""

from celosia.cli import run_process

if __name__ == "__main__":
    run_process()
