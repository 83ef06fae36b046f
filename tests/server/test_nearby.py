"""The local network: the address for other devices, its QR code, and links that lead there."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
import segno

from atoll.server.domain.model import NewTable, SeatPlan
from atoll.server.domain.settings import ServerSettings
from atoll.server.presentation import nearby
from atoll.server.presentation.nearby import host_nearby, is_this_machine
from tests.server.conftest import Site, site_at
from tests.server.serving import serving

LAN = "192.168.7.7"


@pytest.mark.parametrize(
    ("host", "found"),
    [
        (LAN, LAN),
        ("fd00::7", "[fd00::7]"),
        ("127.0.0.1", ""),
        ("::1", ""),
        ("localhost", ""),
        ("no-such-name.invalid", ""),
    ],
)
def test_others_find_a_server_at_the_address_at_which_it_listens(host: str, found: str) -> None:
    assert host_nearby(ServerSettings(host=host)) == found


@pytest.mark.parametrize(
    ("host", "known", "found"),
    [
        ("0.0.0.0", {socket.AF_INET: LAN}, LAN),  # noqa: S104 - the one under test
        ("0.0.0.0", {socket.AF_INET6: "fd00::7"}, ""),  # noqa: S104
        ("::", {socket.AF_INET: LAN, socket.AF_INET6: "fd00::7"}, LAN),
        ("::", {socket.AF_INET6: "fd00::7"}, "[fd00::7]"),
        ("::", {socket.AF_INET: "127.0.0.1", socket.AF_INET6: "fe80::7%eth0"}, ""),
        ("::", {}, ""),
    ],
)
def test_a_server_at_all_addresses_is_found_at_that_of_its_network(
    monkeypatch: pytest.MonkeyPatch, host: str, known: dict[socket.AddressFamily, str], found: str
) -> None:
    class Probe(socket.socket):
        def connect(self, address: object) -> None:
            if self.family not in known:
                raise OSError("network is unreachable")

        def getsockname(self) -> tuple[str, int]:
            return known[socket.AddressFamily(self.family)], 1

    monkeypatch.setattr(socket, "socket", Probe)
    assert host_nearby(ServerSettings(host=host)) == found


def test_where_there_is_a_public_address_others_come_by_that() -> None:
    assert host_nearby(ServerSettings(host=LAN, public_url="https://atoll.example")) == ""


@pytest.mark.parametrize(
    ("host", "own"), [("127.0.0.1", True), ("localhost", True), ("::1", True), (LAN, False), ("den.local", False)]
)
def test_names_of_the_browsers_own_machine(host: str, own: bool) -> None:
    assert is_this_machine(host) is own


@pytest.fixture
def site(sqlite_url: str) -> Iterator[Site]:
    with site_at(sqlite_url, host=LAN) as found:
        yield found


def drawn(address: str) -> str:
    """The path that draws an address."""
    found = re.search(r' d="(M[^"]+)"/></svg>', nearby.qr_code_svg(address, "QR"))
    assert found is not None
    return found[1]


@pytest.mark.parametrize(
    ("opened", "shown"),
    [
        ("127.0.0.1:8765", f"http://{LAN}:8765/"),
        ("localhost", f"http://{LAN}/"),
        ("[::1]:8765", f"http://{LAN}:8765/"),
        ("192.168.7.9:8765", "http://192.168.7.9:8765/"),
    ],
)
def test_the_start_page_shows_the_address_for_other_devices(site: Site, opened: str, shown: str) -> None:
    english, german = "Play on other devices in this network", "Auf anderen Geräten in diesem Netz spielen"
    for language, words in (("en", english), ("de", german)):
        page = site.browser().get("/", headers={"host": opened, "accept-language": language}).text
        assert words in page
        assert f'value="{shown}"' in page
        assert drawn(shown) in page


def test_all_that_is_carried_to_other_devices_leads_there(site: Site) -> None:
    ada = site.browser("Ada")
    here = {"host": "127.0.0.1:8765"}
    plans = (SeatPlan("me"), SeatPlan("open"), SeatPlan("invite"), SeatPlan("invite"))
    table = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", plans))
    page = ada.get(f"/t/{table}", headers=here).text
    address = f"http://{LAN}:8765/t/{table}"
    assert f'value="{address}"' in page
    assert drawn(address) in page
    invite = {"seat": "2"}
    made = ada.post(f"/t/{table}/invite", invite, headers={**here, "x-fragments": ""}).json()
    assert made["link"].startswith(f"http://{LAN}:8765/join?game=atacama#")
    assert drawn(made["link"]) in made["code"]
    plain = ada.post(f"/t/{table}/invite", invite, headers=here).text
    [link] = re.findall(r'value="(http[^"]+)"', plain)
    assert link.startswith(f"http://{LAN}:8765/join?game=atacama#")
    assert drawn(link) in plain
    assert f'value="http://{LAN}:8765/calendar/' in ada.post("/settings/calendar", headers=here).text
    ada.post("/device-link", headers=here)
    assert f'value="http://{LAN}:8765/device#' in ada.get("/account", headers=here).text


@pytest.mark.parametrize("values", [{}, {"host": LAN, "public_url": "http://127.0.0.1"}])
def test_a_server_that_is_not_open_to_the_network_shows_none(sqlite_url: str, values: dict[str, Any]) -> None:
    with site_at(sqlite_url, **values) as site:
        ada = site.browser("Ada")
        plans = (SeatPlan("me"), SeatPlan("open"), SeatPlan("invite"), SeatPlan("invite"))
        table = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", plans))
        for path in ("/", f"/t/{table}"):
            page = ada.get(path).text
            assert 'class="code"' not in page
            assert "other devices" not in page
        made = ada.post(f"/t/{table}/invite", {"seat": "2"}, headers={"x-fragments": ""}).json()
        assert made["code"] == ""
        assert made["link"].startswith("http://127.0.0.1/join?")


def test_a_public_site_shows_codes_that_every_phone_can_scan(sqlite_url: str) -> None:
    with site_at(sqlite_url, public_url="http://table.example") as site:
        ada = site.browser("Ada")
        plans = (SeatPlan("me"), SeatPlan("open"), SeatPlan("invite"), SeatPlan("invite"))
        table = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", plans))
        there = {"host": "table.example"}
        page = ada.get(f"/t/{table}", headers=there).text
        assert drawn(f"http://table.example/t/{table}") in page
        token = ada.get("/device", headers=there).text.partition('name="csrf" content="')[2].partition('"')[0]
        form = {"csrf": token, "seat": "2"}
        made = ada._send("POST", f"/t/{table}/invite", data=form, headers={**there, "x-fragments": ""}).json()
        for text in (page, made["code"]):
            assert "Scan it with the camera of a phone.<" in text and "same network" not in text


def test_a_code_is_dark_on_light_with_a_light_edge_around_it() -> None:
    address = f"http://{LAN}:8765/"
    svg = nearby.qr_code_svg(address, "QR <code>")
    modules = len(segno.make(address, error="m", micro=False).matrix) + 2 * 4
    assert svg.startswith(f'<svg role="img" viewBox="0 0 {modules} {modules}"')
    assert f'<path fill="#fff" d="M0 0h{modules}v{modules}h-{modules}z"/>' in svg
    assert 'stroke="#000"' in svg
    assert "<title>QR &lt;code&gt;</title>" in svg


@pytest.mark.parametrize("terminal", [True, False])
def test_the_terminal_shows_the_address_and_its_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], terminal: bool
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1" if terminal else "")
    monkeypatch.setenv("COLUMNS", "30")
    nearby.show_in_terminal(f"http://{LAN}:8765/")
    first, *rest = capsys.readouterr().err.splitlines()
    assert first == f"Other devices in this network find it at http://{LAN}:8765/"
    assert bool(rest) is terminal
    widths = {len(re.sub(r"\x1b\[[\d;]*m", "", line)) for line in rest}
    assert len(widths) == terminal  # nothing is wrapped or cut off
    assert all("▀" in line or "█" in line for line in rest)


def test_a_server_at_all_addresses_says_where_it_is_found(sqlite_url: str) -> None:
    with serving(sqlite_url, host="0.0.0.0", bot_workers=1) as server:  # noqa: S104 - the one under test
        assert server.base.startswith("http://127.0.0.1:")
        host = host_nearby(ServerSettings(host="0.0.0.0"))  # noqa: S104
        page = httpx2.get(server.base, timeout=60).text
        said = f"{server.base.replace('127.0.0.1', host)}/"
        assert (f'value="{said}"' in page) is bool(host)
        deadline = time.monotonic() + 20
        while host and not any(said in line for line in server.log) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert any(said in line for line in server.log) is bool(host)
