"""The models that are trained on tables, one per module."""
