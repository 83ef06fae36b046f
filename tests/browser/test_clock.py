"""Clocks that run while one looks: the server's time counts, whatever the device's clock says."""

import re

from playwright.sync_api import expect

from atoll.server.domain.model import Clock, NewTable, SeatPlan
from atoll.testing.live_server import LiveServer, suppress_started
from tests.browser.conftest import NewPage

TWENTY_MINUTES_MS = 20 * 60 * 1000


def test_a_device_whose_clock_is_wrong_counts_right_from_the_first_moment(live: LiveServer, new_page: NewPage) -> None:
    page = new_page()
    page.context.add_init_script(f"Date.now = ((now) => () => now() + {TWENTY_MINUTES_MS})(Date.now.bind(Date));")
    page.context.add_init_script(
        """new MutationObserver(() => {
            const time = document.querySelector("[data-due]:not([hidden])")?.textContent;
            if (time) (window.times ??= []).push(time);
        }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });"""
    )
    login = live.guest("Ada")
    level = live.tables.catalogue.levels("atacama")[0]
    new = NewTable("atacama", (SeatPlan("me"), SeatPlan("bot", bot=level)), clock=Clock(1800, 0, 1800))
    table = live.ask(live.tables.table_setup.create(login.user, new))
    with suppress_started():
        live.ask(live.tables.table_setup.start(login.user, table))
    live.visit(page, login, f"/t/{table}")
    expect(page.locator("#page-time")).to_contain_text(":")
    times = [time for time in page.evaluate("() => window.times") if time != "30 min left"]  # what the server says
    shown = [int(minutes) * 60 + int(seconds) for minutes, seconds in re.findall(r"(\d+):(\d\d)", " ".join(times))]
    assert len(shown) == len(times)
    late_s = page.evaluate("() => performance.getEntriesByType('navigation')[0].responseStart / 1000")
    assert all(1740 < seconds <= 1801 + late_s for seconds in shown), times  # its time was that of the answer
