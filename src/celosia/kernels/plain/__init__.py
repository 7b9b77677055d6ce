"""The very loops of ``celosia.kernels``, not compiled: what they answer is the same, and nothing has to be waited for.

Modules are looked for in this folder first and then in the one above, so that ``celosia.kernels.plain.mondrian`` is
made of the file of ``celosia.kernels.mondrian``, with the decorators of this folder, which compile nothing.
"""

from pathlib import Path

__path__.append(str(Path(__file__).parents[1]))
