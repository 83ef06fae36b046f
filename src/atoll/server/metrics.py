"""What is counted. Never labelled with a table or a person."""

from __future__ import annotations

import functools

from prometheus_client import Counter, Gauge, Histogram

TABLES = Counter("atoll_tables_created", "Tables that were created", ["game"])
CHOICES = Counter("atoll_choices", "Choices that became final", ["by"])
REPAIRS = Counter("atoll_tables_broken", "Tables whose rules failed")
BOT_FAILURES = Counter("atoll_bot_failures", "Bots that broke down, or took too long or too much memory")
REFUSED = Counter("atoll_requests_refused", "Requests that weren't carried out", ["code"])
REQUESTS = Counter("atoll_requests", "Requests", ["method", "status"])
REQUEST_SECONDS = Histogram("atoll_request_seconds", "Time to answer a request (streams aside)")
COMMAND_SECONDS = Histogram(
    "atoll_command_seconds",
    "Time from a submission to its lasting",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5),
)
MISSING_JOBS = Counter("atoll_jobs_missing", "Jobs that tables waited for and that weren't there")
CONNECTIONS = Gauge("atoll_connections", "Connections of clients that are open")
LET_GO = Counter(
    "atoll_connections_let_go", "Connections for which there was no room: an idle one closed, or a new one", ["reason"]
)
NOTICES = Counter("atoll_notices", "What people were told elsewhere", ["channel", "how"])
STREAMS = Gauge("atoll_streams", "Event streams that are open")
CACHED = Gauge("atoll_cached_tables", "Tables in memory")


@functools.cache
def part(metric: Counter, *labels: str) -> Counter:
    """What of a metric has these labels, of which there are few."""
    return metric.labels(*labels)
