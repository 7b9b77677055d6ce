"""Measures of risk and of utility: one per module, each with a name, a meaning and a reference."""
