"""One module per operation; the registry finds them."""
