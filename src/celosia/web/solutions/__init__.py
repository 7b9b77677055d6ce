"""What the page of solutions is made of: the lattice, the frontier, every candidate, the balance of k."""
