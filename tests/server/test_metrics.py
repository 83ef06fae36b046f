"""Counters without prometheus_client's locks report the same as its own metrics."""

import pytest
from prometheus_client import REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest

from atoll.picture.fragments import cache_clear, fragment
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


def test_the_cache_of_fragments_is_counted() -> None:
    @fragment
    def drawn(number: int) -> str:
        return str(number)

    def told(name: str) -> float:
        value = REGISTRY.get_sample_value(name, {"found": "yes"} if "lookups" in name else {})
        assert value is not None
        return value

    cache_clear()
    before = told("atoll_fragment_lookups_total"), told("atoll_fragments_cached")
    drawn(1)
    drawn(1)
    assert (told("atoll_fragment_lookups_total"), told("atoll_fragments_cached")) == (before[0] + 1, before[1] + 1)
