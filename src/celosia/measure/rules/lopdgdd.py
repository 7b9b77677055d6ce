"""LOPDGDD (Ley Orgánica 3/2018) of Spain: the questions of the GDPR, and what the Spanish law adds."""

from celosia.measure.rules.checks import (
    ask_a_person,
    inference_rule,
    linking_rule,
    no_identifiers,
    no_minors_under,
    no_special_categories,
    singling_out_rule,
    unchecked_pseudonyms,
)
from celosia.measure.rules.columns import evidence_of, nothing_seen
from celosia.measure.rules.rule import LegalRule, Outcome, RuleCase, RuleSet, RuleVerdict
from celosia.say import say

__all__ = ["RULES"]

NUMBERS = ("es.dni", "es.nie", "es.nif")
_ANONYMOUS = "LO 3/2018, artículo 2.1; RGPD, considerando 26; GT29, Dictamen 05/2014 (WP216)"


def no_full_identity_numbers(case: RuleCase) -> RuleVerdict:
    """Not met where names stand beside whole numbers of identity documents; where there are only numbers, ask.

    The provision itself shows whole numbers alone in announcements of notifications.
    """
    whole = [seen for seen in case.columns if seen.content and seen.content.facts.get("format") in NUMBERS]
    names = [seen for seen in case.columns if seen.meaning == "a person's name"]
    if whole and names:
        return RuleVerdict(Outcome.NOT_MET, tuple(map(evidence_of, (*whole, *names))))
    named = whole or [
        seen
        for seen in case.columns
        if seen.meaning in ("a national identity number", "a passport or licence number")
    ]
    if named:
        return RuleVerdict(Outcome.PERSON, tuple(map(evidence_of, named)))
    return RuleVerdict(Outcome.MET, (nothing_seen(case.columns),))


RULES = RuleSet(
    name="lopdgdd",
    title=say("LOPDGDD, Ley Orgánica 3/2018 (Spain): is the release anonymous?"),
    reference="Ley Orgánica 3/2018, artículos 2, 7, 9, 28 y 72, disposiciones adicionales séptima y decimoséptima",
    rules=(
        LegalRule(
            name="identifiers",
            source="LO 3/2018, artículo 2.1; RGPD, artículo 4.1",
            title=say("direct identifiers"),
            question=say("Are names, identification numbers, online identifiers and the like left out?"),
            remedy=say("drop or suppress these columns"),
            check=no_identifiers,
        ),
        LegalRule(
            name="identity-documents",
            source="LO 3/2018, disposición adicional séptima",
            title=say("numbers of identity documents"),
            question=say(
                "Does no complete number of an identity document (DNI, NIE, passport) stand beside a name?"
            ),
            remedy=say(
                "drop the numbers; where an administrative act must name people, four digits beside the name, and"
                " never name and complete number together"
            ),
            check=no_full_identity_numbers,
        ),
        singling_out_rule(_ANONYMOUS),
        linking_rule(_ANONYMOUS),
        inference_rule(_ANONYMOUS),
        LegalRule(
            name="health-research",
            source="LO 3/2018, disposición adicional decimoséptima, apartado 2.d",
            title=say("pseudonymized data in health research"),
            question=say(
                "If there are pseudonyms: are those who give them separate from those who do research, and bound"
                " not to identify anybody?"
            ),
            remedy=say(
                "drop pseudonyms, or keep the separation, the commitment and the security that the provision asks"
                " for"
            ),
            check=unchecked_pseudonyms,
        ),
        LegalRule(
            name="special-categories",
            source="LO 3/2018, artículos 9 y 28.2.c",
            title=say("special categories"),
            question=say(
                "If people could be identified after all, would special categories of data be disclosed?"
            ),
            remedy=say(
                "ask for stricter measures where these columns stay, and consider an impact assessment"
            ),
            check=no_special_categories,
        ),
        LegalRule(
            name="minors",
            source="LO 3/2018, artículos 7 y 28.2.e",
            title=say("minors"),
            question=say(
                "Are there no rows of minors, who are specially vulnerable (and consent for themselves from 14)?"
            ),
            remedy=say("leave out the rows of minors, or weigh the greater risk they run"),
            check=no_minors_under(18),
        ),
        LegalRule(
            name="reversal",
            source="LO 3/2018, artículo 72.1.p",
            title=say("deliberate reversal"),
            question=say(
                "Do those who receive the release know that undoing an anonymization on purpose is a very serious"
                " infringement?"
            ),
            remedy=say("say so in the terms under which the release is handed over"),
            check=ask_a_person(say("what recipients were told is not known here")),
        ),
    ),
)
