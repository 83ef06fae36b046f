"""Tables in every state, for every reader."""

from atoll.server.model import Clock, NewTable, SeatPlan

from .conftest import Site


def test_the_page_of_a_paused_table_is_shown(site: Site) -> None:
    ada, bob = site.browser("Ada"), site.browser("Bob")
    seats = (SeatPlan("me"), SeatPlan("open"))
    new = NewTable("atacama", seats, clock=Clock(600, 15, 600))
    table = site.call(site.tables.gathering.create, ada.user, new)
    site.call(site.tables.gathering.join, bob.user, table, 1)
    site.call(site.tables.gathering.start, ada.user, table)
    for seat, browser in enumerate((ada, bob)):
        site.call(site.tables.votes.vote, browser.user, table, seat, "pause", True)
    for reader in (ada, bob, site.browser("Cy"), site.browser()):
        page = reader.get(f"/t/{table}")
        assert page.status_code == 200 and "The clocks stand still until" in page.text
