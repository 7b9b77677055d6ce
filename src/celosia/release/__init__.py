"""What leaves: written, read back, verified, and only then put into place."""
