"""All that is kept of a person, as a file that is written while it is read."""

from __future__ import annotations

from datetime import UTC, datetime

from starlette.responses import StreamingResponse

from ..domain.model import User
from ..play import Tables


class Download(StreamingResponse):
    """See Accounts.kept."""

    media_type = "application/json"


async def download(tables: Tables, who: User | None) -> Download:
    """The file, for the page and the API. Raises Refused before anything is sent."""
    name = f"atoll-{datetime.now(UTC).date().isoformat()}.json"
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Download(await tables.accounts.kept(who), headers=headers)
