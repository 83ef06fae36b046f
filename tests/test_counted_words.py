"""Numbers in all catalogs agree with their nouns by plural forms, or are listed with a reason."""

from __future__ import annotations

import importlib.resources
import io
import re
from collections.abc import Iterator
from typing import Final

import pytest
from babel.messages.pofile import read_po

from atoll.engine.languages import LANGUAGES

PACKAGES: Final = (
    *(f"atoll.games.{game}" for game in ("atacama", "atlandice", "atua", "raiatea", "wutaki")),
    "atoll.server.presentation",
    "atoll.starter",
)

_NUMBERS: Final = """
    all_rigs allowed amount batch beach_bonus beach_length beyond beyond_open_end birds birds_of_other bonus
    coconut_bonus coconut_points columns_score cost count counter_steps decisions dice discard_price discarded discount
    display distance donation_cost donation_points done double_factor draws end_vp exhausted extra_workers factor
    fates_shown final_first final_second first_score fishing_points gain games gifts_given given gold_in hands hire_cost
    hires hunting_now hunting_points hut_coconuts hut_now idle inventory kahuna_pearls kahuna_priests keep least left
    left_card_price left_there length limit line_minimum lines longest loyal_workers malus mana mana_left mana_now
    markers_left market market_hands market_now max_priests max_tattoos mine minutes most moved n needed number of
    oil_now one_priest owed paid pearls_left penalty picks picks_of_two pips points priests priests_now purchase refill
    resident_score rest right_card_gain rigs rigs_there ritual_draw room round_limit rounds rows_score ruler_points
    scored_after_a scored_after_b scored_after_c seafaring_points second_score seconds set_size size solo_beach_bonus
    solo_coconuts solo_turns spaces stack_a stack_b stack_c start_coconuts start_mana start_pearls start_price
    start_priests start_tattoos start_vp steps stock stone_in stone_now supply tactic_doubles tactic_rigs
    tahuma_volcano_points tane_cards taken tattoos_now theirs tile_points times total totem_points two_priests
    unfulfilled_penalty upgrade_markers upgrade_vp value volcanoes_now vp vp_end vp_now vp_track won worth_there
    """
NUMBERS: Final = frozenset(_NUMBERS.split())
"""Placeholders whose values are numbers; others are names or texts."""

UNCOUNTED: Final = {
    "en": {"VP", "mana", "gold", "oil", "wood", "stone", "sheep"},
    "de": {"SP", "Mana", "Gold", "Öl", "Holz", "Stein"},
}
"""Nouns that are the same for one and for many."""

_NO_NOUNS_EN: Final = """
    a after again against and are as at available be begins by chosen discarded for from has have higher holds
    if in is it left lie low more now of on onto or ready sent set so than the times to up was with x
    """
_NO_NOUNS_DE: Final = """
    abgelegt am an anwerben auf aufgefüllt aus ausgesandt beginnt bei beiseite bereit bezahlen bieten bis davon der
    drehen fällig für geben gegen gewählt haben hat her hergeben hineingeben im in insgesamt ist jetzt mal mehr mit
    nehmen oder seiner sind so und verfügbar von vorhanden war weg wenn wert x zu zum zurückgeben
    """
NO_NOUNS: Final = {"en": set(_NO_NOUNS_EN.split()), "de": set(_NO_NOUNS_DE.split())}
"""Words that a number can stand in front of without counting them."""

LABELS: Final = re.compile(
    r"(?:[Rr]ound|[Ff]east|[Ll]evel|[Aa]ct|[Cc]olumn|[Rr]ow|[Ss]eat|[Ss]pace|[Ss]tatue|[Pp]lace|[Ss]lot|[Ss]tack|batch"
    r"|Runde|Aktionsrunde|Fest|Ebene|Akt|Spalte|Reihe|Platz|Feld|Statue|Stufe|Zeile|Level|Plätze)$"
)
"""Words that make the number behind them a name, as in "Round 3"."""

ALLOWED: Final = {
    "atua.from_village.left": "steps of half a symbol in a text form, short as a coordinate",
    "atua.from_village.right": "as above",
    "atua.from_village.up": "as above",
    "atua.from_village.down": "as above",
    "atua.score.volcano_at": "a distance with decimals",
    "raiatea.log.paid_goods": "'Stück' is the same for one and for many",
    "raiatea.pattern.same_other": "data has at least two, as one alone can't be the same",
    "raiatea.pattern.any": "'any' and 'beliebige' are the same for one and for many",
    "raiatea.rule.gallery.treasure.some": "all cards of a god are more than those with a treasure, so at least two",
    "wutaki.rule.table.scoring.resources": "a set has more than one resource",
    "wutaki.rule.gallery.recommended": "recommended from at least two players",
    "wutaki.log.end_by_vp": "the game doesn't end at one point",
    "script.narrow": "a script fills it in, only while there are several",
    "player.mine": "a script fills it in",
    "player.since": "a script fills it in",
    "refused.bad_name": "a limit of many characters",
    "refused.bad_text": "a limit of many characters",
    "refused.bad_note": "a limit of many characters",
    "refused.not_absent": "a wait of many minutes",
    "flag.one_sided": "a sign needs at least eight games",
    "flag.swing": "as above",
    "flag.thrown": "a sign needs at least three games",
    "flag.alternating": "a sign needs at least ten answers",
    "game.minutes": "a range as text, such as 60–90",
    "verdict.record.open": "a game has many lines",
    "verdict.starts.more": "a script or the judge fills it in, only for several",
    "verdict.unfinished_more": "a script fills it in, only for several",
    "gather.taken": "a table has several seats",
    "puzzle.ask": "a puzzle has several choices",
    "operation.concern.versions": "one version alone is no concern",
    "workshop.simulate": "a simulation has hundreds of games",
    "workshop.progress": "as above",
    "workshop.how": "as above",
}
"""Keys of texts with a number that needs no plural form, and why."""


def texts(package: str, language: str) -> Iterator[tuple[str, bool, str]]:
    """Yield key, whether the text has plural forms, and each of its forms."""
    source = importlib.resources.files(package).joinpath("words", f"{language}.po").read_bytes()
    for message in read_po(io.BytesIO(source), locale=language):
        if message.id and message.string:
            forms = (message.string,) if isinstance(message.string, str) else message.string
            key = message.id if isinstance(message.id, str) else message.id[0]
            yield from ((key, not isinstance(message.id, str), form) for form in forms)


COLON: Final = re.compile(r"(?:[Ss]o (?:many|often|viele|oft)|this many)[^.!?]*: ?$|\b(?:left|noch): ?$")
PLAIN: Final = re.compile(r"(?<![:{])\{(\w+)\}(?:-(?P<joined>\w+)| (?P<word>[^\W\d_][\w’'-]*))?")


def faults(language: str, has_plural: bool, text: str) -> Iterator[str]:
    """Yield the numbers of a text whose noun can't agree with them."""
    for match in PLAIN.finditer(text):
        name, word, before = match[1], match["word"], text[: match.start()]
        if name not in NUMBERS or (has_plural and name == "n"):
            continue
        if COLON.search(before):
            yield f"a count behind a colon: {{{name}}}"
        if word and word not in UNCOUNTED[language] | NO_NOUNS[language] and not LABELS.search(before.rstrip()):
            yield f"{{{name}}} {word}"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("package", PACKAGES)
def test_each_number_agrees_with_its_noun(package: str, language: str) -> None:
    """A counted noun has plural forms: by `n`, or by a form such as `{hours:hours}`."""
    found = {
        f"{key}: {fault}"
        for key, has_plural, text in texts(package, language)
        if key not in ALLOWED
        for fault in faults(language, has_plural, text)
    }
    assert found == set()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("package", PACKAGES)
def test_each_form_of_a_number_exists_and_is_used(package: str, language: str) -> None:
    known = list(texts(package, language))
    numbers = {key.partition("form.number.")[2] for key, _, _ in known if "form.number." in key}
    used = {form for _, _, text in known for _, form in re.findall(r"\{(\w+):([a-z_]+)\}", text)}
    assert numbers - {f"{each}.none" for each in numbers} - used == set(), "a form that no text asks for"
    for key, _, text in known:
        for name, form in re.findall(r"\{(\w+):([a-z_]+)\}", text):
            if name in NUMBERS:
                assert form in numbers, f"{key} asks for {{{name}:{form}}}"


def test_what_is_allowed_is_there() -> None:
    keys = {key for package in PACKAGES for language in LANGUAGES for key, _, _ in texts(package, language)}
    assert set(ALLOWED) <= keys


@pytest.mark.parametrize(
    ("language", "text", "wrong"),
    [
        ("en", "You get {points} points.", True),
        ("en", "You get {points:points}.", False),
        ("en", "Turn over so many fates: {fates_shown}.", True),
        ("en", "Round {n} begins.", False),
        ("en", "Pay {n} mana.", False),
        ("de", "Du bekommst {points} Punkte.", True),
        ("de", "Ebene {n} hat keinen Platz mehr.", False),
        ("de", "Alle nehmen so viele: {picks}.", True),
    ],
)
def test_a_fault_is_found(language: str, text: str, wrong: bool) -> None:
    assert bool(list(faults(language, False, text))) == wrong
