"""Ley 18.331 of Uruguay: whether the data of a release are dissociated from their holders."""

from celosia.measure.rules.checks import (
    ask_a_person,
    judge_identity,
    no_identifiers,
    no_special_categories,
)
from celosia.measure.rules.measures import judge_inference
from celosia.measure.rules.rule import LegalRule, RuleSet
from celosia.say import say

__all__ = ["RULES"]

RULES = RuleSet(
    name="ley-18331",
    title=say("Ley 18.331 (Uruguay): are the data dissociated from their holders?"),
    reference=(
        "Ley N.º 18.331 de 11 de agosto de 2008, artículos 4, 8, 10, 17, 18, 19 y 23; URCDP, Criterios de disociación"
        " de datos personales (Resolución 68/017)"
    ),
    rules=(
        LegalRule(
            name="identified",
            source="Ley 18.331, artículo 4, literal D",
            title=say("identified holders"),
            question=say("Does no column tell which natural or legal person a row refers to?"),
            remedy=say("drop or suppress these columns"),
            check=no_identifiers,
        ),
        LegalRule(
            name="dissociation",
            source="Ley 18.331, artículo 4, literal G, y artículo 17, literal D",
            title=say("dissociation"),
            question=say("Can the information no longer be linked to a person who is or can be determined?"),
            remedy=say(
                "generalize or suppress until nobody is singled out or linked, then measure again; otherwise the"
                " communication needs consent or another exception of article 17"
            ),
            check=judge_identity,
        ),
        LegalRule(
            name="sensitive-data",
            source="Ley 18.331, artículo 4, literal E, y artículo 18",
            title=say("sensitive data"),
            question=say("Are sensitive data left out, or is there a reason of article 18 to treat them?"),
            remedy=say(
                "name the law or mandate that permits it; for statistics or science dissociate them from their"
                " holders"
            ),
            check=no_special_categories,
        ),
        LegalRule(
            name="health-data",
            source="Ley 18.331, artículo 17, literal C, y artículo 19",
            title=say("data about health"),
            question=say(
                "Is what is sensitive preserved from being deduced about a person, by adequate dissociation?"
            ),
            remedy=say("ask for l-diversity or t-closeness of the sensitive columns, then measure again"),
            check=judge_inference,
        ),
        LegalRule(
            name="purpose",
            source="Ley 18.331, artículo 8",
            title=say("purpose"),
            question=say(
                "If the data are personal: is the purpose the one for which they were obtained, or compatible?"
            ),
            remedy=say("write the purpose down, and release no more columns than it needs"),
            check=ask_a_person(say("purposes are in no table")),
        ),
        LegalRule(
            name="security-and-transfer",
            source="Ley 18.331, artículos 10 y 23",
            title=say("security and international transfer"),
            question=say(
                "If the data are personal: are they secured, and do they go only to countries with adequate"
                " protection?"
            ),
            remedy=say("control who gets the release, and check where it goes"),
            check=ask_a_person(say("where the release goes is not known here")),
        ),
    ),
)
