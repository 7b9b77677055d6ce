"""What was noted is read in the language of whoever reads it, and nothing of it is anything but text."""

import re

import pytest

from celosia.server.audit import ACTIONS
from celosia.server.work import KINDS
from celosia.web.audit_texts import JOBS, describe_audit_entry
from celosia.words import Words

SPANISH = Words("es")


def test_every_kind_of_job_has_a_name():
    assert set(JOBS) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_what_happens_to_a_job_is_told_in_spanish(kind):
    for action in (f"start {kind}", f"see {kind}", f"{kind} done", f"{kind} failed", f"{kind} cancelled"):
        assert not re.search(r"\b(start|see|done|failed|cancelled)\b", describe_audit_entry(action, SPANISH))


def test_fixed_actions_are_told_in_spanish():
    assert [text for text in ACTIONS if "{" not in text and describe_audit_entry(text, SPANISH) == text] == []


def test_remarks_of_pages_are_told_in_spanish():
    told = [
        describe_audit_entry(text, SPANISH)
        for text in ("role of age", "version 3: table from data/a.csv", "ana as no more")
    ]
    assert told == ["rol de age", "versión 3: tabla de data/a.csv", "ana como ya no"]


def test_what_somebody_else_wrote_stays_as_it_is():
    assert describe_audit_entry("<b>a remark by REST</b>", SPANISH) == "<b>a remark by REST</b>"
    assert describe_audit_entry("", SPANISH) == ""
