"""Prometheus metrics. No label ever names a table or a person."""

from __future__ import annotations

import functools
import itertools
import math
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram, Info
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from atoll.picture.fragments import cache_info

from .build_info import build_info

_MOST_SHARE: Final = 0.95


class Count:
    """One number of a `LoopCounter`.

    Attributes:
        value: The number.
        created: Time of creation, in seconds since 1970.
    """

    __slots__ = ("created", "value")

    def __init__(self) -> None:
        self.value: float = 0.0
        self.created: float = time.time()

    def inc(self, amount: float = 1) -> None:
        """Add an amount."""
        self.value += amount


class LoopCounter(Collector):
    """A counter with labels without locks, for the event loop's thread only.

    It replaces prometheus_client's Counter where every request counts.
    """

    def __init__(
        self, name: str, documentation: str, labels: Sequence[str], registry: CollectorRegistry = REGISTRY
    ) -> None:
        self._name: str = name
        self._documentation: str = documentation
        self._labels: Sequence[str] = labels
        self._parts: dict[tuple[str, ...], Count] = {}
        registry.register(self)

    def labels(self, *values: str) -> Count:
        """Return the number with these label values."""
        return self._parts.setdefault(values, Count())

    def collect(self) -> Iterator[Metric]:
        """Yield the metric with all its numbers."""
        family = CounterMetricFamily(self._name, self._documentation, labels=self._labels)
        for values, count in tuple(self._parts.items()):
            family.add_metric(values, count.value, created=count.created)
        yield family


class LoopSeconds(Collector):
    """A histogram of seconds without locks, for the event loop's thread only; see `LoopCounter`."""

    def __init__(
        self,
        name: str,
        documentation: str,
        buckets: Sequence[float] = Histogram.DEFAULT_BUCKETS[:-1],
        registry: CollectorRegistry = REGISTRY,
    ) -> None:
        self._name: str = name
        self._documentation: str = documentation
        self._bounds: tuple[float, ...] = (*buckets, math.inf)
        self._counts: list[int] = [0] * len(self._bounds)
        self._sum: float = 0.0
        self._created: float = time.time()
        registry.register(self)

    def observe(self, seconds: float) -> None:
        """Count a duration."""
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self._sum += seconds

    def collect(self) -> Iterator[Metric]:
        """Yield the metric with its buckets."""
        family = HistogramMetricFamily(self._name, self._documentation)
        totals = itertools.accumulate(self._counts)
        to_text: Callable[[float], str] = floatToGoString
        buckets = [(to_text(bound), total) for bound, total in zip(self._bounds, totals, strict=True)]
        family.add_metric((), buckets, self._sum)
        family.add_sample(f"{self._name}_created", {}, self._created)
        yield family


class FragmentCache(Collector):
    """Metrics of the cache of page fragments."""

    def __init__(self, registry: CollectorRegistry = REGISTRY) -> None:
        registry.register(self)

    def collect(self) -> Iterator[Metric]:
        """Yield the lookups and the size of the cache."""
        info = cache_info()
        lookups = CounterMetricFamily("atoll_fragment_lookups", "Lookups of page fragments", labels=["found"])
        lookups.add_metric(("yes",), info.hits)
        lookups.add_metric(("no",), info.misses)
        yield lookups
        yield GaugeMetricFamily("atoll_fragments_cached", "Fragments in memory", value=info.currsize)


class _Part(Protocol):
    def inc(self, amount: float = 1) -> None:
        """Add an amount."""


TABLES = Counter("atoll_tables_created", "Tables that were created", ["game"])
CHOICES = LoopCounter("atoll_choices", "Choices that became final", ["by"])
REPAIRS = Counter("atoll_tables_broken", "Tables whose rules failed")
BOT_FAILURES = Counter("atoll_bot_failures", "Bots that failed, or took too long or too much memory")
REFUSED = Counter("atoll_requests_refused", "Refused requests", ["code"])
REQUESTS = LoopCounter("atoll_requests", "Requests", ["method", "status"])
REQUEST_SECONDS = LoopSeconds("atoll_request_seconds", "Time to answer a request (streams aside)")
COMMAND_SECONDS = LoopSeconds(
    "atoll_command_seconds",
    "Time from a command to its commit",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5),
)
MISSING_JOBS = Counter("atoll_jobs_missing", "Jobs that tables needed and that weren't set")
JOBS_RUNNING = Gauge("atoll_jobs_running", "Jobs that this server works on")
JOBS_DUE_SECONDS = Gauge("atoll_jobs_due_seconds", "Time that the oldest of the last leased jobs had waited")
BOT_QUEUE_SECONDS = LoopSeconds("atoll_bot_queue_seconds", "Time that questions waited for a bot worker")
NOTIFY_BATCHES = Counter("atoll_notify_batches", "Transactions that sent messages to other servers")
PRESENCE = Gauge("atoll_presence_rows", "Users of this server whom other servers know to be present")
CONNECTIONS = Gauge("atoll_connections", "Open connections of clients")
LET_GO = Counter(
    "atoll_connections_let_go", "Connections closed because the limit was reached: idle ones, or new ones", ["reason"]
)
NOTICES = Counter("atoll_notices", "Notifications to people away from the table", ["channel", "how"])
STREAMS = Gauge("atoll_streams", "Open event streams")
CACHED = Gauge("atoll_cached_tables", "Tables in memory")
FRAGMENTS = FragmentCache()
MAINTENANCE = Gauge("atoll_maintenance", "1 during maintenance, else 0")
BUILD = Info("atoll_build", "Version of the program")


@dataclass(frozen=True, slots=True)
class Readings:
    """The values of all metrics of this server at a moment."""

    values: Mapping[tuple[str, tuple[tuple[str, str], ...]], float]

    @classmethod
    def take(cls, registry: CollectorRegistry = REGISTRY) -> Readings:
        """Return the values of now."""
        samples = (each for metric in registry.collect() for each in metric.samples)
        return cls({(each.name, tuple(sorted(each.labels.items()))): each.value for each in samples})

    def one(self, name: str) -> float | None:
        """Return the value of a metric without labels, or None if this platform doesn't have it."""
        return self.values.get((name, ()))

    def by_label(self, name: str, label: str) -> dict[str, float]:
        """Return the values of a metric by one of its labels, added up over the others."""
        found: dict[str, float] = {}
        for (each, labels), value in self.values.items():
            if each == name:
                key = dict(labels).get(label, "")
                found[key] = found.get(key, 0.0) + value
        return found

    def timing(self, name: str) -> Timing:
        """Return the durations of a histogram."""
        count = int(self.one(f"{name}_count") or 0)
        if not count:
            return Timing(0, 0.0, None)
        buckets = {float(bound): total for bound, total in self.by_label(f"{name}_bucket", "le").items()}
        most = min(bound for bound, total in buckets.items() if total >= _MOST_SHARE * count)
        mean = (self.one(f"{name}_sum") or 0.0) / count
        return Timing(count, mean, most if math.isfinite(most) else None)


@dataclass(frozen=True, slots=True)
class Timing:
    """Durations since the server started.

    Attributes:
        count: Number of durations.
        mean: Their mean in seconds.
        most: Upper bound of 95 % of them in seconds, or None if no bucket is long enough.
    """

    count: int
    mean: float
    most: float | None


def tell_build() -> None:
    """Set the metric with the version of the program."""
    build = build_info()
    compiled = "yes" if build.compiled else "no"
    BUILD.info({"version": build.version, "commit": build.commit, "python": build.python, "compiled": compiled})


@functools.cache
def part(metric: Counter | LoopCounter, *labels: str) -> _Part:
    """Return the part of a metric with these label values, which is cached."""
    return metric.labels(*labels)
