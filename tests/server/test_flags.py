"""Signs of abuse: facts for the moderators' queue, from which nothing follows automatically."""

from typing import Any

import pytest
from sqlalchemy import update

from atoll.server.domain import flags
from atoll.server.domain.competitions import NewCompetition
from atoll.server.domain.model import LONG_S, Clock
from atoll.server.domain.playing_hours import DAY_MS
from atoll.server.play.competition_factory import new_competition
from atoll.server.play.table_lists import moment
from atoll.server.presentation.flags import flag_text
from atoll.store import AnalysisRow, EntryRow, RatedGame, RatedSeat, ResultRow, TableRow, UnitOfWork, schema

from .conftest import Room, Site, Time, refused, site_at
from .test_accounts import _all_that_is_kept as all_that_is_kept
from .test_moderation import moderators
from .test_ratings import account, finish, rated

pytestmark = pytest.mark.anyio

SLOW = Clock(LONG_S, LONG_S, LONG_S)


def game(number: int, places: tuple[int, ...], departures: tuple[str, ...] = (), mu: float = 25) -> RatedGame:
    """A rated game of Ada, Bob and so on, all with the same rating."""
    names = ("ada", "bob", "cy", "dee")
    left = departures or ("",) * len(places)
    seats = [RatedSeat(names[seat], place, left[seat], mu, 1.0) for seat, place in enumerate(places)]
    return RatedGame(f"g{number}", "atacama", number, seats)


def test_a_pair_is_one_sided_only_if_ratings_do_not_explain_it() -> None:
    lost = [game(number, (2, 1)) for number in range(10)]
    [flag] = flags.one_sided(lost)
    assert flag.users == ("ada", "bob") and flag.tables == tuple(f"g{number}" for number in range(10))
    assert flag.facts == {"game": "atacama", "n": 10, "points": 10, "expected": 5.0}
    assert flags.one_sided(lost[:7]) == [], "seven games say little"
    assert flags.one_sided([*lost[:5], *(game(9, (1, 2)) for _ in range(5))]) == []
    assert flags.one_sided([game(number, (1, 1)) for number in range(20)]) == []
    # In many games, small errors of the ratings are no sign.
    often = [game(number, (2, 1) if number % 4 else (1, 2)) for number in range(200)]
    assert flags.one_sided(often) == []
    # Bob is much stronger, as everybody knows.
    known = [RatedGame(each.id, each.game, 0, [each.seats[0], RatedSeat("bob", 1, "", 45, 1.0)]) for each in lost]
    assert flags.one_sided(known) == []


def test_resigning_is_losing_and_absence_is_not_compared() -> None:
    [flag] = flags.one_sided([game(number, (1, 2), ("resigned", "")) for number in range(10)])
    assert flag.users == ("ada", "bob"), "the place was the stand-in's"
    assert flags.one_sided([game(number, (1, 2), ("time", "")) for number in range(10)]) == []


def test_a_swing_is_losing_first_and_winning_later() -> None:
    bad = [game(number, (4, 1, 2, 3)) for number in range(10)]
    good = [game(number, (1, 2, 3, 4)) for number in range(10)]
    assert {flag.users for flag in flags.swings([*bad, *good])} == {("ada",)}
    assert flags.swings([*bad, *good][:19]) == [] and flags.swings(bad) == []
    duels = [*(game(number, (2, 1)) for number in range(10)), *(game(number, (1, 2)) for number in range(10))]
    assert ("ada",) in {flag.users for flag in flags.swings(duels)}, "two players suffice"
    [flag] = [each for each in flags.swings([*bad, *good]) if each.users == ("ada",)]
    assert (flag.facts["before"], flag.facts["after"], flag.facts["before_expected"]) == (0, 30, 15.0)


def test_joint_visits_are_those_in_which_the_other_account_answers_soon() -> None:
    def visits(seconds: int, pause: int = 3600) -> list[tuple[int, str]]:
        times = [(pause * visit + seconds * number, "aab"[number]) for visit in range(12) for number in range(3)]
        return [(1000 * at, user) for at, user in times]

    assert flags.joint_visits(visits(30)) == (12, 12)
    assert flags.joint_visits(visits(31)) == (0, 12)
    assert flags.joint_visits(visits(30, pause=300)) == (1, 1), "it never ended"
    assert flags.joint_visits(visits(301)) == (0, 36)
    assert flags.joint_visits([(number, "a") for number in range(10)]) == (0, 1)
    assert flags.joint_visits([]) == (0, 0)
    assert flags.is_alternating(10, 30) and not flags.is_alternating(9, 9) and not flags.is_alternating(10, 31)


# -- the queue -------------------------------------------------------------------------------------


async def lose(room: Room, clock: Time, number: int) -> None:
    """A rated game that Bob has won against Ada; twenty are spread over 80 days."""
    users = [room.people[name].id for name in ("Ada", "Bob")]
    ended = clock.now - (84 - 4 * (number % 20)) * DAY_MS
    row = TableRow(f"r{number}", "atacama", 1, "", {}, "lobby", "over", users[0], None, ended, ended, rated=True)
    results = [
        ResultRow(
            *(row.id, seat, user, "person", "atacama", 2, "", True, 2 - seat, 0, {}, 60, 10, 0, ""),
            rated=True,
            ended=ended,
        )
        for seat, user in enumerate(users)
    ]
    await room.tables.store.commit(UnitOfWork(row, 0, is_new=True))
    row.revision += 1
    await room.tables.store.commit(UnitOfWork(row, row.revision - 1, results=results))


async def even_ratings(room: Room) -> None:
    """Both had the same rating before each game."""
    await room.tables.store._execute(update(schema.rating_changes).values(mu_before=25.0, sigma_before=1.0))


async def test_a_sign_is_one_report_and_punishes_nobody(both: Room, clock: Time) -> None:
    tables = both.tables
    ada, bob = await account(both, "Ada"), await account(both, "Bob")
    [mo] = await moderators(both, "Mo")
    for number in range(20):
        await lose(both, clock, number)
    await even_ratings(both)
    for _ in range(2):
        await tables.flags.look()
    [case] = (await tables.moderation.queue(mo)).cases
    [report] = case.reports
    assert (report.reason, report.reporter, report.text, report.weight) == ("cheating", None, "", 25)
    assert report.person is not None and report.person.id == ada.id
    assert report.context["other"] == {"user": bob.id, "name": "Bob"}
    assert len(report.context["flag"]["tables"]) == report.context["flag"]["facts"]["n"] > 10
    for name in ("Ada", "Bob"):
        standing = (await both.signed_in(name)).standing
        assert not (standing.is_banned or standing.is_unrated or standing.unread)

    # Neither of the two decides about it, even as a moderator.
    for name in ("Ada", "Bob"):
        await tables.store.change_user(both.people[name].id, role="moderator")
        concerned = await both.signed_in(name)
        assert (await tables.moderation.queue(concerned)).cases == ()
        with refused("same_moderator"):
            await tables.moderation.case(concerned, report.id)
        with refused("same_moderator"):
            await tables.moderation.close(concerned, report.id, "rejected")
        await tables.store.change_user(both.people[name].id, role="")

    await tables.moderation.close(mo, report.id, "rejected")
    await tables.flags.look()
    assert (await tables.moderation.queue(mo)).cases == (), "what was decided isn't reported again"
    clock.passes(91 * 86_400)
    for number in range(20, 40):
        await lose(both, clock, number)
    await even_ratings(both)
    await tables.flags.look()
    assert len((await tables.moderation.queue(mo)).cases) == 1, "it goes on"
    await both.delete_account("Bob")
    kept = await all_that_is_kept(both)
    assert "Bob" not in kept and bob.id not in kept


async def test_resigned_games_are_analysed_and_reported_if_they_were_won(both: Room, clock: Time) -> None:
    tables = both.tables
    found = []
    for _ in range(flags.THROWN):
        table = await rated(both, "Ada", "Bob")
        await both.play(table, "Ada", "Bob", most=6)
        await tables.departures.leave(both.people["Ada"], table, 0)
        await finish(both, table, "Bob")
        found.append(table)
    [mo] = await moderators(both, "Mo")
    await tables.flags.look()
    assert (await tables.moderation.queue(mo)).cases == ()
    for number, table in enumerate(found):
        assert await tables.store.has_job(f"analysis:{table}")
        later = {"sequence": 10_000, "seat": 0, "shares": [0.0, 1.0]}
        judgments = [{"sequence": 0, "seat": 0, "shares": [0.9 if number else 0.5, 0.1]}, later]
        await tables.store.store_analysis(AnalysisRow(table, {"judgments": judgments}, clock.now))
    await tables.flags.look()
    assert (await tables.moderation.queue(mo)).cases == (), "one of the three was open"
    won = {"judgments": [{"sequence": 0, "seat": 0, "shares": [0.8, 0.2]}]}
    await tables.store.store_analysis(AnalysisRow(found[0], won, clock.now))
    await tables.flags.look()
    [case] = (await tables.moderation.queue(mo)).cases
    assert case.reports[0].context["flag"]["facts"] == {"n": 3, "percent": 80}
    assert sorted(case.reports[0].context["flag"]["tables"]) == sorted(found)


async def test_accounts_of_one_network_are_reported_in_a_division_and_if_they_alternate(
    both: Room, clock: Time
) -> None:
    tables, store = both.tables, both.tables.store
    slow = await rated(both, "Ada", "Bob", clock=SLOW)
    live = await rated(both, "Ada", "Bob")
    ada, bob = both.people["Ada"].id, both.people["Bob"].id
    new = NewCompetition("league", "toy", 4, "13", moment(clock.now + 8 * DAY_MS))
    row = new_competition(tables.catalogue, new, clock.now, None)
    row.state = "running"
    entries = [
        EntryRow(row.id, user, user, 0, "playing", tier=1, division=2, number=n) for n, user in enumerate((ada, bob))
    ]
    await store.competitions.add(row, entries)
    [mo] = await moderators(both, "Mo")
    await both.play(live, "Ada", "Bob", most=20)
    await tables.flags.look()
    assert (await tables.moderation.queue(mo)).cases == (), "they use different networks"
    here = schema.tokens.c.user_id.in_((ada, bob))
    await store._execute(update(schema.tokens).where(here).values(network="n"))
    await tables.flags.look()
    [case] = (await tables.moderation.queue(mo)).cases
    flag = case.reports[0].context["flag"]
    assert (flag["kind"], flag["competition"], flag["facts"]) == ("division", row.id, {"division": 2})
    for _ in range(12):
        await both.play(slow, "Ada", "Bob", most=2)
        clock.passes(3600)
    await tables.flags.look()
    kinds = [each.reports[0].context["flag"] for each in (await tables.moderation.queue(mo)).cases]
    [other] = [each for each in kinds if each["kind"] != "division"]
    assert other["kind"] == "alternating" and other["tables"] == [slow]


FACTS: dict[str, dict[str, Any]] = {
    "one_sided": {"game": "atacama", "n": 10, "points": 9.5, "expected": 5.0},
    "swing": {"game": "atua", "n": 8, "before": 0.5, "before_expected": 4, "after": 8, "after_expected": 4.5},
    "thrown": {"n": 3, "percent": 80},
    "alternating": {"n": 12, "of": 20, "games": 2},
    "division": {"division": 3},
}


@pytest.mark.parametrize("kind", FACTS)
def test_each_sign_is_a_sentence_in_both_languages(kind: str) -> None:
    context = {"flag": {"kind": kind, "facts": FACTS[kind]}, "person": {"name": "Ada"}, "other": {"name": "Bob"}}
    for language in ("en", "de"):
        told = flag_text(context, {"atacama": "Atacama", "atua": "Atua"}, language)
        assert "Ada" in told and "{" not in told and (kind in ("swing", "thrown") or "Bob" in told)
        assert "9.5" not in told or language == "en"


def test_the_page_of_a_report_of_the_system_shows_the_facts(sqlite_url: str) -> None:
    with site_at(sqlite_url) as site:
        ada, mo = site.browser("Ada"), site.browser("Mo")
        assert ada.user is not None and mo.user is not None
        site.call(site.tables.store.change_user, mo.user.id, role="moderator")
        site.tables.users.forget(mo.user.id)
        site.call(_file_one, site, ada.user.id)
        [report] = site.call(site.tables.store.moderation.open_reports)
        page = mo.get(f"/moderation/reports/{report.id}").text
        assert "resigned 3 rated games" in page and "Reported by the system" in page
        assert '<a href="/t/abc">1</a>' in page and "may be a harmless reason" in page


async def _file_one(site: Site, user: str) -> None:
    flag = flags.Flag("thrown", (user,), FACTS["thrown"], ("abc",))
    assert await site.tables.flags._file(flag, 1_700_000_000_000)
