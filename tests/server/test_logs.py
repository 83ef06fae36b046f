"""Logs contain the relevant facts, and never cause a failure."""

import io
import logging
from collections.abc import Iterator

import pytest
import structlog

from atoll.server.domain import logs


class Full(io.StringIO):
    """A disk that is full."""

    def write(self, text: str) -> int:
        raise OSError(28, "No space left on device")

    def flush(self) -> None:
        raise OSError(28, "No space left on device")


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Restore the configuration of logs afterwards."""
    level, config = logging.getLogger("uvicorn").level, structlog.get_config()
    yield
    structlog.configure(**config)
    logging.getLogger("uvicorn").setLevel(level)


@pytest.mark.parametrize("as_json", [True, False])
def test_what_cannot_be_logged_is_lost_and_nothing_else(monkeypatch: pytest.MonkeyPatch, as_json: bool) -> None:
    logs.configure_logging(as_json=as_json)
    monkeypatch.setattr("sys.stderr", Full())
    structlog.get_logger().error("planted")
    good = io.StringIO()
    monkeypatch.setattr("sys.stderr", good)
    structlog.get_logger().error("said")
    assert "said" in good.getvalue()


def test_what_happens_a_thousand_times_is_said_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    seldom = logs.RateLimitedLogger(structlog.get_logger())
    with structlog.testing.capture_logs() as said:
        for _ in range(1000):
            seldom.error("full", where="here")
        seldom.error("other")
        now += 11
        seldom.error("full", where="there")
    assert [(each["event"], each.get("left_out")) for each in said] == [("full", None), ("other", None), ("full", 999)]
