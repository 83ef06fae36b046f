"""Losses that the soak test detects."""

from pathlib import Path

import httpx2
import pytest

from scripts.soak import Lost, People, Server, lacking

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


@pytest.mark.anyio
@pytest.mark.parametrize("status", [422, 500])
async def test_an_answer_that_no_trouble_explains_ends_the_run(
    tmp_path: Path, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server(tmp_path, "", "secret")
    server.base = "http://127.0.0.1:1"
    people = People([server])
    answers = httpx2.MockTransport(lambda _: httpx2.Response(status, text="no seal"))
    monkeypatch.setattr(people, "_client", httpx2.AsyncClient(transport=answers))
    with pytest.raises(Lost, match=f"POST /tables/t/seats/0/share: {status} no seal"):
        await people.ask("", "POST", "/tables/t/seats/0/share", {})
    await people.close()
