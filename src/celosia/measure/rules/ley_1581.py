"""Ley 1581 de 2012 of Colombia: what is released about people without their authorization."""

from celosia.measure.rules.checks import (
    ask_a_person,
    judge_identity,
    no_identifiers,
    no_minors_under,
    no_special_categories,
)
from celosia.measure.rules.measures import judge_inference
from celosia.measure.rules.rule import LegalRule, RuleSet
from celosia.say import say

__all__ = ["RULES"]

RULES = RuleSet(
    name="ley-1581",
    title=say("Ley 1581 de 2012 (Colombia): does the release still hold personal data?"),
    reference="Ley Estatutaria 1581 de 2012, artículos 3, 4, 5, 6, 7, 9, 10 y 26",
    rules=(
        LegalRule(
            name="identified",
            source="Ley 1581 de 2012, artículo 3, literal c",
            title=say("identified people"),
            question=say("Does no column tell which natural person a row is linked to?"),
            remedy=say("drop or suppress these columns"),
            check=no_identifiers,
        ),
        LegalRule(
            name="identifiable",
            source="Ley 1581 de 2012, artículo 3, literal c",
            title=say("identifiable people"),
            question=say("Can rows no longer be associated with people who can be determined?"),
            remedy=say(
                "generalize or suppress until nobody is singled out or linked, then measure again; otherwise"
                " treat the release as personal data"
            ),
            check=judge_identity,
        ),
        LegalRule(
            name="sensitive-data",
            source="Ley 1581 de 2012, artículos 5 y 6",
            title=say("sensitive data"),
            question=say(
                "Are data that affect intimacy or may lead to discrimination left out, or permitted by article 6?"
            ),
            remedy=say(
                "name the case of article 6 that permits it; for historical, statistical or scientific ends (literal"
                " e) take measures that suppress the identity of the people"
            ),
            check=no_special_categories,
        ),
        LegalRule(
            name="suppression-of-identity",
            source="Ley 1581 de 2012, artículo 6, literal e",
            title=say("suppression of identity"),
            question=say("Can what is sensitive not be deduced about a person from the other columns?"),
            remedy=say("ask for l-diversity or t-closeness of the sensitive columns, then measure again"),
            check=judge_inference,
        ),
        LegalRule(
            name="children",
            source="Ley 1581 de 2012, artículo 7",
            title=say("children and adolescents"),
            question=say("Are there no personal data of people under 18, but those of a public nature?"),
            remedy=say(
                "leave out the rows of minors, or have a person judge how their prevailing rights are respected"
            ),
            check=no_minors_under(18),
        ),
        LegalRule(
            name="authorization",
            source="Ley 1581 de 2012, artículos 9 y 10",
            title=say("authorization"),
            question=say(
                "If the data are personal: did the people authorize this, or is it a case of article 10?"
            ),
            remedy=say(
                "write down the authorization, or the case of article 10 (literal d: historical, statistical or"
                " scientific ends authorized by law)"
            ),
            check=ask_a_person(say("authorizations are in no table")),
        ),
        LegalRule(
            name="circulation",
            source="Ley 1581 de 2012, artículo 4, literales f y g, y artículo 26",
            title=say("restricted circulation and transfer"),
            question=say(
                "If the data are personal: is access controlled, and does no country without adequate protection"
                " receive them?"
            ),
            remedy=say(
                "do not put personal data on the internet without control of access; check where they go"
            ),
            check=ask_a_person(say("where the release goes is not known here")),
        ),
    ),
)
