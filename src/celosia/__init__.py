"""Celosía anonymizes tables about people and proves what the result is worth."""
