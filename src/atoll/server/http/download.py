"""Export of a user's data, streamed while it is read from the database."""

from __future__ import annotations

from datetime import UTC, datetime

from starlette.responses import StreamingResponse

from ..domain.model import User
from ..play import TableServices


class Download(StreamingResponse):
    """A streamed response with a user's data; see `Accounts.export`."""

    media_type = "application/json"


async def download(tables: TableServices, who: User | None) -> Download:
    """Return the export of a user's data, for pages and the API.

    Args:
        tables: The table services.
        who: The user.

    Raises:
        Refused: If `who` is None, or the user exports too often. Nothing has been sent then.
    """
    name = f"atoll-{datetime.now(UTC).date().isoformat()}.json"
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Download(await tables.accounts.export(who), headers=headers)
