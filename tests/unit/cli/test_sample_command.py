"""``celosia sample``: the English table, and its Spanish twin as Spanish offices write it."""


def test_an_option_asks_for_the_spanish_twin_and_a_shell_alone_does_not(celosia, tmp_path, monkeypatch):
    monkeypatch.setenv("LANG", "es_ES.UTF-8")
    assert celosia("sample", "--rows", "5", "--out", tmp_path / "plain.csv").status == 0
    assert (tmp_path / "plain.csv").read_text().startswith("record_number,patient_name,")
    answer = celosia(
        *("sample", "--rows", "5", "--language", "es", "--out", tmp_path / "altas.csv"),
        *("--hierarchies", tmp_path / "jerarquias"),
    )
    assert answer.status == 0, answer.err
    first = (tmp_path / "altas.csv").read_text().splitlines()[1].split(";")
    assert (first[3][2], first[3][5], first[15][-3]) == ("/", "/", ",")
    assert (tmp_path / "jerarquias" / "estado_civil.csv").exists()


def test_the_twin_is_written_in_the_encoding_that_is_asked_for(celosia, tmp_path):
    path = tmp_path / "altas.csv"
    answer = celosia(
        "sample", "--rows", "50", "--language", "es", "--encoding", "windows-1252", "--out", path
    )
    assert answer.status == 0, answer.err
    assert "García" in path.read_bytes().decode("windows-1252")
