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
from celosia.measure.rules.rule import Case, Outcome, Rule, RuleSet, Verdict
from celosia.measure.rules.said import Said

__all__ = ["RULES"]

NUMBERS = ("es.dni", "es.nie", "es.nif")
_ANONYMOUS = "LO 3/2018, artículo 2.1; RGPD, considerando 26; GT29, Dictamen 05/2014 (WP216)"


def no_full_identity_numbers(case: Case) -> Verdict:
    """Not met where names stand beside whole numbers of identity documents; where there are only numbers, ask.

    The provision itself shows whole numbers alone in announcements of notifications.
    """
    whole = [seen for seen in case.columns if seen.content and seen.content.facts.get("format") in NUMBERS]
    names = [seen for seen in case.columns if seen.meaning == "a person's name"]
    if whole and names:
        return Verdict(Outcome.NOT_MET, tuple(map(evidence_of, (*whole, *names))))
    named = whole or [
        seen
        for seen in case.columns
        if seen.meaning in ("a national identity number", "a passport or licence number")
    ]
    if named:
        return Verdict(Outcome.PERSON, tuple(map(evidence_of, named)))
    return Verdict(Outcome.MET, (nothing_seen(case.columns),))


RULES = RuleSet(
    name="lopdgdd",
    title=Said(
        en="LOPDGDD, Ley Orgánica 3/2018 (Spain): is the release anonymous?",
        es="LOPDGDD, Ley Orgánica 3/2018 (España): ¿es anónima la publicación?",
    ),
    reference="Ley Orgánica 3/2018, artículos 2, 7, 9, 28 y 72, disposiciones adicionales séptima y decimoséptima",
    rules=(
        Rule(
            name="identifiers",
            source="LO 3/2018, artículo 2.1; RGPD, artículo 4.1",
            title=Said(en="direct identifiers", es="identificadores directos"),
            question=Said(
                en="Are names, identification numbers, online identifiers and the like left out?",
                es="¿Se omiten nombres, números de identificación, identificadores en línea y similares?",
            ),
            remedy=Said(en="drop or suppress these columns", es="quite o suprima estas columnas"),
            check=no_identifiers,
        ),
        Rule(
            name="identity-documents",
            source="LO 3/2018, disposición adicional séptima",
            title=Said(en="numbers of identity documents", es="números de documentos de identidad"),
            question=Said(
                en="Does no complete number of an identity document (DNI, NIE, passport) stand beside a name?",
                es="¿No figura junto a un nombre ningún número completo de documento de identidad (DNI, NIE,"
                " pasaporte)?",
            ),
            remedy=Said(
                en="drop the numbers; where an administrative act must name people, four digits beside the name, and"
                " never name and complete number together",
                es="quite los números; donde un acto administrativo deba nombrar a personas, cuatro cifras junto al"
                " nombre, y nunca nombre y número completo juntos",
            ),
            check=no_full_identity_numbers,
        ),
        singling_out_rule(_ANONYMOUS),
        linking_rule(_ANONYMOUS),
        inference_rule(_ANONYMOUS),
        Rule(
            name="health-research",
            source="LO 3/2018, disposición adicional decimoséptima, apartado 2.d",
            title=Said(
                en="pseudonymized data in health research",
                es="datos seudonimizados en investigación en salud",
            ),
            question=Said(
                en="If there are pseudonyms: are those who give them separate from those who do research, and bound"
                " not to identify anybody?",
                es="Si hay seudónimos: ¿están separados técnica y funcionalmente quienes los asignan de quienes"
                " investigan, y comprometidos estos a no reidentificar?",
            ),
            remedy=Said(
                en="drop pseudonyms, or keep the separation, the commitment and the security that the provision asks"
                " for",
                es="quite los seudónimos, o cumpla la separación, el compromiso y la seguridad que pide la"
                " disposición",
            ),
            check=unchecked_pseudonyms,
        ),
        Rule(
            name="special-categories",
            source="LO 3/2018, artículos 9 y 28.2.c",
            title=Said(en="special categories", es="categorías especiales"),
            question=Said(
                en="If people could be identified after all, would special categories of data be disclosed?",
                es="Si pese a todo se identificara a alguien, ¿se revelarían categorías especiales de datos?",
            ),
            remedy=Said(
                en="ask for stricter measures where these columns stay, and consider an impact assessment",
                es="exija más donde queden estas columnas, y considere una evaluación de impacto",
            ),
            check=no_special_categories,
        ),
        Rule(
            name="minors",
            source="LO 3/2018, artículos 7 y 28.2.e",
            title=Said(en="minors", es="menores"),
            question=Said(
                en="Are there no rows of minors, who are specially vulnerable (and consent for themselves from 14)?",
                es="¿No hay filas de menores, especialmente vulnerables (y que consienten por sí desde los 14)?",
            ),
            remedy=Said(
                en="leave out the rows of minors, or weigh the greater risk they run",
                es="omita las filas de menores, o pondere el mayor riesgo que corren",
            ),
            check=no_minors_under(18),
        ),
        Rule(
            name="reversal",
            source="LO 3/2018, artículo 72.1.p",
            title=Said(en="deliberate reversal", es="reversión deliberada"),
            question=Said(
                en="Do those who receive the release know that undoing an anonymization on purpose is a very serious"
                " infringement?",
                es="¿Saben quienes reciben la publicación que revertir deliberadamente una anonimización es una"
                " infracción muy grave?",
            ),
            remedy=Said(
                en="say so in the terms under which the release is handed over",
                es="dígalo en las condiciones con que se entrega la publicación",
            ),
            check=ask_a_person(
                Said(
                    en="what recipients were told is not known here",
                    es="aquí no se sabe qué se dijo a quien recibe",
                )
            ),
        ),
    ),
)
