"""``profile``, ``explore``, ``verify``, ``hierarchy``, ``sample``, ``models``, ``measures`` and the options of all."""

import shlex
import subprocess
import sys
from importlib.metadata import version

import polars as pl
import pytest

from celosia.cli.start import start

ROLES = ["--qi", "age,sex,zip", "--sensitive", "disease", "--identifier", "name"]


def test_profile_shows_columns_with_roles_and_reasons(celosia, people):
    told = celosia("profile", people).out
    assert "8 rows, 5 columns" in told
    line = next(line for line in told.splitlines() if line.split()[:1] == ["sex"])
    assert "quasi-identifier" in line
    assert "the name says" in line


def test_profile_ends_with_a_command_that_works(celosia, people, safe):
    command = celosia("profile", people).out.strip().splitlines()[-1].split()
    assert command[:2] == ["celosia", "anonymize"]
    command[command.index("--out") + 1] = str(safe)
    command[command.index("-k") + 1] = "2"
    assert celosia(*command[1:]).status == 0


def test_profile_proposes_the_smallest_set_of_nominated_columns(celosia, people):
    proposal = celosia("profile", people, "--nominate", "sex,zip,age", "--json").document["quasi_identifiers"]
    assert (proposal["columns"], proposal["distinct"], proposal["proven"]) == (["zip"], 8, True)


def test_explore_lists_every_candidate_and_stars_the_optimal_ones(celosia, people):
    document = celosia("explore", people, *ROLES, "-k", "2", "--json").document
    best = min(one["measures"]["loss"] for one in document["candidates"])
    assert document["valid"] == len(document["candidates"])
    assert [one["measures"]["loss"] == best for one in document["candidates"]] == [
        one["optimal"] for one in document["candidates"]
    ]
    lines = celosia("explore", people, *ROLES, "-k", "2").out.splitlines()
    starred = [line.split()[1] for line in lines if line.startswith("  * ")]
    assert starred == [",".join(map(str, one["node"])) for one in document["candidates"] if one["optimal"]]


def test_explore_lists_the_best_by_the_measure_asked_for(celosia, people):
    document = celosia(
        "explore", people, *ROLES, "-k", "2", "--measure", "height", "--best", "3", "--json"
    ).document
    heights = [one["measures"]["height"] for one in document["candidates"]]
    assert len(heights) == 3
    assert heights == sorted(heights)


def test_explore_says_so_when_nothing_is_valid(celosia, people):
    answer = celosia("explore", people, *ROLES, "-k", "2", "-l", "4")
    assert answer.status == 0
    assert answer.out.startswith("0 of ")


def test_verify_passes_what_anonymize_released(celosia, people, safe):
    asked = [*ROLES, "-k", "2", "-l", "2"]
    assert celosia("anonymize", people, *asked, "--suppression", "50%", "--out", safe).status == 0
    answer = celosia("verify", safe, *asked)
    assert (answer.status, answer.err) == (0, "")
    assert "kept: k-anonymity" in answer.out


def test_verify_exits_with_1_and_shows_what_is_broken(celosia, people):
    answer = celosia("verify", people, *ROLES, "-k", "2")
    assert (answer.status, answer.err) == (1, "")
    assert "BROKEN: k-anonymity: asked 2, reached 1; 8 classes violate it" in answer.out
    assert "BROKEN: identifiers in the release: 'name'" in answer.out


def test_verify_answers_in_json_as_well(celosia, people):
    answer = celosia("verify", people, "--qi", "sex", "-k", "4", "--json")
    assert (answer.status, answer.document["passed"], answer.document["smallest"]) == (0, True, 4)


def test_a_proposed_hierarchy_can_be_written_checked_shown_and_used(celosia, people, tmp_path):
    folder = tmp_path / "levels"
    folder.mkdir()
    assert celosia("hierarchy", "propose", people, "--column", "age,zip", "--out", folder).status == 0
    assert sorted(path.name for path in folder.iterdir()) == ["age.csv", "zip.csv"]
    checked = celosia("hierarchy", "check", people, "--hierarchies", folder)
    assert (checked.status, checked.out.count(": fits")) == (0, 2)
    shown = celosia("hierarchy", "show", folder / "zip.csv", "--value", "28001")
    assert shown.out.splitlines()[-1].split()[:2] == ["28001", "2800*"]
    again = celosia("hierarchy", "propose", people, "--column", "age", "--out", folder)
    assert (again.status, "--overwrite" in again.err) == (2, True)


def test_a_proposal_counts_rows_and_takes_a_column_without_values(celosia, tmp_path):
    rows = ["gain,empty", *(f"{n**3}," for n in range(100)), *["0,"] * 5000]
    (tmp_path / "gains.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    gain, empty = celosia("hierarchy", "propose", tmp_path / "gains.csv", "--json").document
    assert "about equally many rows" in gain["reason"]
    assert (empty["reason"], empty["rows"]) == ("no values", [["*"]])


def test_a_hierarchy_that_does_not_fit_its_column_is_told_value_by_value(celosia, people, tmp_path):
    sex = tmp_path / "sex.csv"
    sex.write_text("f;*\nx;?\n", encoding="utf-8")
    answer = celosia("hierarchy", "check", people, "--hierarchy", f"sex={sex}")
    assert answer.status == 1
    assert "the last level has 2 labels" in answer.out
    assert "1 value of the column is not in it: 'm'" in answer.out


def test_a_hierarchy_that_cannot_be_read_is_a_finding_of_the_check(celosia, people, tmp_path):
    ages = tmp_path / "age.csv"
    ages.write_text("31;30s;*\n31;3x;*\n", encoding="utf-8")
    problems = celosia("hierarchy", "check", people, "--hierarchy", f"age={ages}", "--json").document
    assert "31" in problems[0]["problems"][0]["what"]


def test_show_counts_the_labels_of_each_level(celosia, tmp_path):
    ages = tmp_path / "age.csv"
    ages.write_text("31;30s;*\n32;30s;*\n41;40s;*\n", encoding="utf-8")
    assert celosia("hierarchy", "show", ages, "--json").document["labels"] == [3, 2, 1]
    told = celosia("hierarchy", "show", ages, "--rows", "1").out
    assert "and 2 more" in told


def test_sample_writes_people_that_anonymize_can_take(celosia, tmp_path):
    table, folder = tmp_path / "hospital.csv", tmp_path / "levels"
    made = celosia("sample", "--rows", "300", "--seed", "3", "--out", table, "--hierarchies", folder)
    assert made.status == 0, made.err
    assert pl.read_csv(table).height == 300
    arguments = [
        "--qi",
        "age,sex,nationality",
        "--identifier",
        "record_number,patient_name,national_id,birth_date,postcode,marital_status,education,occupation,admission_date,"
        "discharge_date,department,length_of_stay,notes",
        "--sensitive",
        "diagnosis,diagnosis_code,severity,outcome",
        "--mask",
        "cost=round:to=1000",
        "--hierarchies",
        folder,
        "-k",
        "3",
        "--out",
        tmp_path / "safe.csv",
    ]
    assert celosia("anonymize", table, *arguments).status == 0


def test_the_same_seed_gives_the_same_sample(celosia, tmp_path):
    for name in ("a.csv", "b.csv"):
        celosia("sample", "--rows", "50", "--seed", "3", "--out", tmp_path / name)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


def test_every_model_is_listed_with_its_option_and_explained_by_its_docstring(celosia):
    from celosia.privacy import MODELS, ways_to_ask

    listed = celosia("models").out
    for name, model in MODELS.items():
        assert ways_to_ask(model)[0] in listed
        told = celosia("models", name).out
        assert (model.__doc__ or "").splitlines()[0] in told
        assert ">>>" not in told
    assert {one["name"] for one in celosia("models", "--json").document} == set(MODELS)


def test_every_measure_is_listed_with_its_meaning(celosia):
    from celosia.measure.utility import utility_measures

    listed = celosia("measures").out
    for measure in utility_measures().values():
        assert measure.meaning in listed


def test_the_version_is_told(celosia):
    assert celosia("--version").out.strip() == f"celosia {version('celosia')}"


def test_without_a_command_the_help_is_shown(celosia):
    for arguments, word in (([], "anonymize"), (["hierarchy"], "propose")):
        answer = celosia(*arguments)
        assert (answer.status, answer.err) == (0, "")
        assert word in answer.out


COMMANDS = ["profile", "anonymize", "explore", "verify", "hierarchy propose", "hierarchy check"]


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_that_read_a_table_share_the_options_of_reading(command):
    import typer

    from celosia.cli.app import app

    found = typer.main.get_command(app)
    for word in command.split():
        found = found.commands[word]
    names = {name for parameter in found.params for name in parameter.opts}
    assert {"--separator", "--encoding", "--header", "--missing", "--types", "--type", "--json"} <= names


def test_the_shell_completes_commands_columns_and_names(people, monkeypatch, capsys):
    def complete(line: str) -> list[str]:
        monkeypatch.setenv("_CELOSIA_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(line.split(" ")) - 1))
        capsys.readouterr()
        with pytest.raises(SystemExit):
            start([])
        return capsys.readouterr().out.split()

    monkeypatch.chdir(people.parent)
    assert complete("celosia an") == ["anonymize"]
    assert complete("celosia anonymize people.csv --qi a") == ["age"]
    assert complete("celosia anonymize people.csv --qi age,s") == ["age,sex"]
    assert complete("celosia anonymize people.csv --type age=i") == ["age=integer"]
    assert complete("celosia anonymize nowhere.csv --qi a") == []
    assert complete("celosia anonymize people.csv --measure lo") == ["loss"]
    assert complete("celosia anonymize people.csv --search d") == ["datafly"]
    assert complete("celosia anonymize people.csv --missing-policy m") == ["mode"]
    assert complete("celosia anonymize people.csv -l e") == ["entropy:"]
    assert complete("celosia models t") == ["t-closeness"]


def test_the_shell_is_told_how_to_complete(celosia):
    # The shell is that from which the command is started, whatever started the tests; left to itself, bash would step
    # aside for the last command that it is given.
    run = subprocess.run(
        ["bash", "-c", f"{shlex.quote(sys.executable)} -m celosia --show-completion bash; exit $?"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0
    assert "_CELOSIA_COMPLETE=complete_bash" in run.stdout


def test_output_that_nobody_reads_to_the_end_is_no_error(people):
    rows = "\n".join(f"{age};{age};*" for age in range(20_000))
    levels = people.with_name("levels.csv")
    levels.write_text(rows, encoding="utf-8")
    arguments = ["hierarchy", "show", str(levels), "--rows", "20000"]
    with subprocess.Popen(
        [sys.executable, "-m", "celosia", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141
