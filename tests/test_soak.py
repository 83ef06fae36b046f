"""What the soak takes for lost."""

import pytest

from scripts.soak import lacking

RECORD = ["visit quarry", "pay gold 1", "pay sheep 1", "pay oil 1", "accept earth_03", "pay stone 0"]


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        (RECORD, []),
        (["visit quarry", "accept earth_03"], []),
        (["pay gold 1", "pay sheep 1", "pay stone 0", "accept earth_03"], []),
        (["visit quarry", "accept earth_11"], ["accept earth_11"]),
        (["accept earth_03", "visit quarry", "pay gold 1"], ["visit quarry", "pay gold 1"]),
        ([*RECORD, "pay wood 1"], ["pay wood 1"]),
        (["take gold 1"], ["take gold 1"]),
    ],
)
def test_a_move_that_is_not_in_the_record_is_lacking(moves: list[str], expected: list[str]) -> None:
    assert lacking(RECORD, moves) == expected
