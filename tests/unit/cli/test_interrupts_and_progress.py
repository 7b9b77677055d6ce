"""Stopped at any moment, a run leaves nothing behind; a person at a terminal sees how far it is."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from celosia.cli.interrupt import interruptible, report_if_written, report_interrupt
from celosia.cli.progress import PATIENCE
from celosia.recode.techniques.full_domain import FullDomain

# A real run on a real file, with a search that takes its time, or a release that hangs while it is written.
SLOW_SEARCH = """
import time
from celosia.recode.techniques.full_domain import FullDomain
found = FullDomain.find
def slow(technique, task, **how):
    for step in range(600):
        task.progress("searching", step / 600)
        print(end="searching\\n", flush=True)
        time.sleep(0.05)
    return found(technique, task, **how)
FullDomain.find = slow
"""
SLOW_VERIFICATION = """
import time
import celosia.release.finish as finish
def slow(*_, **__):
    print(end="verifying\\n", flush=True)
    time.sleep(30)
finish.verify = slow
"""
# Tests that run in the background inherit an ignored Ctrl-C, which would stay ignored.
START = """
import signal
from celosia.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
main()
"""
ARGUMENTS = [
    "anonymize",
    "people.csv",
    "--qi",
    "age,sex,zip",
    "--common",
    "name",
    "-k",
    "2",
    "--technique",
    "full-domain",
    "--out",
    "safe.csv",
]


def begin(code: str, folder: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", code + START, *ARGUMENTS],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize(
    ("code", "number"),
    [
        (SLOW_SEARCH, signal.SIGINT),
        (SLOW_VERIFICATION, signal.SIGINT),
        (SLOW_VERIFICATION, signal.SIGTERM),
        (SLOW_VERIFICATION, signal.SIGHUP),
    ],
    ids=["Ctrl-C while searching", "Ctrl-C while verifying", "terminated", "hung up"],
)
def test_a_signal_stops_the_run_and_nothing_is_left(people, code, number):
    process = begin(code, people.parent)
    assert process.stdout is not None
    process.stdout.readline()
    assert code is SLOW_SEARCH or len(os.listdir(people.parent)) == 2  # the hidden release is there
    process.send_signal(number)
    out, err = process.communicate(timeout=90)
    assert err == "interrupted; nothing was written\n"
    assert process.returncode == 128 + number
    assert "Traceback" not in out
    assert os.listdir(people.parent) == ["people.csv"]


def test_a_second_signal_does_not_stop_the_cleaning_up(people):
    process = begin(SLOW_VERIFICATION, people.parent)
    assert process.stdout is not None
    process.stdout.readline()
    for _ in range(20):
        process.send_signal(signal.SIGINT)
        time.sleep(0.001)
    process.communicate(timeout=90)
    assert os.listdir(people.parent) == ["people.csv"]


def test_a_long_run_is_stopped_by_ctrl_c_wherever_it_is(celosia, tmp_path):
    table = tmp_path / "hospital.csv"
    assert celosia("sample", "--rows", "30000", "--out", table).status == 0
    columns = "birth_date,sex,postcode,marital_status,education,occupation,nationality"
    arguments = [
        "anonymize",
        "hospital.csv",
        "--qi",
        columns,
        "--identifier",
        "record_number,patient_name,national_id",
        "-k",
        "5",
        "--suppression",
        "5%",
        "--out",
        "safe.csv",
    ]
    for moment in (0.4, 0.8, 1.2):
        process = subprocess.Popen(
            [sys.executable, "-c", START, *arguments],
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        time.sleep(moment)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        if process.returncode == 0:  # it was faster
            break
        assert process.returncode in (130, -signal.SIGINT), err
        if table.with_name(
            "safe.csv"
        ).exists():  # only its evidence was still shown, or the process about to end
            assert sorted(os.listdir(tmp_path)) == ["hospital.csv", "safe.csv", "safe.record.json"], err
            assert "nothing was written" not in err
            break
        assert os.listdir(tmp_path) == ["hospital.csv"], err


def test_a_signal_that_the_parent_ignores_stays_ignored():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with interruptible():
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


def test_handlers_are_put_back():
    before = signal.getsignal(signal.SIGTERM)
    with interruptible():
        assert signal.getsignal(signal.SIGTERM) is not before
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.parametrize("is_within", [True, False], ids=["while it is made", "while its evidence is shown"])
def test_an_interrupt_after_the_release_was_moved_into_place_says_so(tmp_path, capsys, is_within):
    path = tmp_path / "safe.csv"

    def release_and_stop():
        with report_if_written(path):
            path.write_text("all of it", encoding="utf-8")
            if is_within:
                raise KeyboardInterrupt
        raise KeyboardInterrupt

    with interruptible():
        with pytest.raises(KeyboardInterrupt) as caught:
            release_and_stop()
        assert report_interrupt(caught.value) == 130
    assert capsys.readouterr().err == f"interrupted; {path} was written before, and is complete\n"


def test_an_interrupt_while_the_evidence_is_shown_says_that_the_release_is_there(people):
    slow = """
import time
import celosia.cli.release_view as evidence
def show(_):
    print(end="showing\\n", flush=True)
    time.sleep(30)
evidence.print_release = show
"""
    process = begin(slow, people.parent)
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=90)
    assert (err, process.returncode) == ("interrupted; safe.csv was written before, and is complete\n", 130)
    assert sorted(os.listdir(people.parent)) == ["people.csv", "safe.csv", "safe.record.json"]


def test_a_bar_appears_on_a_terminal_after_a_second_and_vanishes(people):
    pexpect = pytest.importorskip("pexpect")
    code = SLOW_SEARCH.replace("range(600)", "range(30)").replace(
        'print(end="searching\\n", flush=True)', "pass"
    )
    terminal = pexpect.spawn(
        sys.executable, ["-c", code + START, *ARGUMENTS], cwd=str(people.parent), encoding="utf-8", timeout=90
    )
    terminal.expect("searching.*%")
    terminal.expect("Risk of being singled out")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0


def test_ctrl_c_at_a_terminal_leaves_nothing(people):
    pexpect = pytest.importorskip("pexpect")
    terminal = pexpect.spawn(
        sys.executable,
        ["-c", SLOW_SEARCH + START, *ARGUMENTS],
        cwd=str(people.parent),
        encoding="utf-8",
        timeout=90,
    )
    terminal.expect("searching")
    terminal.sendintr()
    terminal.expect("interrupted; nothing was written")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 130
    assert os.listdir(people.parent) == ["people.csv"]


def test_no_bar_is_drawn_where_nobody_looks(celosia, people, monkeypatch):
    find = FullDomain.find

    def slow(technique, task, **how):
        task.progress("searching", 0.5)
        time.sleep(1.2 * PATIENCE)
        task.progress("searching", 0.6)
        return find(technique, task, **how)

    monkeypatch.setattr(FullDomain, "find", slow)
    monkeypatch.chdir(people.parent)
    answer = celosia(*ARGUMENTS)
    assert (answer.status, answer.err) == (0, "")
