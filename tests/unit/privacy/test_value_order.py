"""The order of values that are only known as texts."""

import pytest

from celosia.privacy import rank_values
from celosia.release.transport import order_values


@pytest.mark.parametrize("rank", [rank_values, order_values])
@pytest.mark.parametrize(
    ("values", "ranks"),
    [
        ([], []),
        ([None], [0]),
        (["10", "9", "-1", "0.5"], [3, 2, 0, 1]),
        (["10", "9", None], [1, 0, 2]),
        (["10", "9", "x"], [0, 1, 2]),
        (["1e3", "999", "1001"], [1, 0, 2]),
        (["inf", "NaN", "-inf", "0"], [2, 3, 0, 1]),
        (["1.0", "1", "0"], [2, 1, 0]),
        (["10000000000000000001", "10000000000000000000", "9"], [2, 1, 0]),
        (["-10000000000000000001", "-10000000000000000000"], [0, 1]),
        (["1e999999999", "1e99999999", "2"], [2, 1, 0]),
        (["1e9999999999", "2", "10"], [1, 2, 0]),
        (["2024-10-01", "2024-09-30", "1999-12-31"], [2, 1, 0]),
        (["true", "false"], [1, 0]),
        (["1 000", "200"], [0, 1]),
        (["b", "a", None, "", "á"], [2, 1, 4, 0, 3]),
    ],
)
def test_values_have_the_place_that_a_person_expects(rank, values, ranks) -> None:
    assert list(rank(values)) == ranks
