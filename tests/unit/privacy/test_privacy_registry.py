"""Which models exist, and what the options -k, -l, -t and --model of the command line mean."""

import re

import pytest

from celosia.errors import ProjectError
from celosia.privacy import (
    MODELS,
    AlphaKAnonymity,
    AverageRisk,
    BetaLikeness,
    DeltaDisclosure,
    DeltaPresence,
    DistinctLDiversity,
    EntropyLDiversity,
    KAnonymity,
    KMAnonymity,
    KMap,
    LKCPrivacy,
    MaximumRisk,
    NamedAttacker,
    NoAttack,
    PopulationUniqueness,
    PrivacyModel,
    Profitability,
    RecursiveCLDiversity,
    RowsAtRisk,
    TCloseness,
    parse_model,
    parse_named_model,
)

ONE = ["disease"]
TWO = ["disease", "salary"]


def test_every_model_is_found_by_its_name() -> None:
    assert dict(MODELS) == {
        "alpha-k-anonymity": AlphaKAnonymity,
        "attacker": NamedAttacker,
        "average-risk": AverageRisk,
        "beta-likeness": BetaLikeness,
        "delta-disclosure": DeltaDisclosure,
        "delta-presence": DeltaPresence,
        "distinct-l-diversity": DistinctLDiversity,
        "entropy-l-diversity": EntropyLDiversity,
        "k-anonymity": KAnonymity,
        "k-map": KMap,
        "km-anonymity": KMAnonymity,
        "lkc-privacy": LKCPrivacy,
        "maximum-risk": MaximumRisk,
        "no-attack": NoAttack,
        "population-uniqueness": PopulationUniqueness,
        "profitability": Profitability,
        "recursive-l-diversity": RecursiveCLDiversity,
        "rows-at-risk": RowsAtRisk,
        "t-closeness": TCloseness,
    }


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS.keys())
def test_every_model_explains_itself(model: type[PrivacyModel]) -> None:
    text = model.__doc__ or ""
    assert ">>>" in text, "a worked example"
    assert re.search(r"\b(19|20)\d\d\b", text), "a citation"
    assert all(field.description for name, field in model.model_fields.items() if name != "column")


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS.keys())
def test_every_example_of_the_command_line_is_understood(model: type[PrivacyModel]) -> None:
    named = parse_named_model(f"{model.name}:{model.example}", ONE)
    assert type(named) is model
    assert named.describe()
    for form in model.forms:
        found = parse_model(form.option, form.example, ONE)
        assert type(found) is model
        assert found.describe()


@pytest.mark.parametrize(
    ("option", "text", "columns", "expected"),
    [
        ("k", "5", [], KAnonymity(k=5)),
        ("k", "5", TWO, KAnonymity(k=5)),
        ("l", "3", ONE, DistinctLDiversity(column="disease", l=3)),
        ("l", "distinct:3", ONE, DistinctLDiversity(column="disease", l=3)),
        ("l", "entropy:2.5", ONE, EntropyLDiversity(column="disease", l=2.5)),
        ("l", "recursive:2:3", ONE, RecursiveCLDiversity(column="disease", c=2, l=3)),
        ("l", "disease=entropy:3", ONE, EntropyLDiversity(column="disease", l=3)),
        ("l", "salary=3", TWO, DistinctLDiversity(column="salary", l=3)),
        ("l", "a=b:c=entropy:3", ["a=b:c"], EntropyLDiversity(column="a=b:c", l=3)),
        ("t", "0.2", ONE, TCloseness(column="disease", t=0.2, distance="equal")),
        ("t", "equal:0.2", ONE, TCloseness(column="disease", t=0.2, distance="equal")),
        ("t", "salary=ordered:0.2", TWO, TCloseness(column="salary", t=0.2, distance="ordered")),
        (
            "t",
            "salary=ordered:0.2:low, middle,high",
            TWO,
            TCloseness(column="salary", t=0.2, distance="ordered", order=("low", "middle", "high")),
        ),
        ("t", "hierarchical:1", ONE, TCloseness(column="disease", t=1, distance="hierarchical")),
    ],
)
def test_an_option_is_the_model_that_it_says(option, text, columns, expected) -> None:
    assert parse_model(option, text, columns) == expected


L_FORMS = "accepted are, for example: 3, distinct:3, entropy:3, recursive:2:3"
T_FORMS = (
    "accepted are, for example: 0.2, equal:0.2, ordered:0.2, hierarchical:0.2, ordered:0.2:low,middle,high"
)


@pytest.mark.parametrize(
    ("option", "text", "columns", "message"),
    [
        ("k", "1", [], "-k '1': k should be greater than or equal to 2, got 1; accepted are, for example: 5"),
        ("k", "five", [], "-k 'five': k should be a valid integer, got five; accepted are, for example: 5"),
        ("k", "", [], "-k '': k should be a valid integer, got nothing; accepted are, for example: 5"),
        ("k", "5:2", [], "-k '5:2': '5:2' is not understood; accepted are, for example: 5"),
        (
            "k",
            "disease=5",
            ONE,
            "-k 'disease=5': k-anonymity is about no single column, but 'disease' was given; write 5",
        ),
        ("l", "0", ONE, f"-l '0': l should be greater than or equal to 1, got 0; {L_FORMS}"),
        ("l", "entropie:3", ONE, f"-l 'entropie:3': 'entropie:3' is not understood; {L_FORMS}"),
        ("l", "recursive:3", ONE, f"-l 'recursive:3': 'recursive:3' is not understood; {L_FORMS}"),
        ("l", "recursive:x:3", ONE, f"-l 'recursive:x:3': c should be a valid number, got x; {L_FORMS}"),
        ("l", "3", [], "-l '3': there is no sensitive column; declare one, as in --sensitive disease"),
        (
            "l",
            "entropy:3",
            TWO,
            "-l 'entropy:3': it does not say which sensitive column is meant; "
            "write disease=entropy:3 or salary=entropy:3",
        ),
        ("l", "diseas=3", TWO, "-l 'diseas=3': 'diseas' is not a sensitive column; did you mean 'disease'?"),
        ("t", "1.5", ONE, f"-t '1.5': t should be less than or equal to 1, got 1.5; {T_FORMS}"),
        ("t", "0", ONE, f"-t '0': t should be greater than 0, got 0; {T_FORMS}"),
        ("t", "nan", ONE, f"-t 'nan': t should be a finite number, got nan; {T_FORMS}"),
        ("x", "5", [], "option -x asks for no privacy model; the options are: -k, -l, -t"),
    ],
)
def test_what_is_not_understood_is_quoted_with_what_is(option, text, columns, message) -> None:
    with pytest.raises(ProjectError) as caught:
        parse_model(option, text, columns)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "columns", "expected"),
    [
        ("k-map:k=5", [], KMap(k=5)),
        ("k-anonymity:k=5", [], KAnonymity(k=5)),
        ("t-closeness:t=0.2,distance=ordered", ONE, TCloseness(column="disease", t=0.2, distance="ordered")),
        (
            "t-closeness:order=low,middle,high,t=0.2,distance=ordered",
            ONE,
            TCloseness(column="disease", t=0.2, distance="ordered", order=("low", "middle", "high")),
        ),
        ("beta-likeness:beta=2,column=salary", TWO, BetaLikeness(column="salary", beta=2)),
        ("delta-presence: low = 0.1, high = 0.5", [], DeltaPresence(low=0.1, high=0.5)),
        (
            "alpha-k-anonymity:alpha=0.5,value=flu, or worse,k=3",
            ONE,
            AlphaKAnonymity(column="disease", alpha=0.5, k=3, value="flu, or worse"),
        ),
    ],
)
def test_a_model_is_asked_for_by_its_name_and_parameters(text, columns, expected) -> None:
    assert parse_named_model(text, columns) == expected


@pytest.mark.parametrize(
    ("text", "columns", "message"),
    [
        ("k-mop:k=5", [], "--model 'k-mop:k=5': there is no privacy model 'k-mop'; did you mean 'k-map'?"),
        ("k-map", [], "--model 'k-map': k is not given; write it as in k-map:k=5"),
        (
            "k-map:k=1",
            [],
            "--model 'k-map:k=1': k should be greater than or equal to 2, got 1; write it as in k-map:k=5",
        ),
        ("k-map:5", [], "--model 'k-map:5': k-map has no parameter '5'; write it as in k-map:k=5"),
        (
            "delta-presence:low=0.6,high=0.5",
            [],
            "--model 'delta-presence:low=0.6,high=0.5': low must not be more than high, got 0.6 and 0.5; "
            "write it as in delta-presence:high=0.5",
        ),
        (
            "beta-likeness:beta=2",
            TWO,
            "--model 'beta-likeness:beta=2': it does not say which sensitive column is meant; "
            "write beta-likeness:beta=2,column=disease or beta-likeness:beta=2,column=salary",
        ),
        (
            "beta-likeness:beta=2,column=sex",
            ONE,
            "--model 'beta-likeness:beta=2,column=sex': 'sex' is not a sensitive column; the columns are: disease",
        ),
    ],
)
def test_what_is_not_understood_of_a_named_model_is_quoted_with_what_is(text, columns, message) -> None:
    with pytest.raises(ProjectError) as caught:
        parse_named_model(text, columns)
    assert str(caught.value) == message
