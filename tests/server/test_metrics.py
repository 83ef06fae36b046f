"""What is counted without prometheus_client's locks is told as by its own metrics."""

import pytest
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

from atoll.server.domain import metrics


def test_what_the_loop_counts_is_told_as_prometheus_tells_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time", lambda: 1000.0)
    theirs, ours = CollectorRegistry(), CollectorRegistry()
    seconds = (
        Histogram("wait_seconds", "Waits", registry=theirs),
        Histogram("short_seconds", "Short waits", buckets=(0.001, 0.5, 2.5), registry=theirs),
        metrics.LoopSeconds("wait_seconds", "Waits", registry=ours),
        metrics.LoopSeconds("short_seconds", "Short waits", (0.001, 0.5, 2.5), registry=ours),
    )
    for each in seconds:
        for value in (0.0, 0.001, 0.25, 0.5, 3.0, 100.0):
            each.observe(value)
    counters = (
        Counter("doors", "Doors", ["colour", "size"], registry=theirs),
        metrics.LoopCounter("doors", "Doors", ["colour", "size"], registry=ours),
    )
    for counter in counters:
        counter.labels("red", "big").inc()
        counter.labels("red", "big").inc(2)
        counter.labels("blue", "small").inc()
    assert generate_latest(ours) == generate_latest(theirs)
    assert b'doors_total{colour="red",size="big"} 3.0' in generate_latest(ours)
