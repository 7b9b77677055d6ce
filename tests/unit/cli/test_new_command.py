"""``celosia new`` makes projects that run: by answers of a person, or by its own proposals."""

import signal
import sys

import pytest

from celosia.cli.wizard import change_column
from celosia.errors import ProjectError
from celosia.project import load_project
from celosia.project.draft import ColumnDraft, Draft, TableDraft
from celosia.types import ColumnType, Role

KEY = "00112233445566778899aabbccddeeff" * 2
VISITS = "visit,person,day\n" + "".join(f"{n},{100 + n % 25},2024-0{1 + n % 9}-01\n" for n in range(40))
PERSONS = "id,sex\n" + "".join(f"{100 + n},{'fm'[n % 2]}\n" for n in range(25))


@pytest.fixture
def two(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CELOSIA_KEY", KEY)
    (tmp_path / "persons.csv").write_text(PERSONS)
    (tmp_path / "visits.csv").write_text(VISITS)
    return tmp_path


@pytest.fixture
def talk(people):
    """A person at a terminal: answers to questions, then the rest of what is shown."""
    pexpect = pytest.importorskip("pexpect")

    def call(*exchanges, arguments=("people.csv",)):
        command = ["-m", "celosia", "new", *arguments]
        child = pexpect.spawn(
            sys.executable,
            command,
            cwd=str(people.parent),
            encoding="utf-8",
            timeout=60,
            dimensions=(50, 200),
            # Tests that run in the background inherit an ignored Ctrl-C, which would stay ignored.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        for question, answer in exchanges:
            child.expect_exact(question)
            if answer == "^C":
                child.sendintr()
            else:
                child.sendline(answer)
        child.expect(pexpect.EOF)
        child.close()
        return child.exitstatus, child.before

    return call


COLUMNS = "Enter if all is right"
USUAL = [
    ("Name of the project", ""),
    ("Owner", ""),
    ("Purpose", ""),
    (COLUMNS, ""),
    ("complete", ""),
    ("k: rows", ""),
    ("Share of the rows", ""),
    ("l for l-diversity", ""),
    ("Column that tells people apart", ""),
    ("File for the release", ""),
    ("Folder for the proposed hierarchies", ""),
]


def answers(**changed):
    """The usual exchange with other answers to some of the questions."""
    return [(question, changed.get(question.split()[0].rstrip(":"), answer)) for question, answer in USUAL]


def test_proposals_alone_make_a_project_that_runs(celosia, people):
    project = people.with_name("project.yaml")
    answer = celosia("new", people, "--out", project, "--yes")
    assert (answer.status, answer.err) == (0, "")
    assert f"celosia run {project}" in answer.out
    assert project.read_text(encoding="utf-8").startswith(
        "# yaml-language-server: $schema=celosia.schema.json\n"
    )
    assert celosia("check", project, "--strict").status == 0
    assert celosia("run", project).status == 0
    assert people.with_name("people_safe.csv").exists()


def test_every_column_is_listed_with_type_length_and_role(celosia, people):
    project = people.with_name("project.yaml")
    assert celosia("new", people, "--out", project, "--yes").status == 0
    plan = load_project(project).plan()
    listed = {name: (str(one.type), one.length, str(one.role)) for name, one in plan.columns.items()}
    assert listed == {
        "name": ("text", 4, "identifier"),
        "age": ("integer", None, "quasi-identifier"),
        "sex": ("text", 1, "quasi-identifier"),
        "zip": ("text", 5, "quasi-identifier"),
        "disease": ("text", 6, "sensitive"),
    }
    assert plan.unlisted == "drop"
    assert plan.models[0].describe() == "each person hides among at least 5 rows"
    assert plan.modelled == ("disease",)


def test_attributes_of_several_tables_get_pseudonyms_and_a_person(celosia, two):
    answer = celosia("new", "persons.csv", "visits.csv", "--yes")
    assert answer.status == 0
    assert 'export CELOSIA_KEY="$(celosia key new --show)"' in answer.out
    project = load_project("project.yaml")
    assert project.repeated_attributes == (("persons.id", "visits.person"),)
    for table, column in (("persons", "id"), ("visits", "person")):
        plan = project.plan(table)
        assert (plan.person, [one.name for one in plan.columns[column].operation]) == (
            column,
            ["pseudonymize"],
        )
    assert celosia("check", "project.yaml").status == 0


def test_tables_without_quasi_identifiers_are_light(celosia, tmp_path):
    path = tmp_path / "prices.csv"
    path.write_text("unit,price\nEUR,1.5\nEUR,2.5\n")
    project = tmp_path / "project.yaml"
    assert celosia("new", path, "--out", project, "--yes").status == 0
    assert load_project(project).kind == "light"
    assert celosia("run", project).status == 0


def test_tables_of_a_database_are_taken_by_name(celosia, people, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert celosia("import", people, "--out", "sqlite:///clinic.db", "--out-table", "people").status == 0
    assert celosia("new", "sqlite:///clinic.db", "--table", "people", "--yes").status == 0
    project = load_project("project.yaml")
    assert project.connections == {"clinic": "sqlite:///clinic.db"}
    assert project.tables["people"].destination.table == "people_safe"
    assert celosia("run", "project.yaml").status == 0


def test_foreign_keys_of_a_database_are_proposed(celosia, tmp_path, monkeypatch):
    import sqlite3

    monkeypatch.chdir(tmp_path)
    with sqlite3.connect("clinic.db") as database:
        database.execute("CREATE TABLE persons (code TEXT PRIMARY KEY, sex TEXT)")
        database.execute("CREATE TABLE visits (who TEXT REFERENCES persons(code), ward TEXT)")
        database.executemany("INSERT INTO persons VALUES (?, ?)", [("x1", "f"), ("x2", "m")])
        database.executemany("INSERT INTO visits VALUES (?, ?)", [("x1", "A"), ("x1", "B")])
    database.close()
    answer = celosia("new", "sqlite:///clinic.db", "--table", "persons", "--table", "visits", "--yes")
    assert answer.status == 0
    assert load_project("project.yaml").repeated_attributes == (("persons.code", "visits.who"),)


def test_hierarchies_are_written_to_be_looked_over(celosia, people, tmp_path):
    folder, project = tmp_path / "levels", tmp_path / "project.yaml"
    assert celosia("new", people, "--out", project, "--yes", "--hierarchies", folder).status == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        "people.age.csv",
        "people.sex.csv",
        "people.zip.csv",
    ]
    assert load_project(project).plan().columns["age"].hierarchy == str(folder / "people.age.csv")
    assert celosia("run", project).status == 0


def test_a_hierarchy_that_is_there_is_taken_as_it_is(celosia, people, tmp_path):
    (tmp_path / "levels").mkdir()
    mine = tmp_path / "levels" / "people.sex.csv"
    mine.write_text("f;*\nm;*\n")
    answer = celosia(
        "new", people, "--out", tmp_path / "p.yaml", "--yes", "--hierarchies", tmp_path / "levels"
    )
    assert "exists already and is taken as it is" in answer.out
    assert mine.read_text() == "f;*\nm;*\n"


def test_how_a_file_is_written_goes_into_the_project(celosia, tmp_path):
    path, project = tmp_path / "gente.txt", tmp_path / "p.yaml"
    path.write_bytes("edad|baño\n31|-\n47|sí\n".encode("latin-1"))
    how = ["--separator", "|", "--encoding", "latin-1", "--missing", "-"]
    assert celosia("new", path, *how, "--out", project, "--yes").status == 0
    source = load_project(project).plan().source
    assert (source.separator, source.encoding, source.missing) == ("|", "latin-1", ("", "-"))
    assert celosia("check", project).status == 0


def test_nothing_is_overwritten(celosia, people):
    project = people.with_name("project.yaml")
    project.write_text("mine")
    answer = celosia("new", people, "--out", project, "--yes")
    assert answer.status == 2
    assert "exists already" in answer.err
    assert "choose another name with --out, or allow it with --overwrite" in answer.err
    assert project.read_text() == "mine"


def test_a_project_is_replaced_where_that_is_allowed(celosia, people):
    project = people.with_name("project.yaml")
    project.write_text("mine")
    assert celosia("new", people, "--out", project, "--yes", "--overwrite").status == 0
    assert load_project(project).tables


@pytest.mark.parametrize("results", [1, 2])
def test_tables_that_share_people_are_never_light(celosia, tmp_path, monkeypatch, results):
    import sqlite3

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CELOSIA_KEY", KEY)
    with sqlite3.connect("clinic.db") as database:
        database.execute("CREATE TABLE persons (person_id TEXT, sex TEXT)")
        database.execute("CREATE TABLE lab (person_id TEXT, outcome TEXT)")
        for n in range(30):
            database.execute("INSERT INTO persons VALUES (?, ?)", (f"P{n:03}", "fm"[n % 2]))
            database.executemany("INSERT INTO lab VALUES (?, ?)", [(f"P{n:03}", "abc"[n % 3])] * results)
    database.close()
    answer = celosia("new", "sqlite:///clinic.db", "--table", "persons", "--table", "lab", "--yes")
    assert answer.status == 0
    project = load_project("project.yaml")
    assert [project.plan(name).kind for name in ("persons", "lab")] == ["complete", "complete"]
    assert [project.plan(name).person for name in ("persons", "lab")] == ["person_id", "person_id"]
    assert project.plan("lab").quasi_identifiers == ()
    assert celosia("check", "project.yaml").status == 0
    assert celosia("run", "project.yaml").status == 0


def test_dates_that_a_database_keeps_as_texts_are_quasi_identifiers(celosia, tmp_path, monkeypatch):
    import sqlite3

    monkeypatch.chdir(tmp_path)
    with sqlite3.connect("clinic.db") as database:
        database.execute("CREATE TABLE visits (happened TEXT, ward TEXT)")
        rows = [(f"2024-{1 + n % 12:02}-{1 + n % 28:02}", "AB"[n % 2]) for n in range(40)]
        database.executemany("INSERT INTO visits VALUES (?, ?)", rows)
    database.close()
    assert celosia("new", "sqlite:///clinic.db", "--table", "visits", "--yes").status == 0
    assert "happened" in load_project("project.yaml").plan().quasi_identifiers
    assert celosia("run", "project.yaml").status == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--yes"], "no table was given"),
        (["nowhere.csv", "--yes"], "this file does not exist"),
        (["people.csv"], "nobody can be asked here; take all proposals with --yes"),
        (["people.csv", "--table", "x", "--yes"], "tables are named in databases, spreadsheets and archives"),
        (["people.csv", "--out", "nowhere/p.yaml", "--yes"], "the folder nowhere does not exist"),
        (["sqlite:///nowhere.db", "--table", "x", "--yes"], "nowhere.db"),
    ],
)
def test_what_cannot_be_made_is_told(celosia, people, monkeypatch, arguments, told):
    monkeypatch.chdir(people.parent)
    answer = celosia("new", *arguments)
    assert answer.status == 2
    assert told in answer.err
    assert [path.name for path in people.parent.iterdir()] == ["people.csv"]


def test_a_person_who_agrees_to_everything_gets_what_is_proposed(celosia, people, talk, monkeypatch):
    status, shown = talk(*USUAL)
    assert (status, "celosia check project.yaml" in shown) == (0, True)
    monkeypatch.chdir(people.parent)
    assert celosia("new", "people.csv", "--out", "proposed.yaml", "--yes").status == 0
    asked, proposed = (people.with_name(f"{name}.yaml").read_text() for name in ("project", "proposed"))
    assert asked == proposed


def test_answers_change_what_is_proposed(celosia, people, talk):
    exchange = answers(Name="Clinic", Owner="Ana", k="3", Share="0", File="out.parquet")
    columns = [(COLUMNS, "?"), (COLUMNS, "9 q"), (COLUMNS, "zip c"), (COLUMNS, "name p"), (COLUMNS, "")]
    exchange[3:4] = columns
    exchange[exchange.index(("l for l-diversity", ""))] = ("l for l-diversity", "x")
    exchange.insert(exchange.index(("l for l-diversity", "x")) + 1, ("l for l-diversity", "t 0.9"))
    folder = exchange.pop()
    exchange += [("Environment variable", "CLINIC_KEY"), folder]
    status, shown = talk(*exchange, arguments=("people.csv", "--out", "p.yaml"))
    assert status == 0, shown
    project = load_project(people.with_name("p.yaml"))
    plan = project.plan()
    assert (project.name, project.owner, plan.suppression) == ("Clinic", "Ana", 0)
    assert [model.name for model in plan.models] == ["k-anonymity", "t-closeness"]
    assert plan.models[0].model_dump()["k"] == 3
    assert plan.quasi_identifiers == ("age", "sex")
    assert [one.name for one in plan.columns["name"].operation] == ["pseudonymize"]
    assert project.keys["default"].environment == "CLINIC_KEY"
    assert plan.destination.path == str(people.with_name("out.parquet"))


@pytest.mark.parametrize(("answer", "status", "kept"), [("n", 2, True), ("y", 0, False)])
def test_a_person_is_asked_before_a_project_is_replaced(people, talk, answer, status, kept):
    project = people.with_name("project.yaml")
    project.write_text("mine")
    exchange = [("exists already. Replace it?", answer), *(USUAL if status == 0 else [])]
    assert talk(*exchange)[0] == status
    assert (project.read_text(encoding="utf-8") == "mine") is kept


def test_ctrl_c_in_answer_to_a_question_leaves_nothing(people, talk):
    status, shown = talk(USUAL[0], ("Owner", "^C"))
    assert (status, "interrupted; nothing was written" in shown) == (130, True)
    assert "Traceback" not in shown
    assert [path.name for path in people.parent.iterdir()] == ["people.csv"]


@pytest.fixture
def draft():
    columns = {name: ColumnDraft(name, ColumnType.INTEGER, Role.COMMON) for name in ("id", "first name", "2")}
    return Draft({"people": TableDraft("people.csv", "safe.csv", columns)})


@pytest.mark.parametrize(
    ("answer", "column", "role", "kind"),
    [
        ("1 i", "id", Role.IDENTIFIER, ColumnType.INTEGER),
        ("id sensitive", "id", Role.SENSITIVE, ColumnType.INTEGER),
        ("first name q text", "first name", Role.QUASI_IDENTIFIER, ColumnType.TEXT),
        ("2 Q", "2", Role.QUASI_IDENTIFIER, ColumnType.INTEGER),
        ("3 date", "2", Role.COMMON, ColumnType.DATE),
    ],
)
def test_a_column_is_named_or_numbered(draft, answer, column, role, kind):
    change_column(draft, "people", answer)
    changed = draft.tables["people"].columns[column]
    assert (changed.role, changed.type) == (role, kind)


@pytest.mark.parametrize("answer", ["4 q", "0 q", "1", "1 x", "idd q", "1 q qq"])
def test_an_answer_that_means_nothing_is_told(draft, answer):
    with pytest.raises(ProjectError, match="is not understood"):
        change_column(draft, "people", answer)


def test_the_same_attribute_changes_everywhere():
    tables = {
        name: TableDraft("a.csv", "b.csv", {"id": ColumnDraft("id", kind, role, is_unique=name == "a")})
        for name, kind, role in (
            ("a", ColumnType.INTEGER, Role.COMMON),
            ("b", ColumnType.TEXT, Role.IDENTIFIER),
        )
    }
    draft = Draft(tables)
    draft.repeat([("a", "id"), ("b", "id")])
    both = [tables[name].columns["id"] for name in "ab"]
    assert [(one.type, one.role, one.is_pseudonymized) for one in both] == [
        (ColumnType.TEXT, Role.IDENTIFIER, True)
    ] * 2
    assert [table.person for table in tables.values()] == ["id", "id"]
    change_column(draft, "b", "1 s")
    assert [one.role for one in both] == [Role.SENSITIVE] * 2


def test_dates_that_may_be_read_in_two_ways_are_asked_about_first(people, talk):
    rows = "".join(f"0{1 + n % 9}/0{1 + n % 7}/2020;{'flu' if n % 2 else 'gout'}\n" for n in range(40))
    people.with_name("visits.csv").write_text("seen;ill\n" + rows)
    asked = [("Which is it", "perhaps"), ("Which is it", "day-first"), ("Name of the project", "^C")]
    _, told = talk(*asked, arguments=("visits.csv",))
    assert "Which is it" not in told
    usual = [one for one in answers() if not one[0].startswith("l for")]  # nothing there looks sensitive
    status, _ = talk(("Which is it", "day-first"), *usual, arguments=("visits.csv",))
    assert status == 0
    assert "date_format: day-first" in people.with_name("project.yaml").read_text(encoding="utf-8")
