"""What people read, in their language: texts, numbers, dates, and mistakes."""

from celosia.words.words import LANGUAGES, Words, phrase

__all__ = ["LANGUAGES", "Words", "phrase"]
