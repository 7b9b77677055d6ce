"""Every mistake is one sentence that says what, where and what to do; the status is 2 and nothing is written."""

import json
from pathlib import Path

import pytest

OUT = ["--out", "safe.csv"]
BASIC = ["people.csv", "--qi", "age,sex,zip", "--sensitive", "disease", "--identifier", "name", *OUT]

# What a person types, and words of the sentence: what is wrong, where, and what to do.
MISTAKES = {
    "unknown column": (["people.csv", "--qi", "agee,sex", "-k", "2", *OUT], ["'agee'", "did you mean 'age'?"]),
    "no such file": (["peple.csv", "--qi", "age", "-k", "2", *OUT], ["peple.csv", "does not exist"]),
    "empty file": (["empty.csv", "--qi", "age", "-k", "2", *OUT], ["empty.csv", "empty"]),
    "only a header": (["header.csv", "--qi", "age", "-k", "2", *OUT], ["header.csv", "no rows"]),
    "ragged rows": (["ragged.csv", "--qi", "age", "-k", "2", *OUT], ["ragged.csv", "3"]),
    "wrong encoding": (["latin.csv", "--qi", "age", "-k", "2", "--encoding", "utf-8", *OUT], ["latin.csv", "utf-8"]),
    "unknown encoding": ([*BASIC, "-k", "2", "--encoding", "utf-88"], ["utf-88"]),
    "k larger than the table": ([*BASIC, "-k", "9"], ["k = 9", "8 rows", "smaller k"]),
    "k below 2": ([*BASIC, "-k", "1"], ["-k '1'", "greater than or equal to 2"]),
    "k that is no number": ([*BASIC, "-k", "many"], ["-k 'many'"]),
    "no model": (BASIC, ["no privacy model", "-k 5"]),
    "no quasi-identifier": (["people.csv", "-k", "2", *OUT], ["no quasi-identifier", "--qi"]),
    "no destination": (["people.csv", "--qi", "age", "-k", "2"], ["--out"]),
    "hierarchy that misses values": ([*BASIC, "-k", "2", "--hierarchy", "sex=half.csv"], ["'m'", "--unknown suppress"]),
    "hierarchy without root": ([*BASIC, "-k", "2", "--hierarchy", "sex=roots.csv"], ["roots.csv", "2 labels"]),
    "hierarchy with two parents": ([*BASIC, "-k", "2", "--hierarchy", "sex=torn.csv"], ["torn.csv", "'f'"]),
    "hierarchy that is not there": ([*BASIC, "-k", "2", "--hierarchy", "sex=nowhere.csv"], ["nowhere.csv"]),
    "hierarchy of no column": ([*BASIC, "-k", "2", "--hierarchy", "sexx=half.csv"], ["'sexx'"]),
    "hierarchy without a file": ([*BASIC, "-k", "2", "--hierarchy", "sex"], ["--hierarchy", "age=ages.csv"]),
    "folder that is not there": ([*BASIC, "-k", "2", "--hierarchies", "nowhere"], ["nowhere", "folder"]),
    "two roles": ([*BASIC, "-k", "2", "--identifier", "age"], ["'age'", "identifier and quasi-identifier", "one role"]),
    "an identifier that nobody declared": (
        ["people.csv", "--qi", "age,sex,zip", "-k", "2", *OUT],
        ["'name' is not declared", "the name says 'name'", "--identifier", "--common"],
    ),
    "a role twice": (["people.csv", "--qi", "age,age", "-k", "2", *OUT], ["'age'", "twice"]),
    "output that exists": (["people.csv", "--qi", "age", "-k", "2", "--out", "half.csv"], ["exists", "--overwrite"]),
    "output in no folder": (["people.csv", "--qi", "age", "-k", "2", "--out", "no/safe.csv"], ["no", "create it"]),
    "output of no known format": (["people.csv", "--qi", "age", "-k", "2", "--out", "safe.doc"], [".doc"]),
    "share above one": ([*BASIC, "-k", "2", "--suppression", "5"], ["--suppression", "'5'", "5%"]),
    "measure unknown": ([*BASIC, "-k", "2", "--measure", "beauty"], ["'beauty'", "loss"]),
    "search unknown": ([*BASIC, "-k", "2", "--search", "guess"], ["search", "'optimal'", "'guess'"]),
    "node too short": ([*BASIC, "-k", "2", "--node", "1"], ["node", "age 0 to"]),
    "node without numbers": ([*BASIC, "-k", "2", "--node", "a,b,c"], ["--node", "1,0,2"]),
    "node that is not valid": ([*BASIC, "-k", "2", "--node", "0,0,0"], ["0,0,0", "celosia explore"]),
    "weight of no quasi-identifier": ([*BASIC, "-k", "2", "--weight", "disease=2"], ["'disease'"]),
    "weight that is no number": ([*BASIC, "-k", "2", "--weight", "sex=heavy"], ["'heavy'"]),
    "weight of nothing": ([*BASIC, "-k", "2", "--weight", "sex=0"], ["above 0"]),
    "diversity without sensitive column": (["people.csv", "--qi", "age", "-l", "2", *OUT], ["-l '2'", "--sensitive"]),
    "diversity of another kind": ([*BASIC, "-l", "funny:3"], ["funny:3", "entropy:3"]),
    "nothing satisfies it": ([*BASIC, "-l", "4"], ["no generalization", "suppression"]),
    "type unknown": ([*BASIC, "-k", "2", "--type", "age=shape"], ["'shape'", "integer"]),
    "type of no column": ([*BASIC, "-k", "2", "--type", "agee=text"], ["'agee'"]),
    "types file that is none": ([*BASIC, "-k", "2", "--types", "people.csv"], ["people.csv", "name,type,length"]),
    "policy unknown": ([*BASIC, "-k", "2", "--missing-policy", "guess"], ["missing", "guess"]),
    "option unknown": ([*BASIC, "-k", "2", "--colour", "red"], ["--colour", "celosia anonymize --help"]),
}  # fmt: skip
FILES = {
    "empty.csv": b"",
    "header.csv": b"age,sex\n",
    "ragged.csv": b"age,sex\n30,f\n31,f,x\n",
    "latin.csv": "age,name\n30,Iñigo\n31,Ana\n".encode("latin-1"),
    "half.csv": b"f;*\n",
    "roots.csv": b"f;woman\nm;man\n",
    "torn.csv": b"f;x;*\nf;y;*\nm;x;*\n",
}


@pytest.fixture
def folder(people: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with all files that the mistakes speak of; the commands run in it."""
    for name, content in FILES.items():
        (people.parent / name).write_bytes(content)
    monkeypatch.chdir(people.parent)
    return people.parent


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_sentence_and_leaves_nothing(celosia, folder, mistake):
    arguments, words = MISTAKES[mistake]
    before = contents(folder)
    answer = celosia("anonymize", *arguments)
    assert (answer.status, answer.out) == (2, "")
    assert len(answer.err.strip().splitlines()) == 1
    assert answer.err.startswith("error: ")
    for word in words:
        assert word in answer.err
    assert contents(folder) == before


@pytest.mark.parametrize("mistake", MISTAKES)
def test_with_json_a_mistake_is_an_object(celosia, folder, mistake):
    answer = celosia("anonymize", *MISTAKES[mistake][0], "--json")
    assert (answer.status, answer.out) == (2, "")
    error = json.loads(answer.err)["error"]
    assert set(error) == {"kind", "what", "where", "remedy"}
    assert error["what"]
    assert error["remedy"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["profile", "nowhere.csv"], ["nowhere.csv"]),
        (["profile", "people.csv", "--nominate", "agee"], ["'agee'", "'age'"]),
        (["profile", "people.csv", "--tolerance", "2"], ["--tolerance"]),
        (["profile", "people.csv", "--save-types", "half.csv"], ["half.csv", "exists"]),
        (["explore", "people.csv", "--qi", "agee", "-k", "2"], ["'agee'", "'age'"]),
        (["explore", "people.csv", "--qi", "age", "-k", "2", "--best", "0"], ["--best"]),
        (["verify", "people.csv", "--qi", "age"], ["no privacy model"]),
        (["verify", "people.csv", "-k", "2"], ["no quasi-identifier"]),
        (["verify", "people.csv", "--qi", "agee", "-k", "2"], ["'agee'", "'age'"]),
        (["verify", "people.csv", "--qi", "age", "--sensitive", "age", "-k", "2"], ["one role"]),
        (["hierarchy", "propose", "people.csv", "--column", "agee"], ["'agee'", "'age'"]),
        (["hierarchy", "propose", "people.csv", "--column", "age", "--out", "nowhere"], ["nowhere"]),
        (["hierarchy", "check", "people.csv"], ["--hierarchies"]),
        (["hierarchy", "check", "people.csv", "--hierarchy", "agee=half.csv"], ["'agee'", "'age'"]),
        (["hierarchy", "show", "nowhere.csv"], ["nowhere.csv"]),
        (["hierarchy", "show", "half.csv", "--value", "x"], ["'x'"]),
        (["sample", "--out", "half.csv"], ["half.csv", "--overwrite"]),
        (["sample", "--out", "people.doc"], [".doc"]),
        (["sample", "--out", "s3://clinic/people.csv"], ["a file of this machine only"]),
        (["sample", "--rows", "0", "--out", "new.csv"], ["--rows"]),
        (["sample"], ["--out"]),
        (["models", "x-anonymity"], ["x-anonymity", "k-anonymity"]),
        (["anonymise"], ["anonymise"]),
    ],
    ids=lambda part: " ".join(part[:6]) if part[0].islower() else None,
)
def test_the_other_commands_say_it_as_well(celosia, folder, arguments, words):
    before = contents(folder)
    answer = celosia(*arguments)
    assert (answer.status, answer.out) == (2, "")
    assert len(answer.err.strip().splitlines()) == 1
    for word in words:
        assert word in answer.err
    assert contents(folder) == before
