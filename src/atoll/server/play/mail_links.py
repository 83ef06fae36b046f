"""Mail addresses as credentials: a link for the browser that asked, or a code to enter there.

Only a `POST` of that browser uses up a link, so a scanner that opens it changes nothing. The answer
doesn't tell whether an account has the address.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
import secrets
from typing import Final

import structlog

from atoll.store import ChallengeRow, CredentialRow, Store

from ..domain import wall_clock
from ..domain.logs import RateLimitedLogger
from ..domain.model import Login, Refused, User
from .attempts import Attempts
from .credentials import Credentials
from .ports import NotificationChannels
from .store_errors import refuse_on_store_error
from .users import Users, new_token, token_hash

seldom = RateLimitedLogger(structlog.get_logger(__name__))

MAIL_MINUTES: Final = 15
"""Minutes after which a mail link and its code expire."""
CODE_TRIES: Final = 5
"""Wrong codes after which a mail link is void."""
MAILS_A_DAY: Final = 30
"""Largest number of mails a day to one address, and largest number that one network asks for."""
MAILS_A_DAY_BY_NETWORK: Final = 10
"""Largest number of mails to one address a day that one network asks for.

It is below `MAILS_A_DAY`, so that one network can't lock out the owner of an address.
"""

_KIND: Final = "mail"
_MAIL_MS: Final = MAIL_MINUTES * 60_000
_CODE: Final = re.compile(r"[0-9]{6}")
_GONE: Final = "this link or code was used, or has expired"


class MailLinks:
    """Mail links of users."""

    def __init__(
        self,
        store: Store,
        attempts: Attempts,
        users: Users,
        credentials: Credentials,
        channels: NotificationChannels,
    ) -> None:
        self._store: Store = store
        self._attempts: Attempts = attempts
        self._users: Users = users
        self._credentials: Credentials = credentials
        self._channels: NotificationChannels = channels
        self._sending: set[asyncio.Task[None]] = set()

    @property
    def possible(self) -> bool:
        """True if the operator has set up mails."""
        return "mail" in self._channels.possible

    async def send(
        self, who: User | None, mail: str, browser: str, network: str, language: str, *, name: str = ""
    ) -> None:
        """Send a link with which this browser signs in, or adds the address to its user's account.

        Args:
            who: The user to whom the address is added, or None to sign in.
            mail: The address as it was typed.
            browser: Hash of the browser's secret.
            network: Network of the request.
            language: Language of the mail.
            name: Name of a new account, as it was typed; "" for the guest's name.

        Raises:
            Refused: If the address isn't valid or got too many mails, or if the network asks for
                too many.
        """
        address = _with_lower_domain(self._channels.checked("mail", {"mail": mail})["mail"])
        named = name if who is None or who.has_account else self._users.checked_name(name or who.name)
        daily = {address: MAILS_A_DAY, network: MAILS_A_DAY, f"{address} {network}": MAILS_A_DAY_BY_NETWORK}
        await self._attempts.hit("mail", network, daily=daily)
        token, code, now = new_token(), f"{secrets.randbits(64) % 10**6:06}", wall_clock.now_ms()
        hashed = token_hash(token)
        with refuse_on_store_error():
            found = await self._store.credentials.find(_KIND, address)
            data = {
                "mail": address,
                "code": _code_hash(hashed, code),
                "tries": 0,
                "owner": "" if found is None else found.user_id,
                "name": named,
            }
            owner = None if who is None else who.id
            row = ChallengeRow(hashed, _KIND, owner, browser, now, now + _MAIL_MS, data)
            await self._store.challenges.add(row)
        if (found is None) == (who is None):
            return  # nobody signs in with an unknown address, and a known one isn't added again
        task = asyncio.create_task(self._deliver(address, token, code, language))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _deliver(self, address: str, token: str, code: str, language: str) -> None:
        """Send the mail after the answer, whose time therefore tells nothing."""
        try:
            await self._channels.send_sign_in(address, token, code, language)
        except Exception as error:
            seldom.error("a sign-in mail can't be sent", error=str(error) or type(error).__name__)

    async def confirm(self, who: User | None, given: str, browser: str, device: str) -> Login | None:
        """Use up a link or a code.

        Args:
            who: The user of the browser, or None.
            given: The token of the link, or the code.
            browser: Hash of the browser's secret.
            device: Browser and system, or "".

        Returns:
            The user with a new session, or None if the address was added to the user's account.

        Raises:
            Refused: If it was used, has expired or belongs to another browser, or if the code is
                wrong.
        """
        code = given.strip().replace(" ", "")
        hashed = await self._hash_of_code(code, browser) if _CODE.fullmatch(code) else token_hash(given[:100])
        now = wall_clock.now_ms()
        with refuse_on_store_error():
            row = await self._store.challenges.take(_KIND, hashed, browser, now)
            others = [] if row is not None else await self._store.challenges.find(_KIND, now, hash=hashed)
        if any(each.used is None for each in others):
            raise Refused(
                "other_browser", 403, "open the link in the browser that asked for it, or enter the code there"
            )
        if row is None:
            raise Refused("link_gone", 410, _GONE)
        if row.user_id is not None:
            await self._add(who, row)
            return None
        with refuse_on_store_error():
            found = await self._store.credentials.find(_KIND, row.data["mail"])
        if found is None or found.user_id != row.data["owner"]:
            raise Refused("link_gone", 410, _GONE)
        with refuse_on_store_error():
            await self._store.credentials.change(found.id, last_used=now)
        return await self._users.sign_in(found.user_id, device=device)

    async def _add(self, who: User | None, row: ChallengeRow) -> None:
        """Add the address to the account of the user that asked for it."""
        if who is None or who.id != row.user_id:
            raise Refused("link_gone", 410, _GONE)
        address, now = row.data["mail"], wall_clock.now_ms()
        credential = CredentialRow(secrets.token_hex(8), who.id, _KIND, address, address[:120], now)
        await self._credentials.add(who, credential, row.data["name"])

    async def _hash_of_code(self, code: str, browser: str) -> str:
        """Return the hash of the link that a code belongs to.

        The try is counted before the code is compared, so that parallel guesses can't share it.

        Args:
            code: The code.
            browser: Hash of the browser's secret.

        Raises:
            Refused: If the code is wrong, can't be tried now, or belongs to no link.
        """
        with refuse_on_store_error():
            rows = await self._store.challenges.find(_KIND, wall_clock.now_ms(), session_hash=browser)
        row = next((each for each in reversed(rows) if each.used is None), None)
        if row is None or row.data["tries"] >= CODE_TRIES:
            raise Refused("link_gone", 410, _GONE)
        with refuse_on_store_error():
            counted = await self._store.challenges.change(row, {**row.data, "tries": row.data["tries"] + 1})
        if not counted:  # another try was counted at the same time: this one isn't judged
            raise Refused("busy", 503, "try again")
        if not hmac.compare_digest(_code_hash(row.hash, code), row.data["code"]):
            raise Refused("bad_mail_code", 422, "wrong code")
        return row.hash


def _with_lower_domain(address: str) -> str:
    local, _, domain = address.rpartition("@")
    return f"{local}@{domain.lower()}"


def _code_hash(link: str, code: str) -> str:
    return hashlib.sha256(f"{link}:{code}".encode()).hexdigest()
