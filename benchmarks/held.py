"""The page of a table as a browser has it."""

from __future__ import annotations

from typing import Any

import msgspec

from atoll.testing.fragments import as_header, completed


class Held:
    """A page that is kept up to date.

    Attributes:
        page: Its markup.
        data: The data for its scripts.
    """

    def __init__(self) -> None:
        self.page: str = ""
        self.data: dict[str, Any] = {}

    @property
    def fragments(self) -> str:
        """The digests of its fragments, as the server is told of them."""
        return as_header(self.page)["x-fragments"]

    def take(self, content: str) -> None:
        """Take over what the server has sent. Raises KeyError if a fragment was left empty that the page lacks."""
        self.page = completed(content, self.page)
        self.data = msgspec.json.decode(content[content.rindex('id="page-data"') :].partition(">")[2].partition("<")[0])
