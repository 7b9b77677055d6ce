"""The decorators of loops that have a plain twin; see :mod:`celosia.kernels.plain`, which has its own."""

import numba

__all__ = ["inner", "outer"]

inner = numba.njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False)
"""For loops that only other loops call: they need no way in from Python, which takes time to compile.

They make no arrays, and so need not count who holds one: that takes longer than a look at a part of an array does, and
several cores would wait for each other.
"""

outer = numba.njit(cache=True, nogil=True, _nrt=False)
"""For loops that Python calls. What was compiled is kept on disk."""
