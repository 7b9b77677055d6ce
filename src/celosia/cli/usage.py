"""What is wrong with arguments that could not be parsed: sentences of Typer, said so that they can be translated."""

import re
from typing import Any

from celosia.say import say
from celosia.words import phrase

__all__ = ["usage_sentence"]

MESSAGES = (
    (r"no such command (?P<name>'.*')", phrase("no such command {name}")),
    (
        r"no such command (?P<name>'.*')\. Did you mean (?P<names>.*)\?",
        phrase("no such command {name}. Did you mean {names}?"),
    ),
    (r"missing command", phrase("missing command")),
    (
        r"got unexpected extra argument\(s\) \((?P<names>.*)\)",
        phrase("got unexpected extra argument(s) ({names})"),
    ),
    (r"got unexpected extra arguments? \((?P<names>.*)\)", phrase("got unexpected extra argument ({names})")),
    (r"option (?P<name>'.*') requires an argument", phrase("option {name} requires an argument")),
    (r"option (?P<name>'.*') does not take a value", phrase("option {name} does not take a value")),
    (r"no such option: (?P<name>\S+)", phrase("no such option: {name}")),
    (
        r"no such option: (?P<name>\S+) \(Possible options: (?P<names>.*)\)",
        phrase("no such option: {name} (Possible options: {names})"),
    ),
    (r"missing argument (?P<name>'.*')", phrase("missing argument {name}")),
    (r"missing option (?P<name>'.*')", phrase("missing option {name}")),
    (r"invalid value for (?P<name>'.*?'): (?P<reason>.*)", phrase("invalid value for {name}: {reason}")),
)
"""Sentences of Typer, which travel as finished texts, and ours of the same English."""

REASONS = (
    (
        r"Input should be a valid integer, unable to parse string as an integer",
        phrase("Input should be a valid integer, unable to parse string as an integer"),
    ),
    (
        r"Input should be a valid number, unable to parse string as a number",
        phrase("Input should be a valid number, unable to parse string as a number"),
    ),
    (
        r"Input should be greater than or equal to (?P<least>\S+)",
        phrase("Input should be greater than or equal to {least}"),
    ),
    (
        r"Input should be less than or equal to (?P<most>\S+)",
        phrase("Input should be less than or equal to {most}"),
    ),
    (r"(?P<value>'.*') is not a valid int(?:eger)?", phrase("{value} is not a valid integer")),
    (r"(?P<value>'.*') is not a valid float", phrase("{value} is not a valid float")),
    (r"(?P<value>\S+) is not in the range (?P<range>\S+)", phrase("{value} is not in the range {range}")),
)


def usage_sentence(error: Any) -> str:
    """What an error of Typer says, in small letters and without its full stop; one that is not known stays English.

    >>> from types import SimpleNamespace
    >>> usage_sentence(SimpleNamespace(format_message=lambda: "No such option: --kk"))
    'no such option: --kk'
    """
    text = str(error.format_message()).rstrip(".")
    return _said(text[:1].lower() + text[1:], MESSAGES)


def _said(sentence: str, known: tuple[tuple[str, str], ...]) -> str:
    for pattern, template in known:
        match = re.fullmatch(pattern, sentence, re.DOTALL)
        if match is not None:
            places = match.groupdict()
            if "reason" in places:
                places["reason"] = _said(places["reason"], REASONS)
            return say(template, **places)
    return sentence
