"""``celosia balance`` and what ``celosia profile`` says about k."""

import re
import shlex

import pytest

from celosia.cli.commands.balance import parse_ks
from celosia.errors import ProjectError


def last_command(answer) -> list[str]:
    return shlex.split(answer.out.strip().splitlines()[-1])


def test_every_k_has_a_line_and_the_best_ones_are_named(celosia, people):
    answer = celosia("balance", people, "--qi", "age", "--ks", "2-4,8")
    assert (answer.status, answer.err) == (0, "")
    assert "8 of 8 rows can be singled out" in answer.out
    lines = {line.split()[0]: line for line in answer.out.splitlines() if re.match(r" +\d", line)}
    assert list(lines) == ["2", "3", "4", "8"]
    document = celosia("balance", people, "--qi", "age", "--ks", "2-4,8", "--json").document
    for k, line in lines.items():
        named = line.partition("best: ")[2].split(", ")
        assert ("published" in named) == (document["best"]["published"] == int(k))
        assert ("sound" in named) == (document["best"]["sound"] == int(k))


@pytest.mark.parametrize(
    "more",
    [
        ["--qi", "age"],
        ["--qi", "age,sex", "--keep-type", "sex", "--sensitive", "disease", "-l", "2"],
        ["--qi", "age,zip", "--type", "zip=text", "--split", "median", "--represent", "mean", "--relaxed"],
    ],
    ids=["numbers", "mixed", "cuts"],
)
def test_it_ends_with_a_command_that_works(celosia, people, safe, more):
    answer = celosia(
        "balance",
        people,
        *more,
        "--identifier",
        "name",
        "--ks",
        "2,3",
        "--tolerance",
        "100%",
        "--rule",
        "sound",
    )
    command = last_command(answer)
    assert command[:2] == ["celosia", "anonymize"]
    assert command[command.index("-k") + 1] == "3"
    command[command.index("--out") + 1] = str(safe)
    done = celosia(*command[1:])
    assert (done.status, done.err) == (0, "")


def test_options_of_reading_are_in_the_command(celosia, tmp_path):
    table = tmp_path / "a b.txt"
    table.write_text("1;2\n1;3\n4;2\n4;9\n", encoding="utf-8")
    answer = celosia("balance", table, "--no-header", "--separator", ";", "--qi", "column_1", "--ks", "2")
    command = last_command(answer)
    assert str(table) in command
    assert "--no-header" in command
    assert command[command.index("--separator") + 1] == ";"
    assert command[command.index("--technique") + 1] == "distribution-mondrian"


def test_charts_are_drawn_in_every_form_and_not_over_others(celosia, people, tmp_path):
    files = [tmp_path / f"curve.{ending}" for ending in ("png", "svg", "html")]
    asked = [
        "balance",
        people,
        "--qi",
        "age",
        "--ks",
        "2-4",
        *(word for file in files for word in ("--chart", file)),
    ]
    assert celosia(*asked).status == 0
    assert files[0].read_bytes().startswith(b"\x89PNG")
    assert "<svg" in files[1].read_text(encoding="utf-8")
    assert "<html" in files[2].read_text(encoding="utf-8")
    again = celosia(*asked)
    assert again.status == 2
    assert "exists already" in again.err
    assert celosia(*asked, "--overwrite").status == 0


def test_json_has_the_whole_curve(celosia, people):
    document = celosia("balance", people, "--qi", "age,sex", "--ks", "2-4,20", "--json").document
    assert [point["k"] for point in document["points"]] == [2, 3, 4]
    assert document["left_out"] == [20]
    assert document["technique"]["name"] == "mondrian"
    assert document["judged"] == {"published": ["age"], "sound": ["age"]}
    point = document["points"][0]
    assert point["singled_out"] == {"before": 8, "after": 0}
    assert {"loss", "discernibility", "class-size"} <= set(point["measures"])
    assert {"distance", "significance", "wasserstein", "loss"} <= set(point["columns"]["age"])


def test_columns_shown_as_labels_are_said_not_to_be_judged(celosia, people):
    told = celosia("balance", people, "--qi", "age,sex", "--ks", "2").out
    assert "not judged by their distribution but by the loss: sex" in told


def test_without_a_best_k_the_choice_is_left_to_the_person(celosia, people):
    asked = ["balance", people, "--qi", "age", "--ks", "8", "--tolerance", "0", "--rule", "sound"]
    told = celosia(*asked).out
    assert "no k that was tried passes" in told
    assert "-k 8 " in told
    assert celosia(*asked, "--json").document["command"] is None


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--ks", "one"], "'one' is no value of k"),
        (["--ks", "5-2"], "'5-2' is no value of k"),
        (["--ks", "1-5"], "'1-5' is no value of k"),
        (["--ks", "9"], "k = 9 is more than the 8 rows"),
        (["--rule", "strict"], "there is no rule 'strict'"),
        (["--tolerance", "7"], "'7' is not a share"),
        (["--technique", "full-domain"], "cannot be balanced for technique full-domain"),
        (["--technique", "distribution-mondrian", "--qi", "sex"], "is for numbers"),
        (["--chart", "nowhere/curve.png"], "the folder nowhere does not exist"),
        (["--chart", "curve.pdf"], "cannot be drawn as '.pdf'"),
    ],
)
def test_mistakes_end_in_a_sentence(celosia, people, more, told):
    answer = celosia("balance", people, "--qi", "age", *more)
    assert answer.status == 2
    assert told in answer.err


def test_values_of_k_are_numbers_and_ranges():
    assert parse_ks("3,2-4, 9") == [2, 3, 4, 9]
    with pytest.raises(ProjectError):
        parse_ks("2-1000000")


def test_profile_names_the_command_that_chooses_k(celosia, people):
    told = celosia("profile", people).out.splitlines()
    line = next(line for line in told if line.strip().startswith("celosia balance"))
    assert celosia(*shlex.split(line)[1:]).status == 0
    assert not any("keeps the distributions" in line for line in told)


def test_profile_proposes_k_when_asked(celosia, people):
    told = celosia("profile", people, "--nominate", "age", "--propose-k").out
    best = celosia("balance", people, "--qi", "age", "--json").document["best"]
    assert (
        f"k = {best['published']} is the largest from 2 to 8 that keeps the distributions (published rule)"
        in told
    )
    document = celosia("profile", people, "--nominate", "age", "--propose-k", "--json").document
    assert document["balance"]["best"] == best
    assert document["balance"]["command"].startswith("celosia balance ")


def test_profile_says_when_there_is_nothing_to_judge_k_by(celosia, people):
    told = celosia("profile", people, "--nominate", "sex", "--propose-k").out
    assert "no column of numbers to judge k by" in told
