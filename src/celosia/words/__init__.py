"""What people read, in their language: texts, numbers, dates, and mistakes."""

from celosia.words.words import LANGUAGES, Words, language_of, phrase, spoken_language

__all__ = ["LANGUAGES", "Words", "language_of", "phrase", "spoken_language"]
