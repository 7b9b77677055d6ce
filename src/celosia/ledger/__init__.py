"""Releases over time: what was released before, and what a new release reveals together with it."""
