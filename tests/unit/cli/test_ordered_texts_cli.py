"""The ordered distance of texts on the command line: refused with what to do, or taken in the order given."""

import pytest


@pytest.fixture
def people(tmp_path):
    """Salaries in a unit of the house, which are texts, and pain in words."""
    lines = ["age;salary;pain"] + [
        f"{20 + 10 * (n % 3)};{100 + 37 * n % 900}{n:02} pt;{('low', 'middle', 'high')[n // 3 % 3]}"
        for n in range(60)
    ]
    path = tmp_path / "people.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize("command", ["verify", "explore", "balance"])
def test_commands_take_no_alphabet_for_an_order(celosia, people, command):
    asked = [command, people, "--qi", "age", "--ks" if command == "balance" else "-k", "5"]
    refused = celosia(*asked, "--sensitive", "salary", "-t", "ordered:0.2")
    assert refused.status == 2
    assert "'salary'" in refused.err
    assert "are texts" in refused.err
    assert (
        "give their order, as in -t salary=ordered:0.2:low,middle,high (in a project: order)" in refused.err
    )
    assert celosia(*asked, "--sensitive", "pain", "-t", "ordered:0.4:low,middle,high").status == 0
