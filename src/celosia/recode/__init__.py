"""Searches for a recoding: which node of the lattice keeps the promises at the least cost."""
