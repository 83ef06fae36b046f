"""Users, their tokens, and the answers to their commands by idempotency key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from . import schema
from .bus import NOTIFY
from .challenges import DEVICE_LINK
from .codec import TEXTS, to_row, values
from .rows import CommandRow, TokenRow, UserRow
from .statements import Queries, first_row

LOGINS: Final = ("session", "api")
"""Kinds of tokens that act as their user."""

_USER_BY_TOKEN: Final = (
    select(schema.users, *(column.label(f"token_{column.name}") for column in schema.tokens.c))
    .join(schema.tokens, schema.tokens.c.user_id == schema.users.c.id)
    .where(
        schema.tokens.c.hash == bindparam("token"),
        schema.tokens.c.kind.in_(bindparam("kinds", expanding=True)),
        schema.tokens.c.expires > bindparam("now"),
    )
)


class UserStore(Queries):
    """Reads and writes of users, tokens and idempotency keys."""

    async def add_user(self, user: UserRow, tokens: Iterable[TokenRow]) -> None:
        """Add a user with their first tokens, if any."""
        rows = [values(token) for token in tokens]

        def work(connection: Connection) -> None:
            """Add the user and the tokens."""
            connection.execute(insert(schema.users), values(user))
            if rows:
                connection.execute(insert(schema.tokens), rows)

        await self._database.write(work)

    async def user(self, user_id: str) -> UserRow | None:
        """Return the user with this id, or None."""
        return first_row(
            await self._rows(UserRow, select(schema.users).where(schema.users.c.id == user_id), short=True)
        )

    async def user_by_token(self, token_hash: str, kinds: Sequence[str], now: int) -> tuple[UserRow, TokenRow] | None:
        """Return the user that a token belongs to, with the token.

        Args:
            token_hash: Hash of the token.
            kinds: Accepted kinds of tokens.
            now: The current time in milliseconds.

        Returns:
            The user and the token, or None if the token doesn't exist or has expired.
        """
        values = {"token": token_hash, "kinds": kinds, "now": now}

        def work(connection: Connection) -> tuple[UserRow, TokenRow] | None:
            """Read user and token, which one row contains."""
            row = connection.execute(_USER_BY_TOKEN, values).first()
            if row is None:
                return None
            token = TokenRow(**{column.name: row._mapping[f"token_{column.name}"] for column in schema.tokens.c})
            return to_row(UserRow, row), token

        return await self._database.read(work, short=True)

    async def change_user(self, user_id: str, **values: Any) -> None:
        """Write some columns of a user.

        Args:
            user_id: The user.
            **values: Values by column, for example `name`, `settings` or `seen`.
        """
        encoded = {
            name: msgspec.json.encode(value).decode() if name in TEXTS else value for name, value in values.items()
        }
        await self._execute(update(schema.users).where(schema.users.c.id == user_id).values(**encoded))

    async def change_calendar(self, user_id: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
        """Replace a user's calendar if it is still the old one.

        Args:
            user_id: The user.
            old: The calendar that was read.
            new: The calendar to write.

        Returns:
            Whether it was replaced.
        """
        users = schema.users.c
        texts = [msgspec.json.encode(each).decode() for each in (old, new)]
        same = update(schema.users).where(users.id == user_id, users.calendar == texts[0])
        return await self._execute(same.values(calendar=texts[1])) > 0

    async def delete_inactive_guests(self, before: int) -> int:
        """Delete inactive guests that were never at a table, reported or sanctioned.

        Args:
            before: Time of the last activity, in milliseconds; users active since then stay.

        Returns:
            The number of deleted users.
        """
        users = schema.users.c
        references: tuple[Any, ...] = (
            *(schema.seats.c.user_id, schema.games.c.host, schema.messages.c.user_id),
            *(schema.reports.c.user_id, schema.sanctions.c.user_id),
        )
        nowhere = [~select(column).where(column == users.id).exists() for column in references]
        return await self._execute(delete(schema.users).where(users.seen < before, users.kind != "account", *nowhere))

    async def add_token(self, token: TokenRow, *, replace: bool = False) -> None:
        """Add a token.

        Args:
            token: The token.
            replace: Whether to delete the user's other tokens of the same kind.
        """
        tokens = schema.tokens
        old = delete(tokens).where(tokens.c.user_id == token.user_id, tokens.c.kind == token.kind)

        def work(connection: Connection) -> None:
            """Add the token."""
            if replace:
                connection.execute(old)
            connection.execute(insert(tokens), values(token))

        await self._database.write(work)

    async def change_token(self, token_hash: str, **values: Any) -> None:
        """Write some columns of a token.

        Args:
            token_hash: Hash of the token.
            **values: Values by column: `last_used`, `expires` or `network`.
        """
        await self._execute(update(schema.tokens).where(schema.tokens.c.hash == token_hash).values(**values))

    async def count_tokens(self, user_id: str, kind: str) -> int:
        """Return the number of a user's tokens of one kind."""
        tokens = schema.tokens.c
        query = select(func.count()).where(tokens.user_id == user_id, tokens.kind == kind)
        return int(await self._scalar(query))

    async def drop_tokens(
        self, user_id: str, notice: str, *, id: str = "", except_hash: str = "", device_links: bool = False
    ) -> int:
        """Delete sessions and API tokens of a user.

        Args:
            user_id: The user.
            notice: Payload for other servers (PostgreSQL only), or "" to send none.
            id: Public id of the only token to delete; "" for all.
            except_hash: Hash of a token that stays; "" for none.
            device_links: Whether to delete the user's device links as well; they stay if no token
                has the id.

        Returns:
            The number of deleted tokens.
        """
        tokens = schema.tokens.c
        statement = delete(schema.tokens).where(tokens.user_id == user_id, tokens.kind.in_(LOGINS))
        statement = statement.where(tokens.id == id) if id else statement.where(tokens.hash != except_hash)
        challenges = schema.challenges.c
        links = delete(schema.challenges).where(challenges.user_id == user_id, challenges.kind == DEVICE_LINK)

        def work(connection: Connection) -> int:
            """Delete the tokens and notify the other servers."""
            count = connection.execute(statement).rowcount
            if device_links and (count or not id):
                connection.execute(links)
            if count and notice:
                connection.execute(NOTIFY, {"payload": notice})
            return count

        return await self._database.write(work)

    async def command(self, user_id: str, key: str) -> CommandRow | None:
        """Return the stored answer to a user's command with this idempotency key, or None."""
        table = schema.commands.c
        query = select(schema.commands).where(table.user_id == user_id, table.key == key)
        return first_row(await self._rows(CommandRow, query, short=True))

    async def sweep(self, commands_before: int, now: int) -> None:
        """Delete idempotency keys from before a time, and expired tokens and challenges."""
        await self._execute(delete(schema.commands).where(schema.commands.c.at < commands_before))
        for table in (schema.tokens, schema.challenges):
            await self._execute(delete(table).where(table.c.expires <= now))
