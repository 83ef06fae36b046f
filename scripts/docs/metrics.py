"""The reference of the server's metrics."""

from __future__ import annotations

from typing import Final

from prometheus_client import REGISTRY

from atoll.server.domain import metrics

from . import markdown

_HEAD: Final = """# Metrics

All metrics of a server, for operators and their monitoring.
`--metrics-port 9100` serves them for Prometheus; no label names a table or a person.
`deploy/grafana.json` is a dashboard and `deploy/alerts.yaml` has alert rules over them.
Metrics of the process itself, such as `process_resident_memory_bytes`, come in addition.

"""
_OURS: Final = "atoll_"


def page() -> str:
    """Return the text of the page."""
    metrics.tell_build()
    found = sorted((each for each in REGISTRY.collect() if each.name.startswith(_OURS)), key=lambda each: each.name)
    suffix = {"counter": "_total", "info": "_info"}
    rows = [(f"`{each.name}{suffix.get(each.type, '')}`", each.type, each.documentation) for each in found]
    return _HEAD + markdown.table(("metric", "kind", "meaning"), rows)
