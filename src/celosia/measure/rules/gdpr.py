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
from celosia.measure.rules.rule import Rule, RuleSet
from celosia.measure.rules.said import Said

__all__ = ["RULES"]

_OPINION = "GDPR recital 26; Article 29 Working Party, Opinion 05/2014 (WP216)"

RULES = RuleSet(
    name="gdpr",
    title=Said(
        en="GDPR: is the release anonymous information?",
        es="RGPD: ¿es la publicación información anónima?",
    ),
    reference="Regulation (EU) 2016/679, Articles 4(1), 4(5), 9 and recital 26; WP216",
    rules=(
        Rule(
            name="identifiers",
            source="GDPR Article 4(1), recital 30",
            title=Said(en="direct identifiers", es="identificadores directos"),
            question=Said(
                en="Are names, identification numbers, online identifiers and the like left out?",
                es="¿Se omiten nombres, números de identificación, identificadores en línea y similares?",
            ),
            remedy=Said(en="drop or suppress these columns", es="quite o suprima estas columnas"),
            check=no_identifiers,
        ),
        Rule(
            name="pseudonyms",
            source="GDPR Article 4(5), recital 26",
            title=Said(en="pseudonyms", es="seudónimos"),
            question=Said(
                en="Is no column a pseudonym that additional information attributes to a person again?",
                es="¿No hay columnas con seudónimos que otra información atribuya de nuevo a una persona?",
            ),
            remedy=Said(
                en="drop pseudonyms, or treat the release as personal data: pseudonymized data stay personal",
                es="quite los seudónimos, o trate la publicación como datos personales: los datos seudonimizados lo"
                " siguen siendo",
            ),
            check=unchecked_pseudonyms,
        ),
        singling_out_rule(_OPINION),
        linking_rule(_OPINION),
        inference_rule(_OPINION),
        Rule(
            name="special-categories",
            source="GDPR Article 9(1)",
            title=Said(en="special categories", es="categorías especiales"),
            question=Said(
                en="If people could be identified after all, would special categories of data be disclosed?",
                es="Si pese a todo se identificara a alguien, ¿se revelarían categorías especiales de datos?",
            ),
            remedy=Said(
                en="ask for stricter measures where these columns stay, and consider an impact assessment (Article 35)",
                es="exija más donde queden estas columnas, y considere una evaluación de impacto (artículo 35)",
            ),
            check=no_special_categories,
        ),
        Rule(
            name="means-reasonably-likely",
            source="GDPR recital 26",
            title=Said(en="means reasonably likely to be used", es="medios que razonablemente se usarían"),
            question=Said(
                en="Were cost, time and technology weighed, and everybody thought of who might try to identify people?",
                es="¿Se sopesaron costes, tiempo y tecnología, y se pensó en cuantos podrían intentar identificar?",
            ),
            remedy=Said(
                en="declare in the project what attackers know, and write down who they may be and what it costs them",
                es="declare en el proyecto qué saben los atacantes, y anote quiénes pueden ser y qué les costaría",
            ),
            check=ask_a_person(
                Said(
                    en="who may try, and with what, is in no table",
                    es="quién puede intentarlo, y con qué, no está en ninguna tabla",
                )
            ),
        ),
        Rule(
            name="review",
            source="Article 29 Working Party, Opinion 05/2014 (WP216), good anonymisation practices",
            title=Said(en="review of what is left to risk", es="revisión del riesgo restante"),
            question=Said(
                en="Is it settled who looks again at the remaining risk, and when?",
                es="¿Está decidido quién revisa el riesgo restante, y cuándo?",
            ),
            remedy=Said(
                en="set a date, name who is responsible, and measure the release again then",
                es="fije una fecha, nombre a un responsable y vuelva a medir entonces la publicación",
            ),
            check=ask_a_person(
                Said(
                    en="anonymizing is not done once and for all: other tables appear",
                    es="anonimizar no se hace de una vez para siempre: aparecen otras tablas",
                )
            ),
        ),
    ),
)
