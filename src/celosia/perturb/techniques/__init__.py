"""One module per perturbation; the registry finds them."""
