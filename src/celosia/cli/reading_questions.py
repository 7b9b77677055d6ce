"""What a person is asked about text files before anything else: dates and numbers that may be read in two ways."""

from collections.abc import Sequence
from dataclasses import replace

from celosia.api.opening import PlaceKind, open_doubts, place_kind
from celosia.cli.drafting import DraftTable
from celosia.cli.language import render, tr
from celosia.cli.questions import Questions
from celosia.cli.show import print_wrapped
from celosia.errors import ProjectError
from celosia.say import say
from celosia.types import ColumnType

__all__ = ["ask_reading"]

CHOICES = {ColumnType.DATE: ("day-first", "month-first"), ColumnType.REAL: (",", ".")}


def ask_reading(places: Sequence[DraftTable], questions: Questions) -> list[DraftTable]:
    """The tables, read as a person says where that is open; with all proposals taken, nothing is guessed."""
    return [place if questions.yes else _asked(place, questions) for place in places]


def _asked(place: DraftTable, questions: Questions) -> DraftTable:
    if place_kind(place.asked.table) is not PlaceKind.FILE or place.asked.settings is not None:
        return place
    for doubt in open_doubts(place.asked.source):
        is_date = doubt.doubt.type is ColumnType.DATE
        known = place.asked.reading.date_format if is_date else place.asked.reading.decimal
        if known is not None:
            continue  # one answer is for all columns
        print_wrapped(render(doubt.what))
        question = (
            tr("Which is it: day-first or month-first")
            if is_date
            else tr("Before decimals: a comma (,) or a point (.)")
        )
        choices = CHOICES[doubt.doubt.type]
        answer = questions.ask_until(question, "", lambda text, choices=choices: _one_of(text, choices))  # type: ignore[misc]
        reading = place.asked.reading
        told = replace(reading, date_format=answer) if is_date else replace(reading, decimal=answer)
        place = replace(place, asked=replace(place.asked, reading=told))
    return place


def _one_of(answer: str, choices: tuple[str, str]) -> str:
    """The answer, if it is one of two."""
    if answer not in choices:
        raise ProjectError(
            say("{answer!r} is not understood", answer=answer),
            remedy=say("answer {one} or {other}", one=choices[0], other=choices[1]),
        )
    return answer
