"""HIPAA Safe Harbor: the eighteen identifiers of 45 CFR 164.514(b)(2), looked for in the columns of a release."""

from collections.abc import Callable
from functools import partial

from celosia.measure.rules.checks import ask_a_person
from celosia.measure.rules.dates import no_exact_dates
from celosia.measure.rules.identifiers import without_identifier, without_other_numbers, without_pictures
from celosia.measure.rules.places import no_small_places
from celosia.measure.rules.rule import LegalRule, RuleCase, RuleSet, RuleVerdict
from celosia.say import Text, say

__all__ = ["RULES"]

_DROP = say("drop the column, or suppress its values; a hash or a code derived from them does not do")


def _identifier(
    letter: str,
    name: str,
    *,
    title: Text,
    check: Callable[[RuleCase], RuleVerdict] | None = None,
    remedy: Text = _DROP,
) -> LegalRule:
    """One of the eighteen."""
    return LegalRule(
        name=name,
        source=f"45 CFR 164.514(b)(2)(i)({letter})",
        title=title,
        question=say(
            "Does the release leave out {identifiers} of the people, their relatives, employers and household members?",
            identifiers=title,
        ),
        remedy=remedy,
        check=check or partial(without_identifier, letter),
    )


_PLACES = say(
    "release the state, or the first three digits of the postcode where more than 20,000 people live in them by the"
    " current Census, and 000 for the others"
)
_DATES = say("release the year alone, and put all people over 89 into one category of 90 or older")
_OTHER = say(
    "drop it; a code may stay only if it is not derived from anything about the person and nobody outside learns how"
    " it was given (45 CFR 164.514(c)); read free text, or drop it"
)

_KNOWLEDGE = LegalRule(
    name="actual-knowledge",
    source="45 CFR 164.514(b)(2)(ii)",
    title=say("actual knowledge"),
    question=say(
        "Does nobody in the covered entity actually know that what is left could identify a person?"
    ),
    remedy=say(
        "let a person answer who knows the table, the people in it and who will read it; the attacks of the"
        " measures show what an outsider could do"
    ),
    check=ask_a_person(say("what people know is in no table")),
)

RULES = RuleSet(
    name="hipaa",
    title=say("HIPAA Safe Harbor: the eighteen identifiers"),
    reference="45 CFR 164.514(b)(2) and (c)",
    rules=(
        _identifier("A", "names", title=say("names")),
        _identifier(
            "B",
            "places",
            title=say("geographic subdivisions smaller than a state"),
            check=no_small_places,
            remedy=_PLACES,
        ),
        _identifier(
            "C",
            "dates",
            title=say("dates more exact than the year, and ages over 89"),
            check=no_exact_dates,
            remedy=_DATES,
        ),
        _identifier("D", "telephones", title=say("telephone numbers")),
        _identifier("E", "faxes", title=say("fax numbers")),
        _identifier("F", "e-mails", title=say("e-mail addresses")),
        _identifier(
            "G",
            "social-security",
            title=say("social security numbers"),
        ),
        _identifier("H", "medical-records", title=say("medical record numbers")),
        _identifier(
            "I",
            "health-plans",
            title=say("health plan beneficiary numbers"),
        ),
        _identifier("J", "accounts", title=say("account numbers")),
        _identifier(
            "K",
            "licences",
            title=say("certificate and license numbers"),
        ),
        _identifier(
            "L",
            "vehicles",
            title=say("vehicle identifiers, serial numbers and license plates"),
        ),
        _identifier(
            "M",
            "devices",
            title=say("device identifiers and serial numbers"),
        ),
        _identifier("N", "urls", title=say("web addresses (URLs)")),
        _identifier("O", "ip-addresses", title=say("IP addresses")),
        _identifier(
            "P",
            "biometrics",
            title=say("biometric identifiers, finger and voice prints among them"),
        ),
        _identifier(
            "Q",
            "photographs",
            title=say("full-face photographs and comparable images"),
            check=without_pictures,
        ),
        _identifier(
            "R",
            "other-numbers",
            title=say("any other unique identifying number, characteristic or code"),
            check=without_other_numbers,
            remedy=_OTHER,
        ),
        _KNOWLEDGE,
    ),
)
