"""``python -m celosia`` is ``celosia``."""

from celosia.cli import main

if __name__ == "__main__":
    main()
