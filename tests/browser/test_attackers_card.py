"""The card of who knows what, on the page of goals."""

import pytest

TABLE = "age,sex,zip,ill\n" + "".join(
    f"{20 + number % 30},{'fm'[number % 2]},280{number % 9:02d},{'abc'[number % 3]}\n"
    for number in range(120)
)
DOCUMENT = {
    "version": 2,
    "tables": {
        "people": {
            "source": "people.csv",
            "columns": {
                **dict.fromkeys(["age", "sex", "zip"], "quasi-identifier"),
                "ill": "sensitive",
            },
        }
    },
    "models": [{"model": "k-anonymity", "k": 5}],
}


@pytest.mark.parametrize("language", ["en", "es"])
def test_what_others_know_is_said_on_a_card(site, visit, language):
    client, visitor = site.signed_in(), visit(site, language=language)
    project = client.project(f"attackers {language}", TABLE, DOCUMENT)
    visitor.go(project, "goals")
    page = visitor.page
    visitor.text("Who knows what").wait_for()
    visitor.field("Columns that others know of a person at most").click()
    page.get_by_role("option", name="2", exact=True).click()
    visitor.text(
        "Whoever knows up to {known} of the columns of a person finds at least {k} people who look alike.",
        known=2,
        k=5,
    ).nth(1).wait_for()
    visitor.field("Who, such as neighbour").fill("Ana")
    visitor.field("Knows these columns").click()
    for column in ("age", "sex"):
        page.get_by_role("option", name=column, exact=True).click()
    page.keyboard.press("Escape")
    visitor.button("Add an attacker").click()
    told = visitor.text(
        "{who}, who knows {knows}, finds at least {k} people who look alike.",
        who="Ana",
        knows="age, sex",
        k=5,
    )
    told.nth(1).wait_for()
    visitor.shot("attackers")
    assert client.get(f"/projects/{project}").json()["document"]["models"] == [
        {"model": "km-anonymity", "k": 5, "known": 2},
        {"model": "attacker", "who": "Ana", "knows": ["age", "sex"], "k": 5},
    ]
    visitor.button("Take back: {promise}", promise="Ana").click()
    told.first.wait_for(state="detached")
    assert len(client.get(f"/projects/{project}").json()["document"]["models"]) == 1
