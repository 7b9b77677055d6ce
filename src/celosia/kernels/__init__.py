"""The few compiled loops, one module per job; nothing else is compiled. Numba caches what it compiled beside them."""
