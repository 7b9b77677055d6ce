"""What people read, in their language: texts, numbers, dates, and mistakes."""

from celosia.words.templates import error_templates, library_texts, phrase_texts, progress_texts
from celosia.words.words import LANGUAGES, Words, phrase

__all__ = [
    "LANGUAGES",
    "Words",
    "error_templates",
    "library_texts",
    "phrase",
    "phrase_texts",
    "progress_texts",
]
