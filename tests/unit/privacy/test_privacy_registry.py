"""Which models exist, and what the options -k, -l and -t of the command line mean."""

import pytest

from celosia.errors import ProjectError
from celosia.privacy import (
    MODELS,
    DistinctLDiversity,
    EntropyLDiversity,
    KAnonymity,
    PrivacyModel,
    RecursiveCLDiversity,
    TCloseness,
    parse_model,
)

ONE = ["disease"]
TWO = ["disease", "salary"]


def test_every_model_is_found_by_its_name() -> None:
    assert dict(MODELS) == {
        "distinct-l-diversity": DistinctLDiversity,
        "entropy-l-diversity": EntropyLDiversity,
        "k-anonymity": KAnonymity,
        "recursive-l-diversity": RecursiveCLDiversity,
        "t-closeness": TCloseness,
    }


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS.keys())
def test_every_model_explains_itself(model: type[PrivacyModel]) -> None:
    text = model.__doc__ or ""
    assert ">>>" in text, "a worked example"
    assert any(year in text for year in ("1998", "2007")), "a citation"
    assert all(field.description for name, field in model.model_fields.items() if name != "column")


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS.keys())
def test_every_example_of_the_command_line_is_understood(model: type[PrivacyModel]) -> None:
    assert model.forms
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
        ("t", "hierarchical:1", ONE, TCloseness(column="disease", t=1, distance="hierarchical")),
    ],
)
def test_an_option_is_the_model_that_it_says(option, text, columns, expected) -> None:
    assert parse_model(option, text, columns) == expected


L_FORMS = "accepted are, for example: 3, distinct:3, entropy:3, recursive:2:3"
T_FORMS = "accepted are, for example: 0.2, equal:0.2, ordered:0.2, hierarchical:0.2"


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
