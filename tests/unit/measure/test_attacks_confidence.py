"""Rates of success and the risk over a control group, with their intervals."""

import numpy as np
import pytest
from scipy import stats

from celosia.measure.attacks.confidence import Rate, answer, risk_over, wilson


@pytest.mark.parametrize(("successes", "attempts"), [(0, 10), (1, 10), (8, 10), (10, 10), (137, 2000)])
def test_the_interval_is_that_of_wilson(successes: int, attempts: int) -> None:
    expected = stats.binomtest(successes, attempts).proportion_ci(method="wilson")
    assert wilson(successes, attempts) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_nothing_tried_tells_nothing() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert Rate(0, 0).value == 0.0


def test_the_risk_is_what_the_control_group_leaves_to_be_learnt() -> None:
    value, (low, high) = risk_over(Rate(75, 100), Rate(50, 100))
    assert value == 0.5
    assert 0 < low < value < high < 1


def test_an_attack_that_always_succeeds_is_a_risk_of_1_unless_it_does_so_on_everybody() -> None:
    assert risk_over(Rate(100, 100), Rate(10, 100))[0] == 1.0
    assert risk_over(Rate(100, 100), Rate(100, 100)) == (0.0, (0.0, 1.0))


def test_the_interval_holds_the_true_risk_as_often_as_it_says() -> None:
    rng = np.random.default_rng(5)
    held = 0
    for attacked, control in rng.binomial(400, [0.4, 0.25], (400, 2)).tolist():
        low, high = risk_over(Rate(attacked, 400), Rate(control, 400))[1]
        held += low <= 0.2 <= high
    assert 0.92 <= held / 400 <= 0.98


def test_without_a_control_group_naive_guesses_take_its_place_and_the_answer_says_so() -> None:
    found = answer(Rate(60, 100), Rate(20, 100), None)
    assert found.value == pytest.approx(0.5)
    assert found.details["over"] == "naive"
    assert "no control group" in found.details["note"]


def test_an_attack_worse_than_naive_guesses_says_so() -> None:
    assert "naive guesses" in answer(Rate(10, 100), Rate(20, 100), Rate(10, 100)).details["note"]
