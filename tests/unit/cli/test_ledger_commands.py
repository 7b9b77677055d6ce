"""``celosia ledger``, and releases recorded by ``anonymize`` and ``run``, as a person at a terminal uses them."""

from pathlib import Path

import pytest

ASKED = ("--qi", "age,sex", "--sensitive", "disease", "--identifier", "name", "--common", "zip", "-k", "2")
KEY = ("--key-file", "clinic.key")
RECORDED = ("--ledger", "clinic.ledger", "--person", "name", *KEY)


@pytest.fixture
def ledger(people, monkeypatch, celosia):
    """A ledger with one release, for the lab, in the folder we are in."""
    monkeypatch.chdir(people.parent)
    monkeypatch.delenv("CELOSIA_KEY", raising=False)
    assert celosia("key", "new", "--file", "clinic.key").status == 0
    answer = celosia("anonymize", people, *ASKED, "--out", "one.csv", *RECORDED, "--for", "lab")
    assert answer.status == 0, answer.err
    assert "recorded in clinic.ledger as 2:" in answer.out
    return Path("clinic.ledger")


def test_a_ledger_is_listed_without_the_key(ledger, celosia):
    answer = celosia("ledger", "list", ledger)
    assert answer.status == 0
    assert "1 release" in answer.out
    assert "lab" in answer.out
    document = celosia("ledger", "list", ledger, "--json").document
    assert document["releases"][0]["recipient"] == "lab"


def test_a_release_is_shown(ledger, celosia):
    answer = celosia("ledger", "show", ledger, "2", *KEY)
    assert answer.status == 0
    assert '"model": "k-anonymity"' in answer.out
    assert "anchor" in answer.out


def test_a_release_that_is_not_there_is_told(ledger, celosia):
    answer = celosia("ledger", "show", ledger, "7")
    assert answer.status == 2
    assert "there is no release 7; its releases are: 2" in answer.err


def test_a_sound_ledger_verifies(ledger, celosia):
    answer = celosia("ledger", "verify", ledger, *KEY, "--anchor-record", "one.record.json")
    assert answer.status == 0
    assert "every line is as it was written" in answer.out
    assert "not known" not in answer.out


def test_without_key_and_anchor_it_says_what_it_does_not_know(ledger, celosia):
    document = celosia("ledger", "verify", ledger, "--json").document
    assert document["passed"]
    assert len(document["unknown"]) == 2


def test_a_changed_ledger_answers_with_1(ledger, celosia):
    ledger.write_bytes(ledger.read_bytes().replace(b'"lab"', b'"lob"'))
    answer = celosia("ledger", "verify", ledger, *KEY)
    assert answer.status == 1
    assert "this ledger was changed" in answer.out
    assert celosia("ledger", "list", ledger).status == 2


def test_a_changed_or_missing_file_of_people_answers_with_1(ledger, celosia):
    [people] = Path("clinic.ledger.people").iterdir()
    content = bytearray(people.read_bytes())
    content[100] ^= 1
    people.write_bytes(content)
    answer = celosia("ledger", "verify", ledger, *KEY)
    assert answer.status == 1
    assert "release 2: the file of its people is not as it was written" in answer.out
    assert celosia("ledger", "check", ledger, *KEY).status == 2
    people.unlink()
    assert "is missing, and nobody erased it" in celosia("ledger", "verify", ledger, *KEY).out


def test_an_anchor_finds_entries_that_are_gone(ledger, celosia):
    answer = celosia("ledger", "verify", ledger, *KEY, "--anchor", "9:" + "ab" * 32)
    assert answer.status == 1
    assert "entry 9 is not the one" in answer.out


def test_a_release_that_breaks_an_earlier_one_is_refused_with_what_would_keep_it(ledger, people, celosia):
    lines = people.read_text(encoding="utf-8").splitlines(keepends=True)
    Path("less.csv").write_text("".join(lines[:-1]), encoding="utf-8")
    answer = celosia("anonymize", "less.csv", *ASKED, "--out", "two.csv", *RECORDED)
    assert answer.status == 2
    assert (
        "1 person in 1 group hides among fewer than 2 (at least 1), who is not in it any more" in answer.err
    )
    assert "leave out" in answer.err
    assert not Path("two.csv").exists()
    assert (
        celosia("anonymize", "less.csv", *ASKED, "--out", "two.csv", *RECORDED, "--broken", "record").status
        == 0
    )
    kept = celosia("ledger", "check", ledger, *KEY, "-k", "2")
    assert kept.status == 1


def test_rows_are_suppressed_on_request(ledger, people, celosia):
    lines = people.read_text(encoding="utf-8").splitlines(keepends=True)
    Path("more.csv").write_text("".join([*lines, "Pau,48,m,08005,flu\n"]), encoding="utf-8")
    answer = celosia("anonymize", "more.csv", *ASKED, "--out", "two.csv", *RECORDED, "--broken", "suppress")
    assert answer.status == 0, answer.err
    assert len(Path("two.csv").read_text(encoding="utf-8").splitlines()) == len(lines)


def test_what_broken_may_be_is_told(ledger, people, celosia):
    answer = celosia("anonymize", people, *ASKED, "--out", "two.csv", *RECORDED, "--broken", "ignore")
    assert answer.status == 2
    assert "'ignore' is none of stop, suppress, record" in answer.err


def test_options_about_a_ledger_need_one(people, safe, celosia):
    answer = celosia("anonymize", people, *ASKED, "--out", safe, "--for", "lab")
    assert answer.status == 2
    assert "there is no ledger" in answer.err


def test_recipients_who_share_are_asked_about(ledger, people, celosia):
    assert celosia("anonymize", people, *ASKED, "--out", "two.csv", *RECORDED, "--for", "press").status == 0
    document = celosia("ledger", "check", ledger, *KEY, "--recipients", "lab,press", "--json").document
    assert document["recipients"][0]["releases"] == [2, 3]
    assert document["recipients"][0]["k"] >= 2
    answer = celosia("ledger", "check", ledger, *KEY, "--tables")
    assert "lab and press" in answer.out
    assert "2 and 3" in answer.out


def test_a_release_made_elsewhere_is_recorded_from_its_table(ledger, celosia):
    answer = celosia("ledger", "import", ledger, "one.csv", "--qi", "age,sex", "--for", "archive", *KEY)
    assert answer.status == 0, answer.err
    assert "release 3 is recorded" in answer.out
    assert celosia("ledger", "import", ledger, "one.csv", *KEY).status == 2


def test_copies_are_told_apart(ledger, celosia):
    for name in ("lab", "press"):
        answer = celosia(
            "ledger", "copy", ledger, "2", "--for", name, "--rate", "50%", "--out", f"{name}.csv", *KEY
        )
        assert answer.status == 0, answer.err
    answer = celosia("ledger", "trace", ledger, "one.csv", *KEY)
    assert answer.status == 1
    document = celosia("ledger", "trace", ledger, "press.csv", *KEY, "--json").document
    assert document["zip"][0]["recipient"] in ("lab", "press")


def test_copies_need_the_key(ledger, celosia):
    answer = celosia("ledger", "copy", ledger, "2", "--for", "lab", "--out", "x.csv")
    assert answer.status == 2
    assert "CELOSIA_KEY" in answer.err


def test_who_is_in_a_release_can_be_forgotten(ledger, celosia):
    assert "is erased" in celosia("ledger", "forget", ledger, "2", *KEY).out
    assert "erased already" in celosia("ledger", "forget", ledger, "2", *KEY).out
    assert celosia("ledger", "verify", ledger, *KEY).status == 0


def test_new_rows_are_added_from_the_command_line(ledger, celosia):
    lines = [
        "name,age,sex,zip,disease",
        *(f"New{n},{31 + n},f,28009,flu" for n in range(2)),
        "Pau,90,m,1,flu",
    ]
    Path("new.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    answer = celosia("extend", "one.record.json", "new.csv", "--out", "two.csv", "--waiting", "waiting.csv")
    assert answer.status == 0, answer.err
    assert "added" in answer.out
    assert Path("waiting.csv").read_text(encoding="utf-8").splitlines()[1].startswith("Pau")


def test_a_project_takes_its_recipient_from_the_command_line(ledger, people, celosia):
    Path("p.yaml").write_text(
        "version: 2\nkeys: {default: {file: clinic.key}}\nledger: {file: clinic.ledger, person: name}\n"
        "models: [{model: k-anonymity, k: 2}]\n"
        "tables:\n  people:\n    source: people.csv\n    destination: three.csv\n    columns:\n"
        "      name: identifier\n      age: quasi-identifier\n      sex: quasi-identifier\n      disease: sensitive\n"
        "      zip: common\n",
        encoding="utf-8",
    )
    answer = celosia("run", "p.yaml", "--for", "city")
    assert answer.status == 0, answer.err
    assert "city" in celosia("ledger", "list", ledger, *KEY).out


@pytest.mark.parametrize(
    ("language", "told"), [("en", "k of all so far"), ("es", "k de todas hasta entonces")]
)
def test_the_report_tells_what_was_released_before_and_what_remains(ledger, people, celosia, language, told):
    assert celosia("anonymize", people, *ASKED, "--out", "two.csv", *RECORDED, "--for", "press").status == 0
    asked = ("--ledger", ledger, *KEY, "--language", language, "--out", "report.html")
    answer = celosia("report", "two.record.json", *asked)
    assert answer.status == 0, answer.err
    page = Path("report.html").read_text(encoding="utf-8")
    assert told in page
    assert "3:" in page
