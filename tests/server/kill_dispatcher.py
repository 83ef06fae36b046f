"""A server for `python -m tests.server.kill_dispatcher URL` that sends notifications until killed."""

import asyncio
import sys

from tests.server.conftest import opened
from tests.server.test_notices import local_dispatcher, post_settings


async def main(url: str) -> None:
    async with opened(url, **post_settings(9)) as room:
        await local_dispatcher(room).look()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
