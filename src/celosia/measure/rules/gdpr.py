"""GDPR: whether a release is anonymous by recital 26, asked as the Article 29 Working Party does."""

from celosia.measure.rules.checks import (
    ask_a_person,
    inference_rule,
    linking_rule,
    no_identifiers,
    no_special_categories,
    singling_out_rule,
    unchecked_pseudonyms,
)
from celosia.measure.rules.rule import LegalRule, RuleSet
from celosia.say import say

__all__ = ["RULES"]

_OPINION = "GDPR recital 26; Article 29 Working Party, Opinion 05/2014 (WP216)"

RULES = RuleSet(
    name="gdpr",
    title=say("GDPR: is the release anonymous information?"),
    reference="Regulation (EU) 2016/679, Articles 4(1), 4(5), 9 and recital 26; WP216",
    rules=(
        LegalRule(
            name="identifiers",
            source="GDPR Article 4(1), recital 30",
            title=say("direct identifiers"),
            question=say("Are names, identification numbers, online identifiers and the like left out?"),
            remedy=say("drop or suppress these columns"),
            check=no_identifiers,
        ),
        LegalRule(
            name="pseudonyms",
            source="GDPR Article 4(5), recital 26",
            title=say("pseudonyms"),
            question=say(
                "Is no column a pseudonym that additional information attributes to a person again?"
            ),
            remedy=say(
                "drop pseudonyms, or treat the release as personal data: pseudonymized data stay personal"
            ),
            check=unchecked_pseudonyms,
        ),
        singling_out_rule(_OPINION),
        linking_rule(_OPINION),
        inference_rule(_OPINION),
        LegalRule(
            name="special-categories",
            source="GDPR Article 9(1)",
            title=say("special categories"),
            question=say(
                "If people could be identified after all, would special categories of data be disclosed?"
            ),
            remedy=say(
                "ask for stricter measures where these columns stay, and consider an impact assessment (Article 35)"
            ),
            check=no_special_categories,
        ),
        LegalRule(
            name="means-reasonably-likely",
            source="GDPR recital 26",
            title=say("means reasonably likely to be used"),
            question=say(
                "Were cost, time and technology weighed, and everybody thought of who might try to identify people?"
            ),
            remedy=say(
                "declare in the project what attackers know, and write down who they may be and what it costs them"
            ),
            check=ask_a_person(say("who may try, and with what, is in no table")),
        ),
        LegalRule(
            name="review",
            source="Article 29 Working Party, Opinion 05/2014 (WP216), good anonymisation practices",
            title=say("review of what is left to risk"),
            question=say("Is it settled who looks again at the remaining risk, and when?"),
            remedy=say("set a date, name who is responsible, and measure the release again then"),
            check=ask_a_person(say("anonymizing is not done once and for all: other tables appear")),
        ),
    ),
)
